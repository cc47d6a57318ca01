"""Prove that no cycle of paused buffers exists."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from fabricgen.compile.checks.deadlock.routing_index import RoutingIndex
from fabricgen.compile.checks.tally import Tallied, listing
from fabricgen.core.diagnostics import Code, Examined, Severity
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.switch import Fabric, Session, Site, SwitchSlice

if TYPE_CHECKING:
    from fabricgen.compile.checks.deadlock.network import Network
    from fabricgen.compile.checks.deadlock.states import DeadlockCycle


# The argument in the docstring of this package needs the rule. A departure is not an error: its
# routes are simulated.


class Departure(NamedTuple):
    """Departure of a switch from the rule; `simulated`: a simulation shows its routes.

    A fabric that cannot be simulated stays unproven.
    """

    switch: str
    what: str
    simulated: bool = True

    def __str__(self) -> str:
        """Return the departure as a sentence."""
        return f"{self.switch} {self.what}"


def departures(switch_slice: SwitchSlice) -> Iterator[Departure]:
    """Yield each departure of one switch from the rule."""
    name, tier = switch_slice.switch.name, switch_slice.switch.role.tier
    for static in switch_slice.statics:
        yield Departure(name, f"has a static route to {static.prefix.prefix}")
    for session in switch_slice.sessions:
        if session.overlay:
            continue
        if session.peer_asn == switch_slice.asn:
            what = f"has a session inside its ASN, to {session.peer.name}"
            yield Departure(name, what, simulated=False)
        if not _crosses(session):
            what = f"has a session to {session.peer.name} that crosses no cable to it"
            yield Departure(name, what, simulated=False)
        if session.peer.role.tier - tier != (1 if session.up else -1):
            where = "up" if session.up else "down"
            what = (
                f"has a session {where} to {session.peer.name}, which is not the next tier {where}"
            )
            yield Departure(name, what)
        elif session.up and not session.valley_free:
            yield Departure(name, "may send routes from a higher tier up again")


def _crosses(session: Session) -> bool:
    at = session.interface
    return at is not None and at.peer is not None and at.peer.name == session.peer.name


NOUN = "switches and lossless buffers"
NO_CLASS = "switches, none of which has a lossless class"
_NAMED = 3  # departures that a hint names


@dataclass(slots=True, kw_only=True)
class Seen:
    """Facts about one fabric. `tiers` has the tier of each peer according to the sessions."""

    told: RoutingIndex = field(default_factory=RoutingIndex)
    departures: dict[Departure, None] = field(default_factory=dict)
    tiers: set[tuple[str, int]] = field(default_factory=set)
    priorities: set[int] = field(default_factory=set)


class Deadlock(Tallied):
    """Verification of the rule on every switch, and simulation of fabrics that break it."""

    name, code, noun = "deadlock", Code.DEADLOCK, NO_CLASS

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.fabrics: dict[str, Seen] = {}

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Count the buffers of one switch and verify the rule on it."""
        self.tally.objects += 1
        paused = _paused(switch_slice.qos)
        if not paused and not _paused(fabric.qos):
            return
        self.tally.noun = NOUN
        self.tally.objects += len(paused) * sum(
            i.use is not Use.UNUSED for i in switch_slice.interfaces
        )
        seen = self.fabrics.setdefault(fabric.name, Seen())
        seen.priorities |= paused
        seen.told.add(switch_slice)
        seen.departures.update(dict.fromkeys(departures(switch_slice)))
        seen.tiers.update(
            (s.peer.name, s.peer.role.tier) for s in switch_slice.sessions if not s.overlay
        )

    def result(self) -> Examined:
        """Simulate the fabrics that the rule does not prove."""
        for name, seen in self.fabrics.items():
            seen.departures.update(dict.fromkeys(_strangers(seen)))
            if seen.departures and seen.priorities:
                self.simulate(name, seen)
        return self.tally.result()

    def simulate(self, fabric: str, seen: Seen) -> None:
        """Search for cycles in every state and report the unproven parts."""
        from fabricgen.compile.checks.deadlock.network import network  # noqa: PLC0415  # rarely needed
        from fabricgen.compile.checks.deadlock.states import States  # noqa: PLC0415

        net = network(seen.told)
        states = States(net, (seen.told.number(item.switch) for item in seen.departures))
        knots = [*states.knots()]
        for knot in knots:
            self.tell(fabric, seen, net, knot)
        blind = next((item for item in seen.departures if not item.simulated), None)
        unproven = f"the {fabric} is not proven free of deadlock"
        if blind is not None:
            self.say(fabric, seen, f"{unproven}: {blind}")
        elif not knots and not states.complete:
            text = (
                f"{states.simulated:,} of {len(states.everything):,} destinations and "
                f"{states.tried:,} failures"
            )
            text = f"it is too large, and only {text} were simulated"
            self.say(fabric, seen, f"{unproven}: {text}")
        elif not knots:
            text = (
                f"the {fabric} breaks the rule of up, then down; it cannot deadlock with "
                "everything up"
            )
            text = (
                f"{text} or after one failure ({states.tried:,} simulated), but several failures "
                "are not proven"
            )
            self.say(fabric, seen, text, Severity.WARNING)

    def tell(self, fabric: str, seen: Seen, net: Network, knot: DeadlockCycle) -> None:
        """Report one cycle, starting and ending at its first buffer."""
        buffers = [net.buffer(net.ways[number]) for number in knot.cycle]
        first = buffers.index(min(buffers))
        walk = " > ".join([*buffers[first:], *buffers[: first + 1]])
        when = f"after {knot.failure} has failed" if knot.failure else "with everything up"
        listed = ", ".join(map(str, sorted(seen.priorities)))
        self.say(fabric, seen, f"priority {listed} can deadlock {when}: {walk}")

    def say(
        self, fabric: str, seen: Seen, message: str, severity: Severity = Severity.ERROR
    ) -> None:
        """Add a finding; its hint names the departures that cause it."""
        causes = listing([str(item) for item in seen.departures], _NAMED)
        self.tally.add(
            f"deadlocks of the {fabric}", message, (fabric, "underlay"), causes, severity
        )


def _paused(qos: Qos | None) -> set[int]:
    return {item.paused for item in qos.classes if item.paused is not None} if qos else set()


def _strangers(seen: Seen) -> list[Departure]:
    """Return the peers that sessions assign to a wrong tier, or that have no slice."""
    real = {seen.told.names[number]: place[0] for number, place in seen.told.places.items()}
    return [
        Departure(
            name,
            f"has sessions as a switch of tier {tier}, but is not in that tier",
            simulated=False,
        )
        for name, tier in sorted(seen.tiers)
        if real.get(name) != tier
    ]
