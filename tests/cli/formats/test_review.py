"""A review as text, as a comment of bounded size, and as JSON of the published schema."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from fabricgen.api.review_comment import MARKER, MOST_BYTES, MOST_LINES, markdown
from fabricgen.api.review_data import data
from fabricgen.cli.formats.document import document
from fabricgen.cli.formats.review import text
from fabricgen.core.diagnostics import Position
from fabricgen.core.tree.risk import Risk
from fabricgen.review.model import (
    INTENT,
    Act,
    Batch,
    Block,
    Cause,
    Effect,
    Hit,
    Loss,
    Order,
    Reason,
    Review,
    Shape,
    Unexplained,
)

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "docs/reference/review.schema.json").read_text())
CAUSE = Cause(
    kind=INTENT,
    path=("tenants", "acme", "vlans", "web", "id"),
    before="300",
    after="310",
    old=Position("tenants/acme.yaml", 6, 9),
    new=Position("tenants/acme.yaml", 7, 9),
)
EFFECT = Effect(
    act=Act.CHANGED,
    kind="vlan",
    name="310",
    text="VLAN 310: VNI 10300 → 10310",
    on=("leaf1", "leaf2"),
    causes=(0,),
    risk=Risk.SESSION_RESET,
)
SHAPE = Shape(
    file="eos.cfg",
    place=("interface {1}",),
    removed=("mtu 9100",),
    added=("mtu 9214", "description {2}"),
    rows=(("leaf1", "Ethernet1", "gpu1"), ("leaf2", "Ethernet2", "gpu2")),
)
BLOCK = Block(
    folders=("f/leaf1", "f/leaf2"),
    shapes=(SHAPE,),
    risk=Risk.SESSION_RESET,
    status="changed",
    added=4,
    removed=2,
    reasons=(
        Reason(
            risk=Risk.SESSION_RESET,
            file="eos.cfg",
            place="interface Ethernet1 > mtu",
            more=1,
            kind="changed",
            why="the link flaps",
            source="a manual",
            known=True,
        ),
    ),
)
HIT = Hit(
    loss=Loss.LEG,
    network="frontend",
    servers=("gpu0005",),
    gpus=8,
    tenants=("acme",),
    text="loses 1 of 2 ports of frontend",
    lasts="not known: FIB update",
    drain="no drain avoids it",
)
ORDER = Order(
    batches=(
        Batch(fabric="f", switches=("leaf1",), why=""),
        Batch(fabric="f", switches=("leaf2",), why=""),
    ),
    first=("lay the cable first",),
)
REVIEW = Review(
    before="main:site",
    after="site",
    devices=12,
    causes=(CAUSE,),
    effects=(EFFECT,),
    hits=(HIT,),
    order=ORDER,
    blocks=(BLOCK,),
    radius={Risk.SESSION_RESET: 2},
)
NOTHING = Review(before="a", after="b", devices=12, effects=(), blocks=(), hits=(), order=Order())


def many(number: int) -> Review:
    effects = tuple(
        replace(EFFECT, name=str(n), text=f"VLAN {n} added " + "x" * 200) for n in range(number)
    )
    blocks = tuple(
        replace(BLOCK, folders=(f"f/leaf{n}",), shapes=(replace(SHAPE, added=("y" * 500,)),) * 30)
        for n in range(number)
    )
    return replace(REVIEW, effects=effects, blocks=blocks)


def test_the_summary_states_what_who_risk_and_order() -> None:
    head = markdown(REVIEW).split("<details")[0]
    assert head.startswith(f"{MARKER}\n**VLAN 310: VNI 10300 → 10310**\n")
    assert "| who is hit | gpu0005 (tenant acme, 8 GPUs): loses 1 of 2 ports of frontend." in head
    assert "| risk | 2 of 12 switches and servers change: 2 session-reset (+4 -2 lines) |" in head
    assert "| order | F in 2 batches of 1, 1, first leaf1. Lay the cable first |" in head
    assert head.count("\n") <= 11


def test_each_effect_is_under_its_cause_with_the_place_in_the_intent() -> None:
    rows = markdown(REVIEW).splitlines()
    at = rows.index("- tenants.acme.vlans.web.id 300 → 310 (tenants/acme.yaml:7)")
    assert rows[at + 1].startswith("  - session-reset: VLAN 310: VNI 10300 → 10310, on 2 devices")


def test_lines_of_equal_shape_are_one_line_with_their_values() -> None:
    shown = markdown(REVIEW)
    assert "# 2x leaf1, leaf2 (session-reset, +4 -2 lines)" in shown
    assert "! interface {1}: mtu 9100 → 9214; + description {2}  (x2)  " in shown
    assert "[{1} = Ethernet1, Ethernet2; {2} = gpu1, gpu2]" in shown


@pytest.mark.parametrize("number", [1, 3, 40, 500])
def test_a_comment_has_a_bound_and_counts_what_it_leaves_out(number: int) -> None:
    shown = markdown(many(number))
    assert shown.count("\n") <= MOST_LINES
    assert len(shown.encode()) <= MOST_BYTES
    if number > 20:
        assert re.search(r"\d+ more lines", shown)
        assert re.search(r"# and \d+ more blocks", shown)


def test_full_shows_every_template_below_the_limit_of_the_forges() -> None:
    shown = markdown(many(9), full=True)
    assert MOST_BYTES < len(shown.encode()) < 65_536


def test_a_hostile_name_is_no_markup() -> None:
    bad = replace(EFFECT, text="</details>|\n@team `x` <script>")
    shown = markdown(replace(REVIEW, effects=(bad,)))
    assert "<script>" not in shown
    assert shown.count("</details>") == shown.count("<details")
    assert not re.search(r"(?<!\\)`x`", shown)


def test_a_fence_in_a_file_does_not_end_the_fence_of_the_comment() -> None:
    bad = replace(BLOCK, shapes=(replace(SHAPE, added=("```", "@team")),))
    assert "\n````diff\n" in markdown(replace(REVIEW, blocks=(bad,)))


def test_a_line_that_no_effect_claims_is_in_every_format() -> None:
    odd = replace(REVIEW, unexplained=(Unexplained(folder="f/leaf1", file="eos.cfg", line="zz 1"),))
    assert "not explained" in markdown(odd).split("<details")[0]
    assert "f/leaf1/eos.cfg: zz 1" in text(odd)
    assert json.loads(document(data(odd)))["unexplained"][0]["line"] == "zz 1"


def test_nothing_is_said_as_nothing() -> None:
    assert "no differences in 12 switches and servers" in markdown(NOTHING)
    assert "nobody" in markdown(NOTHING)
    assert "<details" not in markdown(NOTHING)


def test_the_text_has_every_place_with_full() -> None:
    wide = replace(SHAPE, rows=tuple((f"leaf{n}", f"Ethernet{n}", f"gpu{n}") for n in range(20)))
    every = replace(REVIEW, blocks=(replace(BLOCK, shapes=(wide,)),))
    assert "and 14 more places (--full)" in text(every)
    assert "leaf19  Ethernet19  gpu19" in text(every, full=True)


@pytest.mark.parametrize("review", [REVIEW, NOTHING, replace(NOTHING, hits=None, order=None)])
def test_the_json_obeys_its_schema(review: Review) -> None:
    given: Any = json.loads(document(data(review, verdict="as declared", reasons=["x"])))
    jsonschema.Draft202012Validator(SCHEMA).validate(given)


def test_not_known_is_never_nobody() -> None:
    shown = markdown(replace(NOTHING, hits=None, order=None))
    assert "nobody" not in shown
    assert shown.lower().count("not known") == 2
