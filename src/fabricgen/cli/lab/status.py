"""Implements `fabricgen lab status`, which compares every running switch with the model."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from fabricgen.cli.formats.document import document
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
    from fabricgen.operate.lab.place import Place
    from fabricgen.prove.runs import Expected


@click.command("status")
@lab_option
@data_option
@click.option("--deep", is_flag=True, help="Ask each switch what a reload would change, too.")
@click.option("--settle", default=0, metavar="SECONDS", help="Seconds to wait for convergence.")
@one_line
def command(lab: str | None, form: str, settle: int, *, deep: bool) -> int:
    """Compare every switch of a running lab with the model of the intent it was given last.

    That is the one the lab was booted from, or was pushed since; `fabricgen verify SITE --lab NAME`
    compares with another.

    Exit codes: 0 all as designed, 1 something differs, 2 something is not there yet.
    """
    from fabricgen.operate.lab.client import LabClient
    from fabricgen.operate.lab.place import chosen
    from fabricgen.operate.lab.reload import reload_differences
    from fabricgen.prove.verifier import Verifier

    place = chosen(lab)
    client = LabClient(place.socket)
    broken = client.call("broken")
    wanted, pushed = _wanted(place)
    looks = Verifier(client.ask, wanted).settle(settle)
    differences = [each for look in looks.values() for each in look.differences]
    reload = reload_differences(client, looks) if deep else {}
    changes = [sentence for sentences in reload.values() for sentence in sentences]
    if form == "json":
        data = {"lab": place.name, "broken": broken}
        data |= {"differences": [each.as_data() for each in differences]}
        data |= {"reload": reload} if deep else {}
        say(document(data), nl=False)
    else:
        out, facts = console(), place.facts()
        out.print(f"lab [bold]{place.name}[/], {facts['way']}")
        if pushed:
            out.print(f"{pushed} of {len(wanted)} switches beside the intent that was pushed there")
        out.print(table_of(looks, broken))
        if outside := outside_of(looks):
            out.print(outside)
        for name, kinds in broken.items():
            out.print(f"broken: {name} ({', '.join(kinds)})", markup=False)
        for each in differences:
            out.print(f"{each.kind}: {each.sentence}", markup=False)
        if deep:
            clean = sum(not sentences for sentences in reload.values())
            out.print(f"a reload of its own files changes nothing on {clean} of {len(reload)}")
            out.print("\n".join(changes), markup=False, end="\n" if changes else "")
    if changes or any(look.wrong for look in looks.values()):
        return 1
    return 2 if differences else 0


def _wanted(place: Place) -> tuple[dict[str, Expected], int]:
    """Return what each switch must show by the intent it was given last; how many were pushed."""
    from fabricgen.operate.lab.given import given
    from fabricgen.prove.verifier import expectations

    site, plan = compiled_lab(place)
    intents = given(place, plan.names)
    wanted = expectations(site, plan.names, plan.answered)
    for intent in set(intents.values()) - {place.intent}:
        pushed = expectations(compiled_lab(place, intent)[0], plan.names, plan.answered)
        wanted |= {name: it for name, it in pushed.items() if intents[name] == intent}
    return wanted, sum(intent != place.intent for intent in intents.values())
