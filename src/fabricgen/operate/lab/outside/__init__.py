"""Run the external routers of a site in a lab as real FRR."""
