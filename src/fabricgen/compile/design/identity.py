"""Find the identity of each switch from single settings and former names."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, TypeVar

from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.model.fabric.identity import Identity
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Switch, Topology

if TYPE_CHECKING:
    from fabricgen.compile.design.findings import Findings
    from fabricgen.intent.model.access import Access
    from fabricgen.intent.model.backend import Backend
    from fabricgen.intent.model.frontend import Frontend
    from fabricgen.intent.model.routed import Routed

Words = TypeVar("Words", "Access", "Backend", "Frontend", "Routed")

_UNKNOWN = Identity()
_NOUNS = {"serial": "serial number", "mac": "management MAC", "previous_name": "former name"}


def identities(
    words: Words, topology: Topology, wire: Callable[[Words], Topology]
) -> dict[str, Identity]:
    """Return the identity of each switch by name, without switches that have none.

    wire: wires another version of this fabric, so that former patterns are filled like present
    ones.
    """
    before = _former(words, topology, wire)
    known = {}
    for switch in topology.switches:
        said = words.switches.get(switch.key)
        previous_name = (said and said.previous_name) or before.get(switch.name, "")
        known[switch.name] = Identity(
            previous_name="" if previous_name == switch.name else previous_name,
            serial=(said and said.serial) or "",
            mac=(said and said.mac) or "",
        )
    return {name: identity for name, identity in known.items() if identity != _UNKNOWN}


def _former(
    words: Words, topology: Topology, wire: Callable[[Words], Topology]
) -> Mapping[str, str]:
    """Return the name of each switch by the patterns of before; nothing when there are none."""
    patterns = {role: pattern for role, pattern in words.names.previous_name if pattern}
    if not patterns:
        return {}
    names = words.names.model_copy(update=patterns)
    old = wire(words.model_copy(update={"names": names, "switches": {}}))
    pairs = zip(topology.switches, old.switches, strict=True)
    return {now.name: then.name for now, then in pairs}


def judge_identities(fabrics: Iterable[Fabric], findings: Findings) -> None:
    """Report serial numbers, MACs and former names of two switches, and former names in use.

    The first of each kind: a pattern may give hundreds.
    """
    present = {switch.name: switch for fabric in fabrics for switch in fabric.topology.switches}
    for key, noun in _NOUNS.items():
        owners: dict[str, Switch] = {}
        for switch, value, path in _values(fabrics, key):
            other = present.get(value) if key == "previous_name" else None
            if other is not None:
                findings.error(
                    Code.NAME_NOT_UNIQUE,
                    f"{switch.name} was {value!r}, but another switch has that name now",
                    path,
                    "rename through a third name, because a push could not distinguish the two",
                )
                break
            if (owner := owners.setdefault(value, switch)) is not switch:
                sentence = f"the {noun} {value} of {switch.name} is also used by {owner.name}"
                findings.error(Code.DUPLICATE_ID, sentence, path)
                break


def _values(fabrics: Iterable[Fabric], key: str) -> Iterator[tuple[Switch, str, IntentPath]]:
    for fabric in fabrics:
        for switch in fabric.topology.switches:
            identity = fabric.identities.get(switch.name)
            if identity is not None and (value := getattr(identity, key)):
                yield switch, value, (*fabric.place, "switches", switch.key, key)
