"""Findings in, text for people or machines out: one format, one file."""
