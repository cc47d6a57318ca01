"""Configurations of switches that nobody here designed: what is wrong in them."""
