"""Reads the patterns of interface descriptions from the configurations."""

import re
from collections import Counter
from collections.abc import Iterator

from pydantic import ValidationError

from fabricgen.core.tree.facts import Facts
from fabricgen.importer.beside import Beside, fabrics
from fabricgen.importer.tree import Fragment, Tree, merged
from fabricgen.intent.model.descriptions import Descriptions, MoreDescriptions
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Switch
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import nos
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.walk.values import text
from fabricgen.prove.written import judge_of

Seen = tuple[str, str, str, dict[str, str]]
"""A kind of port, its description, the designed one, and the words that a pattern may use."""


def read(network: Network, tree: Tree) -> Fragment:
    """Return the tree with patterns of the site, or of each fabric if fabrics differ."""
    every = [(each, _patterns(each)) for each in fabrics(network, tree)]
    alike = {
        kind: pattern
        for _, own in every
        for kind, pattern in own.items()
        if pattern and all(other.get(kind, pattern) == pattern for _, other in every)
    }
    found: Tree = {"site": {"descriptions": alike}} if alike else {}
    for each, own in every:
        words = {kind: pattern for kind, pattern in own.items() if pattern and kind not in alike}
        words = {kind: words[kind] for kind in words if kind in _known(each)}
        found = merged(found, each.fragment(descriptions=words)) if words else found
    return found


def _known(each: Beside) -> frozenset[str]:
    words = MoreDescriptions if each.fabric.overlay is not None else Descriptions
    return frozenset(words.model_fields)


def _patterns(beside: Beside) -> dict[str, str]:
    """Return the most frequent pattern of each kind of port. Empty for the design's pattern."""
    counts: dict[str, Counter[str]] = {}
    for switch_slice, there in beside.pieces():
        for kind, written, usual, words in _seen(switch_slice, there):
            pattern = "" if written == usual else _pattern(written, words)
            counts.setdefault(kind, Counter())[pattern] += 1
    best = {kind: count.most_common(1)[0][0] for kind, count in counts.items()}
    return {kind: pattern if _taken(kind, pattern) else "" for kind, pattern in best.items()}


def _seen(switch_slice: SwitchSlice, there: Judged) -> Iterator[Seen]:
    names, judge = nos(there.platform).names, judge_of(there.platform)
    assert names is not None
    assert judge is not None
    facts = judge.expectation.of(switch_slice)
    for port in switch_slice.interfaces:
        name = spell(switch_slice.switch, port.port)
        written = _told(there.facts, name)
        for kind, words in _words(port).items() if written and port.note is None else ():
            yield kind, written, _told(facts, name), _here(switch_slice, name) | words
    for lag in switch_slice.lags:
        name = names.bundle(lag.number)
        written = _told(there.facts, name)
        if written:
            far = {"peer": lag.server.name if lag.server is not None else lag.outside}
            yield "bundle", written, _told(facts, name), _here(switch_slice, name) | far


def _told(facts: Facts, name: str) -> str:
    own = facts.get(("interface", name), {})
    return text(own.get("description")) or text(own.get("note"))


def _here(switch_slice: SwitchSlice, port: str) -> dict[str, str]:
    return {"switch": switch_slice.switch.name, "port": port}


def _words(port: Interface) -> dict[str, dict[str, str]]:
    """Return the words for the far end of a port by its kind."""
    if port.outside:
        return {"external": {"peer": port.outside}}
    if port.peer is None or port.peer_port is None:
        return {}
    far = spell(port.peer, port.peer_port)
    if isinstance(port.peer, Switch):
        return {"link": {"peer": port.peer.name, "peer_port": far}}
    return {"server": {"server": port.peer.name, "nic": far}}


def _pattern(written: str, words: dict[str, str]) -> str:
    """Replace words by their names, each once and longer words first."""
    for name, value in sorted(words.items(), key=lambda each: -len(each[1])):
        whole = rf"(?<![A-Za-z0-9{{]){re.escape(value)}(?![A-Za-z0-9}}])"
        written = re.sub(whole, f"{{{name}}}", written, count=1)
    return written


def _taken(kind: str, pattern: str) -> bool:
    """Check whether the intent accepts a pattern."""
    try:
        MoreDescriptions.model_validate({kind: pattern})
    except ValidationError:
        return False
    return True
