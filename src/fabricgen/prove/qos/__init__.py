"""Checks in the rendered files whether every rail path is lossless."""
