"""Writes the topology of the GPU fabric for schedulers."""
