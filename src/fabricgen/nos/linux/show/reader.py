"""The reader of plain Linux with FRR: its script, what that says, what only Linux has."""

from collections.abc import Iterator

from fabricgen.fabric.switch import SwitchSlice
from fabricgen.nos.linux.names import (
    BRIDGE,
    LOOPBACK,
    MANAGEMENT_PORT,
    MANAGEMENT_TABLE,
    bond_name,
    bridge_mac,
    gre_name,
    table,
    tunnel_name,
    vlan_name,
)
from fabricgen.nos.linux.show.commands import SCRIPT
from fabricgen.nos.linux.show.parse import parse
from fabricgen.nos.linux.show.queues import planned
from fabricgen.nos.show import ENABLED, UP, Part, Reader
from fabricgen.nos.spelling import Names
from fabricgen.tree.facts import Attributes, Key

_OWN_ADDRESS = "127.0.0.1/8"
_OWN_VLAN = "1"  # that the bridge itself is in

_ABOUT = (
    (Part.INTERFACES, "interface", "link mtu mac address vrf bundle bridge"),
    (Part.INTERFACES, "interface", "local remote key below"),
    (Part.BRIDGE, "interface", "vlans untagged"),
    (Part.INTERFACES, "vrf", "exists table"),
    (Part.INTERFACES, "vni", "device source"),
    (Part.BRIDGE, "vni", "vlan"),
    (Part.VNIS, "vni", "layer vrf"),
    (Part.EVPN, "vni", "rd import export"),
    (Part.BGP, "session", "asn families state"),
    (Part.BFD, "bfd", "timers state"),
    (Part.LLDP, "cable", "far"),
    (Part.ROUTES, "route", "ports"),
    (Part.QUEUES, "queues", "scheduler bands marking"),
    (Part.FILTERS, "queues", "service dscp default"),
)


def own(piece: SwitchSlice) -> Iterator[tuple[Key, Attributes]]:
    """Yield what only Linux has: tables, devices of VRFs and VNIs, the bridge, and its queues."""
    vrf, mtu = piece.services.vrf, str(piece.routing.tenant_mtu)
    yield ("interface", LOOPBACK), {"address": (_OWN_ADDRESS, "::1/128")}
    yield ("interface", vrf), {"link": UP, "address": (_OWN_ADDRESS,)}
    yield ("vrf", vrf), {"table": str(MANAGEMENT_TABLE)}
    for each in piece.vrfs:
        yield ("interface", each.name), {"link": UP}
        yield ("vrf", each.name), {"table": str(table(each))}
    for each in piece.tunnelled:
        transit: Attributes = {"link": UP, "mtu": mtu, "vrf": each.name}
        yield ("interface", vlan_name(each.transit_vlan)), transit
    if piece.vlans or piece.tunnelled:
        yield ("interface", BRIDGE), _bridge(piece, mtu)
    if piece.vtep is not None:
        numbers = (*(vlan.vni for vlan in piece.vlans), *(each.vni for each in piece.tunnelled))
        for vni in (number for number in numbers if number is not None):
            yield ("interface", tunnel_name(vni)), {"link": UP, "mtu": mtu}
            yield ("vni", str(vni)), {"device": tunnel_name(vni)}
    yield from planned(piece).items()


def _bridge(piece: SwitchSlice, mtu: str) -> Attributes:
    """Return the bridge, which is only in VLANs with an interface: ifupdown2 adds those."""
    vlans = {str(vlan.id) for vlan in piece.vlans if vlan.gateways}
    if piece.vtep is not None:
        vlans |= {str(each.transit_vlan) for each in piece.tunnelled}
    return {
        "link": ENABLED,
        "mtu": mtu,
        "mac": bridge_mac(piece.vtep or piece.loopback),
        "vlans": tuple(sorted(vlans | {_OWN_VLAN})),
        "untagged": _OWN_VLAN,
    }


LINUX = Reader(
    names=Names(
        loopback=LOOPBACK,
        tunnel=LOOPBACK,
        management=MANAGEMENT_PORT,
        gateway=vlan_name,
        bundle=bond_name,
        through=gre_name,
        more=own,
    ),
    about={(kind, name): part for part, kind, names in _ABOUT for name in names.split()},
    script=SCRIPT,
    parse=parse,
)
