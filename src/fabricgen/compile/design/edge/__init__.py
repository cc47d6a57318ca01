"""Design the external links of a fabric and the sessions of its border leafs."""
