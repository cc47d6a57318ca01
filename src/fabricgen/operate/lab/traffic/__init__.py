"""Measures a running lab with real packets and judges the results."""
