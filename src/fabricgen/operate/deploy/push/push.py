"""Push a change batch by batch and keep the journal correct at every moment."""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace

from fabricgen.core import VERSION
from fabricgen.core.units import counted, shortened
from fabricgen.operate.deploy.fleet import Fault, Fleet
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.lock import Lock
from fabricgen.operate.deploy.journal.records import Phase, Result, Signed, Step
from fabricgen.operate.deploy.plan.document import as_text
from fabricgen.operate.deploy.push.batch import Batch, Ended, Note
from fabricgen.operate.deploy.push.change import Change
from fabricgen.operate.deploy.push.events import Event, EventKind, Tell
from fabricgen.operate.deploy.push.gate import Gate
from fabricgen.operate.deploy.push.steps import Steps

_CUT_OFF = "push interrupted; the timer of the switch or the next push undoes the commit"
_BEFORE = "push interrupted before this batch"
_UNTOUCHED = {Phase.FAILED, Phase.UNREACHABLE, Phase.CANCELED}


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """Conditions of a push.

    Attributes:
        timer: Seconds until a switch rolls back an unconfirmed commit.
        patience: Seconds to wait for a healthy network.
        pause: Seconds between two good snapshots.
        dead: Ids of terminated changes, in addition to those in the journal.
        hold: Returns why a batch must not begin now.
        signed: Signatures for the journal.
        probe: Whether switches send test packets.
        note: Stores the snapshots before and after each batch.

    The independent check `judge` returns reasons against a batch. It gets the unreachable switches.

    """

    timer: int
    patience: float
    judge: Callable[[Sequence[str], Collection[str]], Sequence[str]]
    pause: float = 2.0
    dead: frozenset[str] = frozenset()
    hold: Callable[[Sequence[str]], str] = lambda _: ""
    signed: tuple[Signed, ...] = ()
    probe: bool = True
    note: Note = lambda *_: None


