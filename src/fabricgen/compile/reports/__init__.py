"""Explain a compiled site: derivations, claims, arithmetic and the model."""
