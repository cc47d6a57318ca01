"""Limits of SONiC's software watchdog by chip and ports, and timers that cannot work."""

import json
from dataclasses import replace
from typing import Any

import pytest

from fabricgen.compile.design.roce_profiles import PROFILES
from fabricgen.core.provenance import Provenance
from fabricgen.core.units import Milliseconds
from fabricgen.model.fabric.qos import Watchdog
from fabricgen.model.lossless.watchdog import POLLED_AT_ONCE
from fabricgen.nos.sonic.limits import flaws_of
from fabricgen.nos.sonic.releases import RELEASES
from fabricgen.nos.sonic.watchdog import MANY, Watched, chip_of, flaws, longest_poll, refused

SEEN = Watched(
    chip="Tomahawk5",
    release="202605",
    priorities=1,
    ports=128,
    action="drop",
    detection=800,
    restoration=800,
)


def issues(seen: Watched) -> list[str]:
    """Return the numbers of the issues that are named."""
    return [word.strip("#).;") for why in flaws(seen) for word in why.split() if word[0] == "#"]


@pytest.mark.parametrize(
    ("chip", "ports", "named"),
    [
        ("Tomahawk3", 32, []),
        ("Tomahawk4", 64, ["29203"]),
        ("Tomahawk5", 128, ["29203"]),
        ("Tomahawk6", 128, ["29203", "29221"]),
        ("Tomahawk6", MANY, ["29203", "29221"]),
        ("Tomahawk6", MANY + 1, ["29203", "29221", "25033"]),
        ("Spectrum-5", 512, ["25033"]),
        ("Spectrum-4", 128, []),
    ],
)
def test_limits_follow_from_chip_and_ports(chip: str, ports: int, named: list[str]) -> None:
    seen = replace(SEEN, chip=chip, ports=ports)
    assert issues(seen) == named
    assert [issue for issue in named if issue == "25033"] == issues(replace(seen, action="forward"))


def test_the_sentence_has_release_arithmetic_and_priorities() -> None:
    (one,) = flaws(SEEN)
    assert "SONiC 202605 on Tomahawk5" in one
    assert "800 + 800 = 1,600 ms" in one
    assert "every storm is of this kind" in one
    (two,) = flaws(replace(SEEN, priorities=2))
    assert "2 priorities" in two


@pytest.mark.parametrize("release", RELEASES)
def test_a_poll_of_many_ports_is_compared_with_what_the_release_takes(release: str) -> None:
    (why,) = flaws(replace(SEEN, chip="Spectrum-5", ports=512, release=release))
    assert "200 x 16 = 3,200 ms" in why
    assert f"allows {longest_poll(release):,}" in why


@pytest.mark.parametrize(
    ("poll", "row", "release", "fields"),
    [
        ("200", {"detection_time": "400", "restoration_time": "400"}, "202605", []),
        ("200", {"detection_time": "200", "restoration_time": "200"}, "202605", []),
        ("2000", {"detection_time": "4000", "restoration_time": "4000"}, "202505", []),
        (
            "2000",
            {"detection_time": "4000", "restoration_time": "4000"},
            "202511",
            ["POLL_INTERVAL"],
        ),
        (
            "3400",
            {"detection_time": "3400", "restoration_time": "3400"},
            "202405",
            ["POLL_INTERVAL"],
        ),
        ("500", {"detection_time": "400", "restoration_time": "600"}, "202605", ["detection_time"]),
        (
            "500",
            {"detection_time": "600", "restoration_time": "400"},
            "202405",
            ["restoration_time"],
        ),
        (
            "200",
            {"detection_time": "5200", "restoration_time": "5200"},
            "202605",
            ["detection_time"],
        ),
        ("100", {"detection_time": "50", "restoration_time": "60001"}, "master", []),
    ],
)
def test_timers_that_cannot_work_are_named(
    poll: str, row: dict[str, str], release: str, fields: list[str]
) -> None:
    table = {"GLOBAL": {"POLL_INTERVAL": poll}, "Ethernet0": row, "Ethernet8": row}
    found = [field for field, _ in refused(table, release)]
    if row["detection_time"] == "50":
        fields = ["detection_time", "restoration_time"]
    assert found == fields


