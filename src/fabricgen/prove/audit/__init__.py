"""Audits foreign configurations of switches."""
