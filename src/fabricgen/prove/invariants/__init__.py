"""Checks the facts of files against laws that hold in every network."""
