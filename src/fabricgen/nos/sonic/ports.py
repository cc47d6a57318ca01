"""Lower interfaces to PORT, breakouts, port-channels, addresses and neighbors of CONFIG_DB."""

from fabricgen.core.provenance import Provenance
from fabricgen.model.catalog.cages import Mode
from fabricgen.model.catalog.skus import Sku
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.fec import reed_solomon
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import Lag, SwitchSlice
from fabricgen.model.fabric.topology import Port, Switch
from fabricgen.nos.nos import Spell
from fabricgen.nos.shared.description import bundle_text, describe, outside
from fabricgen.nos.sonic.facts import sku_of
from fabricgen.nos.sonic.names import (
    OUTSIDE,
    ROLES,
    ROUTER_ID,
    SERVER,
    VTEP_SOURCE,
    PortNames,
    bundle_name,
    diagnostic_source,
    share_name,
    vrf_name,
)
from fabricgen.nos.sonic.releases import release_of
from fabricgen.nos.sonic.view import Entry, Field, Table, Tables

Named = tuple[Interface, PortNames]
"""An interface with its spelling; the lowering zips them once per switch."""


def ports(switch_slice: SwitchSlice, named: list[Named], spell: Spell) -> Tables:
    """Return PORT with every port, unused ones down, and the tables of split cages and LAGs."""
    table: Table = {}
    split: Table = {}
    sku = sku_of(switch_slice)
    for interface, names in named:
        port = interface.port
        table[names.name] = Entry(interface.because, _port(switch_slice, interface, names, spell))
        if port.subs > 1 and port.sub == 0 and sku.splits:
            split[names.cage] = Entry(interface.because, {"brkout_mode": breakout(sku, port)})
    return {"PORT": table, "BREAKOUT_CFG": split, **_bundles(switch_slice, named)}


def breakout(sku: Sku, port: Port) -> str:
    """Spell the mode of a split cage as breakout_modes and hwsku.json of the SKU do.

    `config interface breakout` and sonic-cfggen look the text up there, so 2x400G is not
    2x400G[200G,100G] (sonic-buildimage src/sonic-config-engine/portconfig.py).
    """
    mode = Mode(port.subs, port.speed, port.lanes)
    return sku.spelled(mode) or f"{port.subs}x{port.speed}"


def _port(
    switch_slice: SwitchSlice, interface: Interface, names: PortNames, spell: Spell
) -> dict[str, Field]:
    """Return the fields of a port; autoneg is left as shipped, the medium decides it."""
    port = interface.port
    fields: dict[str, Field] = {
        "alias": names.alias,
        "index": names.index,
        "lanes": names.lanes,
        "speed": str(port.speed.megabits),
    }
    if port.subs > 1:
        fields["subport"] = str(port.sub + 1)
    if reed_solomon(port):
        fields["fec"] = "rs"
    fields["mtu"] = str(interface.mtu)
    fields["admin_status"] = "down" if interface.closed else "up"
    fields["description"] = describe(switch_slice, interface, spell)
    return fields


_RATES: dict[str | None, dict[str, Field]] = {
    "fast": {"fast_rate": "true"},
    "slow": {"fast_rate": "false"},
}


def _bundles(switch_slice: SwitchSlice, named: list[Named]) -> Tables:
    """Return LACP LAGs. teamd is up while one link is (min_links)."""
    bundles: Table = {}
    members: Table = {}
    if not switch_slice.lags:
        return {}
    spelled = {interface: names.name for interface, names in named}
    for lag in switch_slice.lags:
        name = bundle_name(lag.number)
        bundles[name] = Entry(
            lag.because,
            {
                "admin_status": "up",
                "mtu": str(lag.mtu),
                "min_links": "1",
                "lacp_key": "auto",
                "description": bundle_text(switch_slice, lag, name) or lag.far,
                **_RATES.get(lag.settings.lacp_rate, {}),
                **_system(switch_slice, lag),
            },
        )
        for member in lag.members:
            members[f"{name}|{spelled[member]}"] = Entry(lag.because, {})
    return {
        "PORTCHANNEL": bundles,
        "PORTCHANNEL_MEMBER": members,
        "EVPN_ETHERNET_SEGMENT": _segments(switch_slice),
    }


def _system(switch_slice: SwitchSlice, lag: Lag) -> dict[str, Field]:
    """Return the LACP system that the leafs of a segment share."""
    if lag.segment is None or not release_of(switch_slice.switch.release).segments:
        return {}
    return {"system_mac": lag.segment.system}


