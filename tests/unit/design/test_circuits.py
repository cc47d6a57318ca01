"""Lines between sites: their optics by length, loss and amplifiers, and their latency."""

import json
from typing import Any

import pytest
from tests.keys.sites import SITES
from tests.keys.test_every_key import laid

from fabricgen.compile.compiler import Compiled, compile_site
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts
from fabricgen.model.cabling.cables import cables
from fabricgen.model.cabling.lines import Line, chosen_for, fault_of
from fabricgen.model.catalog.optics import Socket, shipped_optics
from fabricgen.model.fabric.circuits import Circuit
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.plan import plan_files

OPTICS = shipped_optics()


def served(**over: Any) -> Compiled:
    """Compile the halls with an application, with other words."""
    return compile_site(load_texts({"site.yaml": json.dumps(laid(SITES["served"], over))}))


def link(**words: Any) -> Compiled:
    """Compile them with other words of their primary link, and a budget that permits it."""
    return served(dci={"wan": words}, applications={"inference": {"round_trip": 100}})


def circuit(result: Compiled, name: str = "wan") -> Circuit:
    assert result.ok, result.findings
    assert result.site is not None
    return result.site.circuits[name]


def messages(result: Compiled, code: Code) -> list[str]:
    return [each.message for each in result.findings if each.code is code]


def chosen(mode: str, form: str, **line: Any) -> str | None:
    """Return the optic of a line between two equal cages."""
    socket = Socket(forms=(form,), modes=(mode,))
    way = chosen_for(Line(**line), socket, socket, OPTICS.values()).way
    return way.near.name if way is not None else None


@pytest.mark.parametrize(
    ("mode", "form", "kilometers", "amplified", "optic"),
    [
        ("1x400G", "QSFP-DD", 8, False, "400G-LR4"),
        ("1x400G", "QSFP-DD", 40, False, "400G-ZR"),  # 40 km x 0.25 dB = 10 dB
        ("1x400G", "QSFP-DD", 41, False, "400G-ZR+HP"),
        ("1x400G", "QSFP-DD", 93, False, None),
        ("1x400G", "QSFP-DD", 8, True, "400G-ZR"),
        ("1x400G", "QSFP-DD", 120, True, "400G-ZR"),
        ("1x400G", "QSFP-DD", 121, True, "400G-ZR+"),
        ("1x400G", "QSFP-DD", 451, True, None),
        ("1x400G", "OSFP", 41, False, None),  # no high-power module in this form is known
        ("1x800G", "OSFP", 20, False, None),
        ("1x800G", "OSFP", 100, True, "800G-ZR"),
        ("1x100G", "QSFP28", 9, False, "QSFP28-100G-LR"),
        ("1x100G", "QSFP28", 88, False, "100G-ZR"),  # 88 km x 0.25 dB = 22 dB
        ("1x100G", "QSFP28", 89, False, None),
    ],
)
def test_the_length_decides_the_optic(
    mode: str, form: str, kilometers: float, *, amplified: bool, optic: str | None
) -> None:
    assert chosen(mode, form, kilometers=kilometers, amplified=amplified) == optic


def test_a_measured_loss_replaces_the_assumed_one() -> None:
    line = {"kilometers": 50, "amplified": False}
    assert chosen("1x400G", "QSFP-DD", **line, loss=9.5) == "400G-ZR"
    assert chosen("1x400G", "QSFP-DD", **line, loss=10.1) == "400G-ZR+HP"
    assert chosen("1x400G", "QSFP-DD", **line, loss=23.1) is None


@pytest.mark.parametrize(
    ("optic", "line", "fault"),
    [
        ("400G-ZR", Line(kilometers=60, amplified=False), "60 km x 0.25 dB = 15 dB"),
        ("400G-ZR", Line(kilometers=130, amplified=True), "reaches 120 km over them"),
        (
            "400G-ZR",
            Line(kilometers=150, amplified=False, loss=5),
            "tolerates 2,400 ps/nm, but the fiber has 150 km x 17 = 2,550 ps/nm",
        ),
        ("400G-ZR+", Line(kilometers=1, amplified=False), "only specified for amplified lines"),
        ("400G-LR4", Line(kilometers=12, amplified=False), "reaches 10 km"),
        ("400G-LR4", Line(kilometers=1, amplified=True), "no published reach over amplified"),
        ("400G-LR4", Line(kilometers=10, amplified=False), ""),
    ],
)
def test_an_optic_that_fails_says_the_arithmetic(optic: str, line: Line, fault: str) -> None:
    said = fault_of(OPTICS[optic], line)
    assert fault in said
    assert bool(said) is bool(fault)


