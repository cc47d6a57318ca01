"""Fills custom config, merges it into the files of a switch and checks it."""
