"""Pushes a plan batch by batch and rolls back a batch when the network does not recover."""
