"""VNIs: their VXLAN device, what the routing daemon makes of them, what BGP announces of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.fabric.observed import Part
from fabricgen.proof.compare.difference import Differences, Sides, listed

if TYPE_CHECKING:
    from fabricgen.fabric.facts import Announced, Device, Routed, Vni


def vnis(sides: Sides) -> Differences:
    """Yield every difference of VNIs; of one without a device nothing else is said."""
    for wanted in sides.expected.vnis:
        there = sides.observed.vnis.get(wanted.vni)
        yield from _compared(sides, wanted, there)
    known = {wanted.vni for wanted in sides.expected.vnis}
    for vni in sides.observed.vnis:
        if vni not in known:
            yield sides.unknown(f"VNI {vni}", f"there is a VNI {vni}")


def _compared(sides: Sides, wanted: Vni, there: Vni | None) -> Differences:
    assert wanted.device is not None
    assert wanted.routed is not None
    assert wanted.announced is not None
    what = f"VNI {wanted.vni}"
    device, routed, announced = (
        (there.device, there.routed, there.announced) if there is not None else (None, None, None)
    )
    if sides.read(Part.INTERFACES):
        if device is None:
            says = f"{what} (VLAN {wanted.device.vlan}) has no VXLAN device {wanted.device.name}"
            yield sides.missing(what, says)
            return
        yield from _device(sides, what, wanted.device, device)
    if wanted.routed.layer == 3 and wanted.routed.vrf in sides.lost_vrfs:
        return
    if sides.read(Part.VNIS):
        if routed is None:
            yield sides.missing(what, f"{what} is not known to the routing daemon")
            return
        yield from _routed(sides, what, wanted.routed, routed)
    if sides.read(Part.EVPN):
        if announced is None:
            yield sides.missing(what, f"{what} is not announced in EVPN")
        else:
            yield from _announced(sides, what, wanted.announced, announced)


def _device(sides: Sides, what: str, wanted: Device, there: Device) -> Differences:
    if there.name != wanted.name:
        yield sides.wrong(what, f"{what} has the VXLAN device", wanted.name, there.name)
    if sides.read(Part.BRIDGE) and there.vlan != wanted.vlan:
        yield sides.wrong(what, f"{what} has VLAN", wanted.vlan, there.vlan)
    if there.local != wanted.local:
        yield sides.wrong(what, f"tunnels of {what} start at", wanted.local, there.local)


def _routed(sides: Sides, what: str, wanted: Routed, there: Routed) -> Differences:
    if there.layer != wanted.layer:
        layers = f"{wanted.layer} VNI", f"{there.layer} VNI"
        yield sides.wrong(what, f"{what} is a layer", *layers)
    elif there.vrf != wanted.vrf and wanted.vrf not in sides.lost_vrfs:
        yield sides.wrong(what, f"{what} is in VRF", wanted.vrf, there.vrf)


def _announced(sides: Sides, what: str, wanted: Announced, there: Announced) -> Differences:
    if there.rd != wanted.rd:
        yield sides.wrong(what, f"{what} has route distinguisher", wanted.rd, there.rd)
    for way, asked, found in (
        ("imports", wanted.imports, there.imports),
        ("exports", wanted.exports, there.exports),
    ):
        if asked != found:
            yield sides.wrong(what, f"{what} {way} route target", listed(asked), listed(found))
