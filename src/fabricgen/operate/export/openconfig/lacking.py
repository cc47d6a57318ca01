"""List the parts of a switch's design that its OpenConfig data lacks, each with the reason."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

from fabricgen.model.fabric.interface import Use, between_sites
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.lowering import spell
from fabricgen.operate.export.openconfig.bgp import sessions_without_addresses
from fabricgen.operate.export.openconfig.interfaces import speed_of
from fabricgen.operate.export.openconfig.tree import Piece

NO_MODEL = "openconfig/public has no model"
NOT_WRITTEN = "there is a model, but this export does not write it"
SECRET = "this export writes no secrets"  # noqa: S105 - a sentence


class Lack(NamedTuple):
    """A part of the design and the reason why it is not in the data."""

    part: str
    why: str


def _anycast(own: SwitchSlice) -> bool:
    return own.vtep is not None and any(each.gateways for each in own.vlans)


def _protected(own: SwitchSlice) -> bool:
    carried = (each.carries for each in own.interfaces if each.carries is not None)
    return own.recovery is not None or any(each.profile is not None for each in carried)


def _of_arista(own: SwitchSlice) -> bool:
    return own.services.cloudvision is not None or own.services.queue_monitor


def _served(own: SwitchSlice) -> bool:
    return own.services.netconf is not None or own.services.restconf is not None


def _limited(own: SwitchSlice) -> bool:
    return bool(own.services.admitted or own.services.collectors)


def _locked(own: SwitchSlice) -> bool:
    outside = any(each.border.password is not None for each in own.peers)
    return outside or (bool(own.bgp_sessions) and own.routing.password is not None)


_PARTS: tuple[tuple[str, str, Callable[[SwitchSlice], object]], ...] = (
    ("PFC priorities", NO_MODEL, lambda own: own.qos and own.qos.lossless),
    ("PFC watchdog", NO_MODEL, lambda own: own.qos and own.qos.watchdog),
    (
        "headroom, shared pool and pause thresholds",
        "openconfig-qos-mem-mgmt has buffers of output queues, and none of paused input",
        lambda own: own.buffers,
    ),
    ("DSCP marking of server ports", NOT_WRITTEN, lambda own: own.marks),
    ("maximum rate of ports", NOT_WRITTEN, lambda own: any(each.rate for each in own.interfaces)),
    ("VNIs, MAC VRFs and EVPN route targets of VLANs", NOT_WRITTEN, lambda own: own.vtep),
    ("anycast MAC address", NO_MODEL, _anycast),
    ("Ethernet segments", NOT_WRITTEN, lambda own: any(each.segment for each in own.lags)),
    ("MLAG pair", NO_MODEL, lambda own: own.pair),
    ("gateway to another site", NOT_WRITTEN, lambda own: own.gateway),
    ("routes leaked between VRFs", NOT_WRITTEN, lambda own: any(each.takes for each in own.vrfs)),
    ("router advertisements", NOT_WRITTEN, lambda own: any(each.announce for each in own.vlans)),
    ("IGMP snooping", NOT_WRITTEN, lambda own: any(each.multicast for each in own.vlans)),
    ("DHCP relay", NOT_WRITTEN, lambda own: own.relays),
    ("GRE tunnels with a key", NO_MODEL, lambda own: own.tunnels),
    ("OSPF between switches", NOT_WRITTEN, lambda own: own.adjacencies),
    ("OSPF with external routers", NOT_WRITTEN, lambda own: own.flooding),
    ("hash fields, flowlets and spraying", NO_MODEL, lambda own: own.balancing),
    ("spanning tree, edge ports and BPDU guard", NOT_WRITTEN, lambda own: own.vlans or own.lags),
    ("storm control and errdisable recovery", NO_MODEL, _protected),
    (
        "MTU of bridged ports",
        "the model counts the Ethernet header, and the design the IP packet",
        lambda own: any(each.use in (Use.EDGE, Use.PEER) for each in own.interfaces),
    ),
    (
        "removal of foreign communities at external peers",
        NOT_WRITTEN,
        lambda own: any(not between_sites(each.interface) for each in own.peers),
    ),
    ("custom config", "it is text of one platform", lambda own: own.own),
    ("PTP", NOT_WRITTEN, lambda own: own.ptp),
    ("SNMP", NO_MODEL, lambda own: own.services.snmp),
    ("CloudVision and queue monitor", NO_MODEL, _of_arista),
    ("NETCONF and RESTCONF servers", NO_MODEL, _served),
    ("access to the management services", NOT_WRITTEN, _limited),
    ("TLS profile of the management services", NOT_WRITTEN, lambda own: own.services.tls),
    ("local accounts", NOT_WRITTEN, lambda own: own.services.users),
    ("central login", SECRET, lambda own: own.services.login),
    ("passwords of BGP sessions", SECRET, _locked),
)
"""Part, reason, and the test that finds the part in a slice."""


def lacks(piece: Piece) -> Iterator[Lack]:
    """Yield every part of the design that the data does not have."""
    own = piece.switch_slice
    yield from (Lack(part, why) for part, why, found in _PARTS if found(own))
    bare = [
        spell(own.switch, each.interface.port)
        for each in sessions_without_addresses(piece)
        if each.interface is not None
    ]
    if bare:
        yield Lack(
            f"BGP sessions by interface: {', '.join(bare)}",
            "openconfig-bgp names a neighbor by its address",
        )
    ports = [item for item in own.interfaces if item.use is not Use.UNUSED]
    speeds = dict.fromkeys(str(item.port.speed) for item in ports if not speed_of(item.port))
    if speeds:
        yield Lack(f"port speed {', '.join(speeds)}", "ETHERNET_SPEED has no such identity")