def test_a_line_that_is_too_long_is_refused_with_each_reason() -> None:
    (said,) = messages(link(kilometers=90), Code.LINE_TOO_LONG)
    assert said.startswith("wan has 90 km without amplifiers at 100G: 100G-ZR tolerates 22 dB")
    assert "90 km x 0.25 dB = 22.5 dB" in said
    assert "QSFP28-100G-LR reaches 10 km" in said
    assert not messages(link(kilometers=90, amplified=True), Code.LINE_TOO_LONG)


def test_the_bill_names_the_optics_and_the_list_the_circuit() -> None:
    result = link()
    assert result.site is not None
    outside = {each.name: each for each in cables(result.site) if each.far.owner is None}
    wan = outside["east-leaf01:20"]
    assert wan.near.optic is OPTICS["100G-ZR"]
    assert (wan.far.name, wan.length.meters, wan.medium) == ("wan NET 4711", 60_000, "single-mode")
    files = {each.path: each.text for each in plan_files(Plan.of(result.site))}
    (row,) = (line for line in files["bom.csv"].splitlines() if ",100G-ZR," in line)
    assert row.startswith("optic,100G-ZR,")
    amounts = dict(zip(files["bom.csv"].splitlines()[0].split(","), row.split(","), strict=True))
    # Two cables of wan and one of spare, at each site.
    assert (amounts["east"], amounts["west"]) == ("3", "3")


def test_no_optic_is_known_where_a_carrier_ends_the_line() -> None:
    result = link(line="service", kilometers=5000)
    told = circuit(result)
    assert {end.optic for end in told.ends.values()} == {None}
    assert told.latency.microseconds == 5000 * 5 + 50


def test_the_latency_has_its_terms() -> None:
    known = circuit(link(equipment=None))
    # 60 km x 5 us, 17 us in each optic (SC-FEC), 0.8 us in each leaf.
    assert known.latency.microseconds == pytest.approx(300 + 2 * 17 + 2 * 0.8)
    assert known.latency.unknown == ()
    near = circuit(link(equipment=None, kilometers=8))
    assert near.latency.unknown == ("QSFP28-100G-LR",)
    stated = circuit(link(equipment=None, kilometers=None, milliseconds=3))
    assert (stated.latency.microseconds, stated.latency.unknown) == (3000, ())
    assert circuit(link(equipment=None, kilometers=None)).latency.unknown[0] == "the length"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ({"kilometers": 0}, "more than 0"),
        ({"kilometers": "60 km"}, "number"),
        ({"kilometers": 50_000}, "at most"),
        ({"kilometers": None}, "`equipment` needs `kilometers`"),
        ({"amplified": True, "loss": 3}, "`loss` is of fiber without amplifiers"),
        ({"line": "service", "loss": 3}, "`loss` is of fiber without amplifiers"),
        ({"line": "service", "amplified": True}, "the amplifiers of a service"),
        ({"line": "copper"}, "fiber"),
        ({"milliseconds": 3}, "`milliseconds` contains the `equipment`"),
        ({"milliseconds": "3 ms", "equipment": None}, "number"),
        ({"prefer": "secondary"}, "primary"),
    ],
)
def test_words_that_contradict_are_refused(words: dict[str, Any], said: str) -> None:
    result = link(**words)
    assert not result.ok
    found = [each for each in result.findings if each.path[:2] == ("dci", "wan")]
    assert any(said in each.message for each in found), result.findings


def test_a_tunnel_has_no_line() -> None:
    over = {"dci": {"wan": {"kilometers": 5}}}
    site = json.dumps(laid(SITES["tunneled"], over))
    found = compile_site(load_texts({"site.yaml": site})).findings
    assert any("a tunnel has no line of its own: remove `kilometers`" in e.message for e in found)
    timed = {"dci": {"wan": {"milliseconds": 5}}}
    site = json.dumps(laid(SITES["tunneled"], timed))
    told = circuit(compile_site(load_texts({"site.yaml": site})))
    assert (told.ends, told.latency.microseconds) == ({}, 5000)
