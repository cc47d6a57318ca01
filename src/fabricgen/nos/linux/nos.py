"""Register the platform `linux`, a Debian switch with FRR, with or without an ASIC driver."""

import re
from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, Severity
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Port
from fabricgen.model.fabric.vlans import Multicast
from fabricgen.nos.features import Feature, answers
from fabricgen.nos.linux.dcb import driver, lossless_ports
from fabricgen.nos.linux.expected import NAMES
from fabricgen.nos.linux.lower import lower
from fabricgen.nos.linux.names import (
    BRIDGE,
    DEFAULT,
    LOOPBACK,
    MANAGEMENT_PORT,
    MULTIPATH,
    RELEASES,
    frr_names,
)
from fabricgen.nos.linux.names import port_name as _port_name
from fabricgen.nos.nos import Late, Nos
from fabricgen.nos.shared.gaps import flows_without_queue_pairs, too_long

# A VRF is a device, so its name must differ from other devices and from system routing tables
# (ifupdown2 addons/vrf.py system_reserved_rt_tables).
_TAKEN = re.compile(
    rf"({LOOPBACK}|{BRIDGE}|{MANAGEMENT_PORT}|all|default|local|main|unspec|"
    r"(swp|bond|vlan|vni)\d.*)\Z"
)


def port_name(model: SwitchModel, port: Port) -> str:
    """Spell a port: swp and the number on the faceplate, the same on every model."""
    del model
    return _port_name(port)


