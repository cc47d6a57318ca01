"""Read the list of facts that a walk understands: understood.txt."""

from collections.abc import Mapping
from importlib.resources import files


def _understood() -> tuple[Mapping[str, frozenset[str]], frozenset[str]]:
    """Return the attributes that are understood, by kind, and the kinds that no packet meets."""
    known: dict[str, frozenset[str]] = {}
    for line in (files(__package__) / "understood.txt").read_text().splitlines():
        kind, *words = line.split()
        if kind != "#":
            known[kind] = known.get(kind, frozenset()) | frozenset(words)
    others = known.pop("-")
    return known, others


UNDERSTOOD, OTHERS = _understood()
