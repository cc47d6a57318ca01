"""Design fabrics from the intent and the catalog, in typed steps of pure functions."""
