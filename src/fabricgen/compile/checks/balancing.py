"""Check load balancing: packet order, polarization and the number of flows."""

from collections import Counter
from dataclasses import replace

from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined, IntentPath, Severity
from fabricgen.core.record import record
from fabricgen.model.fabric.balancing import UNEVEN, Field, Flows, LoadBalancing, Mode, reached
from fabricgen.model.fabric.hosts import HostPlan
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.qos import Kind, Qos, Watchdog
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Nic, Server, Switch
from fabricgen.model.lossless.watchdog import POLLED_AT_ONCE

# A NIC that needs packet order treats an overtaken packet as lost and requests all later packets
# again, so spraying reduces throughput. A flowlet keeps its order while the gap before it exceeds
# the difference of the path delays (Kandula et al., CCR 2007). Juniper documents this for DLB and
# Cisco for Hyperfabric, for RoCE NICs as well. A pause may stop a path for longer than any such
# gap, so this is a warning where a class is paused.


class PacketOrder(Tallied):
    """Comparison of packet spraying with the order that the NICs need."""

    name, code, noun = "packet-order", Code.OUT_OF_ORDER, "switches"

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        self.tally.objects += 1
        told = switch_slice.balancing
        if told is None:
            return
        for nic in sorted({plan.nic for plan in fabric.hosts.values() if not plan.reorders}):
            if told.mode is Mode.SPRAY:
                self.sprayed(fabric, nic)
            elif (
                told.mode is Mode.FLOWLET
                and switch_slice.qos is not None
                and switch_slice.qos.lossless
            ):
                self.held(fabric, nic, switch_slice.qos)

    def sprayed(self, fabric: Fabric, nic: str) -> None:
        """Report spraying to a NIC that needs packet order."""
        self.tally.add(
            "NICs that need order",
            f"packets are sprayed over all links, but {nic} cannot receive packets out of order",
            (*fabric.place, "load_balancing", "mode"),
            "choose a NIC with out-of-order placement in `servers.nic`, or set `mode: flowlet`",
        )

    def held(self, fabric: Fabric, nic: str, qos: Qos) -> None:
        """Report flowlets whose path may be paused for longer than the idle gap."""
        until = _until(qos.watchdog)
        self.tally.add(
            "NICs that need order",
            f"a PFC pause may stop a path {until}; that exceeds the idle gap of a flowlet, so "
            f"packets on another path arrive first and {nic} requests retransmissions",
            (*fabric.place, "load_balancing", "mode"),
            "set ECN thresholds that mark before PFC pauses (`fabricgen lossless`), and monitor "
            "the out-of-sequence counters of the NICs",
            Severity.WARNING,
        )


def _until(guard: Watchdog | None) -> str:
    """Return the maximum duration of a pause as text."""
    if guard is None:
        return "without a limit (no watchdog)"
    more = f", longer where software polls more than {POLLED_AT_ONCE} ports" if guard.grows else ""
    return f"for up to {guard.detection} ms{more}"


# With the same hash, fields and seed on two tiers, all flows that reach a switch have the same
# remainder. The switch sends them over a few of its links while the others idle. The check examines
# every pair of neighboring switches. It assumes that switches of one platform compute the same
# hash, which is certain for one model and the worst case otherwise.


@record(kw_only=True)
class _Chooser:
    """Switch with its links to each neighbor and its hash."""

    switch: Switch
    told: LoadBalancing
    up: Counter[str]
    down: Counter[str]

    @property
    def hash(self) -> tuple[object, ...]:
        """Return the facts that are equal on two switches with the same hash."""
        return self.switch.platform, self.told.seed, *self.told.fields, *self.told.wished

    @property
    def onward(self) -> set[int]:
        """Return the numbers of links among which the switch chooses."""
        return {self.up.total(), *self.down.values()} - {0}