def _segments(switch_slice: SwitchSlice) -> Table:
    """Return the Ethernet segments, with the identifier and the rank of frr.conf.

    swss takes the identifier from here, and zebra takes it from frr.conf: frrcfgd does not write it
    (sonic-net/sonic-buildimage pull 27885, open).
    """
    if not release_of(switch_slice.switch.release).segments:
        return {}
    return {
        bundle_name(lag.number): Entry(
            lag.segment.because,
            {
                "esi": lag.segment.identifier,
                "type": "TYPE_0_OPERATOR_CONFIGURED",
                "df_pref": str(lag.segment.preference),
            },
        )
        for lag in switch_slice.lags
        if lag.segment is not None
    }


def interfaces(switch_slice: SwitchSlice, named: list[Named]) -> Tables:
    routed: Table = {}
    for interface, names in named:
        if interface.link_local:
            # The session runs between link-local addresses; no other IPv6 address is needed.
            fields: dict[str, Field] = {"ipv6_use_link_local_only": "enable"}
            routed[names.name] = Entry(interface.because, fields)
        elif interface.address is not None:
            bound: dict[str, Field] = {}
            if interface.vrf is not None:
                bound["vrf_name"] = vrf_name(interface.vrf)
            routed[names.name] = Entry(interface.because, bound)
            for address in interface.addresses:
                routed[f"{names.name}|{address}"] = Entry(interface.because, {})
    pools = (*switch_slice.place, "addressing")
    why = Provenance(((*pools, "loopbacks"),), "router ID and EVPN endpoint")
    loopbacks = _loopback(ROUTER_ID, switch_slice.loopback, switch_slice.why(why, "loopback"))
    if switch_slice.vtep is not None:
        why = Provenance(((*pools, "vteps"),), "source of VXLAN tunnels")
        loopbacks |= _loopback(VTEP_SOURCE, switch_slice.vtep, switch_slice.why(why, "vtep"))
    for vrf in switch_slice.vrfs:
        if vrf.diagnostics is not None:
            source, because = vrf.diagnostics.address(switch_slice.switch), vrf.diagnostics.because
            loopbacks |= _loopback(diagnostic_source(vrf), source, because, vrf_name(vrf.name))
    return {"INTERFACE": routed, "LOOPBACK_INTERFACE": loopbacks}


def _loopback(name: str, address: Ip, why: Provenance, vrf: str = "") -> Table:
    fields: dict[str, Field] = {"vrf_name": vrf} if vrf else {}
    return {name: Entry(why, fields), f"{name}|{address}": Entry(why, {})}


def shares(switch_slice: SwitchSlice, named: list[Named]) -> Tables:
    """Return the sub-interfaces, which have the MTU of their port or LAG."""
    table: Table = {}
    spelled = {interface.port: names.name for interface, names in named}
    for item in switch_slice.tagged:
        assert item.tag is not None
        assert item.vrf is not None
        parent = bundle_name(item.lag) if item.lag is not None else spelled[item.port]
        name = share_name(parent, item.tag)
        fields: dict[str, Field] = {"admin_status": "up", "vrf_name": vrf_name(item.vrf)}
        if not name.startswith(parent):
            fields["vlan"] = str(item.tag)
        table[name] = Entry(item.because, fields)
        for address in item.addresses:
            table[f"{name}|{address}"] = Entry(item.because, {})
    return {"VLAN_SUB_INTERFACE": table} if table else {}


def neighbors(named: list[Named], spell: Spell) -> Tables:
    """Return the expected neighbor of each port.

    `pfcwd`, `config qos reload` and `show lldp` compare with it: these ports are active. An
    external peer has only its name, which is enough for sonic-device_neighbor.yang.
    """
    table: Table = {}
    metadata: Table = {}
    for interface, names in named:
        peer, there = interface.peer, interface.peer_port
        if interface.outside:
            name = outside(interface.outside)
            table[names.name] = Entry(interface.because, {"name": name})
            metadata[name] = Entry(interface.because, {"type": OUTSIDE})
        if peer is None or there is None:
            continue
        table[names.name] = Entry(
            interface.because, {"name": peer.name, "port": spell(peer, there)}
        )
        if peer.name not in metadata:
            role = ROLES[peer.role] if isinstance(peer, Switch) else SERVER
            metadata[peer.name] = Entry(interface.because, {"type": role})
    return {"DEVICE_NEIGHBOR": table, "DEVICE_NEIGHBOR_METADATA": metadata}
