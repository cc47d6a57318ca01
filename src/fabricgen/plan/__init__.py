"""Sizes a fabric and writes the documents for building it."""
