"""List the values of a slice that EOS cannot have although it supports the feature."""

from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, Severity
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.routing import Routing
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.vlans import Multicast
from fabricgen.nos.eos.balancing import balancing_gaps
from fabricgen.nos.eos.memory import ALPHAS, MOST_CELLS, cells, known, memory_of
from fabricgen.nos.eos.names import MAX_VLAN_NAME, SPEEDS, speed_word
from fabricgen.nos.eos.qos import WATCHDOG_ACTIONS

# `router bfd`, multiplier 3-50 (pyavd 6.4.0 schema, router_bfd.multiplier).
_LEAST_MULTIPLIER = 3
# EOS writes two decimals of these times (pyavd 6.4.0 schema, priority_flow_control.watchdog).
_WATCHDOG_STEP = 10
# 162 to 400,000,000 kbit/s, says an engineer of Arista in aristanetworks/avd pull 1269.
MOST_SHAPED = BitsPerSecond(400 * 10**9)
# Chips with LANZ: arista.com/en/um-eos/eos-latency-analyzer-lanz. AVD has it on each series:
# aristanetworks/avd@032c0c2c platform_settings.schema.yml, feature_support.queue_monitor.
_MONITORED = {"FM6000", "Arad", "Trident2", "Trident3", "Jericho", "Tomahawk", "XP80"}
_RESERVED_VRF = "default"
_HEREDOC_END = "EOF"


