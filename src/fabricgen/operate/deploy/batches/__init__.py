"""Which switches may change together: planned from redundancy, and judged once more before each."""