@pytest.mark.parametrize("release", RELEASES)
@pytest.mark.parametrize("profile", PROFILES)
def test_no_timer_is_written_that_cannot_work(profile: str, release: str) -> None:
    """All profiles, for as many ports as any switch of the catalog has."""
    poll, detection, restoration = PROFILES[profile].watchdog or (100, 200, 200)
    design = Watchdog(
        poll=Milliseconds(poll),
        detection=Milliseconds(detection),
        restoration=Milliseconds(restoration),
        action="drop",
        because=Provenance((), ""),
    )
    for ports in range(1, 513, POLLED_AT_ONCE - 1):
        timed = design.polling(ports)
        row = {
            "detection_time": str(int(timed.detection)),
            "restoration_time": str(int(timed.restoration)),
        }
        table = {"GLOBAL": {"POLL_INTERVAL": str(int(timed.poll))}, "Ethernet0": row}
        assert not list(refused(table, release))


def config(**tables: Any) -> dict[str, str]:
    """Return the files of a switch, as `config save` lays them out."""
    where = {"localhost": {"hwsku": "NH-4210-F-P128"}}
    watched = {"detection_time": "800", "restoration_time": "800", "action": "drop"}
    own = {
        "DEVICE_METADATA": where,
        "PFC_WD": {"GLOBAL": {"POLL_INTERVAL": "400"}, "Ethernet0": watched},
        "PORT_QOS_MAP": {"Ethernet0": {"pfc_enable": "3,4"}},
        **tables,
    }
    return {"config_db.json": json.dumps(own, indent=4), "frr.conf": "frr version 10.4.1\n"}


def test_a_file_is_read_in_whatever_layout_with_its_lines() -> None:
    files = config()
    found = list(flaws_of(files))
    assert [flaw.refused for flaw in found] == [False, False]
    assert "SONiC 202511 on Tomahawk6" in found[0].why
    assert "2 priorities" in found[0].why
    lines = files["config_db.json"].splitlines()
    assert {lines[flaw.line - 1].strip() for flaw in found} == {'"PFC_WD": {'}
    del files["frr.conf"]
    assert "SONiC 202605 (assumed) on Tomahawk6" in next(iter(flaws_of(files))).why


def test_a_poll_that_the_release_refuses_is_an_error_at_its_line() -> None:
    timers = {"detection_time": "4000", "restoration_time": "4000", "action": "forward"}
    files = config(PFC_WD={"GLOBAL": {"POLL_INTERVAL": "2000"}, "Ethernet0": timers})
    (flaw,) = flaws_of(files)
    assert flaw.refused
    assert "has 100 to 1,000 ms" in flaw.why
    line = files["config_db.json"].splitlines()[flaw.line - 1]
    assert line.strip() == '"POLL_INTERVAL": "2000"'


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", '{"PFC_WD": {"GLOBAL": 3}}', '{"PFC_WD": 1}']
)
def test_a_file_of_another_shape_says_nothing(text: str) -> None:
    assert list(flaws_of({"config_db.json": text})) == []


@pytest.mark.parametrize(
    ("hwsku", "chip"),
    [
        ("Arista-7060X6-64PE-O128S2", "Tomahawk5"),
        ("Arista-7060DX5-64S", "Tomahawk4"),
        ("Nokia-IXR7220-H6-P128", "Tomahawk6"),
        ("NH-4210-F-P128", "Tomahawk6"),
        ("nobody's", ""),
    ],
)
def test_the_chip_of_an_hwsku_is_that_of_the_updaters_or_of_the_catalog(
    hwsku: str, chip: str
) -> None:
    assert chip_of(hwsku) == chip
