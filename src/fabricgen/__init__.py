"""Compiles intent to reviewable switch configuration."""

__version__ = "0.1.0"
