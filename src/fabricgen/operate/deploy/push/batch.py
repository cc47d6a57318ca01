"""Runs one batch: prepares, commits with a timer, checks, and confirms or rolls back all of it."""

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

_PAUSE = 5.0  # seconds between two tries to reach a switch that is cut off
_PHASES = {
    Fault.UNREACHABLE: Phase.UNREACHABLE,
    Fault.CANCELED: Phase.CANCELED,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a switch ended. after: sha256 of what it runs, where that is known."""

    phase: Phase
    said: str = ""
    stale: bool = False
    after: str | None = None


@dataclass(slots=True, kw_only=True)
class Batch:
    """One batch of a push. record: the journal, on the disk when it returns.

    clock, sleep: seconds, of the wait for a switch that is cut off until its timer has undone it.
    unseen: what the gate does not see and was told. whole: all of its switches change, or none.
    torn: not all of them took it, so those that did were undone. seed: what the sample of servers
    is drawn by.
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
    _later: list[Step] = field(default_factory=list)

    def run(self) -> None:
        """Take the batch through; `ended` has every switch of it then."""
        ready = self._prepare()
        if ready:
            beside = self._beside()
            found = baseline(self.fleet, self.steps, ready, beside, self.seed)
            ready, beside = found.ready, found.beside
            for said in found.sentences:
                self.tell(Event(what=EventKind.PINGED, batch=self.number, said=said))
            self._unseen({name: it.health for name, it in ready.items()} | beside)
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
        self.fleet.close(self.names)

    def _beside(self) -> dict[str, Health]:
        """Look at neighbors outside the batch; who does not answer is not asked again."""
        around = self.steps.change.around
        if around is None:
            return {}
        model, askable = around.model, around.askable
        asked = chosen(model.site, self.names, askable - frozenset(self.names))
        outcomes = self.fleet.look(asked.names, self.steps.neighbor)
        found = {name: it.value for name, it in outcomes.items() if it.value is not None}
        silent = [name for name in asked.names if name not in found]
        more = f"; {', '.join(silent)} did not answer" if silent else ""
        self.tell(Event(what=EventKind.BESIDE, batch=self.number, said=asked.sentence + more))
        return {name: model.beside(name, health) for name, health in found.items()}

    def _unseen(self, looks: Mapping[str, Health]) -> None:
        """Say once in a push what could not be read before the batch."""
        reasons: dict[str, list[str]] = {}
        for name, health in looks.items():
            for reason in health.unread:
                reasons.setdefault(reason, []).append(name)
        for reason, names in reasons.items():
            if reason not in self.unseen:
                self.unseen.add(reason)
                sentence = f"{reason} ({shortened(names)})"
                self.tell(Event(what=EventKind.UNSEEN, batch=self.number, said=sentence))

    def _prepare(self) -> dict[str, Ready]:
        """Return the switches that are to change; none when one of the batch is stale.

        Or when a batch that is whole would not be.
        """
        outcomes = self.fleet.each(self.names, self.steps.prepare, self._heard(EventKind.READY))
        ready: dict[str, Ready] = {}
        for name, outcome in outcomes.items():
            if outcome.value is None:
                self._end(name, _ended(outcome))
            elif isinstance(outcome.value, Unchanged):
                reason = "it runs what was planned already"
                self._end(
                    name, Ended(phase=Phase.SKIPPED, said=reason, after=outcome.value.running)
                )
            else:
                ready[name] = outcome.value
        stale = [name for name, ended in self.ended.items() if ended.stale]
        missing = self._missing()
        if stale or missing or self.fleet.stop.asked:
            reason = (
                f"its batch was refused because of {stale[0]}" if stale else missing or "stopped"
            )
            self.fleet.each(tuple(ready), self.steps.release, undoing=True)
            for name in ready:
                self._end(name, Ended(phase=Phase.CANCELED, said=reason))
            return {}
        return ready

    def _missing(self) -> str:
        """Say who a whole batch lacks; empty where it lacks nobody."""
        away = [name for name, it in self.ended.items() if it.phase is not Phase.SKIPPED]
        return f"its window needs {away[0]}, too" if self.whole and away else ""

    def _tear(self, committed: Iterable[str]) -> None:
        """Undo those that took it: half of a window is what it is there to avoid."""
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
        told = {name: it.told for name, it in ready.items()}
        against = (
            BatchComparison(model=around.model, before=before, changed=told)
            if around is not None
            else None
        )
        self.tell(Event(what=EventKind.GATE, batch=self.number))

        def look() -> dict[str, Outcome[Health]]:
            return self.fleet.look(tuple(before), self.steps.look(before), undoing=True)

        worse = self.gate.watch(before, look, against)
        self._listed(EventKind.LOST, worse)
        if worse or self.fleet.stop.asked:
            self.shut = bool(worse)
            reasons = {name: "; ".join(each) for name, each in worse.items()}
            why = ", ".join(
                name if name in ready else f"{name}: {reason}" for name, reason in reasons.items()
            )
            others = f"with its batch, because of {why}" if worse else "stopped"
            self._undo({name: reasons.get(name, others) for name in ready})
            if around is not None:
                self._remains(around.model, ready)
        else:
            if against is not None:
                self._listed(EventKind.OLD, against.old)
                self._listed(EventKind.LEFT, against.left)
            self._confirm(ready)

    def _listed(self, what: EventKind, sentences: Mapping[str, Iterable[str]]) -> None:
        for name, every in sentences.items():
            for one in every:
                self.tell(Event(what=what, batch=self.number, switch=name, said=one))

    def _remains(self, model: Model, names: Iterable[str]) -> None:
        """Say what stays on switches that were undone, since no configuration brought it."""
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
        """Undo, or see that their own timers did; who says nothing until then is unknown."""
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
            timer = f"its own timer undoes it within {self.steps.timer} s of the commit"
            reason = f"{reasons[name]}; not seen undone: {outcomes[name].said}; {timer}"
            self._end(name, Ended(phase=Phase.UNKNOWN, said=reason))

    def _awaited(self, left: dict[str, str]) -> None:
        for name, reason in left.items():
            awaited = f"not undone from here: {reason}; its own timer is awaited"
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
        """Write where switches stand, and what ended since: one write to the disk for all."""
        known = before or {}
        steps = [
            Step(switch=name, phase=phase, batch=self.number, before=known.get(name))
            for name in names
        ]
        ended, self._later = self._later, []
        self.record([*ended, *steps])


def _ended(outcome: Outcome[Any]) -> Ended:
    """Say how a switch ended that nothing was changed on."""
    fault = outcome.fault or Fault.FAILED
    return Ended(
        phase=_PHASES.get(fault, Phase.FAILED), said=outcome.said, stale=fault is Fault.STALE
    )


def _spoken(ended: Ended) -> str:
    return f"{ended.phase.value}: {ended.said}" if ended.said else ended.phase.value
