"""What the config updater takes is known before: held against what the updater itself answered.

day2.csv has what sonic-utilities' generic config updater of each release said on 2026-11-22 to
changes of rendered files (CONFIG_DB in memory, two shared cores; 7060X6-64PE in the backend,
7050CX3-32S in the frontend). Changes that YANG refused then for a table which is rendered no more
are left out.
"""

from __future__ import annotations

import copy
import csv
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from fabricgen.compile.output.risks import changes_in, changes_of
from fabricgen.core.tree.judge import worst
from fabricgen.core.tree.risk import Risk
from fabricgen.model.catalog.switches import model_names, switch_model
from fabricgen.nos.sonic.driver.onswitch.tables import patches
from fabricgen.nos.sonic.qos import AZURE
from fabricgen.nos.sonic.releases import RELEASES
from fabricgen.nos.sonic.updater import asic_of, guards, refused, takes_watchdogs
from fabricgen.nos.sonic.updates import SLOW, updates

if TYPE_CHECKING:
    from collections.abc import Callable

    Tables = dict[str, Any]

HERE = Path(__file__).parent
SPINE = HERE.parents[1] / "golden" / "full" / "files" / "backend" / "be-spine1"
RENDERED: Tables = json.loads((SPINE / "config_db.json").read_text())
ROWS = list(csv.DictReader((HERE / "day2.csv").read_text().splitlines()))


def as_asked(tables: Tables) -> Tables:
    """Spell marking as it was when the updaters were asked: all colors, under other names."""
    asked = copy.deepcopy(tables)
    row = asked["WRED_PROFILE"].pop(AZURE)
    others = {
        field.replace("green", color): value
        for color in ("yellow", "red")
        for field, value in row.items()
        if "green" in field
    }
    asked["WRED_PROFILE"] = {"computed_400G": {**row, **others, "ecn": "ecn_all"}}
    return asked


WHOLE = as_asked(RENDERED)


def ecn(tables: Tables) -> None:
    profile = next(iter(tables["WRED_PROFILE"].values()))
    for color in ("green", "yellow", "red"):
        profile[f"{color}_min_threshold"] = "100000"


def alpha(tables: Tables) -> None:
    ecn(tables)
    lossless(tables)["dynamic_th"] = "-1"


def lossless(tables: Tables) -> dict[str, str]:
    """Return the headroom profile, the one that is named after speed and cable."""
    profiles = tables["BUFFER_PROFILE"]
    return next(profiles[name] for name in profiles if name.startswith("pg_lossless_"))


def cables(tables: Tables) -> None:
    ecn(tables)
    name = next(name for name in tables["BUFFER_PROFILE"] if name.startswith("pg_lossless_"))
    longer = {**tables["BUFFER_PROFILE"].pop(name), "xoff": "700000"}
    tables["BUFFER_PROFILE"][f"{name}_60"] = longer
    for group in tables["BUFFER_PG"].values():
        group["profile"] = group["profile"].replace(name, f"{name}_60")


def unwatched(tables: Tables) -> None:
    del tables["PFC_WD"]
    for maps in tables["PORT_QOS_MAP"].values():
        maps.pop("pfcwd_sw_enable", None)


def without(tables: Tables, ports: int) -> None:
    for name in [name for name in tables["PFC_WD"] if name != "GLOBAL"][:ports]:
        for table in ("PFC_WD", "PORT_QOS_MAP", "DEVICE_NEIGHBOR"):
            del tables[table][name]
        for table in ("BUFFER_PG", "BUFFER_QUEUE", "QUEUE", "INTERFACE"):
            for key in [key for key in tables[table] if key.split("|")[0] == name]:
                del tables[table][key]


def clocks(tables: Tables) -> None:
    tables["NTP_SERVER"] = {"192.0.2.1": {}}


def nothing(tables: Tables) -> None:
    kept = tables["DEVICE_METADATA"]
    tables.clear()
    tables["DEVICE_METADATA"] = kept


AFTER: dict[str, Callable[[Tables], None]] = {
    "be-ecn": ecn,
    "be-alpha": alpha,
    "be-cable60": cables,
    "be-wd": unwatched,
    "be-ntp": clocks,
    "be-server-undo": lambda tables: without(tables, 1),
}
BEFORE: dict[str, Callable[[Tables], None]] = {
    "be-server": lambda tables: without(tables, 1),
    "be-leaf": lambda tables: without(tables, 32),
    "empty-be": nothing,
    "empty-fe": nothing,
    "fe-leaf": lambda tables: without(tables, 0),
}


