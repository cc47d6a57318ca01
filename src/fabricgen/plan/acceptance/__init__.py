"""Acceptance of a network: what to measure before hand-over, and the number of the model for it."""
