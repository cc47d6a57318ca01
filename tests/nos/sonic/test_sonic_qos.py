"""From the rendered files of small sites: that classes, pause and packet memory agree."""

from math import ceil
from typing import Any

import pytest
from tests.nos.sonic.switches import BACKEND, HEAD, SONIC, Rendered, rendered, slices

from fabricgen.core.diagnostics import Severity
from fabricgen.model.catalog.switches import switch_model
from fabricgen.model.catalog.targets import facts_at
from fabricgen.model.fabric.interface import Use
from fabricgen.nos.lowering import spell
from fabricgen.nos.sonic.lower import lower_config_db


def queues_of(key: str) -> set[int]:
    first, _, last = key.split("|")[1].partition("-")
    return set(range(int(first), int(last or first) + 1))


def test_every_dscp_reaches_the_queue_of_its_class(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        design = switch.switch_slice.qos
        assert design is not None
        to_class = switch.db["DSCP_TO_TC_MAP"][design.profile]
        to_queue = switch.db["TC_TO_QUEUE_MAP"][design.profile]
        assert sorted(map(int, to_class)) == list(range(64))
        for dscp, number in to_class.items():
            assert int(to_queue[number]) == design.class_of(int(dscp)).number


def test_schedulers_have_the_shares(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        assert switch.switch_slice.qos is not None
        for item in switch.switch_slice.qos.classes:
            for port in switch.used():
                row = switch.db["QUEUE"][f"{switch.name(port)}|{item.number}"]
                scheduler = switch.db["SCHEDULER"][row["scheduler"]]
                assert scheduler["type"] == ("STRICT" if item.strict else "DWRR")
                assert scheduler.get("weight") == (str(item.share) if item.share else None)
        shares = [int(row.get("weight", 0)) for row in switch.db["SCHEDULER"].values()]
        assert sum(shares) == 100


def test_marking_points_follow_the_speed_of_the_port(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        assert switch.switch_slice.qos is not None
        for item in switch.switch_slice.qos.classes:
            for port in switch.used():
                row = switch.db["QUEUE"][f"{switch.name(port)}|{item.number}"]
                marking = (item.marking or {}).get(port.port.speed)
                assert ("wred_profile" in row) == (marking is not None)
                if marking is not None:
                    profile = switch.db["WRED_PROFILE"][row["wred_profile"]]
                    assert profile == {
                        "ecn": "ecn_green",
                        "wred_green_enable": "true",
                        "green_min_threshold": str(int(marking.minimum)),
                        "green_max_threshold": str(int(marking.maximum)),
                        "green_drop_probability": str(marking.probability),
                    }


def test_pause_has_its_buffers_on_every_port(switches: tuple[Rendered, ...]) -> None:
    """pfc_enable, lossless priority group, lossless queue, cable length: all of them or none."""
    for switch in switches:
        refused = any(gap.severity is Severity.ERROR for gap in SONIC.gaps(switch.switch_slice))
        if refused or "BUFFER_POOL" not in switch.db:
            continue  # no pools, or no row for a speed: an error, see below
        design = switch.switch_slice.qos
        assert design is not None
        for item in switch.switch_slice.interfaces:
            name = switch.name(item)
            lossless = set(design.paused) if item.use is not Use.UNUSED else set()
            row = switch.db["PORT_QOS_MAP"].get(name, {})
            assert row.get("pfc_enable") == (",".join(map(str, sorted(lossless))) or None)
            groups = {
                group
                for key, row in switch.db["BUFFER_PG"].items()
                if key.startswith(f"{name}|") and row["profile"] != "ingress_lossy_profile"
                for group in queues_of(key)
            }
            assert groups == lossless
            queues = {
                queue: row["profile"]
                for key, row in switch.db["BUFFER_QUEUE"].items()
                if key.startswith(f"{name}|")
                for queue in queues_of(key)
            }
            safe = {queue for queue in queues if queues[queue] == "egress_lossless_profile"}
            assert safe == lossless
            assert set(queues) in (set(), set(range(8)))
            length = switch.db["CABLE_LENGTH"]["AZURE"][name]
            assert (length != "0m") == bool(lossless)
            assert int(length[:-1]) >= (item.length if lossless else 0)


def test_priorities_agree_all_the_way(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        design = switch.switch_slice.qos
        assert design is not None
        groups = switch.db["TC_TO_PRIORITY_GROUP_MAP"][design.profile]
        own = {item.number: item.paused for item in design.lossless}
        for number in range(8):
            assert int(groups[str(number)]) == own.get(number, 0)
        maps = switch.db.get("MAP_PFC_PRIORITY_TO_QUEUE", {})
        assert bool(maps) == bool(own)
        for number, paused in own.items():
            assert int(maps[design.profile][str(paused)]) == number


def test_every_lossless_port_is_watched(switches: tuple[Rendered, ...]) -> None:
    for switch in switches:
        design = switch.switch_slice.qos
        assert design is not None
        table = dict(switch.db.get("PFC_WD", {}))
        if design.watchdog is None or not design.lossless:
            assert not table
            continue
        cages = sum(not item.port.service for item in switch.switch_slice.interfaces)
        times = ceil(cages / 32)
        assert table.pop("GLOBAL") == {"POLL_INTERVAL": str(int(design.watchdog.poll) * times)}
        assert set(table) == {switch.name(item) for item in switch.used()}
        for row in table.values():
            assert int(row["detection_time"]) == design.watchdog.detection * times
            assert int(row["restoration_time"]) == design.watchdog.restoration * times
            assert row["action"] == design.watchdog.action
        for name in table:
            row = switch.db["PORT_QOS_MAP"][name]
            assert row["pfcwd_sw_enable"] == row["pfc_enable"]


@pytest.mark.parametrize(
    ("site", "groups", "queues", "paused"),
    [
        ("backend-7060x6-storage", ["0", "3-4"], ["0-2", "3-4", "5-7"], "3,4"),
        ("rail-only-sn5600-storage", ["0", "3", "5"], ["0-2", "3", "4", "5", "6-7"], "3,5"),
    ],
)
def test_two_lossless_classes_are_written_as_buffermgrd_would(
    site: str, groups: list[str], queues: list[str], paused: str
) -> None:
    for switch in rendered(site):
        name = switch.name(switch.used()[0])
        for table, keys in (("BUFFER_PG", groups), ("BUFFER_QUEUE", queues)):
            assert [key for key in switch.db[table] if key.startswith(f"{name}|")] == [
                f"{name}|{key}" for key in keys
            ]
        told = switch.db["PORT_QOS_MAP"][name]
        assert (told["pfc_enable"], told["pfcwd_sw_enable"]) == (paused, paused)


def test_nvidia_maps_each_paused_priority_to_its_group() -> None:
    for switch in rendered("rail-only-sn5600-storage"):
        (told,) = switch.db["PFC_PRIORITY_TO_PRIORITY_GROUP_MAP"].values()
        assert told == {"3": "3", "5": "5"}


def test_each_lossless_class_has_a_scheduler_and_marking_points_of_its_own() -> None:
    for switch in rendered("rail-only-sn5600-storage"):
        name = switch.name(switch.used()[0])
        assert switch.db["QUEUE"][f"{name}|5"] == {
            "scheduler": "scheduler.storage",
            "wred_profile": "computed_storage_400G",
        }
        points = switch.db["WRED_PROFILE"]
        assert points["computed_storage_400G"]["green_max_threshold"] == "290000"
        assert points["AZURE_LOSSLESS"]["green_max_threshold"] != "290000"


def test_headroom_is_what_the_catalog_says() -> None:
    for switch in rendered("backend-7060x6"):
        (raw,) = [
            facts_at(facts, switch.switch_slice.switch.model.target)
            for name, facts in raw_facts("7060X6-64PE")["skus"].items()
            if name == switch.db["DEVICE_METADATA"]["localhost"]["hwsku"]
        ]
        rows = {
            f"pg_lossless_{mbps}_{meters}m_profile": (str(size), str(xon), str(xoff))
            for mbps, meters, size, xon, xoff, *_ in raw["headroom"]
        }
        found = [name for name in switch.db["BUFFER_PROFILE"] if name.startswith("pg_lossless")]
        assert found
        for name in found:
            row = switch.db["BUFFER_PROFILE"][name]
            assert (row["size"], row["xon"], row["xoff"]) == rows[name]


def raw_facts(model: str) -> dict[str, Any]:
    known = switch_model(model)
    assert known is not None
    return dict(known.platforms["sonic"])


def test_the_dynamic_model_gets_no_sizes_it_computes_itself() -> None:
    for switch in rendered("rail-only-sn5600"):
        sizes = {name for name, row in switch.db["BUFFER_POOL"].items() if "size" in row}
        assert sizes == {"egress_lossless_pool"}
        lossless = {
            row["profile"] for key, row in switch.db["BUFFER_PG"].items() if key.endswith("|3")
        }
        assert lossless == {"NULL"}
        assert switch.db["LOSSLESS_TRAFFIC_PATTERN"]["AZURE"]
        assert switch.db["DEFAULT_LOSSLESS_BUFFER_PARAMETER"]["AZURE"]


def test_switches_wired_alike_share_their_tables() -> None:
    pieces = slices(HEAD + BACKEND.format(model="SN5600", speed="400G", more=""))
    leafs = [switch_slice for switch_slice in pieces if switch_slice.switch.is_leaf][:2]
    views = [lower_config_db(switch_slice, spell).tables for switch_slice in leafs]
    for name in ("DSCP_TO_TC_MAP", "QUEUE", "BUFFER_PROFILE", "BUFFER_PG", "FLEX_COUNTER_TABLE"):
        assert views[0][name] is views[1][name], name
