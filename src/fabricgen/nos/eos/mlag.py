"""Lower the MLAG pair of an EOS leaf: the MLAG block, the peer link and the peer VLANs.

In a VRF the peers follow AVD (pyavd 6.4.0, mlag_ibgp_peering_vrfs). They use a VLAN on the peer
link, the same addresses in every VRF, iBGP with next-hop-self, and the lowest preference for
learned routes. Unlike AVD's, these sessions also carry IPv6, and no route that the peer learns by
EVPN.
"""

from collections.abc import Iterator

from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.pair import PEER_BUNDLE, PEER_SUBNET, PEER_VLAN, Pair
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.eos.names import PEER_LINK, neighbor
from fabricgen.nos.eos.view import interfaces as ports
from fabricgen.nos.eos.view import routing
from fabricgen.nos.eos.view import system as view
from fabricgen.nos.eos.view.system import Entry, Reason

# These are the seconds after a reload until a leaf's MLAG port-channels come up, and until its
# other ports except the peer link do. AVD gives the values to every platform that is no chassis
# (pyavd 6.4.0, platform_settings).
_RELOAD, _OTHERS = 300, 330
VRF_PEER = "VRF-PEER"
"""The peer group of the other leaf in VRFs."""
Beside = tuple[tuple[str, tuple[routing.ExternalNeighbor, ...]], ...]
"""Maps a VRF name to the other leaf as a neighbor."""


def mlag_of(switch_slice: SwitchSlice) -> view.Mlag | None:
    """Return the MLAG settings of a leaf."""
    pair = switch_slice.pair
    if pair is None:
        return None
    return view.Mlag(
        because=pair.because,
        domain=pair.domain,
        peer=pair.remote.host,
        bundle=PEER_BUNDLE,
        own=_RELOAD,
        others=_OTHERS,
    )


def peer_vlans_of(pair: Pair | None) -> Iterator[ports.PeerVlan]:
    """Yield the interfaces towards the other leaf, those in VRFs first."""
    if pair is None:
        return
    for vrf in pair.vrfs:
        yield ports.PeerVlan(
            because=vrf.because,
            vlan=vrf.vlan,
            description=f"MLAG pair {pair.domain}",
            mtu=pair.mtu,
            vrf=vrf.name,
            addresses=tuple(_address(own) for own, _ in vrf.ends),
        )
    yield ports.PeerVlan(
        because=pair.because,
        vlan=PEER_VLAN,
        description=f"MLAG pair {pair.domain}",
        mtu=pair.mtu,
        vrf=None,
        addresses=(_address(pair.local),),
    )


def _address(own: Ip) -> tuple[str, str]:
    """Spell an address as PyAVD does, ip_address and ipv6_address_link_local."""
    return ("ip", str(own)) if own.version == 4 else ("ipv6", f"{own} link-local")


def peers_in_vrfs(pair: Pair | None, asn: int) -> Beside:
    """Return the other leaf as a neighbor in each VRF, by each IP version."""
    if pair is None:
        return ()
    return tuple(
        (
            vrf.name,
            tuple(
                routing.ExternalNeighbor(
                    because=vrf.because,
                    address=neighbor(far, vrf.vlan),
                    version=far.version,
                    group=VRF_PEER,
                    asn=asn,
                    description=f"{pair.peer.name}:Vlan{vrf.vlan}",
                    inward="VRF-FROM-PEER",
                    outward="VRF-TO-PEER",
                )
                for _, far in vrf.ends
            ),
        )
        for vrf in pair.vrfs
    )


def joined(pair: Pair | None) -> Reason | None:
    """Return why such neighbors exist, or None."""
    return Reason(pair.because) if pair is not None and pair.vrfs else None


def own_subnets(pair: Pair | None) -> Iterator[routing.PrefixList]:
    """Yield the list of the pair's internal subnets, which are never advertised."""
    if pair is not None and pair.vrfs:
        entries = (Entry(10, PEER_SUBNET.prefix),)
        yield routing.PrefixList(pair.because, "PEER-LINK", entries)


def peer_link_of(switch_slice: SwitchSlice) -> list[ports.Port]:
    """Return the LAG to the other leaf, which carries every VLAN of the two."""
    pair = switch_slice.pair
    if pair is None:
        return []
    text = f"{switch_slice.switch.name}:{PEER_LINK} to {pair.peer.name}:{PEER_LINK}"
    return [
        ports.Port(because=pair.because, name=PEER_LINK, description=text, speed=None, peer=True)
    ]
