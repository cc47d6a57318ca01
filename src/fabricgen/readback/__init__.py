"""Rendered files read back: what each port would do, and whether every path stays lossless."""