def gaps(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Say where VRFs clash with devices, what FRR 8.4 loses, and where PFC cannot be had."""
    asic = driver(switch_slice.switch.model) is not None
    return [
        *_clashes(switch_slice),
        *too_long(switch_slice, "linux"),
        *_router_macs(switch_slice),
        *_segments(switch_slice),
        *_pfc(switch_slice),
        *(_filtered(switch_slice) if asic else ()),
        *(_sent_out(switch_slice) if asic else ()),
        *_snooping(switch_slice),
        *flows_without_queue_pairs("linux", switch_slice),
    ]


def _clashes(switch_slice: SwitchSlice) -> list[Diagnostic]:
    return [
        Diagnostic(
            Code.UNSUPPORTED,
            f"linux cannot name a VRF {vrf.name!r}: another device or table has that name",
            path=vrf.because.main,
            hint="rename the VRF",
        )
        for vrf in switch_slice.vrfs
        if _TAKEN.match(vrf.name) or vrf.name == switch_slice.services.vrf
    ]


def _router_macs(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Warn of a fault of Debian 12's FRR that no line avoids; the lab shows it."""
    version = frr_names(switch_slice.switch.release).version
    if not version.startswith("8.4."):
        return []
    if not switch_slice.tunneled or switch_slice.vtep is None or switch_slice.overlay is None:
        return []
    return [
        Diagnostic(
            Code.UNSUPPORTED,
            f"FRR {version}, which Debian 12 has, forgets the router MAC of another leaf when "
            "one of two EVPN sessions ends, and routed traffic of tenants to that leaf is lost",
            path=switch_slice.overlay.path,
            hint="FRRouting/frr issue 12391; its pull request 12524 mends it, so run a newer FRR, "
            "as release debian13 has",
            severity=Severity.WARNING,
        )
    ]


def _segments(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Warn of what the kernel has not got of EVPN multihoming; the lab shows it."""
    paths = [lag.segment.because.main for lag in switch_slice.lags if lag.segment is not None]
    lacks = NOS.capabilities[Feature.MULTIHOMING].lack
    return [
        Diagnostic(
            Code.UNSUPPORTED,
            f"linux: {lacks}",
            path=(*path, "leafs"),
            hint="FRRouting/frr issue 15400; for servers that bridge, use `bond: active-backup`",
            severity=Severity.WARNING,
        )
        for path in dict.fromkeys(paths)
    ]


def _in_asic(
    switch_slice: SwitchSlice,
    why: str,
    path: IntentPath,
    hint: str,
    code: Code = Code.UNSUPPORTED,
    severity: Severity = Severity.ERROR,
) -> Diagnostic:
    message = f"linux on {switch_slice.switch.model} forwards in its ASIC, {why}"
    return Diagnostic(code, message, path=path, hint=hint, severity=severity)


def _filtered(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Refuse zones and marks: packets in an ASIC never meet the packet filter of the kernel."""
    zone = next((guard.zone for guard in switch_slice.guards if guard.zone), "")
    if zone:
        why = "past nftables: zones would judge nothing there"
        yield _in_asic(switch_slice, why, ("zones", zone), "eos has access lists in hardware")
    elif switch_slice.guards:
        yield _in_asic(
            switch_slice,
            "past nftables: packets with a source inside the VRF come in from outside",
            switch_slice.guards[0].lists[0].because.main,
            "a filter in the router outside; eos has access lists in hardware",
            Code.OWN_SOURCES,
            Severity.WARNING,
        )
    if switch_slice.marks and switch_slice.qos is not None:
        yield _in_asic(
            switch_slice,
            "past nftables: ports of servers would write no DSCP",
            switch_slice.qos.asked,
            "`trust: true` in the attachments, where servers mark as they should",
        )


def _sent_out(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Refuse tunnels and rates that an ASIC would have to forward.

    It takes tunnels that inherit the TTL (linux mlxsw spectrum_ipip.c,
    mlxsw_sp_ipip_can_offload_gre4), and BGP inside one sends with a TTL of 1. Its ets has no rate,
    and htb is the kernel's own: mlxsw takes red, tbf, fifo, ets and prio (linux mlxsw
    spectrum_qdisc.c). No document read here says from which kernel a tbf holds what is below or
    above an ets.
    """
    if switch_slice.tunnels:
        yield _in_asic(
            switch_slice,
            "which takes tunnels with an inherited TTL alone: that of BGP would end at the first "
            "router",
            switch_slice.tunnels[0].because.main,
            "a link of its own, without `gre`",
        )
    held = next((item for item in switch_slice.interfaces if item.rate is not None), None)
    if held is not None:
        yield _in_asic(
            switch_slice,
            f"past the kernel's htb: nothing would hold {held.outside} to {held.sends}",
            held.because.main,
            "no `rate`, or a border leaf of another platform",
        )


def _snooping(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Refuse snooping where an ASIC forwards, and where a report may go to the other of two leafs.

    FRR has no EVPN routes of type 7 and 8 (lib/prefix.h), by which leafs of an Ethernet segment
    tell each other who joined (RFC 9251, 9.2); one of them gives packets of tunnels to the server.
    """
    mine = [vlan for vlan in switch_slice.vlans if vlan.multicast is Multicast.SNOOPED]
    pairs = {
        v for lag in switch_slice.lags if lag.segment and lag.carries for v in lag.carries.vlans
    }
    asic, why = (
        driver(switch_slice.switch.model) is not None,
        "no document says that it snoops by VLAN",
    )
    if not asic:
        mine = [vlan for vlan in mine if vlan in pairs]
        why = "FRR does not tell the other leaf of an Ethernet segment who joined"
    where = f"linux on {switch_slice.switch.model} forwards in its ASIC: " if asic else "linux: "
    return [
        Diagnostic(
            Code.UNSUPPORTED,
            f"{where}{why}, as {vlan.name} needs on {switch_slice.switch.name}",
            path=(*vlan.because.main, "multicast"),
            hint="leave `multicast` out: groups are flooded",
        )
        for vlan in mine
    ]


def _pfc(switch_slice: SwitchSlice) -> list[Diagnostic]:
    if switch_slice.qos is None or not switch_slice.qos.lossless:
        return []
    path = (*switch_slice.qos.because.main, "pfc")
    if driver(switch_slice.switch.model) is None:
        return [
            Diagnostic(
                Code.UNSUPPORTED,
                f"the catalog names no driver with DCB for {switch_slice.switch.model} on "
                "linux, so its "
                "ports refuse PFC and the DSCP table; ECN and the queues work",
                path=path,
                hint="a veth has no PFC either: for a lab this is expected",
                severity=Severity.WARNING,
            )
        ]
    if all(size is not None for _, size in lossless_ports(switch_slice)):
        return []
    return [
        Diagnostic(
            Code.UNSUPPORTED,
            f"the catalog has no headroom for some port speed and cable length of "
            f"{switch_slice.switch.model}, so those ports get no lossless buffer",
            path=path,
            hint="",
            severity=Severity.WARNING,
        )
    ]


NOS = Nos(
    name="linux",
    any_asn=None,  # docs.frrouting.org, BGP: neighbor PEER remote-as external
    capabilities=answers(__package__),
    releases={name: {} for name in RELEASES},
    release=DEFAULT,
    max_ecmp=MULTIPATH,  # what bgpd was built for; the kernel has no lower limit
    port_name=port_name,
    gaps=gaps,
    lower=lower,
    marker="etc/network/interfaces",
    fresh_names=("debian", "localhost"),  # hostname(5); Debian's netcfg/get_hostname
    names=NAMES,
    grammar=Late("fabricgen.nos.linux.grammar:GRAMMAR"),
    foreign=Late("fabricgen.nos.linux.grammar:FOREIGN"),
    dialects=Late("fabricgen.nos.linux.risk:DIALECTS"),
    qos=Late("fabricgen.nos.linux.readback.queues:read"),
    told=Late("fabricgen.nos.linux.readback.queues:told"),
    paths=Late("fabricgen.nos.linux.readback.balancing:PATHS"),
    show=Late("fabricgen.nos.linux.show.reader:LINUX"),
    own={
        "frr": Late("fabricgen.nos.linux.own_lines:FRR"),
        "interfaces": Late("fabricgen.nos.linux.own_lines:INTERFACES"),
    },
    own_files=Late("fabricgen.nos.linux.own_lines:FILES"),
    keeps_files=True,
    driver=Late("fabricgen.nos.linux.driver.driver:LinuxDriver"),
    containerlab=Late("fabricgen.nos.linux.containerlab:KIND"),
    batfish=Late("fabricgen.nos.linux.batfish:snapshot"),
    first_boot=Late("fabricgen.nos.linux.first_boot:first_boot"),
    boots_here=True,
)
