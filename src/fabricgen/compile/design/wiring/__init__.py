"""Sizes fabrics and wires their switches, ports and links."""
