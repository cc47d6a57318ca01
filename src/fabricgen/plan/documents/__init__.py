"""Writes the bill of materials, cable lists, labels, work orders and pictures."""
