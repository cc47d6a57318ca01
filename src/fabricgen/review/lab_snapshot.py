"""Defines the state of a lab by which both sides of a change are compared."""

from collections.abc import Mapping
from typing import NamedTuple

from fabricgen.compile.compiler import slices
from fabricgen.core.record import record
from fabricgen.model.fabric.switch import Site
from fabricgen.operate.lab.plan import LabPlan


class LabSession(NamedTuple):
    """One session of one switch. `peer`: name of the neighbor, or its address if unknown."""

    switch: str
    kind: str
    vrf: str
    peer: str
    address: str


class LabRoute(NamedTuple):
    """One prefix in one routing table. A host route of a server has the server's name."""

    switch: str
    vrf: str
    prefix: str


@record(kw_only=True)
class Snapshot:
    """State of one side.

    Attributes:
        switches: Names of switches and external routers.
        sessions: State of each session.
        routes: Next hops of each selected route, sorted.
        pairs: Whether packets arrive, by source and target.
        refused: Sentences about lines that FRR refused at boot.
        ignored: Lines that FRR does not show after the boot, by switch.
        unread: Sentences about state that could not be read.
    """

    switches: frozenset[str] = frozenset()
    sessions: Mapping[LabSession, str]
    routes: Mapping[LabRoute, tuple[str, ...]]
    pairs: Mapping[tuple[str, str], bool]
    refused: tuple[str, ...] = ()
    ignored: frozenset[tuple[str, str]] = frozenset()
    unread: tuple[str, ...] = ()


NOTHING = Snapshot(sessions={}, routes={}, pairs={})
"""Snapshot of a side without any of the switches."""


@record(kw_only=True)
class Names:
    """Names for addresses and ports of one side.

    Attributes:
        switches: Switch by address of its loopback, tunnel endpoint or session.
        hosts: Server by its address, in the VRFs.
        ports: Neighbor by switch and port.
    """

    switches: Mapping[str, str]
    hosts: Mapping[str, str]
    ports: Mapping[tuple[str, str], str]


def names_of(site: Site, plan: LabPlan) -> Names:
    """Return the names of one side."""
    found: dict[str, set[str]] = {}
    for _, one in slices(site):
        for own in (one.loopback, one.vtep):
            if own is not None:
                found.setdefault(own.host, set()).add(one.switch.name)
        for session in one.sessions:
            if session.remote is not None:
                found.setdefault(session.remote.host, set()).add(session.peer.name)
        for peer in one.peers:
            found.setdefault(peer.remote.host, set()).add(peer.name)
    ports = {(each.a, each.a_port): each.b for each in plan.cables}
    ports |= {(each.b, each.b_port): each.a for each in plan.cables}
    return Names(
        switches={address: " or ".join(sorted(names)) for address, names in found.items()},
        hosts={each.address: each.name for each in (*plan.endpoints, *plan.beyond)},
        ports=ports,
    )
