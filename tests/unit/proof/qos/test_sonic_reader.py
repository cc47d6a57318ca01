"""From CONFIG_DB with one field changed: what the reader of SONiC does not take for granted."""

import json
from functools import cache
from typing import Any

import pytest
from tests.unit.proof.qos.rendered import RAIL_OPTIMIZED, Rendered, rendered, state

DB = "config_db.json"
ROCE = "  roce: {profile: nvidia-roce}"
DYNAMIC, SHIPPED = "SN4700", "7060X6-64PE"


@cache
def site(model: str) -> Rendered:
    return rendered(RAIL_OPTIMIZED, "sonic", model, "400G", ROCE)


def tables(model: str) -> dict[str, Any]:
    """Return the tables of a leaf, to be changed."""
    made = site(model)
    found: dict[str, Any] = json.loads(made.files[made.switch("be-su01-leaf1")][DB])
    return found


def port_of(db: dict[str, Any]) -> str:
    return str(min(name for name, row in db["PORT_QOS_MAP"].items() if "pfc_enable" in row))


def faults(model: str, db: dict[str, Any]) -> list[str]:
    """Return every fault of a leaf with these tables, of the file and of its ports."""
    made = site(model)
    leaf = made.switch("be-su01-leaf1")
    text = json.dumps(db, indent=4)[1:].removeprefix("\n").removesuffix("\n}")
    read = state({DB: "{\n" + text + "\n}\n"}, leaf)
    return [*read.faults, *(fault for port in read.ports.values() for fault in port.faults)]


@pytest.mark.parametrize("model", [DYNAMIC, SHIPPED])
def test_what_is_rendered_has_no_fault(model: str) -> None:
    assert faults(model, tables(model)) == []


# A table, a key, a field (empty: the whole row) and its value, None where it goes; `*` is a port.
CHANGED: list[tuple[str, str, str, str, Any, str]] = [
    (DYNAMIC, "QUEUE", "Ethernet9|3", "", {}, "QUEUE names the port Ethernet9, which is not in "),
    (DYNAMIC, "BUFFER_PG", "Ethernet9|0", "", {}, "BUFFER_PG names the port Ethernet9, which"),
    (DYNAMIC, "BUFFER_QUEUE", "Ethernet9|0", "", {}, "BUFFER_QUEUE names the port Ethernet9"),
    (DYNAMIC, "PORT_QOS_MAP", "Ethernet9", "", {}, "PORT_QOS_MAP names the port Ethernet9"),
    (DYNAMIC, "PFC_WD", "Ethernet9", "", {}, "PFC_WD names the port Ethernet9, which is not in "),
    (DYNAMIC, "PORT_QOS_MAP", "global", "dscp_to_tc_map", "x", "PORT_QOS_MAP|global is {'dscp"),
    (DYNAMIC, "PORT_QOS_MAP", "global", "", None, "PORT_QOS_MAP|global is {}, but ports use n"),
    (DYNAMIC, "PFC_WD", "GLOBAL", "BIG_RED_SWITCH", "x", "PFC_WD|GLOBAL has more fields than POL"),
    (DYNAMIC, "PFC_WD", "*", "extra", "x", "PFC_WD has {"),
    (DYNAMIC, "PORT_QOS_MAP", "*", "extra", "x", "PORT_QOS_MAP has extra, which is not rendered"),
    (DYNAMIC, "PORT_QOS_MAP", "*", "tc_to_queue_map", "x", "tc_to_queue_map names x, which is not"),
    (
        DYNAMIC,
        "PORT_QOS_MAP",
        "*",
        "pfc_to_queue_map",
        "x",
        "pfc_to_queue_map names x, which is no",
    ),
    (DYNAMIC, "DSCP_TO_TC_MAP", "nvidia-roce", "64", "0", "DSCP_TO_TC_MAP has a row 64"),
    (DYNAMIC, "TC_TO_QUEUE_MAP", "nvidia-roce", "8", "0", "TC_TO_QUEUE_MAP has a row 8"),
    (DYNAMIC, "QUEUE", "*|3", "extra", "x", "QUEUE has extra, which is not rendered"),
    (DYNAMIC, "QUEUE", "*|3", "scheduler", "x", "a queue names the scheduler x, which is not in"),
    (
        DYNAMIC,
        "QUEUE",
        "*|3",
        "wred_profile",
        "x",
        "the WRED profile x does not mark green",
    ),
    (DYNAMIC, "QUEUE", "*|x", "", {}, "|x has no queue or group, or one of another row"),
    (DYNAMIC, "QUEUE", "*|3-4", "", {}, "|3-4 has no queue or group, or one of another row"),
    (DYNAMIC, "QUEUE", "*|8-", "", {}, "|8- has no queue or group, or one of another row"),
    (DYNAMIC, "LOSSLESS_TRAFFIC_PATTERN", "AZURE", "mtu", "1024", "AZURE is mtu 1024, small_pack"),
    (DYNAMIC, "BUFFER_PROFILE", "extra", "", {"a": "b"}, "extra is a b, the source has missing"),
    (DYNAMIC, "BUFFER_PROFILE", "q_lossy_profile", "", None, "q_lossy_profile is missing, the so"),
    (DYNAMIC, "BUFFER_POOL", "ingress_lossless_pool", "mode", "static", "mode static, the source"),
    (DYNAMIC, "BUFFER_PG", "*|0", "", None, "BUFFER_PG has no row for group 0"),
    (DYNAMIC, "BUFFER_PG", "*|0", "extra", "x", "BUFFER_PG of group 0 is {"),
    (DYNAMIC, "BUFFER_QUEUE", "*|3", "profile", "x", "BUFFER_QUEUE is {'profile': 'x'}"),
    (DYNAMIC, "BUFFER_QUEUE", "*|3", "", None, "does not have each of the queues 0 to 7 once"),
    (DYNAMIC, "CABLE_LENGTH", "AZURE", "*", "none", "is lossless, but CABLE_LENGTH is missing"),
    (
        DYNAMIC,
        "BUFFER_PORT_INGRESS_PROFILE_LIST",
        "*",
        "profile_list",
        "x",
        "BUFFER_PORT_INGRESS_PROFILE_LIST is {'profile_list': 'x'}",
    ),
    (
        DYNAMIC,
        "BUFFER_PORT_EGRESS_PROFILE_LIST",
        "*",
        "",
        None,
        "BUFFER_PORT_EGRESS_PROFILE_LIST is None",
    ),
    (
        DYNAMIC,
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER",
        "AZURE",
        "extra",
        "1",
        "DEFAULT_LOSSLESS_BUFFER_PARAMETER is {",
    ),
    (SHIPPED, "CABLE_LENGTH", "AZURE", "*", "40m", "the port has 400000 Mbit/s and 40m of cable"),
    (SHIPPED, "BUFFER_POOL", "extra", "", {"type": "x"}, "BUFFER_POOL|extra is type x, the sourc"),
    (
        SHIPPED,
        "BUFFER_PROFILE",
        "pg_lossless_400000_5m_profile",
        "pool",
        "x",
        "profile is pool x, ",
    ),
]