def states(scenario: str) -> tuple[Tables, Tables]:
    before, after = copy.deepcopy(WHOLE), copy.deepcopy(WHOLE)
    if scenario.startswith(("fe-", "empty-fe")):  # a leaf of the frontend: no lossless classes
        for tables in (before, after):
            tables["DEVICE_METADATA"]["localhost"]["hwsku"] = "Arista-7050CX3-32S-C32"
            del tables["PFC_WD"], tables["WRED_PROFILE"]
    if scenario == "fe-leaf":
        before["PORT_QOS_MAP"].popitem()
        return before, after
    for changed, by in ((before, BEFORE), (after, AFTER)):
        if scenario in by:
            by[scenario](changed)
    assert before != after
    return before, after


def files(tables: Tables, release: str) -> dict[str, str]:
    frr = f"frr version {RELEASES[release].frr}\n"
    return {"config_db.json": json.dumps(tables), "frr.conf": frr}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['scenario']} {row['release']}")
def test_the_updater_refuses_what_it_was_foretold_to(row: dict[str, str]) -> None:
    tables = {each.place[0] for each in refused(*states(row["scenario"]), row["release"])}
    assert bool(tables) == (row["outcome"] == "refused")
    assert not row["table"] or row["table"] in tables


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row['scenario']} {row['release']}")
def test_a_change_that_took_minutes_is_called_slow(row: dict[str, str]) -> None:
    release = "202605" if row["release"] == "master" else row["release"]
    said = [
        change.rule for change in updates(*(files(s, release) for s in states(row["scenario"])))
    ]
    if float(row["seconds"]) >= 60:
        assert any(str(SLOW) in rule.why for rule in said)


@pytest.mark.parametrize("release", RELEASES)
def test_every_release_guards_its_tables(release: str) -> None:
    assert {"PFC_WD", "BUFFER_POOL", "BUFFER_PROFILE"} <= guards(release, "spc4").keys()
    assert guards(release, "spc4")["PFC_WD"].fields
    assert not guards(release, "")["PFC_WD"].fields


@pytest.mark.parametrize(
    ("hwsku", "asic", "since"),
    [
        ("ACS-SN5600", "spc4", "202405"),
        ("ACS-MSN4600C", "spc3", "202405"),
        ("Mellanox-SN4600C-C64", "spc3", "202405"),
        ("Mellanox-SN5640-C512S2", "spc5", "202505"),
        ("Mellanox-SN5640-O128X2", "spc5", "202511"),
        ("ACS-SN5640", "spc5", "202505"),  # listed in 202411, where nobody asks for spc5
        ("Arista-7060X6-64PE-O128S2", "th5", "202411"),
        ("arista-7050cx3-32s-c32", "td3", "202405"),
        ("Nokia-IXR7220-H6-P128", "th6", "202605"),
        ("DellEMC-Z9332f-O32", "", None),
        ("Arista-7060DX5-64S", "", None),
        ("Arista-7050CX3-32S", "", None),
    ],
)
def test_an_asic_is_known_from_a_release_on(hwsku: str, asic: str, since: str | None) -> None:
    releases = list(RELEASES)
    known = [release for release in releases if asic_of(hwsku, release)]
    assert known == (releases[releases.index(since) :] if since else [])
    assert {asic_of(hwsku, release) for release in known} <= {asic}
    assert [release for release in releases if takes_watchdogs(hwsku, release)] == known


@pytest.mark.parametrize("hwsku", ["Mellanox-SN4600C-C64", "Mellanox-SN5640-C512S2"])
def test_a_new_watchdog_is_an_ordinary_patch_on_spectrum_3_and_5(hwsku: str) -> None:
    before, after = states("be-server")
    for tables in (before, after):
        tables["DEVICE_METADATA"]["localhost"]["hwsku"] = hwsku
    assert not list(refused(before, after, "202505"))
    changes = changes_of("sonic", *(files(state, "202505") for state in (before, after)))
    assert worst(changes) < Risk.REBOOT


@pytest.mark.parametrize(
    ("hwsku", "release", "taken"),
    [
        ("ACS-SN5600", "202505", False),
        ("ACS-SN5600", "202511", True),
        ("Mellanox-SN4600C-C64", "202511", False),
        ("Arista-7050CX3-32S-C32", "202605", False),
        ("Arista-7060X6-64PE", "202511", True),
        ("Nokia-IXR7220-H6-P128", "202605", True),
    ],
)
def test_trimming_is_taken_on_the_asics_that_the_release_lists(
    hwsku: str, release: str, *, taken: bool
) -> None:
    before, after = copy.deepcopy(RENDERED), copy.deepcopy(RENDERED)
    for tables in (before, after):
        tables["DEVICE_METADATA"]["localhost"]["hwsku"] = hwsku
    next(iter(after["BUFFER_PROFILE"].values()))["packet_discard_action"] = "trim"
    assert bool(list(refused(before, after, release))) is not taken


def test_files_of_master_are_judged_as_of_202605_without_a_difference() -> None:
    """Both have one FRR, by which the release of files is told."""
    models = [model for name in model_names() if (model := switch_model(name)) is not None]
    skus = [sku for model in models for sku in model.skus.get("sonic", ())]
    assert skus
    for sku in skus:
        older, newer = (asic_of(sku.name, release) for release in ("202605", "master"))
        assert older == newer
        assert guards("202605", older) == guards("master", newer)


