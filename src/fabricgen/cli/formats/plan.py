"""Prints a plan as text for people, as its document, and as a comment for reviewers.

Switches with the same change are shown once.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

from fabricgen.cli.formats.document import cell, comment, folded, place_of_rule, rule_lines
from fabricgen.cli.plain import clean
from fabricgen.core.tables import markdown_table
from fabricgen.core.tree.risk import named
from fabricgen.core.units import shortened
from fabricgen.operate.deploy.plan.document import Entry, Plan, Reason, Split, Stage, as_text

_NAMES = 8
_REASONS = 12
_TOKEN, _HIDDEN = re.compile(r"<<hidden:[0-9a-f]{12}>>"), "<<hidden>>"


def show(plan: Plan, form: str) -> str:
    """Return a plan in a format."""
    return {"text": text, "json": as_text, "markdown": markdown}[form](plan)


def groups(entries: Iterable[Entry]) -> list[list[Entry]]:
    """Put together switches whose change is the same, the worst first.

    The token of a secret is another one on every switch; that alone makes no other change.
    """
    alike: dict[tuple[str | None, str, frozenset[str]], list[Entry]] = defaultdict(list)
    for entry in entries:
        reasons = tuple(
            each.model_copy(update={"where": _TOKEN.sub(_HIDDEN, each.where)})
            for each in entry.reasons
        )
        diff = _TOKEN.sub(_HIDDEN, entry.diff)
        shown = entry.model_copy(update={"reasons": reasons, "diff": diff})
        alike[entry.risk, diff, frozenset(map(str, reasons))].append(shown)
    return sorted(alike.values(), key=lambda group: -named(str(group[0].risk)))


def headline(plan: Plan) -> str:
    """Return one line: how many switches, how many of them change, how much it hurts."""
    switches, changing = len(plan.switches), plan.changing
    risks = Counter(str(entry.risk) for entry in changing)
    hurt = ", ".join(
        f"{risks[word]} {word}" for word in sorted(risks, key=lambda word: -named(word))
    )
    parts = [f"{len(changing)} of {switches} switches change" + (f": {hurt}" if hurt else "")]
    if plan.unknown:
        parts.append(f"{len(plan.unknown)} not known")
    return f"plan {plan.id} of site {plan.site}: {'; '.join(parts)}"


def text(plan: Plan) -> str:
    """Changes with their reasons and lines, what is not known, the batches."""
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
    lines += kept_lines(plan.switches)
    lines += _by_line("not read", ((each.switch, each.unread) for each in plan.changing))
    lines += [f"not by steps: {clean(why)}" for why in plan.bound]
    if plan.breaking:
        lines.append(hopeless(plan))
    if plan.step is not None:
        lines.append(stage(plan.step, window=plan.window))
    return "\n".join([*lines, headline(plan)]) + "\n"


def sentence(split: Split) -> str:
    """Say what differs, from which batch to which, and what that does."""
    differs = f": {clean(split.differs)}" if split.differs else ""
    away = f"; not in this plan: {len(split.outside)} of its ends" if split.outside else ""
    return f"{clean(split.what)}{differs}, {_span(split)}: {clean(split.effect)}{away}"


def _span(split: Split) -> str:
    """Say from which batch to which; how long, where something breaks and batches were measured."""
    begin = f"from batch {split.begins}" if split.begins else "now"
    if split.ends is None:
        return f"{begin} on"
    span = f"{begin} to batch {split.ends}"
    if split.begins == split.ends:
        span = f"while batch {split.begins} changes"
    if split.seconds is None:
        return f"{span} (how long was not measured here)" if split.breaks else span
    return f"{span} (about {split.seconds} s)"


def hopeless(plan: Plan) -> str:
    """Say why a plan cannot succeed as batched, and what to do; of what breaks first."""
    split = plan.breaking[0]
    more = f" (and {len(plan.breaking) - 1} more)" if len(plan.breaking) > 1 else ""
    if split.outside:
        silent = {entry.switch for entry in plan.unknown}.issuperset(split.outside)
        return (
            f"this plan cannot succeed: {clean(split.what)}: the other end, "
            f"{_names(split.outside)}, {'cannot be looked at' if silent else 'is not in this plan'}"
            f"{more}"
        )
    at_once = "" if plan.window else "; `plan --one-batch` changes all ends in one batch"
    return f"this plan cannot succeed in these batches: {sentence(split)}{more}{at_once}"


def stage(step: Stage, *, window: bool) -> str:
    """Say which step of a change a plan is, and for whom it waits. window: it was asked for."""
    waits = f"; it waits for {_names(step.waits)}, not in this plan" if step.waits else ""
    drains = any(keeps.drained for keeps in step.kept.values())
    now = step.number == 1 and not (step.waits or window or drains)
    at_once = "; `plan --one-batch` changes all ends at once instead" if now else ""
    return f"step {step.number} of {step.of}: {clean(step.said)}{waits}{at_once}"


def kept_lines(entries: Iterable[Entry]) -> list[str]:
    """Say what others own and stays, and on which switches."""
    return _by_line("kept", ((each.switch, each.kept) for each in entries))


def _by_line(word: str, lines_of: Iterable[tuple[str, Iterable[str]]]) -> list[str]:
    """Say each line once, with the switches that have it."""
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
    """A comment for a pull request: a table, the lines folded, cut to what a comment holds."""
    lines = [
        "<!-- fabricgen:plan -->",
        f"**fabricgen {headline(plan)}**",
        "",
        f"Approve it by its hash: `{plan.sha256}`",
    ]
    alike = groups(plan.changing)
    if alike:
        lines += ["", *markdown_table(("risk", "switches", "why"), map(_row, alike[:100]))]
    if plan.batches:
        lines += ["", *_batches(plan)]
    if plan.step is not None:
        lines += ["", f"**{cell(stage(plan.step, window=plan.window))}**"]
    lines += [f"- not by steps: {cell(why)}" for why in plan.bound]
    if plan.splits:
        lines += ["", *(f"- split: {cell(sentence(split))}" for split in plan.splits[:50])]
    lines += [f"- {cell(line)}" for line in kept_lines(plan.switches)[:50]]
    if plan.breaking:
        lines += ["", f"**{cell(hopeless(plan))}**"]
    if plan.unknown:
        said = [f"- {it.state}: {it.switch}: {cell(it.said)}" for it in plan.unknown[:50]]
        lines += ["", *said]
    return comment(lines, map(_folded, alike), len(alike), "are in the plan's file.")


def _row(group: list[Entry]) -> tuple[str, ...]:
    why = "; ".join(dict.fromkeys(reason.why for reason in group[0].reasons[:3]))
    return str(group[0].risk), cell(_names([entry.switch for entry in group])), cell(why)


def _batches(plan: Plan) -> Iterator[str]:
    """Yield the order: the numbers of batches are what splits are told in."""
    for number, batch in enumerate(plan.batches[:50], 1):
        yield f"- batch {number}: {cell(_names(batch.switches))}"
    if len(plan.batches) > 50:
        yield f"- and {len(plan.batches) - 50} more"


def _folded(group: list[Entry]) -> str:
    head = f"{group[0].risk}: {_names([entry.switch for entry in group])}"
    return folded(head, group[0].diff.splitlines())
