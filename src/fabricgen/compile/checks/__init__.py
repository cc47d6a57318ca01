"""Check the designed site: one check in each file."""
