"""Where a hash spreads flows, there are enough of them for that to come out even.

A few large flows on as many links never do: some links get several, others none, and a collective
ends with its slowest flow. Fix it with more queue pairs (`load_balancing.queue_pairs`) that a hash
tells apart, or do not leave it to a hash (`mode: flowlet`). Each leaf is examined for all its NIC
ports sending at once to one peer each, as in a ring over many servers; more peers at a time spread
better. Warns where the busiest uplink is expected to get twice its share or more. Without a class
for RoCE, and where NICs spread their packets themselves, nothing is known of flows.
"""

from dataclasses import replace

from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, Examined, IntentPath, Severity
from fabricgen.model.fabric.balancing import UNEVEN, Field, Flows, Mode
from fabricgen.model.fabric.hosts import HostPlan
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.qos import Kind
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Nic, Server, Switch


class TooFewFlows(Tallied):
    """Counts the NIC ports and uplinks of each leaf."""

    name, code, noun = "flows", Code.TOO_FEW_FLOWS, "switches"

    def __init__(self, site: Site) -> None:
        """Start with no switch."""
        super().__init__(site)
        self.uneven: dict[tuple[IntentPath, Flows, bool], list[str]] = {}

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Judge one leaf; a switch without NICs chooses for those below."""
        self.tally.objects += 1
        told, plan = piece.balancing, _plan(fabric, piece)
        if told is None or plan is None or not plan.railed or told.mode is not Mode.ECMP:
            return
        nics = [item.port.speed for item in piece.interfaces if item.use is Use.NIC]
        up = [item.port.speed for item in piece.interfaces if isinstance(item.peer, Switch)]
        if not up or plan.spreads or not _roce(piece):
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
            self.uneven.setdefault((fabric.place, flows, apart), []).append(piece.switch.name)

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


def _plan(fabric: Fabric, piece: SwitchSlice) -> HostPlan | None:
    """Return what is planned of the NICs of a leaf, which are of one kind: that of its unit."""
    for item in piece.interfaces:
        if isinstance(item.peer, Server) and isinstance(item.peer_port, Nic):
            return fabric.plan_of(item.peer, item.peer_port.network)
    return None


def _roce(piece: SwitchSlice) -> bool:
    return piece.qos is not None and any(item.kind is Kind.LOSSLESS for item in piece.qos.classes)


def _hint(flows: Flows, *, apart: bool) -> str:
    """Name the number of queue pairs that would be enough."""
    for pairs in (2, 4, 8, 16, 32, 64, 128):
        if replace(flows, queue_pairs=pairs).shares(queue_pairs=True) < UNEVEN:
            hashed = "" if apart else ", hashed"
            return f"`load_balancing.queue_pairs: {pairs}`{hashed}, or mode: flowlet"
    return "mode: flowlet"
