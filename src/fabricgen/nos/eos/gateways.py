"""List the neighbors and the policy of an EOS gateway towards the other site.

The lines follow AVD's gateways (aristanetworks/avd, examples/dual-dc-l3ls). They are explained in
arista.com/en/support/toi/tag/dci and ipspace.net, "VXLAN/EVPN Layer-3 Handoff on Arista EOS".
"""

from collections.abc import Iterator
from functools import lru_cache

from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.gateways import Gateway
from fabricgen.nos.eos.system import entries
from fabricgen.nos.eos.view import routing as view
from fabricgen.nos.nos import Spell

ACROSS = "DCI"
"""Name of the gateways' side towards another site."""
FAR, OWN = (f"{ACROSS}-{word}" for word in ("FAR", "OWN"))
"""Names of the lists of gateway loopbacks, remote and local."""

_BOTH_WAYS = "import export evpn domain remote"


def neighbors_across(gateway: Gateway, spell: Spell) -> Iterator[view.Neighbor]:
    """Yield the remote ends of its cables, and the loopback of each remote gateway."""
    for link in gateway.links:
        yield view.Neighbor(
            because=link.because,
            address=link.remote.host,
            group=f"UNDERLAY-{ACROSS}",
            asn=link.peer_asn,
            description=f"{link.peer.name}:{spell(link.peer, link.peer_port)}",
        )
    for link in gateway.peers:
        yield view.Neighbor(
            because=link.because,
            address=link.loopback.host,
            group=f"EVPN-{ACROSS}",
            asn=link.peer_asn,
            description=link.peer.name,
        )


@lru_cache(maxsize=64)
def policy_of(gateway: Gateway | None) -> view.Gateway | None:
    if gateway is None:
        return None
    why = gateway.because
    targets, listed = f"extcommunity {ACROSS}-TARGETS", "ip address prefix-list"
    return view.Gateway(
        because=why,
        heard=view.GatewayMap(why, f"EVPN-FROM-{ACROSS}", targets),
        told=view.GatewayMap(why, f"EVPN-TO-{ACROSS}", targets),
        inward=view.GatewayMap(why, f"FROM-{ACROSS}", f"{listed} {FAR}"),
        outward=view.GatewayMap(why, f"TO-{ACROSS}", f"{listed} {OWN}"),
    )


@lru_cache(maxsize=64)
def stretched(gateway: Gateway | None) -> tuple[tuple[int, tuple[view.Target, ...]], ...]:
    """Return the VLANs that continue in another site, each with its route target there."""
    if gateway is None:
        return ()
    return tuple(
        (number, (view.Target(gateway.because, _BOTH_WAYS, target),))
        for number, target in gateway.vlans.items()
    )


def lists_across(gateway: Gateway | None) -> tuple[view.PrefixList, ...]:
    """Return the lists of loopbacks that are imported from and exported to the other site."""
    if gateway is None:
        return ()
    return tuple(
        view.PrefixList(gateway.because, name, entries(map(_whole, every)))
        for name, every in ((FAR, gateway.far), (OWN, gateway.own))
    )


def _whole(address: Ip) -> str:
    return f"{address.host}/32"


def targets_across(gateway: Gateway | None) -> tuple[view.ListedTarget, ...]:
    if gateway is None:
        return ()
    name = f"{ACROSS}-TARGETS"
    return tuple(view.ListedTarget(gateway.because, name, each) for each in gateway.targets)
