"""List what a switch model does not support on SONiC and what SONiC spells otherwise."""

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath, Severity
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.memory import layout_of
from fabricgen.model.catalog.skus import Sku, choose, nearest, told
from fabricgen.model.catalog.targets import branch_of
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.shared.gaps import too_long, weak_segments
from fabricgen.nos.sonic.balancing import balancing_gaps
from fabricgen.nos.sonic.buffers import headroom_rows
from fabricgen.nos.sonic.carried import too_large
from fabricgen.nos.sonic.facts import lossless_speeds, sku_of, why_not
from fabricgen.nos.sonic.names import MANAGEMENT_VRF, vrf_name
from fabricgen.nos.sonic.pairs import pair_gaps
from fabricgen.nos.sonic.releases import DEFAULT, release_of
from fabricgen.nos.sonic.trimming import trimming_gaps
from fabricgen.nos.sonic.updater import asic_of, guards, takes_watchdogs
from fabricgen.nos.sonic.watchdog import Watched, flaws

NAMESERVERS = 3  # max-elements of sonic-dns.yang
TIME_SERVERS = 10  # max-elements of sonic-ntp.yang
NEAREST = 3  # hwskus in a message if none fits
NO_GROUPS = (
    "an Ethernet segment needs next-hop groups of bridge ports, which a SAI may refuse "
    "(sonic-net/sonic-swss issue 4783, open)"
)


def gaps(switch_slice: SwitchSlice) -> list[Diagnostic]:
    model = switch_slice.switch.model
    path: IntentPath = (*switch_slice.switch.because.main, "model")
    sentence = why_not(model)
    if sentence is not None:
        return [Diagnostic(Code.UNSUPPORTED, f"SONiC on {model}: {sentence}", path=path)]
    return [
        *_ports(switch_slice, path),
        *too_long(switch_slice, "sonic", vrf_name("")),
        *_release(switch_slice, sku_of(switch_slice), path),
        *_memory(switch_slice, sku_of(switch_slice), path),
        *_updates(switch_slice, sku_of(switch_slice), path),
        *_watchdog(switch_slice),
        *_outside(switch_slice),
        *_zones(switch_slice),
        *_sources(switch_slice),
        *pair_gaps(switch_slice),
        *_segments(switch_slice),
        *too_large(switch_slice),
        *balancing_gaps(switch_slice),
        *trimming_gaps(switch_slice, sku_of(switch_slice)),
        *_services(switch_slice.services),
    ]


def _ports(switch_slice: SwitchSlice, path: IntentPath) -> list[Diagnostic]:
    """Report ports that no hwsku has, with the nearest ones: the SAI would not create them."""
    model = switch_slice.switch.model
    skus, layout = model.skus["sonic"], layout_of(switch_slice.switch.ports)
    if choose(model.eligible("sonic"), layout, ()) is not None:
        return []
    if model.hwsku is not None:
        message = f"SONiC on {model.name}: hwsku {model.hwsku} does not have {told(layout)}"
        fits = [sku.name for sku in skus if not sku.refused(layout)]
        hint = f"hwskus with these ports: {', '.join(fits)}" if fits else ""
        return [Diagnostic(Code.UNSUPPORTED, message, path=(*path[:-1], "hwsku"), hint=hint)]
    near = "; ".join(
        f"{sku.name} has {told(tuple(sku.layout.items()))}"
        + (", which can be split" if sku.splits else "")
        for sku in nearest(skus, layout)[:NEAREST]
    )
    message = f"SONiC on {model.name}: no hwsku has {told(layout)} (nearest: {near})"
    return [Diagnostic(Code.UNSUPPORTED, message, path=path)]


def _release(switch_slice: SwitchSlice, sku: Sku, path: IntentPath) -> list[Diagnostic]:
    """Report that the release does not have the hwsku."""
    if sku.ships:
        return []
    release = branch_of(switch_slice.switch.release) or DEFAULT
    message = f"SONiC {release} on {switch_slice.switch.model} does not have the hwsku {sku.name}"
    hint = f"use a release with this hwsku: {', '.join(sku.releases)}"
    return [Diagnostic(Code.HWSKU_NOT_IN_RELEASE, message, path=path, hint=hint)]