def test_what_is_refused_is_a_reboot_whatever_the_setting() -> None:
    before, after = states("be-ecn")
    old, new = (
        changes_of("sonic", *(files(s, r) for s in (before, after))) for r in ("202505", "202605")
    )
    assert (worst(old), worst(new)) == (Risk.REBOOT, Risk.HITLESS)
    assert (
        "the config updater of 202505 refuses it: in WRED_PROFILE it accepts only green"
        in old[0].rule.why
    )
    assert changes_in("backend/be-spine1", *(files(s, "202505") for s in (before, after))) == old


def remarked(profile: str) -> tuple[Tables, Tables]:
    """Return a switch whose ASIC every updater knows, before and after new marking points."""
    before = copy.deepcopy(RENDERED)
    before["DEVICE_METADATA"]["localhost"]["hwsku"] = "ACS-SN5600"
    after = copy.deepcopy(before)
    after["WRED_PROFILE"][profile]["green_min_threshold"] = "100000"
    return before, after


@pytest.mark.parametrize("odd", [None, [], "x", {"Ethernet0": None}])
def test_a_running_table_of_another_shape_ends_no_plan(odd: object) -> None:
    text = json.dumps(RENDERED | {"DEVICE_METADATA": odd, "PORT": odd})
    before, after = ({"config_db.json": each} for each in (text, json.dumps(RENDERED)))
    assert list(updates(before, after)) == []


def test_new_marking_points_are_no_outage_in_any_release() -> None:
    before, after = remarked(AZURE)
    assert not any(list(refused(before, after, release)) for release in RELEASES)
    changes = changes_of("sonic", *(files(state, "202405") for state in (before, after)))
    assert worst(changes) is Risk.HITLESS


def test_of_two_profiles_the_oldest_updaters_take_the_one_of_that_name() -> None:
    before, after = remarked(next(name for name in RENDERED["WRED_PROFILE"] if name != AZURE))
    said = {release: bool(list(refused(before, after, release))) for release in RELEASES}
    assert [release for release, is_refused in said.items() if is_refused] == ["202405", "202411"]


def test_what_marks_at_all_is_not_changed_in_place() -> None:
    before, after = copy.deepcopy(RENDERED), copy.deepcopy(RENDERED)
    after["WRED_PROFILE"][AZURE]["ecn"] = "ecn_none"
    assert [each.place[-1] for each in refused(before, after, "202505")] == ["ecn"]


def test_a_watchdog_that_moves_from_port_to_port_goes_before_it_comes() -> None:
    """In one patch jsonpatch would make a `move` of both, which no guard takes."""
    before, after = copy.deepcopy(WHOLE), copy.deepcopy(WHOLE)
    watched = [name for name in WHOLE["PFC_WD"] if name != "GLOBAL"]
    del after["PFC_WD"][watched[0]], before["PFC_WD"][watched[1]]
    assert [[(step["op"], step["path"]) for step in steps] for steps in patches(before, after)] == [
        [("remove", f"/PFC_WD/{watched[0]}")],
        [("add", f"/PFC_WD/{watched[1]}")],
    ]
    assert not list(refused(before, after, "202605"))


def test_what_goes_and_comes_again_under_another_name_is_refused_as_a_move() -> None:
    before, after = copy.deepcopy(WHOLE), copy.deepcopy(WHOLE)
    after["BUFFER_PROFILE"]["renamed"] = after["BUFFER_PROFILE"].pop("egress_lossy_profile")
    assert {each.operation for each in refused(before, after, "202605")} == {"move"}


def test_another_cable_length_is_no_move_since_the_old_profile_stays() -> None:
    """The driver leaves profiles to the buffer manager that has made them: no removal, no move."""
    before, after = copy.deepcopy(WHOLE), copy.deepcopy(WHOLE)
    name = next(name for name in before["BUFFER_PROFILE"] if name.startswith("pg_lossless_"))
    after["BUFFER_PROFILE"][f"{name}_60"] = after["BUFFER_PROFILE"].pop(name)
    assert [each.operation for each in refused(before, after, "202605")] == ["move"]
    changes = updates(files(before, "202605"), files(after, "202605"))
    assert not [change for change in changes if change.risk is Risk.REBOOT]


def test_a_loopback_is_never_removed() -> None:
    before, after = copy.deepcopy(WHOLE), copy.deepcopy(WHOLE)
    before["LOOPBACK_INTERFACE"]["Loopback0"] = {}
    after["LOOPBACK_INTERFACE"].pop("Loopback0", None)
    assert [each.place for each in refused(before, after, "master")] == [
        ("LOOPBACK_INTERFACE", "Loopback0")
    ]
