"""Record the steps of pushes so that a killed process or a power failure cannot lose them."""
