"""FRRouting: lowers a slice to frr.conf for the network OSes that embed FRR."""
