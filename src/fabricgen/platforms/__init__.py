"""One package per network OS: the neutral slice of a switch in, views for its templates out."""
