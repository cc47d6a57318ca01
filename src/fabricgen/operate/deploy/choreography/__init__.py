"""Changes that have two ends: what differs between them, from which batch until which, for whom."""