@pytest.mark.parametrize(("model", "table", "key", "field", "value", "fault"), CHANGED)
def test_a_field_that_is_otherwise_is_a_fault(
    model: str, table: str, key: str, field: str, value: Any, fault: str
) -> None:
    db = tables(model)
    port = port_of(db)
    rows, key, field = db[table], key.replace("*", port), field.replace("*", port)
    where, name = (rows[key], field) if field else (rows, key)
    assert where.get(name) != value
    if value is None:
        del where[name]
    else:
        where[name] = value
    assert any(fault in each for each in faults(model, db)), faults(model, db)


def test_a_scheduler_is_strict_or_has_a_weight() -> None:
    for row in ({"type": "WRR", "weight": "1"}, {"type": "DWRR"}, {"type": "STRICT", "x": "1"}):
        db = tables(DYNAMIC)
        name = db["QUEUE"][f"{port_of(db)}|3"]["scheduler"]
        db["SCHEDULER"][name] = row
        said = faults(DYNAMIC, db)
        assert any("is neither STRICT nor DWRR with a weight" in each for each in said), row


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("wred_green_enable", "false"),
        ("green_min_threshold", "x"),
        ("wred_red_enable", "true"),
        ("yellow_drop_probability", "7"),
    ],
)
def test_green_is_marked_and_no_other_color_is_spoken_of(field: str, value: str) -> None:
    db = tables(DYNAMIC)
    name = db["QUEUE"][f"{port_of(db)}|3"]["wred_profile"]
    db["WRED_PROFILE"][name][field] = value
    assert any("other or missing fields of green" in each for each in faults(DYNAMIC, db))


def test_a_table_of_values_is_no_table() -> None:
    db = tables(DYNAMIC)
    db["SCHEDULER"]["odd"] = "STRICT"
    assert any("has a table whose entries are not fields" in each for each in faults(DYNAMIC, db))
