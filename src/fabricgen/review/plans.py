"""Makes both sides of a plan: the running configuration and the planned one.

A plan has no complete files. It has the difference of each switch, up to a number of lines, and the
hash of the complete difference. A difference that fits its hash gives the changed parts of both
sides; the others are not known.
"""

from collections.abc import Iterable
from pathlib import Path

from fabricgen.compile.output.manifest import sha256
from fabricgen.core.record import record
from fabricgen.core.tree.risk import named
from fabricgen.core.units import counted
from fabricgen.intent.source import SourceMap
from fabricgen.operate.deploy.plan.document import BadPlan, Entry, Plan, read_plan
from fabricgen.review.compare import Reasons
from fabricgen.review.diff_parts import Parts, parts_of
from fabricgen.review.model import Reason
from fabricgen.review.side import Side, failed

PARTS = "a plan stores differences, not files: each side has only the changed lines and those near"
_CUT = "… "


@record(kw_only=True)
class Known:
    """The known part of the change of a switch.

    Attributes:
        folder: Folder of the switch.
        parts: Changed parts, or None if the change is not known.
        why: Why the change is not known.
        reasons: Risks from the plan.
    """

    folder: str
    parts: Parts | None = None
    why: str = ""
    reasons: Reasons = ()


def pair_of_plan(path: Path) -> tuple[Side, Side]:
    """Return both sides of a plan file: running and planned."""
    try:
        plan = read_plan(path)
    except BadPlan as bad:
        return failed(str(path), str(bad)), failed(str(path), str(bad))
    known = [change_of(entry) for entry in plan.switches if entry.state != "same"]
    same = frozenset(folder_of(entry) for entry in plan.switches if entry.state == "same")
    names = f"running before plan {plan.id}", f"plan {plan.id}"
    return pair(names, known, same, (PARTS, *_step(plan)))


def folder_of(entry: Entry) -> str:
    """Return the folder of a switch."""
    return f"{entry.fabric}/{entry.switch}"


def change_of(entry: Entry) -> Known:
    """Return the change of a switch in a plan."""
    reasons = tuple(
        Reason(
            risk=named(each.risk),
            file=each.file,
            place=each.where,
            more=each.more,
            kind=each.kind,
            why=each.why,
            source="the plan",
            known=True,
        )
        for each in entry.reasons
    )
    why, parts = "", None
    if entry.state != "changes":
        why = f"{entry.state}: {entry.said}"
    elif sha256(entry.diff) != entry.change:
        stored = sum(not line.startswith(_CUT) for line in entry.diff.splitlines())
        why = f"the plan stores only the first {counted(stored, 'line')} of its difference"
    else:
        parts = parts_of(entry.platform, entry.diff)
        why = "" if parts is not None else "its difference has an unknown form"
    return Known(folder=folder_of(entry), parts=parts, why=why, reasons=reasons)


def pair(
    names: tuple[str, str], known: Iterable[Known], same: frozenset[str], notes: tuple[str, ...]
) -> tuple[Side, Side]:
    """Return both sides of changes of switches. same: folders without a change."""
    trees: tuple[dict[str, str], dict[str, str]] = {}, {}
    unknown: dict[str, str] = {}
    reasons: dict[str, Reasons] = {}
    for each in known:
        if each.reasons:
            reasons[each.folder] = each.reasons
        if each.parts is None:
            unknown[each.folder] = f"not known: {each.why}"
            continue
        for tree, files in zip(trees, (each.parts.before, each.parts.after), strict=True):
            tree.update((f"{each.folder}/{path}", text) for path, text in files.items())
    before, after = (
        Side(
            name=name,
            files=tree,
            findings=(),
            source=SourceMap(),
            unchanged=same,
            notes=notes,
            unknown=unknown,
            reasons=reasons,
        )
        for name, tree in zip(names, trees, strict=True)
    )
    return before, after


def _step(plan: Plan) -> tuple[str, ...]:
    """Return the note about a plan that is one of several steps."""
    step = plan.step
    return (
        (f"step {step.number} of {step.of} of a change: {step.said}",) if step is not None else ()
    )
