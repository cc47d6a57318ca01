"""Writes rendered files to disk, reads them back and compares two trees."""
