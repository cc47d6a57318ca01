"""Run a commit on the switch: an agent that is sent over SSH and never installed.

It needs only the standard library of Python 3.9 or newer. This package has the parts that are the
same on every network OS: the claim, the candidate, the commit with its timer, and checkpoints. A
`Switch` of each OS adds the rest.
"""
