"""The agent of a commit: sent to a switch over SSH, never installed, standard library alone.

It runs on Python 3.9 and newer. Here is what is the same on every network OS: the claim, the
candidate, the commit with its timer, checkpoints. A `Switch` of each states the rest.
"""
