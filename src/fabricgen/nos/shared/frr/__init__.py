"""The routing dialect of FRRouting, which several network OSes embed: a slice in, frr.conf out."""
