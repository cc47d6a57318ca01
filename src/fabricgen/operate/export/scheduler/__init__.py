"""Write the topology of the GPU fabric for schedulers."""
