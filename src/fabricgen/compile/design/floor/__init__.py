"""Place racks, switches and servers and measure the cables between them."""
