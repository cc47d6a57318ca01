"""Holds what every other package uses: diagnostics, records, confined files, workers, trees."""
