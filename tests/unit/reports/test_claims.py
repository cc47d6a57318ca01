"""What is claimed of lossless ports: only from lines of the files, and never without them."""

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import Any

import pytest
from tests.unit.design.sites import backend, intent

from fabricgen.compile.compiler import Cutter, files_of, folder_of
from fabricgen.compile.design.site import design_site
from fabricgen.compile.reports.claims import PortRead, State, pause_at, read_ports
from fabricgen.compile.sandbox import renderer
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.nos.sonic.qos import AZURE

SITES = {
    "sku": ("7060X6-64PE", "sonic", "400G"),
    "formula": ("SN5600", "sonic", "800G"),
    "linux": ("SN5600", "linux", "400G"),
    "no-mmu": ("7060X6-64PE", "sonic", "800G"),
    "no-ecn": ("7060X6-64PE", "sonic", "400G"),
    "no-pause": ("7060X6-64PE", "sonic", "400G"),
}
WORDS: dict[str, dict[str, object]] = {
    "no-ecn": {"ecn": {"enabled": False}},
    "no-pause": {"pfc": False},
}


@cache
def site(name: str) -> tuple[SwitchSlice, Fabric, Mapping[str, str]]:
    """A leaf of a small site: its slice, its fabric and its files."""
    model, platform, speed = SITES[name]
    servers = {"count": 64, "gpus": 2, "nic_speed": speed, "cable_length": 40}
    roce = {"storage": {}, "over_subscription": 8, **WORDS.get(name, {})}
    keys = backend("rail-only", model, 64, servers=servers, roce=roce)
    keys["backend"]["leaf"]["platform"] = platform
    made, _ = design_site(intent(keys))
    assert made is not None
    switch = made.fabrics[0].topology.switches[0]
    switch_slice = Cutter(made).cut(switch)
    assert isinstance(switch_slice, SwitchSlice)
    folder = f"{folder_of(switch)}/"
    files = {
        item.path.removeprefix(folder): item.text for item in files_of(switch_slice, renderer(()))
    }
    return switch_slice, made.fabrics[0], files


def read(name: str, files: Mapping[str, str] | None = None) -> list[PortRead]:
    switch_slice, fabric, own = site(name)
    return list(read_ports(switch_slice, fabric, own if files is None else files))


def states(ports: list[PortRead]) -> dict[tuple[str, str], State]:
    return {(port.kind.value, one.rule): one.state for port in ports for one in port.claims}


def held(name: str) -> list[tuple[str, str, str]]:
    """Every claim that holds, with each line that it rests on."""
    return [
        (port.kind.value, claim.rule, line)
        for port in read(name)
        for claim in port.claims
        if claim.state is State.HOLDS
        for line in claim.lines
    ]


def without(files: Mapping[str, str], line: str) -> dict[str, str]:
    """Take one line away, as it is spelled by a claim."""
    path, _, place = line.partition(": ")
    text = files[path]
    if path.endswith(".json"):
        table, key, field = place.split(" > ")
        db: dict[str, Any] = json.loads(text)
        del db[table][key][field]
        text = json.dumps(db)
    elif place in text:
        text = text.replace(place, "")
    return {**files, path: text}


@pytest.mark.parametrize("name", ["sku", "formula"])
def test_each_rule_of_a_lossless_port_holds_and_names_its_lines(name: str) -> None:
    ports = read(name)
    assert {port.kind.value for port in ports} == {"lossless", "storage"}
    assert set(states(ports).values()) == {State.HOLDS}
    rules = {re.sub(r" on .*|, .*", "", rule) for _, rule in states(ports)}
    assert rules == {
        "headroom",
        "Kmin holds one frame",
        "Kmin below Kmax",
        "probability is a percentage",
        "marking before pause",
        "detection spans two polls",
        "restoration spans two polls",
        "detection outlasts pauses",
    }
    _, _, files = site(name)
    db = json.loads(files["config_db.json"])
    for _, _, line in held(name):
        table, key, field = line.removeprefix("config_db.json: ").split(" > ")
        assert field in db[table][key]


@pytest.mark.parametrize("name", ["sku", "formula", "linux"])
def test_without_a_line_that_it_rests_on_nothing_holds(name: str) -> None:
    _, _, files = site(name)
    rests: dict[str, set[tuple[str, str]]] = {}
    for kind, rule, line in held(name):
        rests.setdefault(line, set()).add((kind, rule))
    assert rests
    for line, claims in rests.items():
        if line.startswith("etc/network"):
            continue  # a stanza, not a line
        left = states(read(name, without(files, line)))
        for claim in claims:
            assert left.get(claim, State.NOT_CONFIGURED) is State.NOT_CONFIGURED, (line, claim)


def test_a_sku_without_mmu_configuration_never_holds_headroom() -> None:
    found = states(read("no-mmu"))
    told = {rule: state for (_, rule), state in found.items()}
    assert told["marking before pause, 800G"] is State.NOT_CONFIGURED
    (headroom,) = [state for rule, state in told.items() if rule.startswith("headroom")]
    assert headroom is State.NOT_CONFIGURED
    for port in read("no-mmu"):
        for claim in port.claims:
            if claim.state is State.NOT_CONFIGURED:
                assert claim.lines == ()
                assert "Arista-7060X6-64PE" in claim.arithmetic


