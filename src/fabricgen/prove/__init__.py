"""Compares expected facts with rendered files and running switches."""
