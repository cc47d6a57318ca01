"""Run a compiled site as real FRR switches on this machine."""
