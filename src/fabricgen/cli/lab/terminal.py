"""Selects the lab of a verb, reports its failures in one line and prints its tables."""

from __future__ import annotations

import functools
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ParamSpec

import click

from fabricgen.cli.candidates import complete_labs
from fabricgen.cli.plain import say
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

    from rich.table import Table

    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.lab.place import Place
    from fabricgen.operate.lab.plan import LabPlan
    from fabricgen.prove.verifier import Look

P = ParamSpec("P")

lab_option = click.option(
    "--lab",
    metavar="NAME",
    envvar="FABRICGEN_LAB",
    shell_complete=complete_labs,
    show_envvar=True,
    help="Name of the lab; required if several labs run.",
)


frr_option = click.option(
    "--frr",
    type=click.Choice(("10.3",)),
    help="FRR version from another Debian release. Default: the version of this system.",
)


def one_line(verb: Callable[P, int]) -> Callable[P, int]:
    """Print a failure of the lab in one line and return exit code 1."""

    @functools.wraps(verb)
    def reported(*args: P.args, **kwargs: P.kwargs) -> int:
        from fabricgen.operate.lab.client import LabFailure

        try:
            return verb(*args, **kwargs)
        except LabFailure as failure:
            say(f"error: {failure}", err=True)
            return 1

    return reported


def compiled_lab(place: Place, intent: Path | None = None) -> tuple[Site, LabPlan]:
    """Compile an intent, by default the copy of the intent that the lab was booted from."""
    from fabricgen.compile.compiler import compile_site
    from fabricgen.intent.load import load_site
    from fabricgen.operate.lab.layout import lay_out

    facts = place.facts()
    result = compile_site(load_site(intent or place.intent), facts["lifted"])
    assert result.site is not None
    plan = lay_out(
        result.site, name=place.name, lifted=facts["lifted"], files=(), limit=facts["limit"]
    )
    left_out = facts.get("skipped", {})
    guarded = not any(reason.startswith("zones: ") for reason in left_out)
    return result.site, replace(plan, guarded=guarded)


def table_of(looks: Mapping[str, Look], broken: Mapping[str, Any]) -> Table:
    """Return the table of `status` with a row for each switch."""
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for title, side in (
        ("switch", "left"),
        ("BGP", "right"),
        ("BFD", "right"),
        ("LLDP", "right"),
        ("VNIs", "right"),
        ("routes", "right"),
        ("", "left"),
    ):
        table.add_column(title, justify="right" if side == "right" else "left")
    for name, look in looks.items():
        expected = look.expected.of("cable").keys()
        table.add_row(
            name,
            _up(look, "session"),
            _up(look, "bfd"),
            _ratio(len(look.observed.of("cable").keys() & expected), len(expected)),
            *(
                _ratio(len(look.observed.of(kind)), len(look.expected.of(kind)))
                for kind in ("vni", "route")
            ),
            _word(look, broken=name in broken),
        )
    return table


def _up(look: Look, kind: str) -> str:
    """Return the number of sessions that are up, and the expected number."""
    from fabricgen.nos.show import ESTABLISHED, UP

    up = sum(facts["state"] in (ESTABLISHED, UP) for facts in look.observed.of(kind).values())
    return _ratio(up, sum("state" in facts for facts in look.expected.of(kind).values()))


def outside_of(looks: Mapping[str, Look]) -> str:
    """Return a line about sessions to peers outside the lab. Empty without any."""
    outside = sum(
        not look.expected.waits_for(key)
        for look in looks.values()
        for key in look.expected.of("session")
    )
    if not outside:
        return ""
    return f"not expected to be up: {outside} BGP sessions to peers that are not in this lab"


def _ratio(observed: int, expected: int) -> str:
    return f"{observed}/{expected}" if expected or observed else "-"


def _word(look: Look, *, broken: bool) -> str:
    if broken:
        return "[yellow]failed on purpose[/]"
    if look.wrong:
        return f"[red]{counted(len(look.differences), 'difference')}[/]"
    if look.differences:
        return f"[yellow]{len(look.differences)} not yet[/]"
    return "[yellow]converging[/]" if look.moving else "[green]as designed[/]"
