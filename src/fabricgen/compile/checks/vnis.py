"""Check that every VNI names one VLAN or VRF and that VLAN ids do not collide on a switch.

A VNI used twice joins two tenants' broadcast domains or routing tables: nothing is down, but
traffic leaks. To fix it, move `overlay.l2vni_base`, `overlay.l3vni_base` or
`overlay.transit_vlan_base` apart, or use another id. VNIs of the whole fabric are compared. VLAN
ids are compared per switch, with the transit VLANs of its VRFs. A switch without VLANs counts as
examined.
"""

from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code
from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.overlay import Vrf
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.vlans import Vlan

LAST_VNI = (1 << 24) - 1  # RFC 7348 section 5
LAST_VLAN = 4094

_Told = tuple[tuple[Vlan, ...], tuple[Vrf, ...]]


class Vnis(Tallied):
    """Owner of each VNI; leafs share equal sets of VLANs, which are checked once."""

    name, code, noun = "vnis", Code.VNI_CLASH, "switches, VLANs and VRFs"

    def __init__(self, site: Site) -> None:
        """Record the whole overlay, attached or not."""
        super().__init__(site)
        self.owner: dict[tuple[str, int], str] = {}
        self.vni: dict[tuple[str, str], int] = {}
        self.looked: dict[tuple[int, int], _Told] = {}
        for fabric in site.fabrics:
            if fabric.overlay is not None:
                self.numbers(
                    fabric,
                    tuple(fabric.overlay.vlans.values()),
                    tuple(fabric.overlay.vrfs.values()),
                )

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        self.tally.objects += 1 + len(switch_slice.vlans) + len(switch_slice.vrfs)
        told = (switch_slice.vlans, switch_slice.vrfs)
        mark = (id(told[0]), id(told[1]))
        if mark in self.looked or not any(told):
            return
        self.looked[mark] = told  # kept, so that no other tuple can get the same id
        self.numbers(fabric, *told)
        used: dict[int, str] = {}
        for vlan in switch_slice.vlans:
            self.once(used, vlan.id, f"VLAN {vlan.name}", switch_slice, vlan.because)
        for vrf in switch_slice.tunneled:
            self.once(
                used, vrf.transit_vlan, f"transit VLAN of {vrf.name}", switch_slice, vrf.because
            )

    def once(
        self,
        used: dict[int, str],
        number: int,
        what: str,
        switch_slice: SwitchSlice,
        because: Provenance,
    ) -> None:
        """Record one VLAN id of a switch."""
        other = used.setdefault(number, what)
        if other is not what:
            self.tally.add(
                "VLAN ids used twice on a switch",
                f"on {switch_slice.switch.name} the VLAN id {number} is used by {other} and by "
                f"{what}",
                because,
            )
        if not 1 <= number <= LAST_VLAN:
            self.tally.add(
                "VLAN ids out of range",
                f"{what} has the id {number} on {switch_slice.switch.name}, but the largest id is "
                f"{LAST_VLAN}",
                because,
            )

    def numbers(self, fabric: Fabric, vlans: tuple[Vlan, ...], vrfs: tuple[Vrf, ...]) -> None:
        for vlan in vlans:
            if vlan.vni is not None:
                self.claim(fabric, vlan.vni, f"VLAN {vlan.id}", vlan.because)
        for vrf in (vrf for vrf in vrfs if not vrf.local):
            self.claim(fabric, vrf.vni, f"VRF {vrf.name}", vrf.because)

    def claim(self, fabric: Fabric, vni: int, what: str, because: Provenance) -> None:
        """Compare a VNI with its other owners, and an owner with its other VNIs."""
        if not 1 <= vni <= LAST_VNI:
            self.tally.add(
                "VNIs out of range",
                f"{what} has the VNI {vni}, but VNIs are 1 to {LAST_VNI:,}",
                because,
                "lower the base",
            )
        other = self.owner.setdefault((fabric.name, vni), what)
        if other != what:
            self.tally.add(
                "VNIs used twice",
                f"the VNI {vni} is used by {other} and by {what}",
                because,
                "set `vni` of one, or move l2vni_base and l3vni_base apart",
            )
        first = self.vni.setdefault((fabric.name, what), vni)
        if first != vni:
            self.tally.add(
                "VLANs and VRFs with two VNIs",
                f"{what} has the VNI {first} on one switch and {vni} on another",
                because,
            )
