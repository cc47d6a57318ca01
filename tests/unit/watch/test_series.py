"""A recorded series gives the same looks again, and damaged files never end the verb."""

import json
from pathlib import Path
from typing import Any

import pytest
from tests.unit.watch.site import leaf, plans
from tests.unit.watch.written import Series

from fabricgen.operate.state.watch.hosts import cnps_sent
from fabricgen.operate.state.watch.series import LOOK, SeriesError, record, replay

LEAF = leaf().switch


def test_a_series_is_read_as_it_was_written(tmp_path: Path) -> None:
    series = Series(plans(), cnps={"gpu0001": 5.0})
    series.silent = {LEAF: "no answer"}
    series.unknown = {"be-spine1": {("ecn-marked",): "off"}}
    looks = list(series.looks(0.0, 10.0, 20.0))
    for number, look in enumerate(looks, 1):
        record(tmp_path, number, look)
    assert list(replay(tmp_path, plans().keys())) == looks


@pytest.fixture
def recorded(tmp_path: Path) -> Path:
    record(tmp_path, 1, Series(plans()).look(0.0))
    return tmp_path / "0001"


DAMAGE: dict[str, bytes] = {
    "nothing": b"",
    "a list": b"[]",
    "text": b"hello",
    "deep": b'{"measures":' + b"[" * 100_000,
    "no measures": b'{"taken": 1}',
    "no time": b'{"measures": []}',
    "a number as name": b'{"taken": 1, "measures": [[3, 4]]}',
    "no value": b'{"taken": 1, "measures": [[]]}',
    "a text as value": b'{"taken": 1, "measures": [["pause-sent", "a", "3", "many"]]}',
    "a text as clock": b'{"taken": 1, "clock": "noon", "measures": []}',
    "bytes": b"\xff\xfe\x00",
    "measures as text": b'{"taken": 1, "measures": "abc"}',
    "unknown as number": b'{"taken": 1, "measures": [], "unknown": 3}',
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE.keys())
def test_a_damaged_switch_is_silent(recorded: Path, damage: bytes) -> None:
    (recorded / f"{LEAF}.json").write_bytes(damage)
    (look,) = replay(recorded.parent, plans().keys())
    assert look.silent.keys() == {LEAF}
    assert look.silent[LEAF].startswith("unreadable recording: ")
    assert look.seen.keys() == plans().keys() - {LEAF}


@pytest.mark.parametrize(
    "document",
    [None, [], {}, {"taken": "x"}, {"taken": 1, "cnps": 3}, {"taken": 1, "cnps": {"a": []}}],
)
def test_a_damaged_look_is_an_error(recorded: Path, document: Any) -> None:
    (recorded / LOOK).write_text(json.dumps(document))
    with pytest.raises(SeriesError, match="unreadable"):
        list(replay(recorded.parent, plans().keys()))


def test_a_link_is_not_followed(recorded: Path, tmp_path: Path) -> None:
    place = recorded / f"{LEAF}.json"
    outside = tmp_path / "outside.json"
    place.rename(outside)
    place.symlink_to(outside)
    (look,) = replay(recorded.parent, plans().keys())
    assert look.silent.keys() == {LEAF}


def test_a_file_of_another_switch_is_ignored(recorded: Path) -> None:
    (recorded / "other.json").write_text("{}")
    (look,) = replay(recorded.parent, plans().keys())
    assert look.seen.keys() == plans().keys()


def test_a_folder_without_looks_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(SeriesError, match="has no looks"):
        list(replay(tmp_path, ()))
    with pytest.raises(SeriesError, match="No such file"):
        list(replay(tmp_path / "absent", ()))


def test_counters_of_nics_are_summed_over_the_ports_of_a_server(tmp_path: Path) -> None:
    (tmp_path / "gpu1").write_text("     rx_packets: 9\n     np_cnp_sent: 12\n")
    (tmp_path / "gpu2.txt").write_text(
        "/sys/class/infiniband/mlx5_0/ports/1/hw_counters/np_cnp_sent:5\n"
        "/sys/class/infiniband/mlx5_0/ports/1/hw_counters/rp_cnp_handled:70\n"
        "/sys/class/infiniband/mlx5_1/ports/1/hw_counters/np_cnp_sent:6\n"
    )
    (tmp_path / "gpu3").write_bytes(b"np_cnp_sent: many\n\xff\xfe np_cnp_sent: 1 2\n")
    found = cnps_sent(tmp_path, ["gpu1", "gpu2", "gpu3", "gpu4", "../gpu1"])
    assert found == {"gpu1": 12.0, "gpu2": 11.0}


def test_a_missing_folder_has_no_counters(tmp_path: Path) -> None:
    assert cnps_sent(tmp_path / "absent", ["gpu1"]) == {}
