"""Servers as a running network has them, for networks that are to be tried."""
