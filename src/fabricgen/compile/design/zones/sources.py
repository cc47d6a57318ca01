"""Reject packets from outside with a VRF's own source addresses (RFC 2827, RFC 3704).

An external router that is no end of a link between own sites sends no packet with such a source:
its allowed announcements never overlap a subnet of the VRF. `own_sources: pass` declares an
exception.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.vrfs import NUMBER
from fabricgen.model.fabric.zones import ALL, IP, AccessList, Guard, Rule


def with_guarded_sources(overlay: Overlay, findings: Findings) -> Overlay:
    """Return the overlay with a list at each external router of a VRF with subnets."""
    for vrf, name, path in dict.fromkeys(_passing(overlay)):
        if not any(any(_inside(overlay, vrf, version)) for version in (4, 6)):
            text = f"VRF {vrf} has no subnet whose packets router {name} could send back"
            findings.error(Code.BAD_VALUE, text, path, "leave it out")
    guards = {peer.label: _guard(overlay, peer) for peer in overlay.peers}
    found = {label: guard for label, guard in guards.items() if guard is not None}
    if not found:
        return overlay
    zones = replace(overlay.zones, peers={**found, **overlay.zones.peers})
    return replace(overlay, zones=zones)


def own_sources(overlay: Overlay, peer: ExternalPeer, version: int) -> Iterator[Rule]:
    """Yield a drop for each subnet of a router's VRF, of one family."""
    if peer.joins or peer.border.own_sources:
        return
    for number, name, subnet, why in _inside(overlay, peer.vrf, version):
        rule = f"{name} of VRF {peer.vrf} is internal: from outside its source is forged"
        yield Rule(
            permit=False,
            protocol=IP,
            source=subnet,
            target=ALL[version],
            because=Provenance((*peer.because.paths, *why.paths), rule),
            number=number,
        )


def judge_zoned_sources(overlay: Overlay, zones: Mapping[str, str], findings: Findings) -> None:
    """Refuse `own_sources: pass` where a zone permits no such packet. zones: by peer's label."""
    labels = {peer.because.main: zones[peer.label] for peer in overlay.peers if peer.label in zones}
    for vrf, name, path in dict.fromkeys(_passing(overlay)):
        if path[:-1] in labels:
            findings.error(
                Code.BAD_VALUE,
                f"zone {labels[path[:-1]]} permits only its own prefixes from router {name}, so "
                f"no packet with a source in a subnet of VRF {vrf} passes",
                path,
                "remove it, or remove the router from the zone",
            )


def _passing(overlay: Overlay) -> Iterator[tuple[str, str, IntentPath]]:
    """Yield VRF and name of each router with `own_sources: pass`, and its intent path."""
    for peer in overlay.peers:
        if peer.border.own_sources:
            yield peer.vrf, peer.name, (*peer.because.main, "own_sources")


def _inside(overlay: Overlay, vrf: str, version: int) -> Iterator[tuple[int, str, Ip, Provenance]]:
    """Yield the subnets of a VRF's VLANs by VLAN id, then its diagnostic subnet."""
    for vlan in sorted(overlay.vlans.values(), key=lambda vlan: vlan.id):
        gateway = vlan.gateway(version)
        if vlan.vrf == vrf and gateway is not None:
            yield vlan.id, vlan.name, gateway.subnet, vlan.because
    probes = overlay.vrfs[vrf].diagnostics if vrf in overlay.vrfs else None
    if probes is not None and version == probes.sources.version:
        yield NUMBER, "the subnet of leafs' probes", probes.sources.whole, probes.because


def _guard(overlay: Overlay, peer: ExternalPeer) -> Guard | None:
    """Return the guard of an external router without a zone; None if nothing is dropped.

    Its port may also have the other IP version, which passes without a list.
    """
    drops = tuple(own_sources(overlay, peer, peer.version))
    if not drops:
        return None
    rest = replace(peer.because, rule="packets with other sources pass")
    everything = replace(drops[0], number=None, permit=True, source=ALL[peer.version], because=rest)
    name = f"ZONE-{peer.label}" if peer.version == 4 else f"ZONE6-{peer.label}"
    why = replace(peer.because, rule=f"no source inside VRF {peer.vrf} comes from outside")
    made = AccessList(name=name, version=peer.version, rules=(*drops, everything), because=why)
    return Guard(zone="", vlan=None, peer=peer.label, lists=(made,))
