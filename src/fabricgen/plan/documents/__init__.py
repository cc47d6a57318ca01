"""Prints bill, cable lists, labels, work orders and pictures."""
