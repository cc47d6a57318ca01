"""One look at a running switch: its facts, how its sessions are doing, and what was not read."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum
from typing import TYPE_CHECKING

from fabricgen.record import record

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.fabric.facts import (
        Interface,
        Neighbour,
        PortQueues,
        Session,
        Timers,
        Vni,
        Vrf,
    )

ESTABLISHED = "Established"


class Part(StrEnum):
    """What is read apart from the rest, so that it can fail apart from the rest."""

    INTERFACES = "interfaces"
    BRIDGE = "VLANs of the bridge"
    ROUTES = "underlay routes"
    QUEUES = "queues"
    FILTERS = "DSCP filters and classes"
    LLDP = "LLDP neighbours"
    BGP = "BGP sessions"
    BFD = "BFD sessions"
    VNIS = "VNIs"
    EVPN = "route targets"


@record(kw_only=True)
class Pulse:
    """What moves while BGP works: equal twice means that nothing happened in between.

    up: milliseconds since the session came up. resets: how often it did and went down. waiting:
    messages in its two queues. ended: the address families whose End-of-RIB has come.
    """

    up: int
    resets: tuple[int, int]
    updates: tuple[int, int]
    prefixes: tuple[tuple[str, int, int], ...]
    waiting: int
    ended: tuple[str, ...]


@record(kw_only=True)
class Running:
    """One session that a switch has. why: the last notification, as the switch words it."""

    session: Session
    state: str
    why: str
    pulse: Pulse


@record(kw_only=True)
class Bfd:
    """One BFD session. vrf, peer and interface say which BGP session it watches."""

    vrf: str
    peer: str
    interface: str | None
    up: bool
    timers: Timers


@record(kw_only=True)
class Observed:
    """One switch, as it was. unread: what could not be read, and why."""

    interfaces: Mapping[str, Interface] = field(default_factory=dict)
    vrfs: tuple[Vrf, ...] = ()
    sessions: Mapping[tuple[str, str], Running] = field(default_factory=dict)
    bfd: tuple[Bfd, ...] = ()
    vnis: Mapping[int, Vni] = field(default_factory=dict)
    neighbours: tuple[Neighbour, ...] = ()
    routes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    queues: Mapping[str, PortQueues] = field(default_factory=dict)
    unread: Mapping[Part, str] = field(default_factory=dict)
