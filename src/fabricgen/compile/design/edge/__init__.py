"""From the ways out that people name to the sessions of border leafs."""
