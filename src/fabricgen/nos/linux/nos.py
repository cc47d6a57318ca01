"""Register the platform `linux`, a Debian switch with FRR, with or without an ASIC driver."""

import re
from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, Severity
from fabricgen.core.late import Late
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Port
from fabricgen.model.fabric.vlans import Multicast
from fabricgen.nos.features import Feature, answers
from fabricgen.nos.linux.dcb import driver, lossless_ports
from fabricgen.nos.linux.expected import NAMES
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
from fabricgen.nos.nos import Nos
from fabricgen.nos.shared.gaps import flows_without_queue_pairs, too_long, weak_segments

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
    """Report VRF names that clash with devices, faults of FRR 8.4, and ports without PFC."""
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
            f"linux cannot use the VRF name {vrf.name!r}: another device or table has it",
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
            f"FRR {version} of Debian 12 forgets the router MAC of another leaf when "
            "one of two EVPN sessions ends, and routed tenant traffic to that leaf is lost",
            path=switch_slice.overlay.path,
            hint="use release debian13 or another newer FRR; FRRouting/frr issue 12391 describes "
            "the fault, pull request 12524 fixes it",
            severity=Severity.WARNING,
        )
    ]


def _segments(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Warn of EVPN multihoming features that the kernel lacks; the lab shows it."""
    lacks = NOS.capabilities[Feature.MULTIHOMING].lack
    hint = "for servers that bridge, use `bond: active-backup` (FRRouting/frr issue 15400)"
    return weak_segments(switch_slice, f"linux: {lacks}", hint)


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
    """Refuse zones and marks: the kernel's packet filter never sees packets in an ASIC."""
    zoned = next((guard for guard in switch_slice.guards if guard.zone), None)
    if zoned is not None:
        why = "which bypasses nftables: zones would have no effect"
        yield _in_asic(
            switch_slice,
            why,
            zoned.lists[0].because.main,
            "use eos: it has access lists in hardware",
        )
    elif switch_slice.guards:
        yield _in_asic(
            switch_slice,
            "which bypasses nftables: spoofed packets with a source in the VRF could enter",
            switch_slice.guards[0].lists[0].because.main,
            "filter in the external router, or use eos, which has access lists in hardware",
            Code.OWN_SOURCES,
            Severity.WARNING,
        )
    if switch_slice.marks and switch_slice.qos is not None:
        yield _in_asic(
            switch_slice,
            "which bypasses nftables: ports of servers would write no DSCP",
            switch_slice.qos.asked,
            "use `trust: true` in the attachments, if servers mark correctly",
        )


def _sent_out(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Refuse tunnels and rates that an ASIC would have to forward.

    The ASIC supports tunnels that inherit the TTL (linux mlxsw spectrum_ipip.c,
    mlxsw_sp_ipip_can_offload_gre4), but BGP in a tunnel sends with a TTL of 1. Its ets has no rate,
    and htb runs in the kernel alone: mlxsw supports red, tbf, fifo, ets and prio (linux mlxsw
    spectrum_qdisc.c). No document says from which kernel a tbf may be below or above an ets.
    """
    if switch_slice.tunnels:
        yield _in_asic(
            switch_slice,
            "which supports only tunnels with an inherited TTL: BGP would end at the first router",
            switch_slice.tunnels[0].because.main,
            "use a separate link without `gre`",
        )
    held = next((item for item in switch_slice.interfaces if item.rate is not None), None)
    if held is not None:
        yield _in_asic(
            switch_slice,
            f"which bypasses htb: the rate {held.sends} of {held.outside} would have no effect",
            held.because.main,
            "remove `rate`, or use a border leaf of another platform",
        )


def _snooping(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Refuse snooping on an ASIC, and on leaf pairs whose reports may reach the other leaf only.

    FRR has no EVPN routes of type 7 and 8 (lib/prefix.h), by which leafs of an Ethernet segment
    exchange members (RFC 9251, 9.2). One of the leafs forwards packets of tunnels to the server.
    """
    mine = [vlan for vlan in switch_slice.vlans if vlan.multicast is Multicast.SNOOPED]
    pairs = {
        v for lag in switch_slice.lags if lag.segment and lag.carries for v in lag.carries.vlans
    }
    asic, why = (
        driver(switch_slice.switch.model) is not None,
        "no document confirms snooping by VLAN",
    )
    if not asic:
        mine = [vlan for vlan in mine if vlan in pairs]
        why = "FRR does not report group members to the other leaf of an Ethernet segment"
    where = f"linux on {switch_slice.switch.model} forwards in its ASIC: " if asic else "linux: "
    return [
        Diagnostic(
            Code.UNSUPPORTED,
            f"{where}{why}, as {vlan.name} needs on {switch_slice.switch.name}",
            path=(*vlan.because.main, "multicast"),
            hint="remove `multicast`: groups are then flooded",
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
                hint="a lab has no PFC either, because a veth does not support it",
                severity=Severity.WARNING,
            )
        ]
    if all(size is not None for _, size in lossless_ports(switch_slice)):
        return []
    return [
        Diagnostic(
            Code.UNSUPPORTED,
            f"the catalog lacks the headroom of some port speeds and cable lengths of "
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
    max_ecmp=MULTIPATH,  # bgpd's build option; the kernel has no lower limit
    port_name=port_name,
    gaps=gaps,
    lower=Late("fabricgen.nos.linux.lower:lower"),
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