@dataclass(slots=True, kw_only=True)
class Outcome:
    """Result of a push.

    Attributes:
        push: Id in the journal. Empty if no push began.
        change: Id of the change.
        refused: Whether the independent check rejected a batch.
    """

    push: str
    change: str
    result: Result
    ended: dict[str, Ended] = field(default_factory=dict)
    said: str = ""
    refused: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Push:
    """Inputs of one push. site: its name."""

    site: str
    fleet: Fleet
    journal: Journal
    terms: Terms
    tell: Tell
    _unseen: set[str] = field(default_factory=set, init=False)

    def run(self, change: Change, batches: Sequence[tuple[str, ...]], who: str) -> Outcome:
        """Push the batches; batches after a failure are canceled.

        Raises:
            LockHeld: Another push is running.
        """
        with self.journal.lock(self.site, change.id, who) as lock:
            ours = self._recovered(lock)
            between = [
                each.step.switch
                for each in self.journal.behind(self.site)
                if each.step.phase is Phase.UNKNOWN
            ]
            push = self._begun(lock, change, batches)
            about = f"{push}: {change.kind} of {change.id}, {counted(len(batches), 'batch')}"
            self.tell(Event(what=EventKind.BEGUN, said=about))
            ours |= self.terms.dead | {change.id}
            steps = Steps(
                change=change,
                ours=ours,
                timer=self.terms.timer,
                target=self.fleet.target,
                probe=self.terms.probe,
            )
            outcome = Outcome(push=push, change=change.id, result=Result.DONE)
            try:
                self._cleared(batches, between, steps)
                moved = self._moved(batches, steps, outcome)
                self._batches(batches, steps, lock, outcome, over=moved)
            except BaseException:
                lock.end(push, Result.UNKNOWN)
                raise
            outcome.result = _result(outcome, stopped=bool(self.fleet.stop.asked))
            lock.end(push, outcome.result)
            return outcome

    def _recovered(self, lock: Lock) -> frozenset[str]:
        """End pushes that were killed; return the ids of all pushed changes."""
        for killed in self.journal.unended(self.site):
            states = self.journal.states(killed.id).values()
            left = [
                replace(step, phase=Phase.UNKNOWN, message=_CUT_OFF)
                for step in states
                if step.phase.pending
            ]
            before = [
                replace(step, phase=Phase.CANCELED, message=_BEFORE)
                for step in states
                if step.phase is Phase.PLANNED
            ]
            lock.record(killed.id, [*left, *before])
            lock.end(killed.id, Result.ABANDONED)
            work = counted(len(left), "switch")
            sentence = f"{killed.id} of {killed.who} was interrupted while it changed {work}"
            self.tell(Event(what=EventKind.RECOVERED, said=sentence))
        return frozenset(push.plan for push in self.journal.history(self.site, limit=None))

    def _begun(self, lock: Lock, change: Change, batches: Sequence[tuple[str, ...]]) -> str:
        """Record the start of a push and its plan; return its id.

        Switches without a known state in the plan are recorded, too.
        """
        if change.plan is not None:
            lock.keep(as_text(change.plan))
        about = change.undoes or change.id
        push = lock.start(change.kind, VERSION, about, self.terms.signed)
        planned = [
            Step(switch=name, phase=Phase.PLANNED, batch=number)
            for number, names in enumerate(batches, 1)
            for name in names
        ]
        unknown = [
            Step(switch=entry.switch, phase=_known(entry.state), message=entry.said)
            for entry in (change.plan.unknown if change.plan else ())
        ]
        lock.record(push, [*planned, *unknown])
        return push

    def _cleared(
        self, batches: Sequence[tuple[str, ...]], between: Iterable[str], steps: Steps
    ) -> None:
        """Undo unconfirmed commits of earlier pushes before the first health check.

        If that fails, the batch of the switch reports it again.
        """
        wanted = {name for names in batches for name in names}.intersection(between)
        for name, outcome in self.fleet.each(wanted, steps.clear).items():
            if outcome.value:
                sentence = f"{name}: rolled back the unconfirmed commit of plan {outcome.value}"
                self.tell(Event(what=EventKind.RECOVERED, switch=name, said=sentence))

    def _moved(self, batches: Sequence[tuple[str, ...]], steps: Steps, outcome: Outcome) -> str:
        """Check each switch once more; return the reason against all batches if one has changed.

        A single batch checks its switches itself before it writes.
        """
        names = tuple(name for batch in batches for name in batch)
        looks = self.fleet.look(names, steps.unchanged) if len(batches) > 1 else {}
        stale = {name: it.said for name, it in looks.items() if it.fault is Fault.STALE}
        for name, why in stale.items():
            outcome.ended[name] = Ended(phase=Phase.FAILED, said=why, stale=True)
            self.tell(Event(what=EventKind.MOVED, switch=name, said=why))
        return f"not begun because of {shortened(sorted(stale))}" if stale else ""

    def _batches(
        self,
        batches: Sequence[tuple[str, ...]],
        steps: Steps,
        lock: Lock,
        outcome: Outcome,
        over: str,
    ) -> None:
        for number, names in enumerate(batches, 1):
            if not over and self.fleet.stop.asked:
                over = "stopped before this batch"
            refused = "" if over else self._refused(names, steps, outcome)
            over = over or refused
            if over:
                self._cancel(names, number, over, lock, outcome)
                outcome.refused |= bool(refused)
            else:
                over = self._batch(number, names, steps, lock, outcome)
                self.tell(
                    Event(what=EventKind.OVER, batch=number, said=_counted(names, outcome, over))
                )
        outcome.said = over

    def _refused(self, names: tuple[str, ...], steps: Steps, outcome: Outcome) -> str:
        """Return why a batch must not begin now, or not with these switches together."""
        if held := self.terms.hold(names):
            return f"not begun: {held}"
        plan = steps.change.plan
        gone = {
            each.switch
            for each in (plan.unknown if plan is not None else ())
            if _known(each.state) is Phase.UNREACHABLE
        }
        gone |= {name for name, ended in outcome.ended.items() if ended.phase is Phase.UNREACHABLE}
        wrong = self.terms.judge(names, gone)
        return f"unsafe batch: {wrong[0]}" if wrong else ""

    def _batch(
        self, number: int, names: tuple[str, ...], steps: Steps, lock: Lock, outcome: Outcome
    ) -> str:
        """Run one batch; return why no further batch may begin, if so."""
        self.tell(Event(what=EventKind.BATCH, batch=number, said=", ".join(names)))
        push = outcome.push

        def record(steps: Iterable[Step]) -> None:
            lock.record(push, steps)

        gate = Gate(self.terms.patience, lambda: not self.fleet.stop.asked, self.terms.pause)
        batch = Batch(
            number=number,
            names=names,
            steps=steps,
            fleet=self.fleet,
            gate=gate,
            record=record,
            tell=self.tell,
            unseen=self._unseen,
            whole=names in steps.change.whole,
            seed=push,
            note=self.terms.note,
        )
        try:
            batch.run()
        finally:
            outcome.ended |= batch.ended
        if any(ended.stale for ended in batch.ended.values()):
            return f"batch {number} was rejected: a switch differs from the plan"
        if any(ended.phase is Phase.UNKNOWN for ended in batch.ended.values()):
            return f"batch {number} left a switch in an unknown state"
        if batch.torn:
            return f"batch {number} was rolled back: all switches of a window must change, or none"
        if batch.shut:
            return f"batch {number} was rolled back: the network did not recover"
        if all(ended.phase in _UNTOUCHED for ended in batch.ended.values()):
            return f"batch {number} failed on all switches"
        return ""

    def _cancel(
        self, names: tuple[str, ...], number: int, why: str, lock: Lock, outcome: Outcome
    ) -> None:
        """Cancel a batch; a switch that is the reason retains its own result."""
        ended = {name: Ended(phase=Phase.CANCELED, said=why) for name in names} | {
            name: outcome.ended[name] for name in names if name in outcome.ended
        }
        steps = [
            Step(switch=name, phase=each.phase, batch=number, message=each.said)
            for name, each in ended.items()
        ]
        lock.record(outcome.push, steps)
        outcome.ended |= ended


def _counted(names: Sequence[str], outcome: Outcome, over: str) -> str:
    """Count the results of a batch, with the reason if no further batch may begin."""
    counts = Counter(outcome.ended[name].phase for name in names)
    said = ", ".join(f"{count} {phase}" for phase, count in counts.items())
    return f"{said}; {over}" if over else said


def _known(state: str) -> Phase:
    """Return the phase of a switch without a known state in the plan."""
    return Phase.UNREACHABLE if state == Fault.UNREACHABLE else Phase.FAILED


def _result(outcome: Outcome, *, stopped: bool) -> Result:
    phases = {ended.phase for ended in outcome.ended.values()}
    if Phase.UNKNOWN in phases:
        return Result.UNKNOWN
    if stopped:
        return Result.INTERRUPTED
    if Phase.ROLLED_BACK in phases:
        return Result.ROLLED_BACK
    if outcome.refused or any(ended.stale for ended in outcome.ended.values()):
        return Result.REFUSED
    return Result.FAILED if phases & _UNTOUCHED else Result.DONE
