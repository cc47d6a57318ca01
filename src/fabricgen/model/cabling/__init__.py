"""Computes the cables, fibers and panels between two ports."""
