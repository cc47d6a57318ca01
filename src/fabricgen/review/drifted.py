"""Reads the drift of one switch as neutral differences: sentence, place in the intent and risk.

The grammar of the platform reads the running configuration and the rendered one. Other lines have
the meaning of the risk rule that classifies them.
"""

import re
from collections.abc import Iterable, Sequence

from fabricgen.compile.output.risks import platform_of
from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.core.tree.facts import (
    Disagreement,
    Key,
    Value,
    attribute_word,
    spelled,
    subject_of,
)
from fabricgen.core.tree.judge import JOINED, worst
from fabricgen.core.tree.risk import Change, Kind, Risk
from fabricgen.review.attribution import Design
from fabricgen.review.compare import compare
from fabricgen.review.diff_parts import Parts
from fabricgen.review.differences import FactDifference
from fabricgen.review.facts import meaning

_LONGEST = 240
"""Number of characters of a sentence."""


@record(kw_only=True)
class Drift:
    """One difference of a running configuration from the rendered one.

    Attributes:
        subject: The object for people. Empty for a line without a fact.
        rest: The difference, without its subject.
        risk: Class of the change that a push would make.
        effect: Effect of that change on traffic, which is the reason of the risk rule.
        intent: Place of the object in the intent. Empty if the intent does not have it.
        key: The neutral object. Empty for a line without a fact.
        attribute: The differing attribute. Empty for a complete object.
        running: Value on the switch. Empty if absent.
        rendered: Value of the design. Empty if absent.
    """

    subject: str = ""
    rest: str
    risk: Risk
    effect: str
    intent: IntentPath = ()
    key: Key = ()
    attribute: str = ""
    running: str = ""
    rendered: str = ""

    @property
    def sentence(self) -> str:
        """Return the difference as a sentence."""
        return f"{self.subject}{self.rest}"


def drift_of(folder: str, parts: Parts, design: Design) -> tuple[Drift, ...]:
    """Return the differences of a switch, the highest risk first.

    Args:
        folder: Folder of the switch in a rendered tree.
        parts: Running and rendered files, without secrets.
        design: Design of the site.
    """
    name, files = folder.rpartition("/")[2], (parts.before, parts.after)
    compared = compare({folder: files[0]}, {folder: files[1]})
    changes = compared.changes(folder) if folder in compared.first else ()
    found = meaning(platform_of(folder, files[1]), design.models.get(folder), files, changes)
    reasons = design.reasons(name)
    drifts = [_fact(each, changes, reasons.get(each.designed, ())) for each in found.facts]
    drifts += map(_line, (*found.settings, *found.unknown))
    return tuple(sorted(drifts, key=lambda each: -each.risk))


def _fact(each: FactDifference, changes: Sequence[Change], paths: Sequence[IntentPath]) -> Drift:
    own = _lines_of(each, changes)
    risk = worst(own)
    return Drift(
        subject=subject_of(each.key),
        rest=_short(_rest(each)),
        risk=risk,
        effect=next((it.rule.why for it in own if it.risk is risk), ""),
        intent=paths[0] if paths else (),
        key=each.key,
        attribute=each.attribute,
        running=spelled(each.before) if each.before else "",
        rendered=spelled(each.after) if each.after else "",
    )


def _lines_of(each: FactDifference, changes: Iterable[Change]) -> list[Change]:
    """Return the changes that name an object; without one, all changes."""
    every = [*changes]
    names = each.designed[1:]
    if not names:
        return every
    word = re.compile(rf"(?<![\w/]){re.escape(names[-1])}(?![\w/])")
    return [it for it in every if any(map(word.search, it.where))] or every


def _rest(each: FactDifference) -> str:
    """Return a difference without its subject."""
    if not each.attribute:
        return " is missing" if each.before is None else " is not in the design"
    if isinstance(each.before, tuple) and isinstance(each.after, tuple):
        word = attribute_word(each.key[0], each.attribute)
        return f": {word} {_lists(each.before, each.after)}"
    disagreement = Disagreement(
        key=each.key, attribute=each.attribute, designed=each.after, witnessed=each.before
    )
    return disagreement.sentence().removeprefix(subject_of(each.key))


def _lists(running: tuple[Value, ...], rendered: tuple[Value, ...]) -> str:
    """Return the items that only one of two lists has."""
    lacks = tuple(item for item in rendered if item not in running)
    extra = tuple(item for item in running if item not in lacks and item not in rendered)
    parts = [f"lacks {spelled(lacks)}"] if lacks else []
    parts += [f"has {spelled(extra)}, which the design does not have"] if extra else []
    return " and ".join(parts) or "has another order"


_STATES = {
    Kind.ADDED: "is missing",
    Kind.REMOVED: "is not in the design",
    Kind.CHANGED: "differs from the design",
}
"""State of a line on the switch, by what a push does with it."""


def _line(each: Change) -> Drift:
    where = JOINED.join(each.where) or "complete file"
    return Drift(
        rest=_short(f"{each.file}: `{where}` {_STATES[each.kind]}"),
        risk=each.risk,
        effect=each.rule.why,
        running=each.before,
        rendered=each.after,
    )


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"
