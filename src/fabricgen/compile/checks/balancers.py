"""Find the paths that reach the servers of a VIP without its balancers."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.vips import Vip


class Bypass(NamedTuple):
    """One path: its sentence, the deciding place in the intent, and a hint."""

    sentence: str
    path: IntentPath
    hint: str


class _Entry(NamedTuple):
    """One entry into a VRF: `key` finds its list, and is empty where no list exists."""

    vrf: str
    key: int | str
    text: str
    because: Provenance


def bypasses(overlay: Overlay) -> Iterator[Bypass]:
    """Yield each entry whose packets may open a connection to the servers behind balancers."""
    for vip in overlay.vips:
        for number in vip.vlans:
            vlan = overlay.vlans[number]
            subnets = [gateway.subnet for gateway in vlan.gateways]
            near = _with_routes(overlay, vlan.vrf or "", subnets)
            for entry in _entries(overlay):
                if entry.vrf in near and entry.key not in (vip.entry, number):
                    yield from _through(overlay, vip, entry, subnets)


def _with_routes(overlay: Overlay, home: str, subnets: list[Ip]) -> set[str]:
    """Return the VRFs with a route to some subnets: their own, and those that import it."""
    takers = {
        vrf.name
        for vrf in overlay.vrfs.values()
        for taken in vrf.takes
        if taken.source == home
        and any(prefix.prefix.meets(own) for prefix in taken.prefixes for own in subnets)
    }
    return {home} | takers


def _entries(overlay: Overlay) -> Iterator[_Entry]:
    """Yield the gateways, the external routers and the routed server ports of a fabric."""
    for vlan in overlay.vlans.values():
        if vlan.vrf is not None and vlan.gateways:
            yield _Entry(vlan.vrf, vlan.id, f"VLAN {vlan.name}", vlan.because)
    for peer in overlay.peers:
        yield _Entry(peer.vrf, peer.label, f"external router {peer.label}", peer.because)
    for ports in dict.fromkeys(overlay.routed.values()):
        text = f"servers {ports.label}" if ports.label else "routed server ports"
        yield _Entry(ports.vrf, ports.label, text, ports.because)


def _through(overlay: Overlay, vip: Vip, entry: _Entry, subnets: list[Ip]) -> Iterator[Bypass]:
    """Yield how one entry reaches the servers: without a list, or by its rules."""
    zones, start = overlay.zones, f"{entry.text} of VRF {entry.vrf} reaches the servers of VIP"
    guard = zones.vlans.get(entry.key) if isinstance(entry.key, int) else None
    guard = zones.peers.get(entry.key) if isinstance(entry.key, str) else guard
    if guard is None or not guard.zone:
        yield Bypass(
            f"{start} {vip.name} without its balancers: no list filters its traffic",
            vip.because.main,
            "put clients, balancers and servers into zones, or the servers into another VRF",
        )
        return
    for rule in (rule for each in guard.lists for rule in each.rules):
        meets = any(rule.target.meets(own) for own in subnets)
        if rule.permit and meets and not rule.answers:
            yield Bypass(
                f"{start} {vip.name} without its balancers: {rule.because.rule}",
                rule.because.main or vip.because.main,
                "permit the flow from the zone of the balancers alone",
            )
