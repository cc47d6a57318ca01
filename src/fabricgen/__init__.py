"""Compiles intent to reviewable switch configuration."""

__version__ = "0.2.0"