def _memory(switch_slice: SwitchSlice, sku: Sku, path: IntentPath) -> list[Diagnostic]:
    """Report lossless traffic without headroom, which would be dropped like any other.

    buffermgrd makes no lossless priority group while BUFFER_POOL is missing, or if no row fits, and
    only writes to the log (sonic-swss cfgmgr/buffermgr.cpp doSpeedUpdateTask). Pause is then never
    sent, so this is an error and not a warning. Without lossless classes there is no finding.
    """
    if switch_slice.qos is None or not switch_slice.qos.lossless:
        return []
    here = f"SONiC on {switch_slice.switch.model}: hwsku {sku.name}"
    if sku.lacks is not None:
        release = branch_of(switch_slice.switch.release) or DEFAULT
        message = (
            f"{here} ships no packet memory for lossless traffic as {sku.topology} in {release} "
            f"({sku.lacks}), so RoCE would be dropped"
        )
        hint = f"{_instead(switch_slice, sku)}; or add your vendor's figures to `catalog/switches`"
        return [Diagnostic(Code.LOSSLESS_NOT_SHIPPED, message, path=path, hint=hint)]
    if sku.dynamic:
        return []
    return [
        Diagnostic(
            Code.UNSUPPORTED,
            f"{here} has no headroom for {speed} and {length} m of cable, so RoCE would be "
            "dropped there",
            path=path,
            hint=_longest(sku, speed) or _instead(switch_slice, sku),
        )
        for (speed, length), row in sorted(headroom_rows(switch_slice, sku).items())
        if row is None
    ]


def _updates(switch_slice: SwitchSlice, sku: Sku, path: IntentPath) -> list[Diagnostic]:
    """Report day-2 changes that the config updater refuses: a new server has a new watchdog."""
    release = branch_of(switch_slice.switch.release) or DEFAULT
    if (
        switch_slice.qos is None
        or not switch_slice.qos.lossless
        or takes_watchdogs(sku.name, release)
    ):
        return []
    asic = asic_of(sku.name, release)
    what = f"lists no watchdog for the ASIC {asic}" if asic else "does not know the ASIC"
    message = (
        f"SONiC {release} on {switch_slice.switch.model}: its config updater {what} of "
        f"hwsku {sku.name}, so it refuses changes of {', '.join(guards(release, asic))}. New "
        "servers, thresholds or headroom need a `config reload` of the drained switch"
    )
    hint = "use a newer release or another model, or plan changes with an outage of the switch"
    return [Diagnostic(Code.UNSUPPORTED, message, path=path, hint=hint, severity=Severity.WARNING)]


