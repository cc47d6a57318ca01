"""Fill custom config, merges it into the files of a switch and check it."""
