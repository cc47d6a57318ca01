"""Intents that can be built and are hardly meant: what is said of them, and where."""

import pytest
from tests.unit.design.sites import R128, Keys, backend, frontend, intent, switches

from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Code, Diagnostic, Severity


def warned(keys: Keys, code: Code) -> list[Diagnostic]:
    said = [item for item in design_site(intent(keys))[1] if item.code is code]
    assert {item.severity for item in said} <= {Severity.WARNING}
    return said


@pytest.mark.parametrize(
    ("servers", "speed", "words"),
    [
        (64, "400G", "with 128 servers, 504 of the 512 cables"),
        (64, "800G", "with 128 servers, 252 of the 256 cables"),
    ],
)
def test_what_doubling_recables_is_counted(servers: int, speed: str, words: str) -> None:
    keys = backend("rail-optimized", R128, servers, links={"speed": speed})
    keys["backend"]["servers"]["gpus"] = 8
    (said,) = warned(keys, Code.GROWTH_TOO_SMALL)
    assert words in said.message
    assert said.path == ("backend", "growth")


def test_nothing_is_said_where_nothing_moves() -> None:
    assert not warned(
        backend("rail-optimized", R128, 64, growth={"servers": 128}), Code.GROWTH_TOO_SMALL
    )
    assert not warned(backend("rail-only", R128, 4), Code.GROWTH_TOO_SMALL)


def test_uplinks_for_spines_that_the_nics_cannot_fill() -> None:
    def said(count: int) -> list[Diagnostic]:
        spine = switches(R128, count=count)
        unit = {"servers": 24}
        keys = backend("rail-optimized", R128, 24, spine=spine, scalable_unit=unit)
        return warned(keys, Code.UPLINKS_NOT_DIVISIBLE)

    assert not said(24)
    (one,) = said(96)
    assert one.path == ("backend", "spine", "count")


@pytest.mark.parametrize(
    ("growth", "words"),
    [
        ({}, "this fits: `links.speed: 400G`"),
        ({"servers": 2048}, "`growth.servers` below 2,048"),
    ],
)
def test_what_is_named_where_spines_lack_ports_was_tried(growth: Keys, words: str) -> None:
    count = 512 if growth else 1024
    keys = backend("rail-optimized", "SN5600", count, growth=growth, links={})
    keys["backend"]["servers"]["gpus"] = 8
    keys["backend"]["spine"] = switches("SN5600")
    said = [item for item in design_site(intent(keys))[1] if item.severity is Severity.ERROR]
    assert [item.code for item in said] == [Code.RADIX_EXCEEDED]
    assert words in said[0].hint


UNIT = {"scalable_unit": {"servers": 80}}
TOPS = {"superspine": {**switches("7060X6-64PE"), "count": 3}}


@pytest.mark.parametrize(
    ("design", "servers", "more", "hint"),
    [
        ("rail-optimized", 160, UNIT, "`scalable_unit.servers: 64`, or `oversubscription: 2`"),
        (
            "rail-optimized",
            8,
            {"rails_per_leaf": 64, "scalable_unit": {"servers": 3}},
            "this fits: `scalable_unit.servers: 1`, or `rails_per_leaf: 21`",
        ),
        ("rail-only", 200, {}, "`design: rail-optimized` with a `spine`"),
        ("three-tier", 2048, TOPS, "no `superspine.count`"),
        (
            "rail-optimized",
            64,
            {"spine": {**switches("7060X6-64PE"), "count": 4096}},
            "no `spine.count`",
        ),
    ],
)
def test_what_is_named_where_ports_lack_was_tried(
    design: str, servers: int, more: Keys, hint: str
) -> None:
    (said,) = [each for each in ported(design, servers, more) if each.severity is Severity.ERROR]
    assert said.hint.endswith(hint)


def ported(design: str, servers: int, more: Keys) -> list[Diagnostic]:
    keys = backend(design, "7060X6-64PE", servers, gpus=8, links={"speed": "400G"}, **more)
    return design_site(intent(keys))[1]


def test_where_nothing_helps_no_change_is_named() -> None:
    said = ported("rail-only", 1_000_000, {})[-1]
    assert said.hint == "no single change helps: use switches with more ports"


@pytest.mark.parametrize(
    ("per_leaf", "growth", "hint"),
    [
        (29, {}, "this fits: `per_leaf: 6`, or `growth.spines: 3`"),
        (29, {"spines": 32}, "this fits: `growth.spines: 3`"),
        (40, {}, "this fits: `per_leaf: 6`"),
    ],
)
def test_a_leaf_without_cages_says_how_many_servers_it_takes(
    per_leaf: int, growth: Keys, hint: str
) -> None:
    group = {"leafs": "1-2", "servers": {"per_leaf": per_leaf, "speed": "100G"}}
    said = design_site(intent(frontend(leaf_groups={"r": group}, growth=growth)))[1]
    assert [each.hint for each in said if each.code is Code.PORTS_EXHAUSTED] == [hint]