class Polarisation(Tallied):
    """Comparison of the hashes of neighboring switches."""

    name, code, noun = "polarisation", Code.POLARISED, "switches and switch pairs"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.seen: dict[str, _Chooser] = {}

    def see(self, _fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Record the links over which one switch can send packets."""
        self.tally.objects += 1
        told, switch = switch_slice.balancing, switch_slice.switch
        if told is None or told.mode is not Mode.ECMP:
            return
        up: Counter[str] = Counter()
        down: Counter[str] = Counter()
        for interface in switch_slice.interfaces:
            if isinstance(peer := interface.peer, Switch):
                (up if peer.role.tier > switch.role.tier else down)[peer.name] += 1
        self.seen[switch.name] = _Chooser(switch=switch, told=told, up=up, down=down)

    def result(self) -> Examined:
        """Compare each switch with those above it."""
        for lower in self.seen.values():
            for name, links in lower.up.items():
                upper = self.seen.get(name)
                if upper is not None:
                    self.tally.objects += 1
                    if upper.hash == lower.hash:
                        self.pair(lower, upper, links)
        return self.tally.result()

    def pair(self, lower: _Chooser, upper: _Chooser, entering: int) -> None:
        """Count the links that flows from the lower switch still reach."""
        ways = lower.up.total()
        for onward in sorted(upper.onward):
            used = reached(ways, entering, onward)
            if used < onward:
                one, other = lower.switch, upper.switch
                self.tally.add(
                    f"{other.role}s that choose like the {one.role}s below",
                    f"{one.name} and {other.name} use the same hash (seed {lower.told.seed}): "
                    f"flows from {one.name} reach only {used} of {onward} links of {other.name}",
                    (one.fabric, "load_balancing", "seeds"),
                    "set a different seed for each tier in `seeds`, or remove `seeds`",
                )


# A few large flows rarely spread evenly: some links get several flows, others none, and a
# collective ends with its slowest flow. More queue pairs (`load_balancing.queue_pairs`) or `mode:
# flowlet` help. The check examines each leaf with all its NIC ports sending to one peer each, as in
# a ring over many servers. It warns where the busiest uplink is expected to get at least twice its
# share. Without a class for RoCE, and where NICs spread their packets, the flows are unknown.


class TooFewFlows(Tallied):
    """NIC ports and uplinks of each leaf."""

    name, code, noun = "flows", Code.TOO_FEW_FLOWS, "switches"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.uneven: dict[tuple[IntentPath, Flows, bool], list[str]] = {}

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Check one leaf. A switch without NICs chooses for the flows of the leafs below."""
        self.tally.objects += 1
        told, plan = switch_slice.balancing, _plan(fabric, switch_slice)
        if told is None or plan is None or not plan.railed or told.mode is not Mode.ECMP:
            return
        nics = [item.port.speed for item in switch_slice.interfaces if item.use is Use.NIC]
        up = [item.port.speed for item in switch_slice.interfaces if isinstance(item.peer, Switch)]
        if not up or plan.spreads or not _roce(switch_slice):
            return
        flows = Flows(
            nics=len(nics),
            uplinks=len(up),
            queue_pairs=plan.queue_pairs,
            nic_speed=nics[0],
            uplink_speed=up[0],
        )
        apart = Field.QUEUE_PAIR in (*told.fields, *told.wished)
        if flows.shares(queue_pairs=apart) >= UNEVEN:
            self.uneven.setdefault((fabric.place, flows, apart), []).append(
                switch_slice.switch.name
            )

    def result(self) -> Examined:
        """Report leafs with the same figures once."""
        for (place, flows, apart), names in self.uneven.items():
            more = f" and {len(names) - 1:,} more" if len(names) > 1 else ""
            self.tally.add(
                "kinds of leaf with few flows",
                f"{names[0]}{more}: {flows.sentence(queue_pairs=apart)}",
                (*place, "load_balancing"),
                _hint(flows, apart=apart),
                Severity.WARNING,
            )
        return self.tally.result()


def _plan(fabric: Fabric, switch_slice: SwitchSlice) -> HostPlan | None:
    """Return the planned load of the NICs of a leaf, which are of one kind."""
    for item in switch_slice.interfaces:
        if isinstance(item.peer, Server) and isinstance(item.peer_port, Nic):
            return fabric.plan_of(item.peer, item.peer_port.network)
    return None


def _roce(switch_slice: SwitchSlice) -> bool:
    return switch_slice.qos is not None and any(
        item.kind is Kind.LOSSLESS for item in switch_slice.qos.classes
    )


def _hint(flows: Flows, *, apart: bool) -> str:
    """Return a hint with the number of queue pairs that is sufficient."""
    for pairs in (2, 4, 8, 16, 32, 64, 128):
        if replace(flows, queue_pairs=pairs).shares(queue_pairs=True) < UNEVEN:
            hashed = "" if apart else ", hashed"
            return f"`load_balancing.queue_pairs: {pairs}`{hashed}, or mode: flowlet"
    return "mode: flowlet"
