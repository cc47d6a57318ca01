"""References in, values in memory out; and out of everything that is said again."""
