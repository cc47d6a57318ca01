"""Records the steps of pushes so that kill -9 or a power failure cannot lose them."""
