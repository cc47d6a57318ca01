"""Lower the MC-LAG pair of a leaf to its CONFIG_DB tables: domain, peer link and the pair's VLAN.

sonic-mclag.yang of every release has the tables. The session between the leafs runs in a VLAN of
the peer link, like BGP between the leafs (sonic-net/SONiC doc/mclag/Sonic-mclag-hld.md 7.2.3).
That VLAN has an address for each leaf, so it is in MCLAG_UNIQUE_IP. Without this entry, iccpd gives
both leafs one MAC there (doc/mclag/MCLAG_Enhancements_HLD.md 2.1.9).

An image without iccpd keeps the peer link, its VLAN and BGP. The kernel and FRR read them, and both
leafs have one tunnel endpoint, so a packet may arrive at the leaf without the server.
"""

from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.pair import PEER_BUNDLE, PEER_VLAN, Pair
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.sonic.images import GATEWAYS, has_iccpd, has_sag
from fabricgen.nos.sonic.names import bundle_name, domain_number, peer_link_text, vlan_name
from fabricgen.nos.sonic.ports import Named
from fabricgen.nos.sonic.view import Entry, Tables

PEER_LINK = bundle_name(PEER_BUNDLE)
_ONE = "iccpd holds the pair together; both leafs name one domain"


def pairs(switch_slice: SwitchSlice) -> Tables:
    """Return the tables of iccpd, if the image has it.

    Timers keep their defaults: 1 s, and 30 s until the end.
    """
    pair = switch_slice.pair
    if pair is None or not has_iccpd(switch_slice.switch.release):
        return {}
    number = domain_number(switch_slice)
    domain = {
        "source_ip": pair.local.host,
        "peer_ip": pair.remote.host,
        "peer_link": PEER_LINK,
    }
    because = Provenance(pair.because.paths, _ONE)
    bundles = {
        f"{number}|{bundle_name(lag.number)}": Entry(lag.because, {"if_type": "PortChannel"})
        for lag in switch_slice.lags
        if lag.mlag
    }
    return {
        "MCLAG_DOMAIN": {number: Entry(because, domain)},
        "MCLAG_INTERFACE": bundles,
        "MCLAG_UNIQUE_IP": {vlan_name(PEER_VLAN): Entry(because, {"unique_ip": "enable"})},
    }


def with_peer_link(switch_slice: SwitchSlice, named: list[Named], tables: Tables) -> Tables:
    """Return the tables of LAGs with the LAG to the other leaf."""
    pair = switch_slice.pair
    if pair is None:
        return tables
    spelled = {interface: names.name for interface, names in named}
    link = {
        "admin_status": "up",
        "mtu": str(pair.members[0].mtu),
        "min_links": "1",
        "lacp_key": "auto",
        "description": peer_link_text(switch_slice, pair),
    }
    members = {f"{PEER_LINK}|{spelled[each]}": Entry(pair.because, {}) for each in pair.members}
    return {
        **tables,
        "PORTCHANNEL": {**tables.get("PORTCHANNEL", {}), PEER_LINK: Entry(pair.because, link)},
        "PORTCHANNEL_MEMBER": {**tables.get("PORTCHANNEL_MEMBER", {}), **members},
    }


def with_pair_vlan(pair: Pair | None, tables: Tables) -> Tables:
    """Return the tables of VLANs with the VLAN between the leafs."""
    if pair is None:
        return tables
    name = vlan_name(PEER_VLAN)
    vlan = {
        "vlanid": str(PEER_VLAN),
        "description": f"MLAG pair {pair.domain}",
        "mtu": str(pair.mtu),
        "admin_status": "up",
    }
    own = {name: Entry(pair.because, {}), f"{name}|{pair.local}": Entry(pair.because, {})}
    return {
        **tables,
        "VLAN": {**tables.get("VLAN", {}), name: Entry(pair.because, vlan)},
        "VLAN_INTERFACE": {**tables.get("VLAN_INTERFACE", {}), **own},
    }


def crossing(switch_slice: SwitchSlice) -> tuple[int, ...]:
    """Return the VLANs of the peer link: of the pair, of servers and of L3VNIs.

    iccpd gives both leafs one MAC in the VLAN of an L3VNI, because it is on the peer link. Packets
    to the shared tunnel endpoint arrive at either leaf (sonic-mgmt spytest, evpn_rlvtep).
    """
    transit = (vrf.transit_vlan for vrf in switch_slice.tunneled)
    return (*sorted({*(vlan.id for vlan in switch_slice.vlans), *transit}), PEER_VLAN)


def pair_gaps(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Refuse what no document describes for a pair, and warn of what the image must do."""
    pair = switch_slice.pair
    if pair is None:
        return
    if has_iccpd(switch_slice.switch.release):
        yield from _iccpd_gaps(switch_slice, pair)
    for vrf in pair.vrfs:
        message = (
            f"SONiC: VRF {vrf.name} has a port, a route or an address on one leaf of an MLAG pair. "
            "No document shows the VLAN in which such leafs exchange its routes"
        )
        hint = "connect it to a leaf without `kind: mlag`"
        yield Diagnostic(Code.UNSUPPORTED, message, path=vrf.because.main, hint=hint)


def _iccpd_gaps(switch_slice: SwitchSlice, pair: Pair) -> Iterator[Diagnostic]:
    image = switch_slice.switch.release
    message = (
        "SONiC ships its iccpd container disabled, and only the image's vendor can confirm that "
        "flooded frames of a peer link stay out of tunnels"
    )
    hint = "run `config feature state iccpd enabled` once on each leaf of a pair"
    yield Diagnostic(
        Code.UNSUPPORTED, message, path=pair.because.main, hint=hint, severity=Severity.WARNING
    )
    gateway = next((vlan for vlan in switch_slice.vlans if vlan.gateways), None)
    if gateway is not None and not has_sag(image):
        message = (
            "SONiC: iccpd replaces the MAC of a gateway on one leaf of an MLAG pair, so a VLAN "
            "there can have no gateway"
        )
        hint = f"name an image that keeps the MAC: `release: {image.partition('+')[0]}+{GATEWAYS}`"
        yield Diagnostic(Code.UNSUPPORTED, message, path=gateway.because.main, hint=hint)
