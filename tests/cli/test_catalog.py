"""`fabricgen catalog`: what there is, what is known of one, and what a site brings."""

import json
from pathlib import Path

import pytest
from tests.cli.calling import call

from fabricgen.model.catalog.catalog import SHIPPED

BOX = """model: Box-4
vendor: Acme
asic: unknown
source: "Acme, Box-4 data sheet"
cages:
  - {first: 1, last: 4, form: OSFP, lanes: 8, modes: {1x800G: 8, 2x400G: 4}}
platforms:
  linux: {}
"""


def site(folder: Path, text: str = BOX) -> str:
    (folder / "catalog" / "switches").mkdir(parents=True)
    (folder / "catalog" / "switches" / "acme-box-4.yaml").write_text(text)
    (folder / "site.yaml").write_text("site: {}\n")
    return str(folder)


@pytest.mark.parametrize("width", ["80", "120"])
def test_every_name_is_listed_and_no_line_is_wider_than_the_terminal(
    width: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", width)
    lines = call("catalog").out.splitlines()
    words = {line.split()[0] for line in lines if line.split()}
    optics = {optic.name for optic in SHIPPED.optics()}
    assert {*SHIPPED.switch_names(), *SHIPPED.nic_names(), *optics} <= words
    assert max(map(len, lines)) <= int(width)
    for name in ("7060X6-64PE", "SN5600", "CX732Q-N", "thor2", "Tomahawk5", "400G-DR4"):
        assert max(map(len, call("catalog", name).out.splitlines())) <= int(width)


def test_what_a_site_brings_is_marked_and_explained(tmp_path: Path) -> None:
    said = call("catalog", "--site", site(tmp_path)).out
    (line,) = (line for line in said.splitlines() if "Box-4" in line)
    assert line.split() == ["Box-4*", "4x800G", "unknown", "-", "-", "linux"]
    said = call("catalog", "Box-4", "--site", str(tmp_path)).out
    assert said.startswith("Box-4, Acme, from the catalog/ folder of the site\n")
    assert "not known its packet memory: no lossless class on it" in " ".join(said.split())
    assert "1x800G (8), 2x400G (4)" in said


def test_a_fact_that_is_refused_is_said(tmp_path: Path) -> None:
    ended = call("catalog", "--site", site(tmp_path, BOX.replace("source", "sauce")))
    assert ended.code == 1
    assert "catalog/switches/acme-box-4.yaml:1:1 FG102 the key 'source' is missing" in ended.err
    assert "Box-4" not in ended.out


def test_what_a_box_draws_is_told_with_its_source_or_as_not_known() -> None:
    said = " ".join(call("catalog", "7060X6-64PE").out.split())
    assert "height 2 RU" in said
    assert "draws 640 W typical, 2218 W maximum: Arista 7060X6 data sheet" in said
    assert "latency 700 ns: Arista" in said
    said = " ".join(call("catalog", "NH-4210-F").out.split())
    assert "not known its height in a rack" in said
    assert "not known its power: the watts of a design omit it" in said


def test_programs_read_it_as_json() -> None:
    data = json.loads(call("catalog", "--format", "json").out)
    assert data["switches"].keys() == set(SHIPPED.switch_names())
    assert data["switches"]["SN5600"]["cages"][0]["modes"]["2x400G"] == 4
    assert data["switches"]["7280R4-32QF-32DF"]["platforms"]["sonic"]["rendered"] is False
    assert data["nics"]["thor2"]["lossless_priorities"] == 1
    assert data["asics"]["Tomahawk5"]["packet_buffer"] == 167546528
    assert all(
        row["source"] for rows in data.values() if isinstance(rows, dict) for row in rows.values()
    )


def test_a_name_that_is_not_there_has_the_nearest() -> None:
    ended = call("catalog", "SN56000")
    assert (ended.code, ended.err) == (
        1,
        "error: no 'SN56000' in the catalog; did you mean 'SN5600'?\n",
    )


def test_switches_are_listed_by_the_os_and_release_that_runs_on_them() -> None:
    def on(target: str, name: str) -> str:
        return " ".join(call("catalog", name, "--on", target).out.split())

    assert "7280R4-32QF-32DF" in call("catalog", "--on", "eos").out
    assert "7280R4-32QF-32DF" not in call("catalog", "--on", "sonic").out
    assert "Arista-7060X6-64PE-P32O64" in on("sonic:202505", "7060X6-64PE")
    assert "Arista-7060X6-64PE-P32O64" not in on("sonic:202411", "7060X6-64PE")
    none = (
        "Arista-7060X6-64PE-O128S2: cages 1-64: 2x400G, 65-66: 1x10G, can be split; lossless: none"
    )
    assert none in on("sonic:202411", "7060X6-64PE")
    assert none not in on("sonic:202505", "7060X6-64PE")
    assert "sonic x86_64" not in on("eos", "7060X6-64PE")
    ended = call("catalog", "7280R4-32QF-32DF", "--on", "sonic")
    assert (ended.code, ended.out) == (1, "")
    assert "no '7280R4-32QF-32DF' in the catalog on sonic" in ended.err
    assert call("catalog", "--on", "sonic:1999").code == 64


def test_an_optic_is_explained_and_a_cage_says_what_it_takes(tmp_path: Path) -> None:
    said = " ".join(call("catalog", "OSFP-800G-2DR4").out.split())
    assert said.startswith("OSFP-800G-2DR4, transceiver")
    assert "reach 500 m of single-mode; 50 m as 4x200G" in said
    assert "power 17 W per end" in said
    said = " ".join(call("catalog", "SN5600").out.split())
    assert "2x400G: 13 optics, to 10,000 m" in said
    assert "4x50G: none known" in said
    said = " ".join(call("catalog", "DS5000").out.split())
    assert "not known the form of its cages" in said
    said = " ".join(call("catalog", "connectx-7").out.split())
    assert "1 port up to 400G each, in OSFP-RHS or QSFP112" in said
    assert "the form of its cages" in " ".join(call("catalog", "pollara-400").out.split())
    known = json.loads(call("catalog", "Box-4", "--site", site(tmp_path), "--format", "json").out)
    (row,) = known["switches"]["Box-4"]["cages"]
    assert row["optics"]["1x800G"]["OSFP-800G-DR8"] == 500
