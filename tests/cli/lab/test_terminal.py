"""The table of running switches: what it counts, and what it calls a switch."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import pytest
from tests.unit.proof.state.lab import BORDER, LEAF, RAIL, look, models
from tests.unit.proof.state.test_part import models_of_part

from fabricgen.cli.lab.terminal import outside_of, table_of
from fabricgen.cli.plain import console
from fabricgen.prove.differences import compare
from fabricgen.prove.verifier import Look

if TYPE_CHECKING:
    from rich.table import Table

    from fabricgen.nos.show import Observed
    from fabricgen.prove.runs import Expected


def looked(expected: Expected, observed: Observed, moving: tuple[str, ...] = ()) -> Look:
    return Look(
        expected=expected,
        observed=observed,
        differences=compare(expected, observed),
        moving=moving,
        first=False,
    )


def row(table: Table) -> list[str]:
    return [next(iter(column.cells)) for column in table.columns]  # type: ignore[misc]


GOOD = looked(models()[LEAF], look(LEAF))


def test_a_switch_as_designed_has_all_of_each() -> None:
    table = table_of({LEAF: GOOD}, {})
    assert [column.header for column in table.columns] == [
        *("switch", "BGP", "BFD", "LLDP", "VNIs", "routes", "")
    ]
    assert [column.justify for column in table.columns] == ["left", *["right"] * 5, "left"]
    name, bgp, bfd, lldp, vnis, routes, word = row(table)
    assert (name, word) == (LEAF, "[green]as designed[/]")
    assert bgp == "4/4"
    for counted, kind in ((bfd, "bfd"), (lldp, "cable"), (vnis, "vni"), (routes, "route")):
        there = len(GOOD.expected.of(kind))
        assert counted == (f"{there}/{there}" if there else "-")


def test_a_rail_leaf_has_no_sessions_and_none_are_counted() -> None:
    cells = row(table_of({RAIL: looked(models()[RAIL], look(RAIL))}, {}))
    assert cells[1:5] == ["-", "-", "-", "-"]


def test_sessions_that_are_down_and_objects_that_are_not_there_are_missing_from_the_count() -> None:
    early = row(table_of({LEAF: looked(models()[LEAF], look(LEAF, "early"))}, {}))
    up, wanted = early[1].split("/")
    assert int(up) < int(wanted) == 4


def test_a_switch_is_called_by_the_worst_that_is_known_of_it() -> None:
    wrong = looked(models()[LEAF], look(LEAF, "asn"))
    early = looked(models()[LEAF], look(LEAF, "early"))
    words: dict[str, tuple[Look, dict[str, list[str]]]] = {
        "[yellow]failed on purpose[/]": (wrong, {LEAF: ["down"]}),
        "[red]1 difference[/]": (wrong, {}),
        f"[yellow]{len(early.differences)} not yet[/]": (early, {"another": []}),
        "[yellow]converging[/]": (replace(GOOD, moving=("a session",)), {}),
    }
    assert wrong.wrong
    assert not early.wrong
    for word, (seen, broken) in words.items():
        assert row(table_of({LEAF: seen}, broken))[-1] == word


def test_sessions_to_what_is_not_in_the_lab_are_counted_over_all_switches() -> None:
    assert outside_of({LEAF: GOOD}) == ""
    part = models_of_part(LEAF, BORDER)
    looks = {name: looked(part[name], look(name)) for name in (LEAF, BORDER)}
    outside = sum(
        not model.waits_for(key) for model in part.values() for key in model.of("session")
    )
    assert outside > 1
    assert outside_of(looks) == (
        f"not expected to be up: {outside} BGP sessions to peers that are not in this lab"
    )


@pytest.mark.parametrize("stream", ["stdout", "stderr"])
def test_tables_have_color_only_where_it_is_wanted(
    stream: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    err = stream == "stderr"
    monkeypatch.setenv("FORCE_COLOR", "1")
    assert not console(err=err).no_color
    monkeypatch.setenv("NO_COLOR", "1")
    out = console(err=err)
    assert out.no_color
    assert (out.stderr, out.soft_wrap) == (err, True)
