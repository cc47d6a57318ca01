"""Resolves references to secrets in memory, and hides the values in all output."""
