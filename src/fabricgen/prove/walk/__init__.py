"""Follows packets through the tables that the files of all switches configure."""
