"""An inventory is hostile until it is checked: nothing is run, invented or lost without a word."""

from __future__ import annotations

import json
import tracemalloc
from random import Random
from typing import TYPE_CHECKING, Any

import pytest
from tests.unit.adopt.inventories import CABLES, DEVICES, PAGE, put
from tests.unit.adopt.inventory.test_heard import BRIEF, DETAIL, JSON, JSON0
from tests.unit.adopt.inventory.test_read import BEFORE_3_3, cable, end, rest

from fabricgen.core.diagnostics import SHOWN, Code, Severity
from fabricgen.importer.inventory import rows
from fabricgen.importer.inventory.model import End
from fabricgen.importer.inventory.read import read

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

SPLIT = cable([end("leaf1", "Ethernet1")], [end("gpu1", "eth0")])
SHAPES = (JSON, JSON0, BRIEF, DETAIL, BEFORE_3_3, SPLIT, rest("role"))
ANSWERS = tuple(json.dumps(each) for each in SHAPES)
JUNK = (b'"', b",", b"\n", b"\r", b"\0", b"\xff", b"[", b"}", b"null", b"=", b"9" * 400, b"")


@pytest.mark.parametrize("cell", ["=cmd|' /C calc'!A0", "+1", "-1+2", "@SUM(A1)"])
def test_no_formula_is_taken(tmp_path: Path, cell: str) -> None:
    shown = read(put(tmp_path, {"x": DEVICES.replace("JPE1", cell)}))
    assert shown.inventory.devices[0].serial is None
    (finding,) = shown.findings
    assert (finding.code, finding.severity) == (Code.INVENTORY_VALUE, Severity.WARNING)
    assert "formula" in finding.message
    spoilt = read(put(tmp_path, {"x": DEVICES.replace("\nleaf1", f"\n{cell}")}))
    assert [each.name for each in spoilt.inventory.devices] == ["leaf2", "gpu1"]
    assert spoilt.findings[0].severity is Severity.ERROR


@pytest.mark.parametrize(
    ("before", "after", "what"),
    [
        ("leaf1", "leaf 1", "'leaf 1' is not a valid host name"),
        ("leaf1", "../etc", "'../etc' is not a valid host name"),
        ("leaf1", "l" * 300, "300 characters"),
        ("leaf1", "leaf\x1b[31m", "has unprintable characters"),
        ("r1,40", "r1,9" + "9" * 100, "is not a number from 1 to 100"),
        ("r1,40", "r1,-4", "formula"),
        ("r1,40", "r1,4e3", "'4e3' is not a number"),
    ],
)
def test_a_cell_of_another_kind_is_said(tmp_path: Path, before: str, after: str, what: str) -> None:
    shown = read(put(tmp_path, {"x": DEVICES.replace(before, after, 1)}))
    assert [what in each.message for each in shown.findings] == [True]
    place = shown.findings[0].position
    assert place is not None
    line = (tmp_path / "x").read_text().splitlines()[place.line - 1]
    assert line[place.column - 1 :].startswith(after.rpartition(",")[2])


def test_the_place_of_a_cell_counts_those_in_quotes(tmp_path: Path) -> None:
    text = 'name,role,model,asn\n"leaf1","a, ""b""",7050CX3-32S,many\n'
    (finding,) = read(put(tmp_path, {"x": text})).findings
    assert finding.position is not None
    assert text.splitlines()[1][finding.position.column - 1 :] == "many"


@pytest.mark.parametrize("mark", ["utf-8-sig", "utf-16"])
def test_a_byte_order_mark_is_no_part_of_a_heading(tmp_path: Path, mark: str) -> None:
    (tmp_path / "x").write_bytes(DEVICES.replace("\n", "\r\n").encode(mark))
    shown = read(tmp_path)
    assert len(shown.inventory.devices) == 3
    assert shown.findings == ()


