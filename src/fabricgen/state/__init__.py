"""What a running switch must show, what it shows, and where the two differ: pure functions."""
