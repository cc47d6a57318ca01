"""Finds facts that one file of a switch must repeat from another but does not.

SONiC has the VNI of a VRF in CONFIG_DB for its ASIC and in frr.conf for BGP, and its name in both.
The facts of all files are compared together, so without this check a line in one file would be
enough.
"""

from collections import Counter
from collections.abc import Iterator, Mapping

from fabricgen.core.tree.facts import Facts, Topic, subject_of
from fabricgen.core.tree.table import ALWAYS
from fabricgen.core.tree.whole import FactReader

_OF_ONE_FILE = frozenset({ALWAYS, "unit"})
"""Kinds whose objects belong to the file that they are in."""


def repeated(grammars: Mapping[str, FactReader]) -> frozenset[Topic]:
    """Return the kinds of facts that several files of a switch state."""
    count = Counter(topic for each in grammars.values() for topic in each.about)
    return frozenset(
        topic for topic, many in count.items() if many > 1 and topic[0] not in _OF_ONE_FILE
    )


def lacking(
    wanted: Facts, topics: frozenset[Topic], read: Mapping[str, tuple[FactReader, Facts]]
) -> Iterator[tuple[str, str]]:
    """Yield each file that lacks an expected fact which another file states, with the fact."""
    for kind, attribute in sorted(topics):
        able = [(path, facts) for path, (witness, facts) in read.items()
                if (kind, attribute) in witness.about]  # fmt: skip
        for key, own in wanted.items():
            if key[0] != kind or attribute not in own:
                continue
            for path, facts in able:
                if attribute not in facts.get(key, {}):
                    yield path, f"{subject_of(key)} has no {attribute}; another file has it"
