"""Designs the access lists between zones."""
