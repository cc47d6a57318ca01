"""Reads configuration text as settings, compares two of them and rates the risk of a change."""
