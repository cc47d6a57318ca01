"""Places racks, switches and servers and measures the cables between them."""
