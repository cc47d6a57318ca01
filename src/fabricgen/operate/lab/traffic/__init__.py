"""Measure a running lab with real packets and check the results."""
