"""Analyzes failures of a site: remaining bandwidth, disconnected servers and requirements."""