def test_what_is_off_is_claimed_by_nobody() -> None:
    """Without ECN the class is still paused; without pause its marking is still judged."""
    no_ecn, no_pause = states(read("no-ecn")), states(read("no-pause"))
    assert set(no_ecn.values()) == set(no_pause.values()) == {State.HOLDS}
    plain = {rule for kind, rule in no_ecn if kind == "lossless"}
    assert not [rule for rule in plain if rule.startswith(("Kmin", "marking"))]
    assert [rule for rule in plain if rule.startswith("headroom")]
    assert ("storage", "Kmin below Kmax, 400G") in no_ecn
    assert {rule for _, rule in no_pause} == {
        "Kmin holds one frame, 400G",
        "Kmin below Kmax, 400G",
        "probability is a percentage, 400G",
    }


def test_the_arithmetic_has_the_numbers_of_the_file() -> None:
    for port in read("sku"):
        pause, told = pause_at(port.told), port.told
        assert pause is not None
        assert told.maximum is not None
        highest = pause.value * 9 // 10
        (claim,) = [one for one in port.claims if one.rule == "marking before pause, 400G"]
        assert claim.arithmetic == (
            f"Kmax {told.maximum.value:,} <= 90 % of 1 x {pause.value:,} = {highest:,}"
        )


def test_what_is_claimed_comes_to_the_bytes_of_the_file() -> None:
    """Pool less the headroom in it and what each group reserves, shared by all groups and one."""
    _, _, files = site("sku")
    db = json.loads(files["config_db.json"])
    pool = db["BUFFER_POOL"]["ingress_lossless_pool"]
    profile = db["BUFFER_PROFILE"]["pg_lossless_400000_40m_profile"]
    groups = sum(
        2 for row in db["BUFFER_PG"].values() if row["profile"] == "pg_lossless_400000_40m_profile"
    )
    shared = int(pool["size"]) - int(pool["xoff"]) - groups * int(profile["size"])
    for port in read("sku"):
        told, marks = port.told, db["WRED_PROFILE"]
        name = db["QUEUE"][f"{port.name}|{3 if port.kind.value == 'lossless' else 4}"]
        points = marks[name["wred_profile"]]
        numbers = {
            "headroom": int(profile["xoff"]),
            "pool": int(pool["xoff"]),
            "shared": shared,
            "groups": groups,
            "alpha": int(profile["dynamic_th"]),
            "minimum": int(points["green_min_threshold"]),
            "maximum": int(points["green_max_threshold"]),
        }
        assert {key: getattr(told, key).value for key in numbers} == numbers
        pause = pause_at(told)
        assert pause is not None
        assert pause.value == shared // (1 + groups)
        assert numbers["maximum"] <= pause.value * 9 // 10


def test_on_linux_the_points_are_those_of_the_line() -> None:
    _, _, files = site("linux")
    for port in read("linux"):
        told = port.told
        assert told.minimum is not None
        assert told.maximum is not None
        (line,) = told.minimum.lines
        assert line.removeprefix("etc/fabricgen/tc.batch: ") in files["etc/fabricgen/tc.batch"]
        assert f" dev {port.name} " in line
        assert f" min {told.minimum.value} max {told.maximum.value} " in line
        assert told.headroom is told.pool is told.shared is None


def test_a_switch_that_computes_itself_is_computed_from_its_file() -> None:
    """The same headroom and pool as the plan has, where every port is in use."""
    switch_slice, _, _ = site("formula")
    assert switch_slice.buffers is not None
    for port in read("formula"):
        assert port.told.headroom is not None
        assert port.told.headroom.value == port.plan.headroom
        assert port.told.shared is not None
        assert port.told.shared.value == switch_slice.buffers.shared
        assert port.told.pool is None


@pytest.mark.parametrize(
    ("name", "table", "key", "field", "value", "rule"),
    [
        (
            "sku",
            "WRED_PROFILE",
            AZURE,
            "green_max_threshold",
            "9000000",
            "marking before",
        ),
        ("sku", "BUFFER_PROFILE", "pg_lossless_400000_40m_profile", "xoff", "90000", "headroom"),
        ("sku", "BUFFER_POOL", "ingress_lossless_pool", "size", "60000000", "marking before"),
        ("sku", "PFC_WD", "GLOBAL", "POLL_INTERVAL", "1000", "detection spans"),
        ("formula", "BUFFER_POOL", "egress_lossless_pool", "size", "90000000", "marking before"),
    ],
)
def test_a_number_that_is_changed_breaks_its_rule(
    name: str, table: str, key: str, field: str, value: str, rule: str
) -> None:
    _, _, files = site(name)
    db = json.loads(files["config_db.json"])
    assert db[table][key][field] != value
    db[table][key][field] = value
    found = states(read(name, {**files, "config_db.json": json.dumps(db)}))
    broken = {told for (_, told), state in found.items() if state is State.BROKEN}
    assert any(told.startswith(rule) for told in broken), found
