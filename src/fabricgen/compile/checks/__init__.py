"""The designed site in, what is wrong with it out: one check, one file."""
