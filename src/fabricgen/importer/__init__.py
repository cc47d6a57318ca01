"""Configurations that nobody here designed: an intent that renders to the same."""
