"""Declares settings: keys that the design carries unchanged from the intent to a line."""
