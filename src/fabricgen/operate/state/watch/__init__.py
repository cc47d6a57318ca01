"""Watch the lossless traffic of running switches next to the thresholds of the model."""
