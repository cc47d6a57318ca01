"""The marks of a switch's ports in, rules of nftables out: a chain for each port or bond.

They stand in the hook ingress of the family netdev (nft(8)), which a packet passes before it is
bridged, routed or put into a tunnel; the tunnel then takes the DSCP (`tos inherit`).
"""

from collections.abc import Iterator

from fabricgen.model.fabric.because import Because
from fabricgen.model.fabric.classes import Marks
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.linux.names import bond_name, port_name
from fabricgen.nos.linux.view_nftables import Chain, Entry
from fabricgen.nos.linux.view_nftables import Marks as View

FILE = "etc/fabricgen/marks.nft"
COMMAND = "/usr/sbin/nft -f /etc/fabricgen/marks.nft"
_FAMILIES = ("ip", "ip6")


def marks(piece: SwitchSlice) -> View | None:
    """Return the view of the file; None where no port writes a DSCP."""
    if not piece.marks or piece.qos is None:
        return None
    devices = {
        bond_name(item.lag) if item.lag is not None else port_name(item.port): item.marks
        for item in piece.interfaces
        if item.marks is not None
    }
    chains = tuple(
        Chain(because=told.rest.because, name=name, entries=tuple(_entries(told)))
        for name, told in devices.items()
    )
    because = Because((piece.qos.asked,), "ports of servers that are not trusted write the DSCP")
    return View(because=because, chains=chains)


def _entries(marks: Marks) -> Iterator[Entry]:
    """Yield what RoCE keeps, then the VLANs with another mark, then the mark of all others."""
    rest = marks.rest
    if marks.kept:
        kept = ", ".join(map(str, marks.kept))
        yield from (Entry(rest.because, f"{ip} dscp {{ {kept} }} accept") for ip in _FAMILIES)
    for vlan, mark in marks.tagged:
        for ip in _FAMILIES:
            yield Entry(mark.because, f"vlan id {vlan} {ip} dscp set {mark.dscp} accept")
    yield from (Entry(rest.because, f"{ip} dscp set {rest.dscp}") for ip in _FAMILIES)
