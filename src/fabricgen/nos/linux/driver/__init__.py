"""Debian with FRR and ifupdown2 over SSH: what the operator's side and the switch's side do."""
