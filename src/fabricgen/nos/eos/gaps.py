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
# EOS writes such times with two decimals (pyavd 6.4.0 schema, priority_flow_control.watchdog).
_WATCHDOG_STEP = 10
# 162 to 400,000,000 kbit/s, says an engineer of Arista in aristanetworks/avd pull 1269.
MOST_SHAPED = BitsPerSecond(400 * 10**9)
# Chips with LANZ: arista.com/en/um-eos/eos-latency-analyzer-lanz. AVD has it on each series:
# aristanetworks/avd@032c0c2c platform_settings.schema.yml, feature_support.queue_monitor.
_MONITORED = {"FM6000", "Arad", "Trident2", "Trident3", "Jericho", "Tomahawk", "XP80"}
# TCP ports of services that default-control-plane-acl permits (aristanetworks/openmgmt, Configure
# EOS, "A note on changing ports"): netconf-ssh, gnmi, and ranges.
_OPEN = ((830, 6030, 6040), range(5900, 5911), range(50_000, 50_101))
_RESERVED_VRF = "default"
_HEREDOC_END = "EOF"


def gaps_of(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Return all values of this slice that EOS cannot have."""
    services = switch_slice.services
    gaps = [*_services(services), *_servers(services), *_routing(switch_slice.routing)]
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
        *_drops(switch_slice),
    ]


def _gap(message: str, path: IntentPath, hint: str, code: Code = Code.UNSUPPORTED) -> Diagnostic:
    return Diagnostic(code, message, path=path, hint=hint)


def _warning(message: str, path: IntentPath, hint: str = "") -> Diagnostic:
    return Diagnostic(Code.UNSUPPORTED, message, path=path, hint=hint, severity=Severity.WARNING)


def _memory(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Report planned packet memory that is not written, and written lines that are inferred.

    EOS refuses a complete replacement for one bad line, so lines without a source are not written.
    """
    plan, qos, model = switch_slice.buffers, switch_slice.qos, switch_slice.switch.model
    if plan is None or qos is None or not qos.lossless:
        return
    told = known(model)
    if memory_of(switch_slice) is not None:
        derived = [f"{word} ({row.source})" for word, row in told.items() if row.unseen]
        if derived:
            yield _warning(
                f"eos on {model}: support for `platform trident mmu` is inferred: "
                f"{'; '.join(derived)}",
                qos.because.main,
                "load the file in a configuration session of one switch first",
            )
        return
    if told and plan.alpha not in ALPHAS:
        yield _gap(
            f"eos supports thresholds from 2^{min(ALPHAS)} to 2^{max(ALPHAS)}, not 2^{plan.alpha}",
            (*qos.because.main, "alpha"),
            "remove alpha, or use such a threshold",
        )
        return
    most = max(port.headroom for port, _ in plan.ports)
    each = "a port and lossless class" if plan.classes > 1 else "a port"
    sizes = cells(plan) if told else None
    why = f": a pool has at most {MOST_CELLS:,} cells, not {sizes[1]:,}" if sizes else ""
    yield _warning(
        f"eos on {model}: the planned headroom (up to {int(most):,} bytes {each}, "
        f"threshold 2^{plan.alpha}) is not written{why}; EOS keeps its default",
        qos.because.main,
        "compare with `show platform trident mmu` on the switch",
    )


def _tunnels(switch_slice: SwitchSlice, qos: Qos) -> Iterator[Diagnostic]:
    """Report models on which a class ends at a tunnel, because no document says they copy DSCP."""
    if switch_slice.vtep is None or not qos.serves:
        return
    model, here = switch_slice.switch.model, qos.asked
    told = known(model, "tunnels")
    if told.keys() < {"dscp", "ecn"}:
        lossless = bool(qos.lossless)
        what = "lossless traffic" if lossless else "traffic of a class"
        yield _gap(
            f"eos on {model}: no document confirms that it copies DSCP and ECN of a packet to its "
            f"tunnel and back, so {what} would be best effort between leafs. Arista lists "
            "`vxlan qos dscp propagation` for 7050SX3-48YC12, 7050CX3M-32S and "
            "7050CX3-32S",
            here,
            "use leafs of such a model; else `local` VRFs on rails, and for storage a fabric of "
            "kind routed"
            if lossless
            else "use leafs of such a model",
        )
        return
    written = {"dscp", "ecn"} if qos.marked else {"dscp"}
    rows = ((word, row) for word, row in told.items() if word in written)
    derived = [f"{word} ({row.source})" for word, row in rows if row.unseen]
    if derived:
        yield _warning(
            f"eos on {model}: support for `vxlan qos` is inferred: {'; '.join(derived)}",
            here,
            "load the file in a configuration session of one switch first",
        )


def _bundles(switch_slice: SwitchSlice, qos: Qos) -> Iterator[Diagnostic]:
    """Refuse LACP with RoCE: PyAVD has profiles at port channels, and PFC at ports alone."""
    if switch_slice.lags and qos.kept:
        yield _gap(
            "eos: no document says whether trust, queues and PFC belong to a port channel or its "
            "members, so a class for servers cannot be combined with LACP",
            switch_slice.lags[0].because.main,
            "set `bond: active-backup`, or no bond",
        )


def _marks(switch_slice: SwitchSlice, qos: Qos) -> Iterator[Diagnostic]:
    """Refuse ports that mark only some packets, and classes across a peer link."""
    model = switch_slice.switch.model
    for item in switch_slice.interfaces:
        marks = item.marks
        if marks is not None and marks.tagged:
            yield _gap(
                f"eos on {model}: no document confirms that policy maps match VLANs, but the port "
                f"to {item.peer.name if item.peer else item.port} carries VLANs of several classes",
                marks.rest.because.main,
                "use one class for all VLANs of a port (`qos` of its attachment), or `trust: true`",
            )
        if marks is not None and marks.kept:
            yield _gap(
                f"eos on {model}: a policy map writes one DSCP into all packets, including RoCE",
                marks.rest.because.main,
                "set `trust: true` in the attachments of a fabric with `roce`",
            )
    if switch_slice.pair is not None:
        yield _gap(
            "eos: no document confirms a QoS profile on the peer link of an MLAG pair, so "
            "classes end where a packet crosses it",
            qos.asked,
            "use leaf pairs of `kind: esi`, which have no peer link",
        )


def _shaped(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Refuse the rate of a LAG, and a rate above the range that Arista's engineers give."""
    held = next((item for item in switch_slice.interfaces if item.rate is not None), None)
    if held is not None and held.lag is not None:
        yield _gap(
            "eos: no document says whether the `shape rate` of a port-channel is per "
            f"member or in total, so the LAG {held.outside} cannot have a rate",
            held.because.main,
            "use one cable, or remove `rate`",
        )
    if held is not None and held.sends > MOST_SHAPED:
        yield _gap(
            f"eos shapes ports to at most {MOST_SHAPED}, not {held.sends}",
            held.because.main,
            "remove `rate`",
        )


def _gateway(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Refuse gateways on models for which no document confirms stitching of tunnels."""
    model = switch_slice.switch.model
    if switch_slice.gateway is not None and not known(model, "gateway"):
        yield _gap(
            f"eos on {model}: no document confirms forwarding from one tunnel into another, as "
            f"{switch_slice.switch.name} needs as a gateway; Arista lists 7280, 7500 and 7800 of "
            "R3",
            switch_slice.gateway.because.main,
            "use gateway leafs of such a model, or `dci`, which joins sites VRF by VRF",
        )
    across = switch_slice.gateway.vlans if switch_slice.gateway is not None else ()
    bundled = [vlan for vlan in switch_slice.vlans if vlan.id in across and vlan.bundle is not None]
    for vlan in bundled[:1]:
        yield _gap(
            "eos: no document describes a separate route target between sites for one VLAN of a "
            f"VLAN-aware bundle, as {vlan.name} needs on {switch_slice.switch.name}",
            vlan.because.main,
            "remove `overlay.service: vlan-aware`, or do not stretch VLANs to another site",
        )


def _snooping(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Refuse snooping if leafs must share the reports that they receive.

    MLAG: PyAVD 6.4.0 gives each leaf of a pair a separate tunnel endpoint if EVPN distributes
    groups (eos_designs, vxlan_interface, _multi_vtep). ESI: RFC 9251, 9.2, routes of type 7 and 8.
    """
    segments = {
        v for lag in switch_slice.lags if lag.segment and lag.carries for v in lag.carries.vlans
    }
    across = switch_slice.gateway.vlans if switch_slice.gateway is not None else ()
    for vlan in switch_slice.vlans:
        if vlan.multicast is not Multicast.SNOOPED:
            continue
        path, hint = (
            (*vlan.because.main, "multicast"),
            "remove `multicast`: groups are then flooded",
        )
        if switch_slice.pair is not None:
            yield _gap(
                "eos: no document describes snooping between tunnels for an MLAG pair with one "
                f"endpoint, like the pair of {switch_slice.switch.name}; AVD uses separate "
                "endpoints",
                path,
                hint,
            )
        elif vlan in segments:
            yield _gap(
                "eos: no document confirms that leafs of an Ethernet segment exchange members, "
                f"so {switch_slice.switch.name} may miss servers that joined through the "
                "other leaf",
                path,
                hint,
            )
        if vlan.id in across:
            yield _gap(
                "eos: no document confirms that a gateway advertises group members in "
                f"{vlan.name} to another site",
                path,
                hint,
            )


def _services(services: Services) -> Iterator[Diagnostic]:
    here = services.path
    if services.vrf == _RESERVED_VRF:
        yield _gap(f"eos already has a VRF {services.vrf}", (*here, "vrf"), "use another name")
    if services.banner == _HEREDOC_END:
        yield _gap("eos ends a banner at a line EOF", (*here, "banner"), "remove that line")
    for collector in services.collectors:
        if ":" in collector:
            yield _gap(
                f"eos: the ACL of the gNMI server is IPv4, but {collector} is not",
                services.at("gnmi", "collectors"),
                "use the collector's IPv4 address: the management subnet is IPv4",
            )


def _servers(services: Services) -> Iterator[Diagnostic]:
    """Report a RESTCONF server without certificate, and ports that EOS's default ACL drops."""
    if services.restconf is not None and services.tls is None:
        yield _gap(
            "eos starts its RESTCONF server only with a certificate",
            (*services.path, "restconf"),
            "name the files of a certificate in `tls`",
        )
    for name in ("gnmi", "netconf", "restconf"):
        server = getattr(services, name)
        if server is not None and not any(server.port in ports for ports in _OPEN):
            yield _warning(
                f"eos: port {server.port} of {name} is closed in EOS's default control-plane ACL",
                (*services.path, name, "port"),
                "use 830, 6030, 6040 or 5900 to 5910, or permit the port in custom config of "
                "`system control-plane`",
            )


def _queue_monitor(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Warn about models whose chip the manual does not list for LANZ."""
    services, model = switch_slice.services, switch_slice.switch.model
    if services.queue_monitor and model.asic.partition("-")[0] not in _MONITORED:
        yield _warning(
            f"eos on {model}: support for `queue-monitor length` is inferred: AVD writes it for "
            f"each model, but the EOS manual does not list its chip ({model.asic}) for LANZ",
            (*services.path, "queue_monitor"),
            "load the file in a configuration session of one switch first",
        )


def _drops(switch_slice: SwitchSlice) -> Iterator[Diagnostic]:
    """Warn that no list of models is known for mirror on drop."""
    told, model = switch_slice.services.sflow, switch_slice.switch.model
    if told is not None and told.drops is not None:
        yield _warning(
            f"eos on {model}: no public document lists the models with `flow tracking "
            "mirror-on-drop`, which reports drops of the ingress pipeline",
            (*switch_slice.services.path, "sflow", "drops"),
            "load the file in a configuration session of one switch first",
        )


def _routing(routing: Routing) -> Iterator[Diagnostic]:
    if routing.bfd is not None and routing.bfd.multiplier < _LEAST_MULTIPLIER:
        yield _gap(
            f"eos has BFD multipliers from {_LEAST_MULTIPLIER}, not {routing.bfd.multiplier}",
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
            f"eos has no PFC watchdog action {guard.action}, only drop, errdisable and notify-only",
            (*here, "action"),
            "use drop",
        )
    for word, time in (("detection", guard.detection), ("restoration", guard.restoration)):
        if time % _WATCHDOG_STEP:
            yield _gap(
                f"PFC watchdog times of eos are multiples of {_WATCHDOG_STEP} ms, not {time} ms",
                (*here, word),
                f"use {time - time % _WATCHDOG_STEP}",
            )


def _unwatched(qos: Qos) -> Iterator[Diagnostic]:
    """Report that the watchdog may be idle: the EOS 4.36 manual, quoted second-hand; see qos.py."""
    if qos.watchdog is not None and qos.lossless:
        yield _warning(
            "eos: a quote of its manual limits the PFC watchdog to queues with guaranteed "
            "bandwidth. No document shows that command for these models, so it is not written",
            qos.watchdog.because.main,
            "check the queues with `show priority-flow-control counters watchdog`",
        )


def _scheduling(qos: Qos) -> Iterator[Diagnostic]:
    """Report strict queues below shared ones, which EOS makes round-robin (from memory)."""
    shared = max((item.number for item in qos.classes if not item.strict), default=0)
    for item in qos.classes:
        if item.strict and item.number < shared:
            yield _warning(
                f"eos may not serve class {item.number} strictly: it is below class {shared}, "
                "which shares bandwidth",
                qos.because.main,
                "use higher priorities for strict classes",
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
                f"eos describes a VLAN at its gateway, but {vlan.name} has none; its name cannot "
                "hold a description",
                (*vlan.because.main, "description"),
            )
    for vrf in switch_slice.vrfs:
        if vrf.name in (_RESERVED_VRF, switch_slice.services.vrf):
            yield _gap(f"eos already has a VRF {vrf.name}", vrf.because.main, "rename it")


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
    """Report models with one MTU for all ports: links between switches need a larger one."""
    model = switch_slice.switch.model
    if not model.platforms.get("eos", {}).get("port_mtu", True):
        yield _gap(
            f"eos on {model} has no MTU per port, but the design sets one for each",
            switch_slice.switch.because.main,
            "use another model",
        )