def test_latin_1_is_read_and_said(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(DEVICES.replace("berlin", "münchen").encode("latin-1"))
    shown = read(tmp_path)
    assert {each.site for each in shown.inventory.devices} == {"münchen"}
    assert [each.severity for each in shown.findings] == [Severity.WARNING]


@pytest.mark.parametrize("delimiter", [";", "\t", "|"])
def test_what_stands_between_cells_is_seen(tmp_path: Path, delimiter: str) -> None:
    text = DEVICES.replace(",", delimiter)
    assert len(read(put(tmp_path, {"x": text})).inventory.devices) == 3


@pytest.mark.parametrize(
    "text",
    [
        DEVICES + "leaf9,leaf\n",
        DEVICES + "leaf9," + "x" * 200_000 + ",,,,,,,,\n",
        DEVICES + 'leaf9,"leaf\n',
        DEVICES.replace("serial", "platform"),
        DEVICES.replace("name,", "nom,").replace("role", "name_of"),
    ],
    ids=["a short row", "a long cell", "an open quote", "two of one name", "no name"],
)
def test_csv_that_is_broken_is_said(tmp_path: Path, text: str) -> None:
    shown = read(put(tmp_path, {"x.csv": text}))
    assert "leaf9" not in {each.name for each in shown.inventory.devices}
    assert [each.code for each in shown.findings] == [Code.INVENTORY_UNREADABLE] or shown.left


@pytest.mark.parametrize(
    ("text", "has", "known"),
    [
        ("host;role;device_type\nleaf1;leaf;x\n", "host, role, device_type", "devices have"),
        ("part,price\na,1\n", "part, price", "cables have device_a and port_a; devices have"),
        ("", "none", "devices have device_type and name; interfaces have"),
    ],
    ids=["no name", "another thing", "nothing"],
)
def test_a_table_of_nothing_that_is_read_names_columns(
    tmp_path: Path, text: str, has: str, known: str
) -> None:
    put(tmp_path, {"x.csv": text})
    for place, severity in ((tmp_path / "x.csv", Severity.ERROR), (tmp_path, Severity.WARNING)):
        (finding,) = read(place).findings
        assert (finding.code, finding.severity) == (Code.INVENTORY_UNREADABLE, severity)
        assert finding.message.endswith(f"its columns: {has}")
        assert known in finding.hint
    assert read(tmp_path, ["x.csv"]).findings == ()  # beside configurations it may be anything


def test_one_file_that_says_nothing_of_an_inventory_is_said(tmp_path: Path) -> None:
    put(tmp_path, {"x.json": '{"PORT": {}}'})
    assert [each.severity for each in read(tmp_path / "x.json").findings] == [Severity.ERROR]
    assert read(tmp_path).findings == ()


def test_rows_are_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rows, "MOST_ROWS", 1000)
    text = "name,model\n" + "".join(f"gpu{n},Server\n" for n in range(50_000))
    place = put(tmp_path, {"x": text})
    tracemalloc.start()
    shown = read(place)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(shown.inventory.devices) == 1000
    assert "too many rows: only the first 1,000 are read" in shown.findings[0].message
    assert peak < 8 * len(text) + 2_000_000


def test_what_is_wrong_is_told_in_part_and_counted(tmp_path: Path) -> None:
    text = "name,model\n" + "a b,Server\n" * 500
    findings = read(put(tmp_path, {"x": text})).findings
    assert len(findings) == SHOWN + 1
    assert findings[-1].message == "480 more errors in this file"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[" * 100_000, "too deep"),
        ('[{"name": NaN}]', "NaN is not a number"),
        ("{", "invalid JSON"),
        ('{"results": [{"a": 1}], "next": "x"}', "one page of several"),
        ('[{"a": 1}]', "ignored objects of unknown kinds: 1"),
        ('{"lldp": 7}', "LLDP answer of an unknown form"),
        ('{"lldpNeighbors": [[]]}', "LLDP answer of an unknown form"),
    ],
)
def test_json_that_is_odd_is_said(tmp_path: Path, text: str, what: str) -> None:
    findings = read(put(tmp_path, {"x.json": text})).findings
    assert what in findings[0].message


