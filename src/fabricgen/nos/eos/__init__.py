"""Arista EOS: the neutral slice of a switch in, the view of its one configuration file out."""
