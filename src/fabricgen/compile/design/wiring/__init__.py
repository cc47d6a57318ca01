"""Size fabrics and wire their switches, ports and links."""
