"""Reads hardware facts from YAML files, each with its source: switches, NICs, chips and optics."""
