"""Every route distinguisher is unique, and every route target means one VNI.

Two equal RDs make a route reflector or peer keep only one of two routes; two VNIs behind one RT
import each other's tenants. Fix it by distinct loopbacks, or by moving the VNI bases apart.
Examined are the RD of each VLAN and VRF on each leaf and the RT of each VNI. That import equals
export needs no comparison: one function makes both, `EvpnRules.route_target`; that every switch
is told the same rules is compared.
"""

from __future__ import annotations

from collections.abc import Iterator

from fabricgen.checks.tally import Tally
from fabricgen.diagnostics import Code, Examined
from fabricgen.fabric.because import Because
from fabricgen.fabric.overlay import EvpnRules, Overlay, bundles_of, route_distinguisher
from fabricgen.fabric.switch import Fabric, Site, SwitchSlice

HALF = (1 << 16) - 1  # RFC 4364 section 4.2: beside an address or a 2-byte ASN


class RouteTargets:
    """Compares RDs switch by switch, RTs over the whole overlay."""

    name = "route-targets"

    def __init__(self, site: Site) -> None:
        """Look at the route targets of every overlay."""
        self.tally = Tally(
            check=self.name, code=Code.ROUTE_TARGET_CLASH, noun="switches and route distinguishers"
        )
        self.administrators: dict[tuple[str, str], str] = {}
        for fabric in site.fabrics:
            if fabric.overlay is not None and fabric.overlay.rules is not None:
                self.targets(fabric.overlay, fabric.overlay.rules)

    def targets(self, overlay: Overlay, rules: EvpnRules) -> None:
        """Compare the route targets of all VNIs."""
        owners: dict[str, str] = {}
        if not 1 <= rules.route_target_asn <= HALF:
            self.tally.add(
                "route targets too wide",
                f"the route target ASN {rules.route_target_asn} needs 4 bytes: 2 are left for VNIs",
                (*rules.path, "route_target_asn"),
            )
        named = [
            *((vlan.vni, f"VLAN {vlan.id}", vlan.because) for vlan in overlay.vlans.values()),
            *(
                (vrf.vni, f"VRF {name}", vrf.because)
                for name, vrf in overlay.vrfs.items()
                if not vrf.local
            ),
        ]
        for vni, what, because in named:
            if vni is None:
                continue
            target = rules.route_target(vni)
            other = owners.setdefault(target, what)
            if other != what:
                self.tally.add(
                    "route targets used twice",
                    f"{target} is the route target of {other} and of {what}",
                    because,
                )

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Compare the route distinguishers of one switch, and its half of them with others."""
        self.tally.objects += 1
        if piece.overlay != (fabric.overlay.rules if fabric.overlay else None):
            text = f"{piece.switch.name} is told other EVPN rules than the {fabric.name} has"
            self.tally.add("switches with other rules", text, piece.switch.because)
        name, mine = piece.switch.name, dict[str, str]()
        for number, what, because in _instances(piece):
            self.tally.objects += 1
            text = route_distinguisher(piece.loopback, number)
            other = mine.setdefault(text, what)
            if other is not what:
                self.tally.add(
                    "route distinguishers used twice",
                    f"on {name} {text} is the route distinguisher of {other} and of {what}",
                    because,
                )
            if not 0 < number <= HALF:
                self.tally.add(
                    "route distinguishers too wide",
                    f"{text} of {what} on {name}: the second half has 16 bits",
                    because,
                )
        for administrator in {text.rpartition(":")[0] for text in mine}:
            first = self.administrators.setdefault((fabric.name, administrator), name)
            if first != name:
                self.tally.add(
                    "switches with another's route distinguishers",
                    f"{first} and {name} both make route distinguishers from {administrator}",
                    (*fabric.place, "addressing", "loopbacks"),
                )

    def result(self) -> Examined:
        """Say what was found."""
        return self.tally.result()


def _instances(piece: SwitchSlice) -> Iterator[tuple[int, str, Because]]:
    for vlan in piece.vlans:
        if vlan.vni is not None and vlan.bundle is None:
            yield vlan.id, f"VLAN {vlan.name}", vlan.because
    for bundle in bundles_of(piece.vlans):
        yield bundle.number, f"the bundle {bundle.name}", bundle.because
    for vrf in piece.tunnelled:
        yield vrf.transit_vlan, f"VRF {vrf.name}", vrf.because
