"""Lines that people wrote for a switch themselves: filled in, put into its files, and judged."""
