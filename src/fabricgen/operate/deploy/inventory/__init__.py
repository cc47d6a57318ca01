"""Defines how to connect to switches: the compiled site's hosts and the options of the user."""
