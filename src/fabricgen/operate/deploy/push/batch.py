"""Run one batch: prepare, commit with a timer, check, and confirm or roll back the batch."""

import itertools
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from fabricgen.core.units import shortened
from fabricgen.nos.health import Health
from fabricgen.operate.deploy.fleet import Fault, Fleet, Outcome
from fabricgen.operate.deploy.journal.records import Phase, Step
from fabricgen.operate.deploy.push.baseline import baseline
from fabricgen.operate.deploy.push.events import Event, EventKind, Tell
from fabricgen.operate.deploy.push.gate import Gate
from fabricgen.operate.deploy.push.model import BatchComparison, Model
from fabricgen.operate.deploy.push.neighbors import chosen
from fabricgen.operate.deploy.push.steps import Committed, Ready, Steps, Unchanged

_PAUSE = 5.0  # seconds between two attempts to reach a disconnected switch
_PHASES = {
    Fault.UNREACHABLE: Phase.UNREACHABLE,
    Fault.CANCELED: Phase.CANCELED,
}


Note = Callable[[Mapping[str, Health], float], None]
"""Stores the snapshots of switches that were taken at a value of `time.monotonic`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """Result on a switch. after: SHA-256 of the running configuration, if known."""

    phase: Phase
    said: str = ""
    stale: bool = False
    after: str | None = None


@dataclass(slots=True, kw_only=True)
class Batch:
    """One batch of a push.

    Attributes:
        record: Writes to the journal. The data is on disk when it returns.
        clock: Seconds, to measure the wait for the timer of a disconnected switch.
        unseen: Already reported gaps of the health check.
        whole: Whether all switches must change, or none.
        torn: Some switches did not change, so the others were rolled back.
        seed: Seed of the sample of servers.
        note: Stores snapshots, with the value of `time.monotonic` at their time.
    """

    number: int
    names: tuple[str, ...]
    steps: Steps
    fleet: Fleet
    gate: Gate
    record: Callable[[Iterable[Step]], None]
    tell: Tell
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    unseen: set[str] = field(default_factory=set)
    ended: dict[str, Ended] = field(default_factory=dict)
    shut: bool = False
    whole: bool = False
    torn: bool = False
    seed: str = ""
    note: Note = lambda *_: None
    _last: tuple[Mapping[str, Health], float] | None = None
    _later: list[Step] = field(default_factory=list)

    def run(self) -> None:
        """Run the batch; afterwards `ended` has each of its switches."""
        ready = self._prepare()
        if ready:
            beside = self._beside()
            found = baseline(self.fleet, self.steps, ready, beside, self.seed)
            ready, beside = found.ready, found.neighbors
            for said in found.sentences:
                self.tell(Event(what=EventKind.PINGED, batch=self.number, said=said))
            self._unseen({name: it.health for name, it in ready.items()} | beside)
            # Stored before the change, so that the change has no earlier changes by others.
            self.note({name: it.health for name, it in ready.items()} | beside, time.monotonic())
            before = {name: it.running for name, it in ready.items()}
            self._record(ready, Phase.ARMING, before=before)
            committed = self._commit(ready)
            if committed:
                self._record(committed, Phase.ARMED)
                if self.whole and len(committed) < len(ready):
                    self._tear(committed)
                else:
                    self._judge({name: ready[name] for name in committed}, beside)
            if beside:
                self.fleet.close(tuple(beside))
        self._record((), Phase.PLANNED)
        if self._last is not None:  # after the confirmation, which has a deadline
            self.note(*self._last)
        self.fleet.close(self.names)

    def _beside(self) -> dict[str, Health]:
        """Take snapshots of neighbors outside the batch; a silent neighbor is not asked again."""
        around = self.steps.change.around
        if around is None:
            return {}
        model, askable = around.model, around.askable
        asked = chosen(model.site, self.names, askable - frozenset(self.names))
        outcomes = self.fleet.look(asked.names, self.steps.neighbor)
        found = {name: it.value for name, it in outcomes.items() if it.value is not None}
        silent = [name for name in asked.names if name not in found]
        more = f"; no answer from {', '.join(silent)}" if silent else ""
        self.tell(Event(what=EventKind.BESIDE, batch=self.number, said=asked.sentence + more))
        return {name: model.beside(name, health) for name, health in found.items()}

    def _unseen(self, looks: Mapping[str, Health]) -> None:
        """Report once per push which state could not be read or proved before the batch."""
        around = self.steps.change.around
        reasons: dict[str, list[str]] = {}
        for name, health in looks.items():
            own = around.model.unverified(name, health) if around and name in self.names else ()
            for reason in (*health.unread, *own):
                reasons.setdefault(reason, []).append(name)
        self._say_unseen(reasons)

    def _say_unseen(self, reasons: Mapping[str, list[str]]) -> None:
        for reason, names in reasons.items():
            if reason not in self.unseen:
                self.unseen.add(reason)
                sentence = f"{reason} ({shortened(names)})"
                self.tell(Event(what=EventKind.UNSEEN, batch=self.number, said=sentence))

    def _prepare(self) -> dict[str, Ready]:
        """Return the switches to change; empty when a switch is stale or a window is incomplete."""
        outcomes = self.fleet.each(self.names, self.steps.prepare, self._heard(EventKind.READY))
        ready: dict[str, Ready] = {}
        for name, outcome in outcomes.items():
            if outcome.value is None:
                self._end(name, _ended(outcome))
            elif isinstance(outcome.value, Unchanged):
                reason = "already runs the planned configuration"
                self._end(
                    name, Ended(phase=Phase.SKIPPED, said=reason, after=outcome.value.running)
                )
            else:
                ready[name] = outcome.value
        stale = [name for name, ended in self.ended.items() if ended.stale]
        missing = self._missing()
        if stale or missing or self.fleet.stop.asked:
            reason = f"batch rejected because of {stale[0]}" if stale else missing or "stopped"
            self.fleet.each(tuple(ready), self.steps.release, undoing=True)
            for name in ready:
                self._end(name, Ended(phase=Phase.CANCELED, said=reason))
            return {}
        return ready

    def _missing(self) -> str:
        """Return the switch that an all-or-none batch lacks; empty when it is complete."""
        away = [name for name, it in self.ended.items() if it.phase is not Phase.SKIPPED]
        return (
            f"all ends of the window must change together, but {away[0]} cannot"
            if self.whole and away
            else ""
        )

    def _tear(self, committed: Iterable[str]) -> None:
        """Roll back the changed switches, because an all-or-none batch must not be half done."""
        self.torn = True
        reason = self._missing()
        self._undo(dict.fromkeys(committed, reason))

    def _commit(self, ready: Collection[str]) -> list[str]:
        outcomes = self.fleet.each(tuple(ready), self.steps.commit, self._committed)
        for name, outcome in outcomes.items():
            if outcome.fault is Fault.FAILED:
                self._end(name, Ended(phase=Phase.FAILED, said=outcome.said))
            elif outcome.fault is Fault.CANCELED:
                self._end(name, Ended(phase=Phase.CANCELED, said=outcome.said))
        lost = {
            name: it.said for name, it in outcomes.items() if it.fault and name not in self.ended
        }
        if lost:
            self._undo(lost)
        return [name for name, outcome in outcomes.items() if outcome.fault is None]

    def _judge(self, ready: dict[str, Ready], neighbors: Mapping[str, Health]) -> None:
        around = self.steps.change.around
        own = {
            name: it.health if around is None else around.model.open(name, it.health)
            for name, it in ready.items()
        }
        before = {**own, **neighbors}
        changed = {name: it.changed for name, it in ready.items()}
        against = (
            BatchComparison(model=around.model, before=before, changed=changed)
            if around is not None
            else None
        )
        self.tell(Event(what=EventKind.GATE, batch=self.number))

        def look() -> dict[str, Outcome[Health]]:
            outcomes = self.fleet.look(tuple(before), self.steps.look(before), undoing=True)
            answered = {name: it.value for name, it in outcomes.items() if it.value is not None}
            self._last = answered, time.monotonic()
            return outcomes

        worse = self.gate.watch(before, look, against)
        self._listed(EventKind.LOST, worse)
        if worse or self.fleet.stop.asked:
            self.shut = bool(worse)
            reasons = {name: "; ".join(each) for name, each in worse.items()}
            why = ", ".join(
                name if name in ready else f"{name}: {reason}" for name, reason in reasons.items()
            )
            others = f"rolled back with its batch because of {why}" if worse else "stopped"
            self._undo({name: reasons.get(name, others) for name in ready})
            if around is not None:
                self._remains(around.model, ready)
        else:
            if against is not None:
                self._listed(EventKind.OLD, against.old)
                self._listed(EventKind.LEFT, against.left)
                self._say_unseen(against.unseen())
            self._confirm(ready)

    def _listed(self, what: EventKind, sentences: Mapping[str, Iterable[str]]) -> None:
        for name, every in sentences.items():
            for one in every:
                self.tell(Event(what=what, batch=self.number, switch=name, said=one))

    def _remains(self, model: Model, names: Iterable[str]) -> None:
        """Report state that remains on rolled-back switches and comes from no configuration."""
        back = tuple(name for name in names if self.ended[name].phase is Phase.ROLLED_BACK)
        looks = self.fleet.look(back, self.steps.tables, undoing=True)
        seen = {name: it.value for name, it in looks.items() if it.value is not None}
        self._listed(
            EventKind.LEFT, {name: model.left(name, health) for name, health in seen.items()}
        )

    def _confirm(self, ready: dict[str, Ready]) -> None:
        self._record(ready, Phase.CONFIRMING)
        names = tuple(ready)
        outcomes = self.fleet.each(names, self.steps.confirm, undoing=True)
        unsure = [name for name, outcome in outcomes.items() if outcome.value is None]
        for name, outcome in outcomes.items():
            if outcome.value is not None:
                self._end(name, Ended(phase=Phase.CONFIRMED, after=outcome.value))
        if unsure:
            self.fleet.close(unsure)
            settled = self.fleet.each(tuple(unsure), self.steps.settle, undoing=True)
            for name, found in settled.items():
                first = outcomes[name].said
                if found.value is None:
                    reason = f"{first}; then {found.said}"
                    self._end(name, Ended(phase=Phase.UNKNOWN, said=reason))
                else:
                    self._end(name, Ended(phase=found.value[0], said=first, after=found.value[1]))

    def _undo(self, reasons: dict[str, str]) -> None:
        """Roll back, or wait for the timers of the switches; a silent switch becomes unknown."""
        self._record(reasons, Phase.ROLLING_BACK)
        left, end = tuple(reasons), self.clock() + self.steps.timer
        for number in itertools.count():
            outcomes = self.fleet.each(left, self.steps.undo, undoing=True)
            for name, outcome in outcomes.items():
                if outcome.value is not None:
                    self._end(name, Ended(phase=outcome.value, said=reasons[name]))
            left = tuple(name for name, outcome in outcomes.items() if outcome.value is None)
            if not left or (number and self.clock() > end) or self.fleet.stop.asked > 1:
                break
            if number == 1:
                self._awaited({name: outcomes[name].said for name in left})
            self.fleet.close(left)  # the old connection may hang
            self.sleep(_PAUSE if number else 0)
        for name in left:
            timer = f"the timer of the switch undoes it within {self.steps.timer} s of the commit"
            reason = f"{reasons[name]}; rollback not verified: {outcomes[name].said}; {timer}"
            self._end(name, Ended(phase=Phase.UNKNOWN, said=reason))

    def _awaited(self, left: dict[str, str]) -> None:
        for name, reason in left.items():
            awaited = f"rollback failed: {reason}; waiting for the timer of the switch"
            self.tell(Event(what=EventKind.LOST, batch=self.number, switch=name, said=awaited))

    def _committed(self, name: str, outcome: Outcome[Committed]) -> None:
        if outcome.value is None:
            return
        path, remarks = outcome.value
        said = [(EventKind.COMMITTED, path), *((EventKind.REMARK, each) for each in remarks)]
        for what, words in said:
            self.tell(Event(what=what, batch=self.number, switch=name, said=words))

    def _heard(self, what: EventKind) -> Callable[[str, Outcome[Any]], None]:
        def heard(name: str, outcome: Outcome[Any]) -> None:
            if outcome.fault is None:
                answer = outcome.value if isinstance(outcome.value, str) else ""
                self.tell(Event(what=what, batch=self.number, switch=name, said=answer))

        return heard

    def _end(self, name: str, ended: Ended) -> None:
        self.ended[name] = ended
        step = Step(
            switch=name, phase=ended.phase, batch=self.number, message=ended.said, after=ended.after
        )
        self._later.append(step)
        self.tell(Event(what=EventKind.ENDED, batch=self.number, switch=name, said=_spoken(ended)))

    def _record(
        self, names: Iterable[str], phase: Phase, before: Mapping[str, str] | None = None
    ) -> None:
        """Record the phase of the named switches and all results since, in one write."""
        known = before or {}
        steps = [
            Step(switch=name, phase=phase, batch=self.number, before=known.get(name))
            for name in names
        ]
        ended, self._later = self._later, []
        self.record([*ended, *steps])


def _ended(outcome: Outcome[Any]) -> Ended:
    """Return the result of a switch without a change."""
    fault = outcome.fault or Fault.FAILED
    return Ended(
        phase=_PHASES.get(fault, Phase.FAILED), said=outcome.said, stale=fault is Fault.STALE
    )


def _spoken(ended: Ended) -> str:
    return f"{ended.phase.value}: {ended.said}" if ended.said else ended.phase.value
