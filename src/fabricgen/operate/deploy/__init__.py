"""Rendered files on their way to running switches: planned, pushed in batches, undone when bad."""
