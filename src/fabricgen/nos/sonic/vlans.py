"""Lower VLANs and VRFs to their CONFIG_DB tables, members, gateways, VNIs and the VXLAN tunnel."""

from functools import lru_cache
from typing import NamedTuple

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.overlay import EvpnRules, Vrf
from fabricgen.model.fabric.pair import PEER_BUNDLE
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.vlans import Carries, Vlan
from fabricgen.nos.sonic.images import has_sag
from fabricgen.nos.sonic.names import NVO, VTEP, bundle_name, vlan_name, vrf_name
from fabricgen.nos.sonic.pairs import crossing
from fabricgen.nos.sonic.ports import Named
from fabricgen.nos.sonic.view import Entry, Field, Table, Tables


def vlans(switch_slice: SwitchSlice) -> Tables:
    """Return the VLANs of a leaf; VLANs of an overlay are the same on every leaf."""
    if not switch_slice.vlans and not switch_slice.tunneled:
        return {}
    # A VLAN interface may not have a larger MTU than the ports of its VLAN.
    mtu = switch_slice.routing.tenant_mtu
    if switch_slice.overlay is None:
        return _tables(switch_slice.vlans, (), None, mtu)
    rules = switch_slice.overlay
    sag = rules.anycast_mac is not None and has_sag(switch_slice.switch.release)
    return _overlay_vlans(switch_slice.vlans, switch_slice.tunneled, rules, mtu, sag=sag)


@lru_cache(maxsize=1024)
def _overlay_vlans(
    wanted: tuple[Vlan, ...], vrfs: tuple[Vrf, ...], rules: EvpnRules, mtu: int, *, sag: bool
) -> Tables:
    return _tables(wanted, vrfs, rules, mtu, sag=sag)


def _tables(
    wanted: tuple[Vlan, ...],
    vrfs: tuple[Vrf, ...],
    rules: EvpnRules | None,
    mtu: int,
    *,
    sag: bool = False,
) -> Tables:
    """Return the tables; with an overlay every leaf has a gateway's address with one MAC.

    `sag`: whether the table SAG has that MAC.
    """
    table: Table = {}
    gateways: Table = {}
    for vlan in wanted:
        shares = rules if vlan.gateways and not sag else None
        table[vlan_name(vlan.id)] = _vlan(vlan.id, vlan.text, mtu, vlan.because, shares)
        if vlan.gateways:
            gateways.update(_gateway(vlan, sag=sag))
    for vrf in vrfs:
        name = vlan_name(vrf.transit_vlan)
        text = f"L3VNI of {vrf.name}" + (f": {vrf.description}" if vrf.description else "")
        table[name] = _vlan(vrf.transit_vlan, text, mtu, vrf.because)
        gateways[name] = Entry(vrf.because, {"vrf_name": vrf_name(vrf.name)})
    return {"VLAN": table, "VLAN_INTERFACE": gateways}


def _vlan(
    number: int, text: str, mtu: int, because: Provenance, rules: EvpnRules | None = None
) -> Entry:
    """Return a VLAN; with `rules` its gateway has the same MAC on every leaf.

    vlanmgrd sets the MAC at the kernel's interface (sonic-swss cfgmgr/vlanmgr.cpp setHostVlanMac).
    orchagent sets it at the router interface (portsorch.cpp doVlanTask, intfsorch.cpp
    addRouterIntfs: SRC_MAC_ADDRESS), in every branch. minigraph.py writes it for the two switches
    of a dual ToR, which share their gateway, too. The table SAG is new in master.
    """
    fields: dict[str, Field] = {
        "vlanid": str(number),
        "description": text,
        "mtu": str(mtu),
        "admin_status": "up",
    }
    if rules is not None and rules.anycast_mac is not None:
        fields["mac"] = rules.anycast_mac
        paths = (*because.paths, (*rules.path, "anycast_mac"))
        because = Provenance(
            paths, f"{because.rule}; every leaf answers for its gateway with one MAC"
        )
    return Entry(because, fields)


def anycast(switch_slice: SwitchSlice) -> Tables:
    """Return the MAC of all gateways on an image that has a table for it."""
    rules = switch_slice.overlay
    if rules is None or rules.anycast_mac is None or not has_sag(switch_slice.switch.release):
        return {}
    if not any(vlan.gateways for vlan in switch_slice.vlans):
        return {}
    why = Provenance(((*rules.path, "anycast_mac"),), "every leaf answers for gateways by one MAC")
    return {"SAG": {"GLOBAL": Entry(why, {"gateway_mac": rules.anycast_mac})}}


