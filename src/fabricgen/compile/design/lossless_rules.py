"""Report timers, budgets and marking of a lossless design that break a rule, and thin buffers."""

from collections.abc import Iterable, Iterator, Mapping

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.roce_profiles import PROFILES
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.units import BitsPerSecond, Bytes, Milliseconds
from fabricgen.intent.model.fabric import FabricWords
from fabricgen.intent.model.qos import MOST_OVER_SUBSCRIPTION, Roce
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Nic, Role, Server, Switch, Topology
from fabricgen.model.lossless.budget import Budget
from fabricgen.model.lossless.marking import Points, judge_step_down
from fabricgen.model.lossless.memory import PortGroup, remedies_within
from fabricgen.model.lossless.path import Nanoseconds
from fabricgen.model.lossless.watchdog import judge_patience, judge_polling

_MEGABYTE = 1_000_000


def judge_watchdog(
    roce: Roce, slowest: BitsPerSecond, path: IntentPath, findings: Findings
) -> None:
    """Say which rule a timer breaks: an error, a warning where a profile's owner published it."""
    watch = roce.watchdog
    if not (roce.enabled and roce.pfc and watch.enabled):
        return
    poll, detection, restoration = map(
        Milliseconds, (watch.poll, watch.detection, watch.restoration)
    )
    as_published = PROFILES[roce.profile].watchdog == (poll, detection, restoration)
    say = findings.warn if as_published else findings.error
    for key, verdict in zip(
        ("detection", "restoration"), judge_polling(poll, detection, restoration), strict=True
    ):
        if not verdict.holds:
            say(
                Code.WATCHDOG_RULE,
                f"PFC watchdog: {verdict.rule}: {verdict.arithmetic}",
                (*path, key),
                "EOS replaces a longer interval with its own; SONiC refuses an interval above "
                "either time",
            )
    patience = judge_patience(detection, slowest)
    if not patience.holds:
        findings.warn(
            Code.WATCHDOG_RULE,
            f"PFC watchdog: {patience.rule}: {patience.arithmetic}",
            (*path, "detection"),
            "set a longer detection time, so that congestion is not treated as a deadlock",
        )


def judge_budget(
    name: str, planned: Budget, pool: Bytes | None, roce: Roce, path: IntentPath, findings: Findings
) -> None:
    """Report memory that is too small for one kind of switch; `pool` is the shipped pool."""
    if not planned.fits:
        asks = "; ".join(item.arithmetic for item in planned.contributions)
        findings.error(
            Code.BUFFER_EXCEEDED,
            f"{name}: the headroom does not fit, {int(planned.missing):,} bytes are missing: "
            f"{asks}",
            path,
            "; or ".join(remedy.sentence for remedy in planned.remedies),
        )
    groups = tuple(item.group for item in planned.contributions)
    total = sum(group.lossless_groups * group.headroom for group in groups)
    if pool and total > pool * roce.over_subscription:
        asks = " + ".join(map(_asked, groups))
        findings.error(
            Code.BUFFER_EXCEEDED,
            f"{name}: the headroom is {total / pool:.1f} times its pool of {int(pool):,} "
            f"bytes, more than {roce.over_subscription}: {asks} = {total:,}",
            path,
            "; or ".join(_ways(groups, pool, roce, total)),
        )


def _asked(group: PortGroup) -> str:
    each = f"{group.classes} classes x " if group.classes > 1 else ""
    return f"{group.count} x {each}{group.headroom:,} ({group.speed} at {group.length} m)"


