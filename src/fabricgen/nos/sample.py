"""Draw the sample of the expected routes that one look at a switch asks for."""

from fabricgen.core.tree.facts import Facts, Key
from fabricgen.nos.traffic import drawn

SAMPLE = 64
"""Underlay routes of one look, and EVPN routes of each type: a route of 32 equal paths is 1.9 kB in
eAPI (ours)."""


def sampled(facts: Facts, kind: str, most: int = SAMPLE) -> tuple[Key, ...]:
    """Return the keys of a kind that one look asks for: at most `most`, drawn by name."""
    keys = {" ".join(key): key for key in facts if key[0] == kind}
    return tuple(keys[name] for name in drawn(keys, most))
