"""Design the diagnostic addresses of a VRF and report why its leafs cannot have them."""

from collections.abc import Iterable, Iterator

from netaddr import IPNetwork

from fabricgen.compile.design.addressing import pool
from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model import tenants as words
from fabricgen.model.fabric.addressing import Ip, Pool
from fabricgen.model.fabric.overlay import Overlay, Vrf
from fabricgen.model.fabric.topology import Topology
from fabricgen.model.fabric.vrfs import Diagnostics


def diagnostics_of(
    vrf: words.Vrf, path: IntentPath, topology: Topology, findings: Findings
) -> Diagnostics | None:
    """Return the diagnostic addresses of a VRF, None where it has none. path: of the VRF."""
    asked = vrf.unless_refused("diagnostics")
    net = asked.unless_refused("subnet") if asked is not None else None
    if net is None:
        return None
    here = (*path, "diagnostics", "subnet")
    vlans = (vrf.unless_refused("vlans") or {}).values()
    last = max((leaf.ordinal for leaf in topology.switches if leaf.is_leaf), default=0) + 1
    if net.version != 4:
        findings.error(
            Code.BAD_VALUE,
            f"{net} is IPv6, but probes use IPv4",
            here,
            "set an IPv4 prefix",
        )
    elif not any(each is not None and each.version == 4 for vlan in vlans for each in _nets(vlan)):
        findings.error(
            Code.BAD_VALUE,
            "no VLAN of the VRF has an IPv4 subnet, so probes have no target",
            here,
            "remove `diagnostics`",
        )
    elif last >= net.size - 1:
        findings.error(
            Code.POOL_TOO_SMALL,
            f"{net} has {net.size} addresses, of which {max(net.size - 2, 0)} are for leafs, but "
            f"the last leaf is {last}",
            here,
            f"use a /{32 - (last + 1).bit_length()}",
        )
    else:
        why = "leaf n has the n-th address of `diagnostics.subnet` in this VRF"
        return Diagnostics(sources=pool("diagnostics", net), because=Provenance((here[:-1],), why))
    return None


def _nets(vlan: words.Vlan) -> tuple[IPNetwork | None, ...]:
    return vlan.unless_refused("subnet"), vlan.unless_refused("subnet6")


def judge_diagnostics(overlay: Overlay, pools: Iterable[Pool], findings: Findings) -> None:
    """Report subnets of diagnostic addresses that overlap with other addresses.

    Args:
        overlay: The VRFs with their VLANs and external peers.
        pools: The address pools of the fabric.
        findings: Where the errors go.

    """
    fabric = [(pool.whole, f"the pool `{pool.name}` of the fabric") for pool in pools]
    for vrf in overlay.vrfs.values():
        if vrf.diagnostics is None:
            continue
        own = vrf.diagnostics.sources.whole
        for whole, what in (*fabric, *_beside(overlay, vrf)):
            if own.meets(whole):
                findings.error(
                    Code.DIAGNOSTICS_OVERLAP,
                    f"the diagnostic addresses of VRF {vrf.name}, {own.prefix}, overlap with "
                    f"{whole.prefix} of {what}",
                    (*vrf.diagnostics.because.main, "subnet"),
                    "give `diagnostics` an unused subnet",
                )


def _beside(overlay: Overlay, vrf: Vrf) -> Iterator[tuple[Ip, str]]:
    """Yield the subnets of a VRF, and the diagnostic addresses of the VRFs before it."""
    for vlan in overlay.vlans.values():
        for gateway in vlan.gateways if vlan.vrf == vrf.name else ():
            yield gateway.subnet, f"VLAN {vlan.name}"
    for peer in overlay.peers:
        if peer.vrf == vrf.name:
            yield peer.local.subnet, f"the link to {peer.label}"
    for relay in vrf.relays:
        yield relay.sources.whole, "its DHCP relay"
    for other in overlay.vrfs.values():
        if other is vrf:
            return
        if other.diagnostics is not None:
            yield other.diagnostics.sources.whole, f"the diagnostic addresses of VRF {other.name}"
