"""Share equal objects of the states of many switches, so that 512 switches fit into memory.

Switches of one design have the same ports, counters and attributes. No state is changed after it
was made, so equal keys, attributes and reasons may be one object.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.core.tree.facts import Attributes, Facts, Key, Value
from fabricgen.nos.show import Observed
from fabricgen.prove.runs import Expected

if TYPE_CHECKING:
    from fabricgen.core.provenance import Provenance
    from fabricgen.prove.designed import Designed


class Sharing:
    """The objects that were seen so far. Several threads may use it."""

    def __init__(self) -> None:
        """Begin without any."""
        self._keys: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._facts: dict[tuple[tuple[str, Value], ...], Attributes] = {}
        self._designs: dict[tuple[str, Provenance | None], Designed] = {}
        self._numbers: dict[float, float] = {}
        self._unknown: dict[frozenset[tuple[tuple[str, ...], str]], Mapping[tuple[str, ...], str]]
        self._unknown = {}

    def expected(self, state: Expected) -> Expected:
        """Return an equal expectation that shares its objects."""
        keys, designs = self._keys, self._designs
        return replace(
            state,
            facts=self._shared(state.facts),
            optional=frozenset(keys.setdefault(key, key) for key in state.optional),
            asked=frozenset(keys.setdefault(key, key) for key in state.asked),
            designs={
                keys.setdefault(key, key): designs.setdefault((each.role, each.because), each)
                for key, each in state.designs.items()
            },
        )

    def observed(self, state: Observed) -> Observed:
        """Return an equal snapshot that shares its objects."""
        keys, numbers = self._keys, self._numbers
        return replace(
            state,
            facts=self._shared(state.facts),
            unknown=self._unknown.setdefault(frozenset(state.unknown.items()), state.unknown),
            measures={
                keys.setdefault(key, key): numbers.setdefault(value, value)
                for key, value in state.measures.items()
            },
        )

    def _shared(self, facts: Facts) -> Facts:
        keys, known = self._keys, self._facts
        found: Facts = {}
        for key, own in facts.items():
            same: Key = keys.setdefault(key, key)
            try:
                found[same] = known.setdefault(tuple(own.items()), own)
            except TypeError:  # a reader that took a list from a switch
                found[same] = own
        return found
