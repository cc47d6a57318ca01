"""The MLAG pair of a leaf in; its own block, the bundle to its peer and their interface out."""

from fabricgen.fabric.pair import PEER_BUNDLE, Pair
from fabricgen.fabric.switch import SwitchSlice
from fabricgen.nos.eos.names import PEER_LINK
from fabricgen.nos.eos.view import interfaces as ports
from fabricgen.nos.eos.view import system as view

# Seconds after a reload until a leaf's bundles of MLAG come up, and until its other ports do but
# the peer link: what AVD gives every platform that is no chassis (pyavd 6.4.0, platform_settings).
_RELOAD, _OTHERS = 300, 330


def mlag_of(piece: SwitchSlice) -> view.Mlag | None:
    """Return what a leaf says of its pair."""
    pair = piece.pair
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


def peer_vlan_of(pair: Pair | None) -> ports.PeerVlan | None:
    """Return the interface by which it speaks to the other."""
    if pair is None:
        return None
    return ports.PeerVlan(
        because=pair.because,
        description=f"MLAG pair {pair.domain}",
        mtu=pair.mtu,
        address=str(pair.local),
    )


def peer_link_of(piece: SwitchSlice) -> list[ports.Port]:
    """Return the bundle to the other leaf: it carries every VLAN that the two have."""
    pair = piece.pair
    if pair is None:
        return []
    text = f"{piece.switch.name}:{PEER_LINK} to {pair.peer.name}:{PEER_LINK}"
    return [
        ports.Port(because=pair.because, name=PEER_LINK, description=text, speed=None, peer=True)
    ]
