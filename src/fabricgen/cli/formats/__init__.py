"""Prints reports for people and for programs."""
