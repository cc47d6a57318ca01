"""Prints a plan as text, as its document, and as a comment for reviewers.

Switches with the same change are shown once.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from fabricgen.api.comment_parts import cell, comment, folded, place_of_rule, rule_lines
from fabricgen.core.plain_text import clean
from fabricgen.core.tables import markdown_table
from fabricgen.core.tree.risk import named
from fabricgen.core.units import shortened
from fabricgen.operate.deploy.plan.document import Entry, Plan, Reason, Split, Stage, as_text
from fabricgen.operate.deploy.plan.sentences import sentence_of

_NAMES = 8
_REASONS = 12
_TOKEN, _HIDDEN = re.compile(r"<<hidden:[0-9a-f]{12}>>"), "<<hidden>>"


def show(plan: Plan, form: str) -> str:
    """Return a plan in a format."""
    return {"text": text, "json": as_text, "markdown": markdown}[form](plan)


def groups(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Group switches with the same change, the highest risk first.

    The token of a secret differs on every switch, but it does not make another change.
    """
    equal: dict[tuple[str | None, str, frozenset[str]], list[Entry]] = defaultdict(list)
    for entry in entries:
        reasons = tuple(
            reason.model_copy(update={"where": _TOKEN.sub(_HIDDEN, reason.where)})
            for reason in entry.reasons
        )
        diff = _TOKEN.sub(_HIDDEN, entry.diff)
        shown = entry.model_copy(update={"reasons": reasons, "diff": diff})
        equal[entry.risk, diff, frozenset(map(str, reasons))].append(shown)
    return sorted(equal.values(), key=lambda group: -named(str(group[0].risk)))


def headline(plan: Plan) -> str:
    """Return the numbers of switches, changes and risks in one line."""
    switches, changing = len(plan.switches), plan.changing
    counts = Counter(str(entry.risk) for entry in changing)
    ordered = sorted(counts, key=lambda word: -named(word))
    risks = ", ".join(f"{counts[word]} {word}" for word in ordered)
    parts = [f"{len(changing)} of {switches} switches change" + (f": {risks}" if risks else "")]
    if plan.unknown:
        parts.append(f"{len(plan.unknown)} unknown")
    return f"plan {plan.id} of site {plan.site}: {'; '.join(parts)}"


def text(plan: Plan) -> str:
    """Return changes with their reasons and lines, then unknown switches and batches."""
    lines = [line for group in groups(plan.changing) for line in _group(group)]
    lines += [f"{entry.state}: {entry.switch}: {clean(entry.said)}" for entry in plan.unknown]
    if plan.unknown:
        lines.append("")
    for number, batch in enumerate(plan.batches, 1):
        reason = "; ".join((batch.why, *batch.stays) if batch.why else batch.stays)
        lines.append(
            f"batch {number:<3} {_names(batch.switches)}{f' ({reason})' if reason else ''}"
        )
        lines += [f"          warning: {warning}" for warning in batch.warnings]
    lines += [f"split: {sentence(split)}" for split in plan.splits]
    lines += (*kept_lines(plan.switches), *release_lines(plan.switches))
    lines += _by_line("not read", ((entry.switch, entry.unread) for entry in plan.changing))
    lines += [f"not by steps: {clean(why)}" for why in plan.bound]
    lines += declared_lines(plan)
    if plan.breaking:
        lines.append(hopeless(plan))
    if plan.step is not None:
        lines.append(stage(plan.step, window=plan.window))
    return "\n".join([*lines, headline(plan)]) + "\n"


def declared_lines(plan: Plan) -> list[str]:
    """Return the verdict of the declared change with its first reasons."""
    own = plan.declared
    if own is None:
        return []
    more = len(own.reasons) - _REASONS
    lines = [f"verdict: {own.verdict} ({own.name}, SHA-256 {own.sha256[:12]}): {own.meaning}"]
    lines += [f"  {reason}" for reason in own.reasons[:_REASONS]]
    lines += [f"  and {more} more reasons"] if more > 0 else []
    return [clean(line) for line in lines]


def sentence(split: Split) -> str:
    """Return what differs, in which batches, and the effect."""
    return clean(sentence_of(split))


