"""Order changes that concern two ends: their differences, affected batches and traffic."""
