"""The slice of a switch in; what its files say of EVPN instances of several VLANs out."""

from collections.abc import Iterator

from fabricgen.core.because import Because
from fabricgen.core.tree.facts import Attributes, Key
from fabricgen.model.fabric.pinned import route_distinguisher
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.vlans import bundles_of


def said_of_bundles(piece: SwitchSlice) -> Iterator[tuple[Key, Attributes, Because]]:
    """Yield each instance, its distinguisher and its VLANs, which have the rest of it."""
    if piece.vtep is None:
        return
    for bundle, vlans in bundles_of(piece.vlans).items():
        own: Attributes = {
            "rd": route_distinguisher(piece.loopback, bundle),
            "members": tuple(sorted(str(vlan.id) for vlan in vlans)),
        }
        yield ("bundle", bundle.name), own, bundle.because
