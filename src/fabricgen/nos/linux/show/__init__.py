"""Plain Linux with FRR: what is run on a switch, and what its output says."""
