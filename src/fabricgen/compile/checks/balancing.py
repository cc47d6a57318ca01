"""Checks load balancing: packet order, polarization and the number of flows."""

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

# A NIC that needs packet order takes an overtaken packet for lost and requests all packets since
# then again. So more spraying delivers less. To fix it, choose another `servers.nic` or
# `load_balancing.mode`. A flowlet keeps its order while the gap before it exceeds the difference of
# the path delays (Kandula et al., CCR 2007). Juniper says so of DLB and Cisco of Hyperfabric, for
# RoCE NICs as well. A pause may hold a path for longer than any such gap, so this is a warning
# where a class is paused.


class PacketOrder(Tallied):
    """Compares how each switch spreads packets with what the NICs take."""

    name, code, noun = "packet-order", Code.OUT_OF_ORDER, "switches"

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Look at one switch."""
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
        """Every packet may overtake another."""
        self.tally.add(
            "NICs that need order",
            f"packets are sprayed, and {nic} does not place what arrives out of order",
            (*fabric.place, "load_balancing", "mode"),
            "use a NIC that does in `servers.nic`, or mode: flowlet",
        )

    def held(self, fabric: Fabric, nic: str, qos: Qos) -> None:
        """A paused path is slower than the gap between flowlets is long."""
        until = _until(qos.watchdog)
        self.tally.add(
            "NICs that need order",
            f"a pause may hold a path {until}, longer than the idle gap of a flowlet; what takes "
            f"another path then overtakes, and {nic} asks for it again",
            (*fabric.place, "load_balancing", "mode"),
            "let marking come before pause (`fabricgen lossless`), and watch the NICs' counters of "
            "packets out of sequence",
            Severity.WARNING,
        )


def _until(guard: Watchdog | None) -> str:
    """Say how long a pause can last."""
    if guard is None:
        return "without a limit (no watchdog)"
    more = f", longer where software polls more than {POLLED_AT_ONCE} ports" if guard.grows else ""
    return f"for up to {guard.detection} ms{more}"


# If both take the same hash of the same fields with one seed, all flows that reach a switch have
# the same remainder, and it sends them over a few of its links while the others idle. Fix
# `load_balancing.seeds`. Every pair of neighboring switches is examined, for flows that come up
# to the higher one and go on up, or down over parallel links. Switches of one platform are taken
# to compute one hash, which is certain for one model and the worst case otherwise.


@record(kw_only=True)
class _Chooser:
    """A switch: its links to each neighbor above and below, and how it chooses."""

    switch: Switch
    told: LoadBalancing
    up: Counter[str]
    down: Counter[str]

    @property
    def hash(self) -> tuple[object, ...]:
        """The facts that two switches share when they choose alike."""
        return self.switch.platform, self.told.seed, *self.told.fields, *self.told.wished

    @property
    def onward(self) -> set[int]:
        """How many links it chooses among, up and towards each switch below."""
        return {self.up.total(), *self.down.values()} - {0}


class Polarisation(Tallied):
    """Notes every switch that hashes, then compares neighbors."""

    name, code, noun = "polarisation", Code.POLARISED, "switches and pairs of them"

    def __init__(self, site: Site) -> None:
        """Start with no switch."""
        super().__init__(site)
        self.seen: dict[str, _Chooser] = {}

    def see(self, _fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Note where one switch can send packets."""
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
        """Count the links that flows from below still reach."""
        ways = lower.up.total()
        for onward in sorted(upper.onward):
            used = reached(ways, entering, onward)
            if used < onward:
                one, other = lower.switch, upper.switch
                self.tally.add(
                    f"{other.role}s that choose like the {one.role}s below",
                    f"{one.name} and {other.name} hash alike (seed {lower.told.seed}): of "
                    f"{onward} links of {other.name}, flows from {one.name} reach {used}",
                    (one.fabric, "load_balancing", "seeds"),
                    "give each tier its own seed, or leave `seeds` out",
                )


# A few large flows on as many links never do: some links get several, others none, and a
# collective ends with its slowest flow. Fix it with more queue pairs
# (`load_balancing.queue_pairs`) that a hash tells apart, or do not leave it to a hash (`mode:
# flowlet`). Each leaf is examined for all its NIC ports sending at once to one peer each, as in a
# ring over many servers; more peers at a time spread better. Warns where the busiest uplink is
# expected to get twice its share or more. Without a class for RoCE, and where NICs spread their
# packets themselves, nothing is known of flows.


class TooFewFlows(Tallied):
    """Counts the NIC ports and uplinks of each leaf."""

    name, code, noun = "flows", Code.TOO_FEW_FLOWS, "switches"

    def __init__(self, site: Site) -> None:
        """Start with no switch."""
        super().__init__(site)
        self.uneven: dict[tuple[IntentPath, Flows, bool], list[str]] = {}

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Judge one leaf; a switch without NICs chooses for those below."""
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
        """Say it once for all leafs with the same figures."""
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
    """Return what is planned of the NICs of a leaf, which are of one kind: that of its unit."""
    for item in switch_slice.interfaces:
        if isinstance(item.peer, Server) and isinstance(item.peer_port, Nic):
            return fabric.plan_of(item.peer, item.peer_port.network)
    return None


def _roce(switch_slice: SwitchSlice) -> bool:
    return switch_slice.qos is not None and any(
        item.kind is Kind.LOSSLESS for item in switch_slice.qos.classes
    )


def _hint(flows: Flows, *, apart: bool) -> str:
    """Name the number of queue pairs that would be enough."""
    for pairs in (2, 4, 8, 16, 32, 64, 128):
        if replace(flows, queue_pairs=pairs).shares(queue_pairs=True) < UNEVEN:
            hashed = "" if apart else ", hashed"
            return f"`load_balancing.queue_pairs: {pairs}`{hashed}, or mode: flowlet"
    return "mode: flowlet"