def gaps_of(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Return everything about this slice that EOS cannot be told."""
    gaps = [*_services(switch_slice.services), *_routing(switch_slice.routing)]
    if switch_slice.qos is not None:
        gaps += [
            *_watchdog(switch_slice.qos),
            *_scheduling(switch_slice.qos),
            *_memory(switch_slice),
        ]
        gaps += [
            *_unwatched(switch_slice.qos),
            *_tunnels(switch_slice, switch_slice.qos),
            *_bundles(switch_slice, switch_slice.qos),
        ]
        gaps += _marks(switch_slice, switch_slice.qos) if switch_slice.qos.shared else ()
    gaps += [*_gateway(switch_slice), *_snooping(switch_slice), *_shaped(switch_slice)]
    return [
        *gaps,
        *balancing_gaps(switch_slice),
        *_tenants(switch_slice),
        *_speeds(switch_slice),
        *_mtu(switch_slice),
        *_queue_monitor(switch_slice),
    ]


def _gap(message: str, path: IntentPath, hint: str, code: Code = Code.UNSUPPORTED) -> Diagnostic:
    return Diagnostic(code, message, path=path, hint=hint)


def _warning(message: str, path: IntentPath, hint: str = "") -> Diagnostic:
    return Diagnostic(Code.UNSUPPORTED, message, path=path, hint=hint, severity=Severity.WARNING)


def _memory(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Say what of the packet memory is planned and not written, and what is written unseen.

    A line that EOS refuses stops the whole replace, so nothing is written that no source supports.
    """
    plan, qos, model = switch_slice.buffers, switch_slice.qos, switch_slice.switch.model
    if plan is None or qos is None or not qos.lossless:
        return
    told = known(model)
    if memory_of(switch_slice) is not None:
        derived = [f"{word} ({row.source})" for word, row in told.items() if row.unseen]
        if derived:
            yield _warning(
                f"eos on {model}: that it takes `platform trident mmu` is derived: "
                f"{'; '.join(derived)}",
                qos.because.main,
                "load the file in a configuration session of one switch first",
            )
        return
    if told and plan.alpha not in ALPHAS:
        yield _gap(
            f"eos has thresholds from 2^{min(ALPHAS)} to 2^{max(ALPHAS)}, not 2^{plan.alpha}",
            (*qos.because.main, "alpha"),
            "leave alpha out, or choose one of those",
        )
        return
    most = max(port.headroom for port, _ in plan.ports)
    each = "a port and lossless class" if plan.classes > 1 else "a port"
    sizes = cells(plan) if told else None
    why = f": a pool has {MOST_CELLS:,} cells at most, not {sizes[1]:,}" if sizes else ""
    yield _warning(
        f"eos on {model}: the planned headroom (up to {int(most):,} bytes {each}, "
        f"threshold 2^{plan.alpha}) is not written{why}; EOS keeps its own",
        qos.because.main,
        "compare with `show platform trident mmu` on the switch",
    )


def _tunnels(switch_slice: SwitchSlice, qos: Qos) -> Iterator[Diagnostic]:
    """Say on which models a class ends where a tunnel begins: no document says they copy DSCP."""
    if switch_slice.vtep is None or not qos.serves:
        return
    model, here = switch_slice.switch.model, qos.asked
    told = known(model, "tunnels")
    if told.keys() < {"dscp", "ecn"}:
        lossless = bool(qos.lossless)
        what = "what is lossless" if lossless else "what has a class"
        yield _gap(
            f"eos on {model}: no document says that it copies DSCP and ECN of a packet to its "
            f"tunnel and back, so {what} would be best effort between leafs; looked for: "
            "`vxlan qos dscp propagation`, which Arista names 7050SX3-48YC12, 7050CX3M-32S and "
            "7050CX3-32S for",
            here,
            "leafs of such a model; else `local` VRFs on rails, and for storage a fabric of kind "
            "routed"
            if lossless
            else "leafs of such a model",
        )
        return
    written = {"dscp", "ecn"} if qos.marked else {"dscp"}
    rows = ((word, row) for word, row in told.items() if word in written)
    derived = [f"{word} ({row.source})" for word, row in rows if row.unseen]
    if derived:
        yield _warning(
            f"eos on {model}: that it takes `vxlan qos` is derived: {'; '.join(derived)}",
            here,
            "load the file in a configuration session of one switch first",
        )


def _bundles(switch_slice: SwitchSlice, qos: Qos) -> Iterator[Diagnostic]:
    """Refuse LACP beside RoCE: PyAVD has profiles at port channels, and PFC at ports alone."""
    if switch_slice.lags and qos.kept:
        yield _gap(
            "eos: no document says whether trust, queues and PFC are told a port channel or its "
            "members, so a class for servers and LACP do not go together",
            switch_slice.lags[0].because.main,
            "`bond: active-backup`, or no bond",
        )


def _marks(switch_slice: SwitchSlice, qos: Qos) -> Iterator[Diagnostic]:
    """Refuse what one port writes into some packets alone, and classes across a peer link."""
    model = switch_slice.switch.model
    for item in switch_slice.interfaces:
        marks = item.marks
        if marks is not None and marks.tagged:
            yield _gap(
                f"eos on {model}: no document says that its policy maps match VLANs, and the port "
                f"to {item.peer.name if item.peer else item.port} carries VLANs of several classes",
                marks.rest.because.main,
                "one class for all VLANs of a port, by `qos` of its attachment, or `trust: true`",
            )
        if marks is not None and marks.kept:
            yield _gap(
                f"eos on {model}: a policy map writes one DSCP into all packets, those of RoCE too",
                marks.rest.because.main,
                "`trust: true` in the attachments of a fabric with `roce`",
            )
    if switch_slice.pair is not None:
        yield _gap(
            "eos: no document says that the peer link of an MLAG pair takes a QoS profile, so "
            "classes end where a packet crosses it",
            qos.asked,
            "leafs in pairs of `kind: esi`, which have no peer link",
        )


def _shaped(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Refuse the rate of a bundle, and one above what Arista's people give as the range."""
    held = next((item for item in switch_slice.interfaces if item.rate is not None), None)
    if held is not None and held.lag is not None:
        yield _gap(
            "eos: no document says whether the `shape rate` of a port-channel is that of each "
            f"member or of all, so the bundle {held.outside} cannot be held to its rate",
            held.because.main,
            "one cable, or no `rate`",
        )
    if held is not None and held.sends > MOST_SHAPED:
        yield _gap(
            f"eos shapes ports to {MOST_SHAPED} at most, not to {held.sends}",
            held.because.main,
            "no `rate`",
        )


def _gateway(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Refuse gateways on models of which nobody says that a tunnel may begin where one ends."""
    model = switch_slice.switch.model
    if switch_slice.gateway is not None and not known(model, "gateway"):
        yield _gap(
            f"eos on {model}: no document says that it sends into a tunnel what comes of one, as "
            f"{switch_slice.switch.name} would as a gateway; Arista names 7280, 7500, 7800 of "
            "R3 for it",
            switch_slice.gateway.because.main,
            "leafs of such a model for gateways, or `dci`, which joins sites VRF by VRF",
        )
    across = switch_slice.gateway.vlans if switch_slice.gateway is not None else ()
    bundled = [vlan for vlan in switch_slice.vlans if vlan.id in across and vlan.bundle is not None]
    for vlan in bundled[:1]:
        yield _gap(
            "eos: no document gives one VLAN of a VLAN-aware instance (`overlay.service`) a "
            f"route target between sites, as {vlan.name} needs on {switch_slice.switch.name}",
            vlan.because.main,
            "no `overlay.service: vlan-aware` where VLANs go on to another site",
        )


def _snooping(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Refuse snooping where a report that one leaf hears has to be known to another one.

    MLAG: PyAVD 6.4.0 gives each leaf of a pair a tunnel endpoint of its own where EVPN tells of
    groups (eos_designs, vxlan_interface, _multi_vtep). ESI: RFC 9251, 9.2, routes of type 7 and 8.
    """
    segments = {
        v for lag in switch_slice.lags if lag.segment and lag.carries for v in lag.carries.vlans
    }
    across = switch_slice.gateway.vlans if switch_slice.gateway is not None else ()
    for vlan in switch_slice.vlans:
        if vlan.multicast is not Multicast.SNOOPED:
            continue
        path, hint = (*vlan.because.main, "multicast"), "leave `multicast` out: groups are flooded"
        if switch_slice.pair is not None:
            yield _gap(
                f"eos: no document has snooping between tunnels for an MLAG pair with one "
                f"endpoint, as {switch_slice.switch.name} is of; AVD gives each leaf its own "
                "for it",
                path,
                hint,
            )
        elif vlan in segments:
            yield _gap(
                f"eos: no document says that the leafs of an Ethernet segment tell each other who "
                f"joined, so {switch_slice.switch.name} may not know of servers that said so "
                "to the other",
                path,
                hint,
            )
        if vlan.id in across:
            yield _gap(
                f"eos: no document says that a gateway tells another site who joined in "
                f"{vlan.name}",
                path,
                hint,
            )


def _services(services: Services) -> Iterator[Diagnostic]:
    here = services.path
    if services.vrf == _RESERVED_VRF:
        yield _gap(f"eos has a VRF {services.vrf} already", (*here, "vrf"), "take another name")
    if services.banner == _HEREDOC_END:
        yield _gap("eos ends a banner at a line EOF", (*here, "banner"), "take other words")
    for collector in services.collectors:
        if ":" in collector:
            yield _gap(
                f"eos: the ACL of the gNMI server is IPv4, and {collector} is not",
                (*here, "gnmi", "collectors"),
                "the management subnet is IPv4; give the collector's IPv4 address",
            )


def _queue_monitor(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Warn about models whose chip the manual does not list for LANZ."""
    services, model = switch_slice.services, switch_slice.switch.model
    if services.queue_monitor and model.asic.partition("-")[0] not in _MONITORED:
        yield _warning(
            f"eos on {model}: that it takes `queue-monitor length` is derived: AVD writes it for "
            f"each model, but the EOS manual does not list its chip ({model.asic}) for LANZ",
            (*services.path, "queue_monitor"),
            "load the file in a configuration session of one switch first",
        )


def _routing(routing: Routing) -> Iterator[Diagnostic]:
    if routing.bfd is not None and routing.bfd.multiplier < _LEAST_MULTIPLIER:
        yield _gap(
            f"eos takes a BFD multiplier from {_LEAST_MULTIPLIER}, not {routing.bfd.multiplier}",
            (*routing.path, "bfd", "multiplier"),
            f"use {_LEAST_MULTIPLIER} and a shorter interval",
        )


def _watchdog(qos: Qos) -> Iterator[Diagnostic]:
    guard = qos.watchdog
    if guard is None:
        return
    here = guard.because.main
    if guard.action not in WATCHDOG_ACTIONS:
        yield _gap(
            f"eos has no PFC watchdog action {guard.action}: it drops, shuts the port or only logs",
            (*here, "action"),
            "use drop",
        )
    for word, time in (("detection", guard.detection), ("restoration", guard.restoration)):
        if time % _WATCHDOG_STEP:
            yield _gap(
                f"eos counts the PFC watchdog in steps of {_WATCHDOG_STEP} ms, not {time} ms",
                (*here, word),
                f"use {time - time % _WATCHDOG_STEP}",
            )


def _unwatched(qos: Qos) -> Iterator[Diagnostic]:
    """Say that the watchdog may be idle: the EOS 4.36 manual, quoted second-hand; see qos.py."""
    if qos.watchdog is not None and qos.lossless:
        yield _warning(
            "eos: the PFC watchdog watches queues with guaranteed bandwidth only, says its manual "
            "as quoted, and that no document shows on these models: it is not written",
            qos.watchdog.because.main,
            "`show priority-flow-control counters watchdog` says whether queues are watched",
        )


def _scheduling(qos: Qos) -> Iterator[Diagnostic]:
    """EOS: a round-robin queue makes those below it round-robin (from memory of the EOS manual)."""
    shared = max((item.number for item in qos.classes if not item.strict), default=0)
    for item in qos.classes:
        if item.strict and item.number < shared:
            yield _warning(
                f"eos may not serve class {item.number} strictly: it is below class {shared}, "
                "which shares bandwidth",
                qos.because.main,
                "give strict classes the higher priorities",
            )


def _tenants(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    for vlan in switch_slice.vlans:
        if len(vlan.name) > MAX_VLAN_NAME:
            yield _gap(
                f"eos: the VLAN name {vlan.name} has more than {MAX_VLAN_NAME} characters",
                vlan.because.main,
                "shorten the name of the tenant or of the VLAN",
            )
        if vlan.description not in (None, vlan.name) and not vlan.gateways:
            yield _warning(
                f"eos describes a VLAN on its gateway, and {vlan.name} has none; a name has no "
                "room for words",
                (*vlan.because.main, "description"),
            )
    for vrf in switch_slice.vrfs:
        if vrf.name in (_RESERVED_VRF, switch_slice.services.vrf):
            yield _gap(f"eos has a VRF {vrf.name} already", vrf.because.main, "rename it")


def _speeds(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    used = {
        (i.port.speed, i.port.lanes) for i in switch_slice.interfaces if i.use is not Use.UNUSED
    }
    for speed, lanes in sorted(used):
        if speed_word(speed, lanes) not in SPEEDS:
            yield _gap(
                f"eos has no speed {speed} on {lanes} lanes",
                switch_slice.switch.because.main,
                "choose another breakout",
                Code.SPEED_NOT_ON_MODEL,
            )


def _mtu(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Say which model has one MTU for all ports: links between switches need a larger one."""
    model = switch_slice.switch.model
    if not model.platforms.get("eos", {}).get("port_mtu", True):
        yield _gap(
            f"eos on {model} takes no MTU of a port, and the design gives each one",
            switch_slice.switch.because.main,
            "use another model",
        )
