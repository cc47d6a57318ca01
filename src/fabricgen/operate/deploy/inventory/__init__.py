"""Define how to connect to switches: the hosts of the compiled site and the user's options."""
