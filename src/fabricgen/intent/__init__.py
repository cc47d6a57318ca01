"""Reads the intent from YAML with positions to a validated `Intent`."""
