"""Provides basics of all other packages: diagnostics, records, confined files, workers, trees."""