def _watchdog(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Report faults of the release's software watchdog on this chip and these ports."""
    design = switch_slice.qos
    if design is None or design.watchdog is None or not design.lossless:
        return []
    ports = switch_slice.switch.laid_out
    timed = design.watchdog.polling(ports)
    seen = Watched(
        chip=switch_slice.switch.model.asic,
        release=branch_of(switch_slice.switch.release) or DEFAULT,
        priorities=len(design.paused),
        ports=ports,
        action=timed.action,
        detection=int(timed.detection),
        restoration=int(timed.restoration),
    )
    hint = "watch `pfcwd show stats`: repeated storms of a queue identify the neighbor"
    return [
        Diagnostic(
            Code.RELEASE_FLAW, why, path=design.because.main, hint=hint, severity=Severity.NOTE
        )
        for why in flaws(seen)
    ]


def _outside(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Refuse an external connection of a switch with PFC: all its ports in use have PFC."""
    if not switch_slice.external or switch_slice.qos is None or not switch_slice.qos.lossless:
        return []
    message = (
        f"SONiC: the port to {switch_slice.external[0].name} would have PFC like every port in "
        "use, so "
        "pauses from outside the site would stop one of its classes"
    )
    hint = "connect external peers to leafs of another platform"
    return [
        Diagnostic(Code.UNSUPPORTED, message, path=switch_slice.external[0].because.main, hint=hint)
    ]


def _longest(sku: Sku, speed: BitsPerSecond) -> str:
    """Return the longest cable in the rows of a speed as a sentence; empty without rows."""
    meters = max((row.length for row in sku.rows if row.speed == speed), default=None)
    return f"its rows of {speed} are for {meters} m at most" if meters is not None else ""


def _instead(switch_slice: SwitchSlice, refused: Sku) -> str:
    """Return a sentence about other hwskus with packet memory, and their ports."""
    model, layout = switch_slice.switch.model, layout_of(switch_slice.switch.ports)
    every = (sku for sku in model.skus["sonic"] if sku.ships)
    have = [sku for sku in every if sku is not refused and sku.keeps_some]
    needed = lossless_speeds(switch_slice)
    fits = [sku.name for sku in have if sku.keeps(needed) and not sku.refused(layout)]
    if fits:
        return f"use a hwsku with these ports and packet memory: {', '.join(fits)}"
    others = [f"{sku.name} ({told(tuple(sku.layout.items()))})" for sku in have]
    return f"hwskus with other ports have packet memory: {', '.join(others)}" if others else _NONE


_NONE = "no other hwsku of this model has packet memory"


def _sources(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Warn of shares of a link, which no access list of SONiC can filter."""
    bare = {guard.peer for guard in switch_slice.guards if not guard.zone}
    paths = (
        peer.because.main
        for peer in switch_slice.external
        if peer.label in bare and peer.interface.tag is not None
    )
    return [
        Diagnostic(
            Code.OWN_SOURCES,
            "SONiC binds access lists to ports and LAGs, never to a sub-interface: spoofed packets "
            "with a source in the VRF could enter here",
            path=path,
            hint="use a separate `leaf` and `cage`, or filter in the external router",
            severity=Severity.WARNING,
        )
        for path in dict.fromkeys(paths)
    ]


def _zones(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Refuse a VLAN without a gateway on a port of zones: a port's rules apply to all its VLANs."""
    judged = {guard.vlan for guard in switch_slice.guards if guard.zone}
    every = {
        id(each.carries): each.carries for each in switch_slice.interfaces if each.carries
    }.values()
    mixed = [each for each in every if judged & {vlan.id for vlan in each.vlans}]
    beside = {vlan for each in mixed for vlan in each.vlans if not vlan.gateways}
    labels = {guard.peer: guard.zone for guard in switch_slice.guards if guard.peer and guard.zone}
    shares = (peer for peer in switch_slice.external if peer.interface.tag is not None)
    tags = {peer.because.main: labels[peer.label] for peer in shares if peer.label in labels}
    tagged = [
        Diagnostic(
            Code.UNSUPPORTED,
            "SONiC binds access lists to ports and LAGs, never to a sub-interface: traffic from "
            f"outside would enter zone {zone} unfiltered",
            path=path,
            hint="use a separate `leaf` and `cage`",
        )
        for path, zone in tags.items()
    ]
    return tagged + [
        Diagnostic(
            Code.UNSUPPORTED,
            f"SONiC binds access lists to ports, and VLAN {vlan.name} without a gateway shares one "
            "with a zone: its traffic would be dropped",
            path=vlan.because.main,
            hint="use separate ports for the VLAN",
        )
        for vlan in sorted(beside, key=lambda vlan: vlan.id)
    ]


def _segments(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Warn of Ethernet segments, which not every SAI implements."""
    if not release_of(switch_slice.switch.release).segments:
        return []
    hint = "ask the vendor of the switch for SAI_NEXT_HOP_GROUP_TYPE_BRIDGE_PORT"
    return weak_segments(switch_slice, f"SONiC: {NO_GROUPS}", hint)


def _services(services: Services) -> list[Diagnostic]:
    """Report settings that SONiC names differently or limits in number."""
    gaps = [
        Diagnostic(
            Code.UNSUPPORTED,
            f"SONiC supports {most} {word} servers, not {len(wanted)}",
            path=services.at(word),
        )
        for word, wanted, most in (
            ("dns", services.dns, NAMESERVERS),
            ("ntp", services.ntp, TIME_SERVERS),
        )
        if len(wanted) > most
    ]
    if services.sflow is not None:
        message = "SONiC ships its sFlow container disabled, and fabricgen does not enable it"
        hint = "run `config feature state sflow enabled` once on each switch"
        where = services.at("sflow")
        gaps.append(
            Diagnostic(Code.UNSUPPORTED, message, path=where, hint=hint, severity=Severity.WARNING)
        )
    if len(services.login) > 1:
        # Any other order than these two means local accounts alone (sonic-host-services
        # data/templates/common-auth-sonic.j2, the last `else`).
        message = "SONiC uses either TACACS+ or RADIUS servers, never both in order"
        hint = "configure one protocol, or use other platforms in this site"
        gaps.append(Diagnostic(Code.UNSUPPORTED, message, path=services.at("aaa"), hint=hint))
    if services.vrf != MANAGEMENT_VRF:
        sentence = f"the management VRF of SONiC is always {MANAGEMENT_VRF}, never {services.vrf}"
        hint = f"set {MANAGEMENT_VRF}, or accept two names"
        gaps.append(
            Diagnostic(
                Code.UNSUPPORTED,
                sentence,
                path=services.at("vrf"),
                hint=hint,
                severity=Severity.WARNING,
            )
        )
    return gaps
