"""Provides basics of all other packages: diagnostics, records, confined files, workers, trees."""

from pathlib import Path

VERSION = "0.2.0"
"""The version of fabricgen, which `pyproject.toml` repeats."""
SOURCES = Path(__file__).parent.parent
"""The folder of the sources."""
