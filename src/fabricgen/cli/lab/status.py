"""Implements `fabricgen lab status`, which compares every running switch with the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.formats.document import document
from fabricgen.cli.help import define_verb
from fabricgen.cli.lab.terminal import (
    compiled_lab,
    lab_option,
    one_line,
    outside_of,
    table_of,
)
from fabricgen.cli.output import data_option
from fabricgen.cli.plain import console, say

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rich.console import Console

    from fabricgen.model.settings.watching import WatchLimits
    from fabricgen.operate.lab.place import Place
    from fabricgen.prove.catalogue.model import Finding, Result
    from fabricgen.prove.differences import Difference
    from fabricgen.prove.runs import Expected
    from fabricgen.prove.verifier import Look


@define_verb(
    "status",
    examples=("lab status", "lab status --lab lab --settle 60 --deep"),
    codes={0: "As designed", 1: "Error, or differences", 2: "Not converged yet"},
)
@lab_option
@data_option
@click.option("--deep", is_flag=True, help="Also show the changes that a reload would make.")
@click.option("--settle", default=0, metavar="SECONDS", help="Seconds to wait for convergence.")
@one_line
def command(lab: str | None, form: str, settle: int, *, deep: bool) -> int:
    """Compare a lab with the model.

    The verb runs the checks of `fabricgen verify`. The model is made from the last booted or pushed
    intent. `fabricgen verify SITE --lab NAME` compares with another intent.
    """
    from fabricgen.api.verify_data import finding
    from fabricgen.intent.source import SourceMap
    from fabricgen.operate.lab.client import LabClient
    from fabricgen.operate.lab.place import chosen
    from fabricgen.operate.lab.reload import reload_differences
    from fabricgen.operate.state.verified import results_of
    from fabricgen.prove.catalogue.load import catalogue
    from fabricgen.prove.catalogue.model import Severity
    from fabricgen.prove.verifier import Verifier

    place = chosen(lab)
    client = LabClient(place.socket)
    broken = client.call("broken")
    expected, pushed, limits = _expected(place)
    looks = Verifier(client.ask, expected).settle(settle)
    differences = [found for look in looks.values() for found in look.differences]
    ruled = _ruled(results_of(looks, catalogue(), limits), differences)
    reload = reload_differences(client, looks) if deep else {}
    changes = [sentence for sentences in reload.values() for sentence in sentences]
    if form == "json":
        data = {"lab": place.name, "broken": broken}
        data |= {"differences": [found.as_data() for found in differences]}
        data |= {"findings": [finding(each, SourceMap()) for each in ruled]}
        data |= {"reload": reload} if deep else {}
        say(document(data), nl=False)
    else:
        out = console()
        out.print(f"lab [bold]{place.name}[/], {place.facts()['way']}")
        if pushed:
            out.print(f"{pushed} of {len(expected)} switches compared with the pushed intent")
        _print(out, looks, broken)
        for found in differences:
            out.print(f"{found.kind}: {found.sentence}", markup=False)
        for each in ruled:
            out.print(f"{each.severity}: {each.sentence}", markup=False)
        if deep:
            clean = sum(not sentences for sentences in reload.values())
            out.print(f"a reload changes nothing on {clean} of {len(reload)} switches")
            out.print("\n".join(changes), markup=False, end="\n" if changes else "")
    failed = any(each.severity is Severity.ERROR for each in ruled)
    if changes or failed or any(look.wrong for look in looks.values()):
        return 1
    return 2 if differences else 0


def _print(out: Console, looks: Mapping[str, Look], broken: Mapping[str, list[str]]) -> None:
    """Print the table of the switches, and the faults that a person caused."""
    out.print(table_of(looks, broken))
    if outside := outside_of(looks):
        out.print(outside)
    for name, kinds in broken.items():
        out.print(f"failed on purpose: {name} ({', '.join(kinds)})", markup=False)


def _ruled(
    results: Mapping[str, tuple[Result, ...]], differences: Iterable[Difference]
) -> list[Finding]:
    """Return the failures of the catalogue that are no differences: of rules, as `verify` does."""
    from fabricgen.prove.catalogue.model import Outcome

    said = {each.sentence for each in differences}
    return [
        each
        for own in results.values()
        for result in own
        for each in result.findings
        if each.outcome is Outcome.FAILED and each.sentence not in said
    ]


def _expected(place: Place) -> tuple[dict[str, Expected], int, WatchLimits | None]:
    """Return the expected state of each switch by its last intent, the pushed number and limits."""
    from fabricgen.operate.lab.given import given
    from fabricgen.prove.verifier import expectations

    site, plan = compiled_lab(place)
    intents = given(place, plan.names)
    expected = expectations(site, plan.names, plan.answered)
    for intent in set(intents.values()) - {place.intent}:
        pushed = expectations(compiled_lab(place, intent)[0], plan.names, plan.answered)
        expected |= {name: it for name, it in pushed.items() if intents[name] == intent}
    number = sum(intent != place.intent for intent in intents.values())
    return expected, number, site.limits
