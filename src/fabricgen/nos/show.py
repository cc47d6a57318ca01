"""Define the interface of the show readers: the commands for a switch and one state snapshot."""

from collections.abc import Callable, Mapping
from dataclasses import field
from enum import StrEnum

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Attributes, Facts, Key, Topic
from fabricgen.nos.spelling import Names

ESTABLISHED = "Established"
UP, ENABLED, SHUT = "up", "enabled", "shut"
"""States of a link: the other end answers, the port is not shut, the port is shut."""


class Part(StrEnum):
    """A part of the state that is read separately, so that it can fail separately."""

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
    """Values that change while BGP works: equal values mean that nothing happened in between.

    Attributes:
        up: Milliseconds since the session came up.
        resets: Number of session starts and ends.
        prefixes: By family, the accepted and the sent prefixes.
        waiting: Messages in the two queues.
        ended: Address families whose End-of-RIB was received.
    """

    up: int
    resets: tuple[int, int]
    updates: tuple[int, int]
    prefixes: tuple[tuple[str, int, int], ...]
    waiting: int
    ended: tuple[str, ...]


@record(kw_only=True)
class Observed:
    """State snapshot of a switch, with activity of BGP sessions and reasons for unread parts.

    `runs`: the version that the release of an intent decides, as `FRR 8.4.4`, empty if unread.
    """

    facts: Facts = field(default_factory=dict)
    pulses: Mapping[Key, BgpActivity] = field(default_factory=dict)
    unread: Mapping[Part, str] = field(default_factory=dict)
    runs: str = ""

    def of(self, kind: str) -> dict[Key, Attributes]:
        return {key: own for key, own in self.facts.items() if key[0] == kind}


@record(kw_only=True)
class Reader:
    """A read-only shell script for a platform, and the parser of its output.

    Attributes:
        names: Names of objects that every design has. With `more` also those of this platform
            alone.
        about: By topic, the part that it is read from.
        runs: Version of a release, in the words of `Observed.runs`.
    """

    names: Names
    about: Mapping[Topic, Part]
    script: str
    parse: Callable[[str], Observed]
    runs: Callable[[str], str] | None = None
