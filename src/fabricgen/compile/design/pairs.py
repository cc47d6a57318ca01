"""Design the MLAG pair of a leaf and the VRFs in which both leafs exchange routes."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.overlay import Vrf
from fabricgen.model.fabric.pair import JoinedVrf, Pair, ends
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Nic, Server, Switch
from fabricgen.model.fabric.vlans import Vlan

_JOINED = "a leaf of the pair reaches the networks of the other leaf in the VRF over the peer link"


def partner(fabric: Fabric, switch: Switch) -> Switch | None:
    """Return the other leaf of an MLAG pair, None where a switch is of none."""
    if switch.domain is None:
        return None
    link = next(link for link in fabric.topology.links_at[switch.name] if link.of_pair)
    peer = link.upper if link.lower is switch else link.lower
    assert isinstance(peer, Switch)
    return peer


def vlans_beside(fabric: Fabric, switch: Switch) -> Iterator[Vlan]:
    """Yield the VLANs that extend to another site, and the VLANs of the other MLAG leaf."""
    overlay, peer = fabric.overlay, partner(fabric, switch)
    if overlay is not None and switch.name in overlay.gateways:
        yield from map(overlay.vlans.__getitem__, overlay.gateways[switch.name].vlans)
    if peer is not None and overlay is not None:
        for carries in overlay.ports.get(peer.name, {}).values():
            yield from carries.vlans


def routed_beside(fabric: Fabric, switch: Switch) -> set[str]:
    """Return the VRFs that ports of the other leaf are in: a tunnel to the pair ends on either."""
    peer = partner(fabric, switch)
    return {name for name, _ in _routed(fabric, peer)} if peer is not None else set()


def _routed(fabric: Fabric, leaf: Switch) -> set[tuple[str, int]]:
    """Return the VRFs that ports of a leaf are in themselves, each with its IP versions there."""
    overlay = fabric.overlay
    if overlay is None:
        return set()
    found = {(peer.vrf, peer.version) for peer in overlay.external.get(leaf.name, ())}
    for link in fabric.topology.links_at[leaf.name] if overlay.routed else ():
        if isinstance(link.lower, Server) and isinstance(link.lower_port, Nic):
            ports = overlay.routed.get((link.lower.name, link.lower_port.network))
            if ports is not None:
                found.add((ports.vrf, 4))
    return found


class CarriedNetworks(NamedTuple):
    """Ids of VLANs on a switch, and names of VRFs without a VLAN there."""

    vlans: frozenset[int]
    vrfs: frozenset[str]


class RouteTargets(NamedTuple):
    """The ASNs of the route targets that a VTEP imports and exports in a step of a change."""

    imports: tuple[int, ...]
    exports: tuple[int, ...]


class JoinedReasons(NamedTuple):
    """The identities of two reasons that one port has; both live as long as the fabric."""

    cabled: int
    attached: int


class GuardedEntries(NamedTuple):
    """Identities of the entry points of a switch, and labels of its sessions with servers."""

    vlans: int
    external: int
    hosts: tuple[str, ...]


class SwitchNetworks(NamedTuple):
    """The VLANs that the ports of a switch carry, and the VRFs of the switch."""

    vlans: tuple[Vlan, ...]
    vrfs: tuple[Vrf, ...]


def pair_of(
    fabric: Fabric,
    switch: Switch,
    interfaces: tuple[Interface, ...],
    within: SwitchNetworks,
) -> Pair | None:
    """Return the MLAG settings of a leaf of a pair; None for other switches.

    within: its VLANs and VRFs, which both leafs share.
    """
    members = tuple(item for item in interfaces if item.use is Use.PEER)
    if switch.domain is None or not members or not isinstance(members[0].peer, Switch):
        return None
    local, remote = ends(switch)
    return Pair(
        domain=switch.domain.name,
        peer=members[0].peer,
        members=members,
        local=local,
        remote=remote,
        mtu=fabric.routing.mtu,
        because=members[0].because,
        vrfs=tuple(_joined(fabric, switch, members[0].peer, within.vlans, within.vrfs)),
    )


def _joined(
    fabric: Fabric, switch: Switch, peer: Switch, vlans: tuple[Vlan, ...], vrfs: tuple[Vrf, ...]
) -> Iterator[JoinedVrf]:
    """Yield the VRFs of which a leaf has something alone: a routed port, or an address to ask from.

    The answer to a DHCP relay comes to the pair's tunnel endpoint, so to either leaf. So does the
    answer to a diagnostic address.
    """
    routed = _routed(fabric, switch) | _routed(fabric, peer)
    versions = routed | {(vlan.vrf, own.version) for vlan in vlans for own in vlan.gateways}
    alone = {name for name, _ in routed} | {each.vrf for vlan in vlans for each in vlan.relays}
    alone |= {vrf.name for vrf in vrfs if vrf.diagnostics is not None}
    for vrf in vrfs:
        if vrf.name in alone and not vrf.local:
            yield JoinedVrf(
                name=vrf.name,
                vlan=vrf.transit_vlan,
                ends=tuple(
                    ends(switch, version)
                    for version in (4, 6)
                    if version == 4 or (vrf.name, version) in versions
                ),
                because=Provenance(vrf.because.paths, _JOINED),
            )
