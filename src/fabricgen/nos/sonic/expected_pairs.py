"""List the facts of LAGs over two leafs: of MC-LAG pairs, Ethernet segments and gateways."""

from collections.abc import Iterator

from fabricgen.core.tree.facts import TRUE, Attributes, Key
from fabricgen.model.fabric.pair import PEER_BUNDLE, PEER_VLAN
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.sonic.images import has_iccpd, has_sag
from fabricgen.nos.sonic.names import bundle_name, domain_number, peer_link_text, vlan_name
from fabricgen.nos.sonic.releases import release_of
from fabricgen.nos.spelling import Place

Fact = tuple[Key, Attributes]
_LINK, _VLAN = bundle_name(PEER_BUNDLE), vlan_name(PEER_VLAN)


def pair_facts(switch_slice: SwitchSlice) -> Iterator[Fact]:
    """Yield the peer link with every VLAN of the leaf, and with iccpd the number of the domain."""
    pair = switch_slice.pair
    if pair is None:
        return
    own_address: Attributes = {}
    if has_iccpd(switch_slice.switch.release):
        own_address = {"own-address": TRUE}
        yield ("pair",), {"domain": domain_number(switch_slice), "local": pair.local.host}
    carried = {PEER_VLAN, *(vlan.id for vlan in switch_slice.vlans)}
    carried |= {vrf.transit_vlan for vrf in switch_slice.tunneled}
    link: Attributes = {
        "up": TRUE,
        "mtu": str(pair.members[0].mtu),
        "min-links": "1",
        "lacp-key": "auto",
        "description": peer_link_text(switch_slice, pair),
        "vlans": tuple(sorted(map(str, carried))),
    }
    yield ("interface", _LINK), link
    named = f"MLAG pair {pair.domain}"
    own: Attributes = {"number": str(PEER_VLAN), "name": named, "mtu": str(pair.mtu), "up": TRUE}
    yield ("vlan", str(PEER_VLAN)), own
    yield ("interface", _VLAN), {"routed": TRUE, **own_address}


def segment_facts(switch_slice: SwitchSlice) -> Iterator[Fact]:
    """Yield the LACP system of each segment; frr.conf has identifier and rank, too."""
    if release_of(switch_slice.switch.release).segments:
        for lag in switch_slice.lags:
            if lag.segment is not None:
                own: Attributes = {"lacp-system": lag.segment.system, "segment-type": "configured"}
                yield ("interface", bundle_name(lag.number)), own


def gateway_facts(switch_slice: SwitchSlice) -> Iterator[Fact]:
    """Yield the MAC of gateways: of the switch with the table SAG, else of each VLAN."""
    rules = switch_slice.overlay if switch_slice.vtep is not None else None
    if rules is None or rules.anycast_mac is None:
        return
    for vlan in switch_slice.vlans:
        if vlan.gateways and has_sag(switch_slice.switch.release):
            yield ("switch",), {"anycast-mac": rules.anycast_mac}
        elif vlan.gateways:
            yield ("interface", vlan_name(vlan.id)), {"mac": rules.anycast_mac}


def own_values(switch_slice: SwitchSlice) -> Iterator[tuple[str, tuple[Place, ...]]]:
    """Yield each value that differs between pairs or their leafs, with its places."""
    pair = switch_slice.pair
    if pair is not None:
        at: Key = ("pair",)
        yield domain_number(switch_slice), ((at, "domain"),)
        yield pair.local.host, ((at, "local"),)
        yield f"MLAG pair {pair.domain}", ((("vlan", str(PEER_VLAN)), "name"),)
        yield peer_link_text(switch_slice, pair), ((("interface", _LINK), "description"),)
    for lag in switch_slice.lags:
        if lag.segment is not None:
            port: Key = ("interface", bundle_name(lag.number))
            yield lag.segment.system, ((port, "lacp-system"),)
            yield lag.segment.identifier, ((port, "segment"),)
