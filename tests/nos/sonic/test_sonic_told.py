"""SONiC: what the file says of one port's memory, marking and pause names the lines that say it."""

import json
from dataclasses import fields
from typing import Any

import pytest
from tests.nos.sonic.switches import Db, Rendered, rendered

from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.memory_value import MemoryValue, PortTold
from fabricgen.nos.sonic.readback.port_memory import read

SHIPPED, DYNAMIC = "backend-7060x6", "rail-only-sn5600"
NUMBERS: dict[str, dict[str, int]] = {
    SHIPPED: {"shared": 134_286_244, "pool": 29_423_360, "groups": 128},
    DYNAMIC: {"shared": 155_468_800, "groups": 8},
    "rail-only-sn5600-storage": {"shared": 153_437_184, "groups": 16},
}
"""Of the first switch: 128 ports of 400G; 8 ports of 400G on an SN5600, with one class or two."""


def first(site: str) -> tuple[Rendered, Interface, str]:
    switch = rendered(site)[0]
    port = switch.used()[0]
    return switch, port, switch.name(port)


def told(site: str, db: Db | None = None) -> PortTold:
    """Read the first port of a site's first switch for its lossless class."""
    switch, _, name = first(site)
    assert switch.switch_slice.qos is not None
    text = switch.text if db is None else json.dumps(db)
    model = switch.switch_slice.switch.model
    return read(model, {"config_db.json": text}, name, switch.switch_slice.qos.lossless[0])


def tables(site: str) -> Db:
    db: Db = json.loads(rendered(site)[0].text)
    return db


def value(said: MemoryValue | None) -> int | None:
    return None if said is None else said.value


@pytest.mark.parametrize("site", NUMBERS)
def test_the_numbers_are_those_of_the_plan(site: str) -> None:
    switch, port, _ = first(site)
    found, buffers, qos = told(site), switch.switch_slice.buffers, switch.switch_slice.qos
    assert buffers is not None
    assert qos is not None
    plan = buffers.port(port.port.speed, port.length)
    assert plan is not None
    assert value(found.headroom) == plan.headroom
    assert value(found.alpha) == buffers.alpha
    assert value(found.mtu) == 9214
    assert value(found.pause) == qos.lossless[0].paused
    marking = (qos.lossless[0].marking or {})[port.port.speed]
    assert [value(said) for said in (found.minimum, found.maximum, found.percent)] == [
        *(marking.minimum, marking.maximum, marking.probability)
    ]
    watch = qos.watchdog
    assert watch is not None
    timers = [value(said) for said in (found.poll, found.detection, found.restoration)]
    own = watch.polling(sum(not port.service for port in switch.switch_slice.switch.ports))
    assert timers == [own.poll, own.detection, own.restoration]
    assert {name: value(getattr(found, name)) for name in ("shared", "pool", "groups")} == {
        "pool": None,
        **NUMBERS[site],
    }


def test_shipped_memory_shares_what_the_plan_shares() -> None:
    buffers = first(SHIPPED)[0].switch_slice.buffers
    assert buffers is not None
    assert (NUMBERS[SHIPPED]["shared"], NUMBERS[SHIPPED]["pool"]) == (buffers.shared, buffers.pool)
    shared = told(SHIPPED).shared
    assert shared is not None
    places = [line.removeprefix("config_db.json: ").split(" > ") for line in shared.lines]
    assert [(table, field) for table, _, field in places] == [
        *(("BUFFER_POOL", "size"), ("BUFFER_POOL", "xoff"), ("BUFFER_PROFILE", "size"))
    ]


@pytest.mark.parametrize("site", NUMBERS)
def test_every_line_that_is_named_is_in_the_file_and_carries_its_number(site: str) -> None:
    found = told(site)
    for field in fields(PortTold):
        said = getattr(found, field.name)
        if not isinstance(said, MemoryValue) or field.name == "groups":
            continue
        for line in said.lines:
            db = tables(site)
            table, key, name = line.removeprefix("config_db.json: ").split(" > ")
            del db[table][key][name]
            assert getattr(told(site, db), field.name) != said, line


def test_what_no_line_says_is_the_hwskus_own() -> None:
    sku = rendered(SHIPPED)[0].db["DEVICE_METADATA"]["localhost"]["hwsku"]
    assert told(SHIPPED).instead == f"hwsku {sku} has no such line"


SPOILED: list[tuple[str, str, str, str, Any, tuple[str, ...]]] = [
    (SHIPPED, "WRED_PROFILE", "*", "ecn", "ecn_none", ("minimum", "maximum", "percent")),
    (SHIPPED, "WRED_PROFILE", "*", "green_min_threshold", "none", ("minimum",)),
    (SHIPPED, "WRED_PROFILE", "*", "wred_green_enable", None, ("minimum", "maximum", "percent")),
    (SHIPPED, "BUFFER_POOL", "ingress_lossless_pool", "xoff", None, ("pool", "shared")),
    (SHIPPED, "BUFFER_POOL", "ingress_lossless_pool", "size", None, ("shared",)),
    (SHIPPED, "BUFFER_PROFILE", "*", "size", None, ("shared",)),
    (SHIPPED, "TC_TO_QUEUE_MAP", "*", "3", "4", ("pause",)),
    (SHIPPED, "PORT_QOS_MAP", "*", "pfc_enable", "4,5", ("pause",)),
    (DYNAMIC, "BUFFER_POOL", "egress_lossless_pool", "size", None, ("shared",)),
    (DYNAMIC, "LOSSLESS_TRAFFIC_PATTERN", "*", "mtu", None, ("shared", "headroom")),
    (DYNAMIC, "CABLE_LENGTH", "AZURE", "Ethernet0", "5", ()),
    (DYNAMIC, "CABLE_LENGTH", "AZURE", "Ethernet0", "far", ("shared", "headroom")),
]


@pytest.mark.parametrize(("site", "table", "key", "field", "new", "lost"), SPOILED)
def test_without_a_line_that_it_needs_a_number_is_not_told(
    site: str, table: str, key: str, field: str, new: str | None, lost: tuple[str, ...]
) -> None:
    db = tables(site)
    rows = [row for name, row in db[table].items() if key in ("*", name) and field in row]
    assert rows
    for row in rows:
        row.pop(field)
        if new is not None:
            row[field] = new
    before, after = told(site), told(site, db)
    names = [field.name for field in fields(PortTold) if getattr(before, field.name) is not None]
    assert tuple(name for name in names if getattr(after, name) is None) == tuple(
        sorted(lost, key=names.index)
    )


def test_a_port_that_no_group_of_a_profile_is_for_has_no_memory() -> None:
    db = tables(SHIPPED)
    del db["BUFFER_PG"]["Ethernet0|3"]
    found = told(SHIPPED, db)
    assert (found.headroom, found.alpha, found.groups) == (None, None, None)


def test_a_lossless_group_less_leaves_more_to_share() -> None:
    """As much as its headroom and what it keeps below pause."""
    db = tables(DYNAMIC)
    del db["BUFFER_PG"]["Ethernet8|3"]
    found = told(DYNAMIC, db)
    assert value(found.groups) == 7
    own = value(told(DYNAMIC).headroom)
    grown = (value(found.shared) or 0) - NUMBERS[DYNAMIC]["shared"]
    assert own is not None
    assert own < grown < 1.2 * own