def _ways(groups: tuple[PortGroup, ...], pool: Bytes, roce: Roce, total: int) -> Iterator[str]:
    """Yield changes after which the pool is sufficient, the smallest first."""
    allowed = pool * roce.over_subscription
    if roce.storage is not None and total <= 2 * allowed:
        yield "remove roce.storage"
    yield from (remedy.sentence for remedy in remedies_within(groups, allowed))
    ratio = -(-total // pool)
    if ratio <= MOST_OVER_SUBSCRIPTION:
        yield f"set roce.over_subscription: {ratio}, if so few of the groups fill at once"


def judge_step_downs(
    speeds: Iterable[set[BitsPerSecond]],
    marking: Mapping[BitsPerSecond, Points],
    pause_at: Bytes,
    trip: Nanoseconds,
    path: IntentPath,
    findings: Findings,
    of: str = "",
) -> None:
    """Check each speed below the fastest of its switch; `speeds` has the speeds of every role.

    A port with a faster ingress port fills while marking acts, because the faster port continues
    for a round trip. If this fills the group to its pause threshold even when the first marked
    packet stops the senders, pause spreads from there and ECN never acts. This is a lower bound:
    marking begins with few packets, and senders slow down by parts. of: class of the marking, if it
    is not RoCE data.
    """
    fastest: dict[BitsPerSecond, BitsPerSecond] = {}
    for met in speeds:
        for speed in met:
            fastest[speed] = max(fastest.get(speed, speed), *met)
    for speed, ingress in sorted(fastest.items()):
        verdict = judge_step_down(marking[speed].minimum, (ingress, speed), pause_at, trip)
        if ingress > speed and not verdict.holds:
            findings.warn(
                Code.MARKING_RULE,
                f"ECN{of} on {speed} ports: {verdict.rule}: {verdict.arithmetic}",
                path,
                "use links as fast as the NICs, a lower ecn.minimum, or accept that PFC pauses "
                "before ECN marks",
            )


def say_gaps(roce: Roce, topology: Topology, path: IntentPath, findings: Findings) -> None:
    """Warn where marking is not what the profile's name promises; not where a person wrote it."""
    profile, ecn = PROFILES[roce.profile], roce.ecn
    if not (roce.enabled and ecn.enabled) or (ecn.minimum and ecn.maximum):
        return
    spines = any(switch.role is not Role.LEAF for switch in topology.switches)
    gaps = [f"{profile.unmarked}; the computed points are used"] if profile.unmarked else []
    if profile.leaf_only and spines:
        gaps.append(f"{profile.leaf_only}; spines get the values of leafs")
    for gap in gaps:
        findings.warn(Code.PROFILE_GAP, f"{roce.profile}: {gap}", path)


def judge_depth(words: FabricWords, fabric: Fabric, findings: Findings) -> None:
    """Report each model with less memory for a port than the minimum, or with unknown memory."""
    depth = words.unless_refused("buffer_per_port")
    for role in Role if depth is not None else ():
        wanted, path = depth.unless_refused(role.value), words.at("buffer_per_port", role.value)
        if wanted is None:
            continue
        switches = {each.model.name: each for each in fabric.topology.switches if each.role is role}
        if not switches:
            told = f"the {fabric.name} has no {role}s"
            findings.error(Code.UNKNOWN_REFERENCE, told, path, "remove this key")
        for switch in switches.values():
            _judge_memory(switch, wanted, path, findings)


def _judge_memory(switch: Switch, wanted: float, path: IntentPath, findings: Findings) -> None:
    """Compare one switch: the memory of its chip, shared by all ports that may have a cable.

    Of several chips only one counts, so the result is a lower bound.
    """
    chip, model, ports = switch.model.chip, switch.model.name, switch.laid_out
    hint = "use a model with deeper buffers, or lower the minimum"
    if chip is None or chip.packet_buffer is None:
        told = (
            f"the packet memory of {model} is not known, so {wanted:g} MB per port are not proven"
        )
        findings.error(
            Code.BUFFER_TOO_SHALLOW, told, path, "add its ASIC with a source, or " + hint
        )
        return
    each = chip.packet_buffer / ports / _MEGABYTE
    if each < wanted:
        memory = f"{chip.packet_buffer / _MEGABYTE:,.0f} MB of {model} for {ports} ports"
        told = f"{memory} are {each:.3g} MB per port, but the minimum is {wanted:g} MB"
        findings.error(Code.BUFFER_TOO_SHALLOW, told, path, hint)


def judge_exchange(fabrics: Iterable[Fabric], findings: Findings) -> None:
    """Report sets of ports with DCBX on a fabric without a paused class to announce."""
    for fabric in fabrics:
        told = {
            (link.lower.kind, link.lower_port.network)
            for link in fabric.topology.links
            if isinstance(link.lower, Server)
            and isinstance(link.lower_port, Nic)
            and link.lower_port.settings.dcbx
        }
        paused = fabric.qos is not None and fabric.qos.lossless
        for kind, network in sorted(told) if not paused else ():
            findings.error(
                Code.BAD_VALUE,
                f"the {fabric.name} pauses no class, so DCBX has nothing to announce",
                ("servers", kind, "ports", network, "dcbx"),
                "add `roce`, or remove the key",
            )
