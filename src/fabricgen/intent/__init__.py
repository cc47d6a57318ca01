"""Reads the intent: YAML with positions to a validated `Intent`."""
