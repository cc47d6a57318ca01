"""Interfaces and VRFs: whether each is there, up or shut, with the right MTU, addresses, VLANs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.fabric.facts import Link
from fabricgen.fabric.observed import Part
from fabricgen.proof.compare.difference import Differences, Kind, Sides, listed

if TYPE_CHECKING:
    from fabricgen.fabric.facts import Interface

_SAID = {Link.UP: "is up", Link.ENABLED: "is not shut", Link.SHUT: "is shut"}


def vrfs(sides: Sides) -> Differences:
    """Yield VRFs that are missing, unknown, or have another table."""
    if not sides.read(Part.INTERFACES):
        return
    wanted = {vrf.name: vrf for vrf in sides.expected.vrfs}
    there = {vrf.name: vrf for vrf in sides.observed.vrfs}
    for name, vrf in wanted.items():
        if name not in there:
            yield sides.missing(f"VRF {name}", f"VRF {name} is missing")
        elif there[name].table != vrf.table:
            yield sides.wrong(
                f"VRF {name}", f"VRF {name} has routing table", vrf.table, there[name].table
            )
    for name in there.keys() - wanted.keys():
        yield sides.unknown(f"VRF {name}", f"there is a VRF {name}")


def interfaces(sides: Sides) -> Differences:
    """Yield every difference of interfaces; VRFs and VXLAN devices are missed elsewhere."""
    if not sides.read(Part.INTERFACES):
        return
    named = {vrf.name for vrf in (*sides.expected.vrfs, *sides.observed.vrfs)}
    for vnis in (sides.expected.vnis, sides.observed.vnis.values()):
        named |= {vni.device.name for vni in vnis if vni.device is not None}
    for wanted in sides.expected.interfaces:
        there = sides.observed.interfaces.get(wanted.name)
        if there is not None:
            yield from _compared(sides, wanted, there, vlans=wanted.name not in named)
        elif wanted.name not in named:
            says = f"interface {wanted.name} ({wanted.role}) is missing"
            yield sides.missing(f"interface {wanted.name}", says)
    known = named | {item.name for item in sides.expected.interfaces}
    owners = {item.member_of for item in sides.expected.interfaces} - {None}
    for name, there in sides.observed.interfaces.items():
        if name not in known and there.addresses:
            says = f"interface {name} has the address {listed(there.addresses)}"
            yield sides.unknown(f"interface {name}", says)
        elif name not in known and there.member_of in owners:
            says = f"interface {name} belongs to {there.member_of}"
            yield sides.unknown(f"interface {name}", says)


def _compared(sides: Sides, wanted: Interface, there: Interface, *, vlans: bool) -> Differences:
    what, subject = f"interface {wanted.name}", f"{wanted.name} ({wanted.role})"
    yield from _link(sides, wanted, there)
    if wanted.mtu is not None and there.mtu != wanted.mtu:
        yield sides.wrong(what, f"{subject} has MTU", wanted.mtu, there.mtu)
    if set(wanted.addresses) != set(there.addresses):
        yield sides.wrong(
            what, f"{subject} has address", listed(wanted.addresses), listed(there.addresses)
        )
    if there.member_of != wanted.member_of and wanted.member_of not in sides.lost_vrfs:
        owners = wanted.member_of or "nothing", there.member_of or "nothing"
        yield sides.wrong(what, f"{subject} belongs to", *owners)
    if wanted.mac is not None and there.mac != wanted.mac:
        yield sides.wrong(what, f"{subject} has MAC", wanted.mac, there.mac)
    if vlans and sides.read(Part.BRIDGE) and _vlans(wanted) != _vlans(there):
        yield sides.wrong(what, f"{subject} carries", _vlans(wanted), _vlans(there))


def _link(sides: Sides, wanted: Interface, there: Interface) -> Differences:
    if there.link is wanted.link or (wanted.link, there.link) == (Link.ENABLED, Link.UP):
        return
    what, subject = f"interface {wanted.name}", f"{wanted.name} ({wanted.role})"
    if (wanted.link, there.link) == (Link.UP, Link.ENABLED):
        says = f"{subject} is not shut, but has no link"
        yield sides.differs(Kind.NOT_YET, what, wanted.link, there.link, says)
    else:
        yield sides.wrong(what, subject, f"it {_SAID[wanted.link]}", _SAID[there.link])


def _vlans(item: Interface) -> str:
    """Spell VLANs; one untagged, or none, is said first."""
    tagged = [f"VLAN {number}" for number in item.tagged]
    return listed([*([f"VLAN {item.untagged} untagged"] if item.untagged else []), *tagged])
