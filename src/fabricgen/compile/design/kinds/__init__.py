"""The kinds of fabrics: each states how its words become a fabric."""
