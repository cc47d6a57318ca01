"""Reads the lossless classes of each fabric from the configurations.

A profile and the shipped hardware decide most numbers. So the fabric is designed with each profile,
and the profile with the fewest remaining keys is chosen.
"""

from collections.abc import Iterator

from fabricgen.compile.design.roce_profiles import PROFILES
from fabricgen.core.diagnostics import Code
from fabricgen.importer.beside import Beside, beside, design, drawn, fabrics
from fabricgen.importer.queues import ALSO, Words, has_roce, looked, said_of
from fabricgen.importer.tree import Fragment, Tree, below, merged
from fabricgen.intent.model.qos import MOST_OVER_SUBSCRIPTION, Roce
from fabricgen.model.fabric.qos import Kind
from fabricgen.prove.foreign.network import Network

_PROFILES: tuple[Fragment, ...] = tuple(
    {"profile": name} for name in PROFILES if name != "computed"
)
_CAUSES: tuple[Fragment, ...] = (
    {"pause_response": "shipped"},
    {"pause_response": "conservative"},
    *({"congested_ingresses": number} for number in (1, 2, 4, 8, 16)),
)
"""Keys that only appear in values computed from them."""
_OF_ALL = frozenset({"dscp", "ecn", "watchdog", "cnp"})
"""Keys that profiles set and that follow from other keys."""


def read(network: Network, tree: Tree) -> Fragment:
    """Return the tree with RoCE keys. A kind of fabric without lossless classes has none."""
    found: Tree = {}
    for each in fabrics(network, tree):
        words = _of(network, tree, each) if each.fabric.managed is None else None
        if words is not None:
            found = merged(found, each.fragment(roce=words))
    return found


def _of(network: Network, tree: Tree, there: Beside) -> Fragment | None:
    """Return the keys of one fabric. None without any setting."""
    ports = looked(there)
    if there.serves_tenants and not any(has_roce(each.port) for each in ports):
        ports = []
    theirs = said_of(ports)
    qos = there.fabric.qos
    has = qos is not None and any(item.kind is Kind.LOSSLESS for item in qos.classes)
    if not theirs:
        return {"enabled": False} if has and looked(there) else None
    fit = _Fit(network, tree, there, theirs)
    words = fit.best()
    return words if words or not has else None


class _Fit:
    """Finds the shortest keys that reproduce the settings of a fabric."""

    def __init__(self, network: Network, tree: Tree, there: Beside, theirs: Words) -> None:
        self.network, self.tree, self.there, self.theirs = network, tree, there, theirs

    def best(self) -> Fragment:
        """Return the keys."""
        storage: Fragment = {"storage": {}} if ("storage", "dscp") in self.theirs else {}
        candidates = ({}, *_PROFILES, *_CAUSES) if self.published(storage) else ({},)
        every = [self.filled({**each, **storage}) for each in candidates]
        _, words = min(every, key=lambda each: each[0])
        return self.enough(self.shorter(words))

    def published(self, words: Fragment) -> bool:
        """Check whether a profile or another key can cause a difference."""
        return any(key[0] in _OF_ALL or key[-1] == "headroom" for key in self.missing(words) or ())

    def filled(self, words: Fragment) -> tuple[int, Fragment]:
        """Return keys with all remaining differences, and their cost."""
        missing = self.missing(words)
        if missing is None:
            return 1000, words
        words = merged(words, _nested({key: self.theirs.get(key) for key in _said(missing)}))
        return 10 * len(self.missing(words) or ()) + _size(words), words

    def missing(self, words: Fragment) -> list[tuple[str, ...]] | None:
        """Return the differences that remain with some keys. None for an invalid design."""
        trial = merged(self.tree, self.there.fragment(roce=words))
        ours = beside(self.network, trial, self.there.fabric.place)
        if ours is None:
            return None
        drawing = said_of(looked(ours, lambda switch_slice, _: drawn(switch_slice)))
        return [
            key for key in {**drawing, **self.theirs} if drawing.get(key) != self.theirs.get(key)
        ]

    def shorter(self, words: Fragment) -> Fragment:
        """Remove keys that follow from others."""
        most = len(self.missing(words) or ())
        for path in list(_leaves(words)):
            less = _without(words, path)
            missing = self.missing(less)
            if missing is not None and len(missing) <= most:
                words = less
        return words

    def enough(self, words: Fragment) -> Fragment:
        """Allow headroom above its pool, as far as the files do."""
        usual = Roce.model_fields["over_subscription"].default
        for ratio in range(usual, MOST_OVER_SUBSCRIPTION + 1):
            more = {**words, "over_subscription": ratio} if ratio != usual else words
            trial = merged(self.tree, self.there.fragment(roce=more))
            if all(item.code is not Code.BUFFER_EXCEEDED for item in design(trial).findings):
                return more
        return words


def _said(keys: list[tuple[str, ...]]) -> Iterator[tuple[str, ...]]:
    return (key for key in keys if key[0] != ALSO)


def _nested(words: Words) -> Fragment:
    return merged(*(below(path, value) for path, value in words.items() if value is not None))


def _leaves(words: Fragment, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in words.items():
        path = (*above, key)
        if isinstance(value, dict) and value and key != "scheduler":
            yield from _leaves(value, path)
        else:
            yield path


def _without(words: Fragment, path: tuple[str, ...]) -> Fragment:
    """Return the keys without one key. The storage class stays."""
    first, *rest = path
    less = _without(words[first], tuple(rest)) if rest else {}
    kept = {key: value for key, value in words.items() if key != first}
    return {**words, first: less} if less or (rest and first == "storage") else kept


def _size(words: Fragment) -> int:
    return len(list(_leaves(words)))
