"""Imports existing configurations into an intent that renders to the same files."""
