"""One key's change in a site: what tests of keys lay over one another."""

from dataclasses import dataclass
from typing import Any

Words = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A site of sites.py with `given` laid over it, and then `changed`; None takes a key away."""

    site: str
    given: Words
    changed: Words


def at(*path: str, words: Words) -> Words:
    """Return words below a path of keys."""
    for key in reversed(path):
        words = {key: words}
    return words
