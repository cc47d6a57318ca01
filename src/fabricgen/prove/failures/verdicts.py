"""Compares the analyzed failures with the availability requirements of a site and of two sites."""

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.core.record import record
from fabricgen.core.units import counted
from fabricgen.model.fabric.failures import Promise
from fabricgen.model.fabric.switch import Fabric
from fabricgen.prove.failures.across import Crossed
from fabricgen.prove.failures.failures import Failure
from fabricgen.prove.failures.groups import FABRIC, RAIL, TENANT, Group
from fabricgen.prove.failures.recovery import Clock
from fabricgen.prove.failures.survey import Outcome, Row, Survey

_NAMES = 4


@record(eq=False, kw_only=True)
class Verdict:
    """A requirement, its number of checked failures, and each group's worst violation.

    `unknown`: times without a source, on which it depends.
    """

    promise: Promise
    judged: int
    broken: tuple[str, ...]
    unknown: tuple[str, ...] = ()

    @property
    def finding(self) -> Diagnostic | None:
        """Return the finding; None if the requirement is met."""
        promise = self.promise
        if not self.judged:
            text = f"{promise.name} applies to no simulated failure, so it proves nothing"
            hint = "check `after`: it names no existing element, or the fabric has no server"
            return Diagnostic(Code.PROMISE_OF_NOTHING, text, path=promise.path, hint=hint)
        if not self.broken:
            return self._unknown
        text = f"requirement {promise.name} is not met: {'; '.join(self.broken[:_NAMES])}"
        more = len(self.broken) - _NAMES
        text += f"; and {counted(more, 'more case')}" if more > 0 else ""
        return Diagnostic(Code.PROMISE_BROKEN, text, path=promise.path)

    @property
    def _unknown(self) -> Diagnostic | None:
        if not self.unknown:
            return None
        text = f"requirement {self.promise.name} is not known: {'; '.join(self.unknown[:_NAMES])}"
        hint = "state the times with their source in `failures.recovery`"
        return Diagnostic(Code.PROMISE_UNKNOWN, text, path=self.promise.path, hint=hint)


def verdicts(
    surveyed: Mapping[str, Sequence[Row]],
    promises: Sequence[Promise],
    clocks: Mapping[str, Clock],
) -> Iterator[Verdict]:
    """Check each requirement against the rows and the times of its fabrics."""
    for promise in promises:
        judged, broken = 0, []
        times: dict[tuple[str, bool], None] = {}
        for fabric, rows in surveyed.items():
            for row in rows:
                if row.failures[0].kind not in promise.after:
                    continue
                mine = [
                    (group, outcome)
                    for group, outcome in row.outcomes.items()
                    if about(promise, fabric, group)
                ]
                judged += len(row.failures) if mine else 0
                broken += [
                    sentence
                    for group, outcome in mine
                    if (sentence := _break(promise, row, group, outcome))
                ]
                if mine:
                    times |= dict.fromkeys(_late(promise, row, clocks[fabric]))
        broken += [text for text, sure in times if sure]
        unknown = tuple(text for text, sure in times if not sure)
        yield Verdict(promise=promise, judged=judged, broken=tuple(broken), unknown=unknown)


def _late(promise: Promise, row: Row, clock: Clock) -> Iterator[tuple[str, bool]]:
    """Yield the recoveries of a failure that are too long, or not known; and whether it is sure."""
    for silent in (False, True) if promise.within is not None and promise.silent else (False,):
        found = clock.of(row.failures[0], silent=silent)
        if found is None or promise.within is None:
            continue
        sure = found.least > promise.within
        if sure or found.most is None or found.most > promise.within:
            links = "links stay up" if silent else "links go down"
            yield f"{row.failures[0].kind}, {links}: {found.text}", sure


def about(promise: Promise, fabric: str, group: Group) -> bool:
    """Return whether a requirement applies to a group of a fabric."""
    if promise.kind == TENANT:
        return group.kind == TENANT and group.name == promise.of
    return promise.of == fabric and group.kind == (RAIL if promise.kind == RAIL else FABRIC)


def _break(promise: Promise, row: Row, group: Group, outcome: Outcome) -> str:
    """Return the violation of a requirement by a failure; empty if there is none."""
    faults = []
    if promise.keeps is not None and outcome.keeps < promise.keeps:
        faults.append(f"{group.label} keeps {percent(outcome.keeps)}")
    if promise.each is not None and outcome.each < promise.each:
        faults.append(f"a server of {group.label} keeps {percent(outcome.each)}")
    if promise.stays and outcome.lost:
        faults.append(f"{losing(outcome.lost)} {group.label}")
    return f"without {called(row.failures)} {', '.join(faults)}" if faults else ""


def called(failures: Sequence[Failure]) -> str:
    """Name failures with equal results by the first one."""
    first = failures[0]
    more = (
        (f" (or {counted(len(failures) - 1, 'other')} with equal results)")
        if len(failures) > 1
        else ""
    )
    kind = {"power-zone": "power zone ", "double": ""}.get(first.kind.value, "")
    return f"{kind}{first.name}{more}"


def losing(names: Sequence[str], what: tuple[str, str] = ("loses", "lose")) -> str:
    """Return the first of some servers, the number of others, and the effect on them."""
    one, many = what
    return (
        f"{names[0]} {one}" if len(names) == 1 else f"{names[0]} and {len(names) - 1:,} more {many}"
    )


def percent(share: Fraction) -> str:
    """Format a share: 87.5 %. A fraction is never rounded up to 100 %."""
    if share == 1:
        return "100 %"
    return f"{min(float(share) * 100, 99.99):.4g} %"


def kept_without_worst_switch(fabric: Fabric) -> str:
    """Return the share of a fabric's bandwidth without its worst switch; empty without servers."""
    kept = [
        outcome.keeps
        for row in Survey(fabric).rows(())
        if row.failures[0].switches
        for group, outcome in row.outcomes.items()
        if group.kind == FABRIC
    ]
    return percent(min(kept)) if kept else ""


Surveyed = Mapping[tuple[str, str], Sequence["Crossed"]]


def verdict_between(surveyed: Surveyed, promise: Promise) -> Verdict:
    """Check a requirement about two sites."""
    rows = [
        row
        for sites, mine in surveyed.items()
        if set(sites) == set(promise.between)
        for row in mine
        if row.failures[0].kind in promise.after
    ]
    broken = tuple(text for row in rows for text in _break_between(promise, row))
    return Verdict(promise=promise, judged=sum(len(row.failures) for row in rows), broken=broken)


def _break_between(promise: Promise, row: Crossed) -> Iterator[str]:
    """Yield the violation of a requirement by a failure."""
    faults = []
    for what, kept in row.kept.items():
        if promise.stays and kept.lost and what.within is not None:
            faults.append(f"{what.label} has no path")
        elif promise.keeps is not None and kept.share < promise.keeps:
            faults.append(f"{what.label} keeps {percent(kept.share)}")
    if faults:
        yield f"without {called(row.failures)} {', '.join(faults)}"
