"""Shares of ports, tunnels through them and static routes in; what files must say of each out."""

from collections.abc import Iterator

from fabricgen.core.because import Because
from fabricgen.core.tree.facts import Attributes, Key
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.vrfs import VrfRoute
from fabricgen.nos.lowering import spell
from fabricgen.nos.shared.description import describe_share
from fabricgen.nos.show import UP
from fabricgen.nos.spelling import Names


def said_of_shares(piece: SwitchSlice, names: Names) -> Iterator[tuple[Key, Attributes, Because]]:
    """Yield each share, and each tunnel where the platform has them."""
    through = piece.tunnels if names.through is not None else ()
    for share in (*piece.tagged, *through):
        name = name_of_share(piece, share, names)
        own: Attributes = {
            "link": UP,
            "description": describe_share(piece, share, name),
            "mtu": str(share.mtu),
            "tag": str(share.tag),
            "vrf": str(share.vrf),
            "address": tuple(sorted(map(str, share.addresses))),
        }
        yield ("interface", name), own, share.because


def name_of_share(piece: SwitchSlice, share: Interface, names: Names) -> str:
    """Spell a share or a tunnel; a port of its own by its name."""
    if share.tunnel is not None and share.tag is not None and names.through is not None:
        return names.through(share.port.cage, share.tag)
    own = spell(piece.switch, share.port) if share.lag is None else names.bundle(share.lag)
    return names.tagged(own, share.tag) if share.tag is not None else own


def said_of_statics(piece: SwitchSlice, names: Names) -> Iterator[tuple[Key, Attributes, Because]]:
    """Yield the static routes of VRFs, each network with all of its next hops."""
    by: dict[tuple[str, str], list[VrfRoute]] = {}
    for route in piece.routes:
        by.setdefault((route.vrf, route.prefix.prefix), []).append(route)
    for key, same in by.items():
        own: Attributes = {"via": tuple(sorted(route.by.host for route in same))}
        ports = [
            f"{route.by.host}%{name_of_share(piece, route.port, names)}"
            for route in same
            if route.port is not None
        ]
        own |= {"port": tuple(sorted(ports))} if ports else {}
        yield ("route", *key), own, same[0].because
