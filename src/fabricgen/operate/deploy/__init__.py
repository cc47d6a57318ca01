"""Brings rendered files to running switches: plans, pushes in batches and rolls back."""
