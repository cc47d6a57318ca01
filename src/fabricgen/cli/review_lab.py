"""Adds `--in-lab` to `diff`: both sides boot as FRR switches and are compared."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

import click

from fabricgen.cli.plain import say

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Mapping

    from fabricgen.compile.compiler import Compiled
    from fabricgen.intent.load import Loaded
    from fabricgen.review.lab import LabVerdict

F = TypeVar("F", bound="Callable[..., Any]")
_MACHINE = "uml"
"""Machines without root: the files of a pull request are hostile."""
CODES = {"same": 0, "differs": 2, "inconclusive": 1, "error": 1}
"""Exit code of each outcome."""

review_lab_option = click.option(
    "--in-lab",
    is_flag=True,
    help="Boot the affected part with the old and the new files and compare both labs.",
)


def compare_sides(
    before: Loaded,
    after: Loaded,
    changed: Collection[str],
    shapes: Mapping[str, str] | None = None,
) -> LabVerdict:
    """Compare two loaded sites in labs. Sites with another OS boot their design as Linux.

    Args:
        before: Side A.
        after: Side B.
        changed: Names or folders of changed switches and servers.
        shapes: Name of the shape of each changed switch, to choose representatives by.
    """
    from fabricgen.compile.compiler import compile_site
    from fabricgen.nos.registry import bootable
    from fabricgen.review.lab import INCONCLUSIVE, LabVerdict, compare_in_lab

    sides = [compile_site(loaded) for loaded in (before, after)]
    lifted = None if all(map(_boots, sides)) else bootable()[0]
    if lifted is not None:
        sides = [compile_site(loaded, lifted) for loaded in (before, after)]
    reasons = [
        why
        for word, side in zip(("old", "new"), sides, strict=True)
        for why in _why_not(word, side)
    ]
    one, other = (side.site for side in sides)
    if reasons or one is None or other is None:
        return LabVerdict(outcome=INCONCLUSIVE, reasons=tuple(reasons))
    return compare_in_lab(one, other, changed, shapes=shapes, lifted=lifted, machine=_MACHINE)


def _boots(side: Compiled) -> bool:
    """Return whether a lab can boot every switch of a site."""
    from fabricgen.nos.registry import nos_of

    fabrics = side.site.fabrics if side.site is not None else ()
    return all(nos_of(switch).boots_here for fabric in fabrics for switch in fabric.present)


def _why_not(word: str, side: Compiled) -> Iterator[str]:
    """Yield the errors of a side that a lab cannot boot."""
    from fabricgen.core.diagnostics import Severity

    if not side.ok:
        errors = [each.message for each in side.findings if each.severity is Severity.ERROR]
        yield f"the {word} side cannot boot: {'; '.join(errors[:3]) or 'it has no switch'}"


def show_verdict(verdict: LabVerdict) -> int:
    """Print a verdict and return its exit code."""
    for line in verdict_lines(verdict):
        say(line)
    return CODES[verdict.outcome]


def verdict_lines(verdict: LabVerdict) -> Iterator[str]:
    """Yield the lines of a verdict, the outcome first."""
    numbers = verdict.measured
    counts = ", ".join(f"{numbers[key]:,.0f} {key}" for key in _COUNTED if key in numbers)
    seconds = f" in {numbers['seconds']:.0f} s" if "seconds" in numbers else ""
    done = f" ({counts} compared{seconds})" if counts else ""
    yield f"lab: {verdict.outcome}{done}"
    yield from (f"  {reason}" for reason in verdict.reasons)
    yield from (f"  {difference}" for difference in verdict.differences)
    yield from (f"  note: {note}" for note in verdict.notes)
    if verdict.switches:
        yield f"  booted: {', '.join(verdict.switches)}"


_COUNTED = ("switches", "sessions", "routes", "pairs")
