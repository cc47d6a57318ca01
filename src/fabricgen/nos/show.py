"""Defines the interface of the show readers: the commands for a switch and one state snapshot."""

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Attributes, Facts, Key, Topic
from fabricgen.nos.spelling import Names

ESTABLISHED = "Established"
UP, ENABLED, SHUT = "up", "enabled", "shut"
"""Links: with an answer of the other end, at least not shut, shut."""


class Part(StrEnum):
    """What is read apart from the rest, so that it can fail apart from the rest."""

    INTERFACES = "interfaces"
    BRIDGE = "VLANs of the bridge"
    ROUTES = "underlay routes"
    QUEUES = "queues"
    FILTERS = "DSCP filters and classes"
    LLDP = "LLDP neighbors"
    BGP = "BGP sessions"
    BFD = "BFD sessions"
    VNIS = "VNIs"
    EVPN = "route targets"
    WAYS = "routes of VRFs"
    RULES = "rules of routing"
    SETTINGS = "settings of interfaces"
    FLAGS = "bridge ports"
    ENTRIES = "neighbors and MACs"
    TC = "filters of tc"
    TABLES = "packet filters"


@record(kw_only=True)
class BgpActivity:
    """What moves while BGP works: equal twice means that nothing happened in between.

    up: milliseconds since the session came up. resets: how often it did and went down. prefixes:
    by family, those taken and those sent. waiting: messages in its two queues. ended: the address
    families whose End-of-RIB has come.
    """

    up: int
    resets: tuple[int, int]
    updates: tuple[int, int]
    prefixes: tuple[tuple[str, int, int], ...]
    waiting: int
    ended: tuple[str, ...]


@record(kw_only=True)
class Observed:
    """One look at a switch. pulses: of its BGP sessions. unread: parts, and why they were not."""

    facts: Facts = field(default_factory=dict)
    pulses: Mapping[Key, BgpActivity] = field(default_factory=dict)
    unread: Mapping[Part, str] = field(default_factory=dict)

    def of(self, kind: str) -> dict[Key, Attributes]:
        """Return the objects of a kind."""
        return {key: own for key, own in self.facts.items() if key[0] == kind}


@record(kw_only=True)
class Reader:
    """How a platform is asked: one read-only shell script, and what its output says.

    names: how it names what is in every design, and with `more` what only this platform has.
    about: of each topic the part that it is read from.
    """

    names: Names
    about: Mapping[Topic, Part]
    script: str
    parse: Callable[[str], Observed]
