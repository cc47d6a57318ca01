"""Writes a folder that containerlab deploys."""
