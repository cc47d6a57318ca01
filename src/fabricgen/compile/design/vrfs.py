"""Design the VRFs of tenants with their L3VNIs and transit VLANs."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model import tenants as words
from fabricgen.intent.model.frontend import Overlay
from fabricgen.model.fabric.overlay import INTERNAL_VLANS, Vrf
from fabricgen.model.fabric.pinned import AS_COMPUTED, Pinned
from fabricgen.model.fabric.relay import Relay
from fabricgen.model.fabric.vlans import BUNDLE_BASE, Bundle
from fabricgen.model.fabric.vrfs import Diagnostics

RULE = "; the intent sets `rd` and `route_targets`"


def pinned_of(
    of: words.Vlan | words.Vrf, path: IntentPath
) -> tuple[Pinned, tuple[IntentPath, ...]]:
    """Return the pins, and the keys that say them."""
    said, targets = of.unless_refused("rd"), of.unless_refused("route_targets")
    if said is None and targets is None:
        return AS_COMPUTED, ()
    pinned = Pinned(
        rd=said,
        imports=tuple(sorted(set((targets and targets.imports) or ()))),
        exports=tuple(sorted(set((targets and targets.exports) or ()))),
    )
    keys = (("rd", said), ("route_targets", targets))
    return pinned, tuple((*path, key) for key, value in keys if value is not None)


@dataclass(slots=True, kw_only=True)
class VrfDesign:
    """Numbers of the VRFs of one fabric.

    here: intent path of the bases; empty without one. local: no spine connects its leafs. aware:
    the VLANs of a VRF are one EVPN instance.
    """

    bases: Overlay
    here: IntentPath
    findings: Findings
    local: bool = False
    aware: bool = False
    vrfs: dict[str, Vrf] = field(default_factory=dict)
    bundles: dict[str, Bundle] = field(default_factory=dict)

    def add(
        self,
        tenant: str,
        of: words.Tenant,
        name: str,
        path: IntentPath,
        relays: tuple[Relay, ...] = (),
        diagnostics: Diagnostics | None = None,
    ) -> None:
        """Add one VRF of a tenant: L3VNI and transit VLAN are a base plus its id."""
        vrf, bases = of.vrfs[name], self.bases
        pinned, pins = pinned_of(vrf, path)
        self._judge(name, vrf.id, path)
        local = self.local or vrf.local
        rule = f"L3VNI = {bases.l3vni_base} + id {vrf.id}; transit VLAN = "
        if vrf.vni is not None:
            rule = "the intent sets the L3VNI; transit VLAN = "
        for pin in ((*path, "vni"),) * (vrf.vni is not None) + pins if local else ():
            self.findings.error(
                Code.BAD_VALUE,
                f"a VRF that is local to each leaf is in no tunnel, so it has no {pin[-1]}",
                pin,
                "leave it out",
            )
        rule = "each leaf's own" if local else f"{rule}{bases.transit_vlan_base} + id"
        here = (self.here,) if self.here else ()
        self.vrfs[name] = Vrf(
            name=name,
            tenant=tenant,
            id=vrf.id,
            vni=vrf.vni or bases.l3vni_base + vrf.id,
            transit_vlan=bases.transit_vlan_base + vrf.id,
            because=Provenance((path, *here, *pins), rule + (RULE if pins else "")),
            description=of.unless_refused("description"),
            local=local,
            relays=relays,
            diagnostics=diagnostics,
            pinned=pinned,
        )
        if self.aware:
            self.bundles[name] = _bundle(self.vrfs[name], (*self.here, "service"))

    def alone(self, vrf: str | None, pins: Iterable[IntentPath]) -> None:
        """Refuse pins of a VLAN that is not a separate EVPN instance."""
        for pin in pins if vrf in self.bundles else ():
            self.findings.error(
                Code.BAD_VALUE,
                f"with `service: vlan-aware` the VLANs of {vrf} are one instance, so this VLAN "
                f"cannot have its own {pin[-1]}",
                pin,
                "set the route targets of the VRF, which apply to its VLANs",
            )

    def _judge(self, name: str, number: int, path: IntentPath) -> None:
        """Report another VRF of that name or id, and a transit VLAN that is taken."""
        for other, sentence in vrf_clashes(name, number, self.vrfs.values()):
            here = (*path, "id") if other.id == number else path
            self.findings.error(Code.DUPLICATE_ID, sentence, here)
        transit = self.bases.transit_vlan_base + number
        if transit >= INTERNAL_VLANS.start:
            self.findings.error(
                Code.VNI_CLASH,
                f"the transit VLAN {transit} of this VRF is in "
                f"{INTERNAL_VLANS.start}-{INTERNAL_VLANS.stop - 1}, which is reserved for routed "
                "ports",
                (*path, "id"),
                "use a lower id or overlay.transit_vlan_base" if self.here else "use a lower id",
            )


def _bundle(vrf: Vrf, asked: IntentPath) -> Bundle:
    """Return the EVPN instance of all VLANs of a VRF."""
    return Bundle(
        name=vrf.name,
        number=BUNDLE_BASE + vrf.transit_vlan,
        vni=vrf.vni,
        pinned=replace(vrf.pinned, rd=None),
        because=Provenance(
            (asked, *vrf.because.paths),
            f"one EVPN instance for the VLANs of a VRF: its distinguisher has {BUNDLE_BASE} + "
            "transit VLAN, its route target is the VRF's",
        ),
    )


def vrf_clashes(name: str, number: int, others: Iterable[Vrf]) -> Iterator[tuple[Vrf, str]]:
    """Yield every other VRF with that name or id, and the sentence that says so."""
    for other in others:
        if other.name == name or other.id == number:
            clash = f"name {name!r}" if other.name == name else f"id {number}"
            yield other, f"the VRF {clash} is also used by {other.tenant}/{other.name}"
