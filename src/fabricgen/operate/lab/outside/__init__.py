"""Routers outside a site, played in a lab by real FRR."""
