"""Finds the causes that snapshots show, kind by kind in the order of explanation."""
