"""Bring rendered files to running switches: plans, pushes in batches and rollbacks."""
