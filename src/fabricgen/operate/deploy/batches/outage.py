"""A fabric and switches that are gone for a while in; who loses what, in sentences, out."""

from collections.abc import Collection, Iterable, Iterator

from fabricgen.core.units import counted
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Nic, Server

_NAMES = 8


def outage(fabric: Fabric, gone: Iterable[str]) -> tuple[str, ...]:
    """Say which servers each switch cuts off, which lose NICs, and whose only way out it is."""
    return tuple(
        f"while {name} is gone, {sentence}"
        for name in gone
        for part in (_servers(fabric, name), _ways_out(fabric, name))
        for sentence in part
    )


def _servers(fabric: Fabric, name: str) -> Iterator[str]:
    links = fabric.topology.links_at
    mine = [it for it in links[name] if isinstance(it.lower, Server) and it.standing is None]
    below = {link.lower.name for link in mine}
    kept = {server for server in below if any(link.upper.name != name for link in links[server])}
    rails = {link.lower_port.rail for link in mine if isinstance(link.lower_port, Nic)} - {0}
    nics = f"NICs on rail {', '.join(map(str, sorted(rails)))}" if rails else "links to it"
    if cut := below - kept:
        yield f"nothing else of {fabric.name} reaches {_named(cut)}"
    if kept:
        yield f"{_named(kept)} lose their {nics} and keep others"


def _ways_out(fabric: Fabric, name: str) -> Iterator[str]:
    out = fabric.overlay.external if fabric.overlay else {}
    others = {peer.vrf for other in out if other != name for peer in out[other]}
    for vrf in sorted({peer.vrf for peer in out.get(name, ())} - others):
        yield f"VRF {vrf} has no way out"


def _named(servers: Collection[str]) -> str:
    every = sorted(servers)
    more = f" and {len(every) - _NAMES} more" if len(every) > _NAMES else ""
    return f"{counted(len(every), 'server')} ({', '.join(every[:_NAMES])}{more})"
