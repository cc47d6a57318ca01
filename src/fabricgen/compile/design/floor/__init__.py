"""Where things stand, and how long their cables are."""
