"""Defines an interface as the files of a switch configure it."""

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Attributes, Facts
from fabricgen.prove.walk.filters import Filter
from fabricgen.prove.walk.packet import Interface, interface
from fabricgen.prove.walk.values import text, words


@record(kw_only=True)
class Port:
    """One interface. `vlans`: its tagged VLANs. `untagged`: its VLAN without a tag.

    `filters`: its ingress lists. `bundle`: its port-channel. `group`: trunk group, whose VLANs it
    has. `mac`: of a gateway. `parent`, `tag`: the port and tag of a subinterface. `through`: it is
    a tunnel between these addresses with this key, whose packets leave by `below`.
    """

    name: str
    up: bool
    vrf: str
    addresses: tuple[Interface, ...]
    vlans: frozenset[int] = frozenset()
    untagged: int = 0
    link_local: bool = False
    mac: str = ""
    segment: str = ""
    mlag: str = ""
    bundle: str = ""
    group: str = ""
    parent: str = ""
    tag: int = 0
    through: tuple[str, str, str] = ("", "", "")
    below: str = ""
    filters: tuple[Filter, ...] = ()
    strange: str = ""


def holder(facts: Facts, pair: Attributes) -> str:
    """Return the interface with the local address of a pair; empty without one."""
    for key, own in facts.items():
        held = words(own.get("address")) if key[0] == "interface" else ()
        if any(str(interface(each).ip) == text(pair.get("local")) for each in held):
            return key[1]
    return ""
