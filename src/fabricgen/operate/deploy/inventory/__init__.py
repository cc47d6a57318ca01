"""How switches are reached: the compiled site's hosts, with the options that people own."""
