"""From zones and flows to the lists that judge what enters a fabric."""
