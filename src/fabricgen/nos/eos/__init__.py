"""Arista EOS: lowers a switch slice to the view of its one configuration file."""
