"""Build the BGP files of servers with routed ports on an EVPN fabric.

FRR learns the default route from its leafs. Cilium and Calico start only after the network works.
Their servers therefore have static default routes, with one port after the other by metric.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.nos.hosts.view import Common, HostFile, Speaker

if TYPE_CHECKING:
    from fabricgen.core.provenance import Provenance
    from fabricgen.model.fabric.routing import AllowedPrefix
    from fabricgen.nos.hosts.slices import HostSlice

SYSCTL = "etc/sysctl.d/91-fabricgen.conf"
_FILES = {
    "frr": {"etc/frr/frr.conf": "hosts/frr.j2", "etc/frr/daemons": "linux/daemons.j2"},
    "cilium": {"etc/fabricgen/cilium.yaml": "hosts/cilium.j2"},
    "calico": {"etc/fabricgen/calico.yaml": "hosts/calico.j2"},
}


def link_files(host_slice: HostSlice) -> Iterator[HostFile]:
    """Yield the files of a server's routed ports, at most one set."""
    for side in host_slice.bridged:
        if side.links:
            kept = _kept(side.ports, side.attached)
            yield HostFile(path=SYSCTL, index="hosts/sysctl.j2", view=kept)
        if side.bgp is not None:
            view = Speaker(
                server=host_slice.server.name,
                policy=side.bgp,
                router_id=side.links[0].address.host,
                leafs=side.links,
                blocks=tuple(_block(rule.allowed) for rule in side.bgp.accept),
                vips=tuple(str(vip.address) for vip in side.bgp.vips),
                timers=side.timers,
                because=side.bgp.because,
            )
            for path, index in _FILES[side.bgp.speaker].items():
                yield HostFile(path=path, index=index, view=view)


@lru_cache(maxsize=64)
def _kept(ports: tuple[str, ...], because: Provenance) -> Common:
    """Return the kernel settings of ports: one object for all servers of an attachment."""
    return Common(nics=ports, spare=ports, whose="the routed ports", because=because)


def _block(allowed: AllowedPrefix) -> str:
    """Spell a permitted prefix; FRR requires a maximum length above the prefix length."""
    text, length = allowed.prefix.prefix, allowed.prefix.length
    return f"{text} le {allowed.longest}" if allowed.longest > length else text
