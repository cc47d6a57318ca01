"""Lower a slice to frr.conf for the network OSes that embed FRRouting."""
