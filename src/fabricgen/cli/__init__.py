"""Implements the command line: one verb in each file, which imports its packages when it runs."""