def hopeless(plan: Plan) -> str:
    """Return why a plan cannot succeed with its batches, and the remedy, for the first split."""
    split = plan.breaking[0]
    more = f" (and {len(plan.breaking) - 1} more)" if len(plan.breaking) > 1 else ""
    if split.outside:
        silent = {entry.switch for entry in plan.unknown}.issuperset(split.outside)
        state = "was not reached" if silent else "is not in this plan"
        return (
            f"this plan cannot succeed: {clean(split.what)}: the other end, "
            f"{_names(split.outside)}, {state}{more}"
        )
    at_once = "" if plan.window else "; use `plan --one-batch` to change all ends in one batch"
    return f"this plan cannot succeed in these batches: {sentence(split)}{more}{at_once}"


def stage(step: Stage, *, window: bool) -> str:
    """Return the step of a plan and the switches it waits for. window: --one-batch was used."""
    waits = f"; it waits for {_names(step.waits)}, not in this plan" if step.waits else ""
    drains = any(keeps.drained for keeps in step.kept.values())
    now = step.number == 1 and not (step.waits or window or drains)
    at_once = "; use `plan --one-batch` to change all ends in one batch" if now else ""
    return f"step {step.number} of {step.of}: {clean(step.said)}{waits}{at_once}"


def kept_lines(entries: Iterable[Entry]) -> list[str]:
    """Return the unmanaged configuration that stays, with its switches."""
    return _by_line("kept", ((entry.switch, entry.kept) for entry in entries))


def release_lines(entries: Iterable[Entry]) -> list[str]:
    """Return each difference of running and named release, with its switches."""
    told = ((entry.switch, (entry.release,)) for entry in entries if entry.release)
    return _by_line("release", told)


def _by_line(word: str, lines_of: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    """Return each line once, with its switches."""
    switches: dict[str, list[str]] = defaultdict(list)
    for switch, lines in lines_of:
        for line in lines:
            switches[line].append(switch)
    return [f"{word}: {_names(names)}: {clean(line)}" for line, names in switches.items()]


def _group(group: list[Entry]) -> Iterator[str]:
    first = group[0]
    yield f"{first.risk}: {_names([entry.switch for entry in group])}"
    for reason in first.reasons[:_REASONS]:
        yield from rule_lines(reason.risk, _where(reason), reason.why)
    if len(first.reasons) > _REASONS:
        yield f"  and {len(first.reasons) - _REASONS} more"
    yield from (f"  {clean(line)}" for line in first.diff.splitlines())
    yield ""


def _where(reason: Reason) -> str:
    return place_of_rule(reason.file, reason.where, reason.more, reason.kind)


def _names(names: Iterable[str]) -> str:
    return shortened(list(names), _NAMES)


def markdown(plan: Plan) -> str:
    """Return a comment for a pull request: a table, then folded lines up to the limit."""
    lines = [
        "<!-- fabricgen:plan -->",
        f"**fabricgen {headline(plan)}**",
        "",
        f"Approve it by its hash: `{plan.sha256}`",
    ]
    found = groups(plan.changing)
    if found:
        lines += ["", *markdown_table(("risk", "switches", "why"), map(_row, found[:100]))]
    if plan.batches:
        lines += ["", *_batches(plan)]
    if plan.step is not None:
        lines += ["", f"**{cell(stage(plan.step, window=plan.window))}**"]
    lines += [f"- not by steps: {cell(why)}" for why in plan.bound]
    if plan.splits:
        lines += ["", *(f"- split: {cell(sentence(split))}" for split in plan.splits[:50])]
    lines += [f"- {cell(line)}" for line in kept_lines(plan.switches)[:50]]
    lines += [f"- {cell(line)}" for line in release_lines(plan.switches)[:50]]
    if plan.breaking:
        lines += ["", f"**{cell(hopeless(plan))}**"]
    if plan.unknown:
        rows = [f"- {it.state}: {it.switch}: {cell(it.said)}" for it in plan.unknown[:50]]
        lines += ["", *rows]
    return comment(lines, map(_folded, found), len(found), "are in the plan file.")


def _row(group: list[Entry]) -> tuple[str, ...]:
    why = "; ".join(dict.fromkeys(reason.why for reason in group[0].reasons[:3]))
    return str(group[0].risk), cell(_names([entry.switch for entry in group])), cell(why)


def _batches(plan: Plan) -> Iterator[str]:
    """Yield the batches with their numbers, to which splits refer."""
    for number, batch in enumerate(plan.batches[:50], 1):
        yield f"- batch {number}: {cell(_names(batch.switches))}"
    if len(plan.batches) > 50:
        yield f"- and {len(plan.batches) - 50} more"


def _folded(group: list[Entry]) -> str:
    head = f"{group[0].risk}: {_names([entry.switch for entry in group])}"
    return folded(head, group[0].diff.splitlines())
