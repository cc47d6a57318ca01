"""Selects switches that may change together by redundancy and rechecks each batch."""
