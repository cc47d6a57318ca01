"""Build the servers of a running network, for the lab and for containerlab."""