def test_huge_numbers_cost_nothing(tmp_path: Path) -> None:
    text = '[{"asn": ' + "9" * 1_000_000 + ', "rir": null}, {"asn": 1e999, "rir": null}]'
    shown = read(put(tmp_path, {"x.json": text}))
    assert shown.inventory.asns == ()
    assert len(shown.findings) == 2


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").write_text(DEVICES)
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "x.csv").symlink_to(tmp_path / "outside")
    shown = read(tmp_path / "in")
    assert shown.inventory.devices == ()
    assert shown.findings[0].code == Code.INVENTORY_UNREADABLE


def test_of_two_with_one_name_the_first_is_taken(tmp_path: Path) -> None:
    shown = read(put(tmp_path, {"x": DEVICES + "GPU1,server,Generic,Other,,,x,,,active\n"}))
    assert shown.inventory.named["gpu1"].kind == "Server"
    assert [each.code for each in shown.findings] == [Code.INVENTORY_DISAGREES]


@pytest.mark.parametrize(
    ("row", "what"),
    [
        ("leaf1,Ethernet1/1,leaf2,Ethernet9/1,,", "has a cable to gpu1:eth0"),
        ("leaf1,Ethernet9/1,leaf1,ethernet9/1,,", "both ends in leaf1:Ethernet9/1"),
        (
            "leaf1,Ethernet9/1,leaf3,Ethernet9/1,,",
            "leaf3 has a cable but is not listed as a device",
        ),
        ("leaf1,Ethernet9/1,,,,", "far device is missing"),
        ("leaf1,Ethernet9/1,leaf2,Ethernet9/1,many,", "'many' is not a length"),
    ],
)
def test_a_cable_that_cannot_be_is_said(tmp_path: Path, row: str, what: str) -> None:
    shown = read(put(tmp_path, {"x": DEVICES, "y": f"{CABLES}{row}\n"}))
    assert any(what in each.message for each in shown.findings)
    assert shown.inventory.plugged["leaf1", "ethernet1/1"] == End("gpu1", "eth0")


def test_the_same_cable_twice_is_one(tmp_path: Path) -> None:
    again = "gpu1,eth0,leaf1,Ethernet1/1,,\n"
    shown = read(put(tmp_path, {"x": CABLES + again}))
    assert len(shown.inventory.cables) == 2
    assert shown.findings == ()


def test_a_loop_of_cables_is_as_good_as_any_other(tmp_path: Path) -> None:
    ring = "device_a,port_a,device_b,port_b\na,1,b,2\nb,1,c,2\nc,1,a,2\n"
    assert len(read(put(tmp_path, {"x": ring})).inventory.cables) == 3


@pytest.mark.parametrize("seed", range(8))
def test_whatever_a_file_has_it_is_read_or_said(tmp_path: Path, seed: int) -> None:
    letters = Random(seed)
    for _ in range(60):
        text = bytearray(letters.choice((DEVICES, CABLES, PAGE, *ANSWERS)).encode())
        for _ in range(letters.randint(1, 6)):
            at = letters.randrange(len(text) + 1)
            text[at : at + letters.randint(0, 9)] = letters.choice(JUNK)
        (tmp_path / "x.json").write_bytes(text)
        read(tmp_path)


@pytest.mark.parametrize("value", [None, 7, True, "x", [], {}, [[]], [None], {"value": None}])
def test_json_of_any_shape_is_read_or_said(tmp_path: Path, value: object) -> None:
    def every(whole: Any) -> Iterator[Any]:
        """Yield copies of which one part is another value."""
        yield value
        if isinstance(whole, dict):
            yield from ({**whole, key: x} for key in whole for x in every(whole[key]))
        elif isinstance(whole, list):
            yield from ([x] for each in whole for x in every(each))

    for answer in ANSWERS:
        for whole in every(json.loads(answer)):
            (tmp_path / "x.json").write_text(json.dumps(whole))
            read(tmp_path)