def _gateway(vlan: Vlan, *, sag: bool) -> Table:
    """Return the entries of a gateway: its addresses, and the interface that SONiC requires."""
    fields: dict[str, Field] = {"static_anycast_gateway": "true"} if sag else {}
    if vlan.vrf is not None:
        fields["vrf_name"] = vrf_name(vlan.vrf)
    name = vlan_name(vlan.id)
    return {
        name: Entry(vlan.because, fields),
        **{f"{name}|{gateway}": Entry(vlan.because, {}) for gateway in vlan.gateways},
    }


class Member(NamedTuple):
    """VLANs of one port or LAG, as numbers: equal on leafs with equal wiring."""

    port: str
    untagged: int | None
    tagged: tuple[int, ...]
    because: Provenance


def members(switch_slice: SwitchSlice, named: list[Named]) -> Tables:
    """Return VLAN_MEMBER, by VLAN and then by port; a LAG is a member, never its ports."""
    carrying = [
        _member(names.name, interface.carries)
        for interface, names in named
        if interface.carries is not None and interface.lag is None
    ]
    carrying += [
        _member(bundle_name(lag.number), lag.carries) for lag in switch_slice.lags if lag.carries
    ]
    if switch_slice.pair is not None:
        link = bundle_name(PEER_BUNDLE)
        carrying.append(Member(link, None, crossing(switch_slice), switch_slice.pair.because))
    return _members(tuple(carrying)) if carrying else {}


def _member(port: str, carries: Carries) -> Member:
    untagged = carries.untagged.id if carries.untagged is not None else None
    return Member(port, untagged, tuple(vlan.id for vlan in carries.tagged), carries.because)


@lru_cache(maxsize=1024)
def _members(carrying: tuple[Member, ...]) -> Tables:
    members: dict[int, Table] = {}
    for member in carrying:
        tagging = dict.fromkeys(member.tagged, "tagged")
        if member.untagged is not None:
            tagging[member.untagged] = "untagged"
        for number, mode in tagging.items():
            entry = Entry(member.because, {"tagging_mode": mode})
            members.setdefault(number, {})[f"{vlan_name(number)}|{member.port}"] = entry
    table = {key: entry for number in sorted(members) for key, entry in members[number].items()}
    return {"VLAN_MEMBER": table}


def vxlan(switch_slice: SwitchSlice) -> Tables:
    if switch_slice.vtep is None or switch_slice.overlay is None:
        return {}
    why = Provenance((switch_slice.overlay.path,), "one VXLAN tunnel per leaf, EVPN fills it")
    return {
        "VXLAN_TUNNEL": {VTEP: Entry(why, {"src_ip": switch_slice.vtep.host})},
        "VXLAN_EVPN_NVO": {NVO: Entry(why, {"source_vtep": VTEP})},
    }


def vrfs(switch_slice: SwitchSlice) -> Tables:
    """Return the VRFs with their L3VNIs, if any, and the mapping of VLANs to VNIs."""
    if (switch_slice.overlay is None or switch_slice.vtep is None) and not switch_slice.vrfs:
        return {}
    return _vrfs(switch_slice.vlans, switch_slice.vrfs)


@lru_cache(maxsize=1024)
def _vrfs(wanted: tuple[Vlan, ...], vrfs: tuple[Vrf, ...]) -> Tables:
    table: Table = {
        vrf_name(vrf.name): Entry(vrf.because, {} if vrf.local else {"vni": str(vrf.vni)})
        for vrf in vrfs
    }
    tunnels: Table = {}
    for vlan in wanted:
        if vlan.vni is not None:
            tunnels.update(_map(vlan.id, vlan.vni, vlan.because))
    for vrf in vrfs:
        if not vrf.local:
            tunnels.update(_map(vrf.transit_vlan, vrf.vni, vrf.because))
    return {"VRF": table, "VXLAN_TUNNEL_MAP": tunnels}


def _map(vlan: int, vni: int, because: Provenance) -> Table:
    # The name is free; `map_<vni>_<vlan>` is what `config vxlan map add` writes.
    name = f"{VTEP}|map_{vni}_{vlan_name(vlan)}"
    return {name: Entry(because, {"vlan": vlan_name(vlan), "vni": str(vni)})}
