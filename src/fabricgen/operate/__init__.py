"""Bring compiled files to switches and to a lab."""
