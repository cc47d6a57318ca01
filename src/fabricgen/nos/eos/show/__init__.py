"""Read the running state of Arista EOS over eAPI."""
