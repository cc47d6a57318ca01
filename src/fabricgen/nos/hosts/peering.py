"""Builds the BGP files of servers with routed ports on an EVPN fabric.

FRR learns the default route from its leafs. Cilium and Calico start only after the network works.
Their servers therefore have static default routes, with one port after the other by metric.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.nos.hosts.view import Address, Common, HostFile, Speaker

if TYPE_CHECKING:
    from fabricgen.core.because import Because
    from fabricgen.model.fabric.routing import AllowedPrefix
    from fabricgen.nos.hosts.bridged import BridgedSide, Peering, RoutedLink
    from fabricgen.nos.hosts.slices import HostSlice

SYSCTL = "etc/sysctl.d/91-fabricgen.conf"
EVERY = "0.0.0.0/0"
_FILES = {
    "frr": {"etc/frr/frr.conf": "hosts/frr.j2", "etc/frr/daemons": "linux/daemons.j2"},
    "cilium": {"etc/fabricgen/cilium.yaml": "hosts/cilium.j2"},
    "calico": {"etc/fabricgen/calico.yaml": "hosts/calico.j2"},
}


def address(link: RoutedLink, because: Because) -> Address:
    """Return the address of a routed port, as the files of its interface have it."""
    return Address(
        dhcp=False,
        way_out=False,
        six=False,
        address=str(link.address),
        host=link.address.host,
        source="",
        gateway=link.gateway.host,
        subnet=link.address.prefix,
        every=EVERY if link.metric else "",
        table=0,
        metric=link.metric,
        routed=True,
        because=because,
    )


def link_files(piece: HostSlice) -> Iterator[HostFile]:
    """Yield the files of a server's routed ports, of which it has one set at most."""
    for side in piece.bridged:
        if side.links:
            kept = _kept(side.ports, side.attached)
            yield HostFile(path=SYSCTL, index="hosts/sysctl.j2", view=kept)
        if side.peering is not None:
            view = _speaker(piece.server.name, side, side.peering)
            for path, index in _FILES[side.peering.told.speaker].items():
                yield HostFile(path=path, index=index, view=view)


@lru_cache(maxsize=64)
def _kept(ports: tuple[str, ...], because: Because) -> Common:
    """Return what the kernel is told of ports: one object for all servers of an attachment."""
    return Common(nics=ports, spare=ports, whose="the routed ports", because=because)


def _speaker(server: str, side: BridgedSide, peering: Peering) -> Speaker:
    told = peering.told
    return Speaker(
        server=server,
        policy=told.name,
        asn=told.asn,
        router_id=side.links[0].address.host,
        leafs=side.links,
        blocks=tuple(_block(rule.allowed) for rule in told.accept),
        timers=peering.timers,
        because=told.because,
    )


def _block(allowed: AllowedPrefix) -> str:
    """Spell what may be announced; FRR wants a longest length beyond that of the prefix."""
    text, length = allowed.prefix.prefix, allowed.prefix.length
    return f"{text} le {allowed.longest}" if allowed.longest > length else text
