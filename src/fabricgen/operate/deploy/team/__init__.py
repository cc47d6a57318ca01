"""Defines who may change switches and when: a team's rules and the signatures of its people."""
