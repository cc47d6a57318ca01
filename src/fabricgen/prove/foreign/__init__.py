"""Reads configurations that fabricgen did not render."""
