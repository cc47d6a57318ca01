"""The 802.1Qbb sum term by term, beside arithmetic done here with floats and brute force."""

from fractions import Fraction
from math import ceil

import pytest
from tests.unit.lossless.test_models import port

from fabricgen.core.units import BitsPerSecond, Bytes
from fabricgen.model.lossless.chips import CellFit, chip
from fabricgen.model.lossless.port import PauseResponse
from fabricgen.model.lossless.wire import (
    amplification,
    cable_bytes,
    fitted_parts,
    general_parts,
    interface_delay,
    wire_parts,
)

SPEED = BitsPerSecond.parse
WIRE = {
    "own frame before pause": 9236,
    "pause frame": 84,
    "cable": 20_000,
    "peer response": 64 * 905,
    "peer's last frame": 1044,
}
"""A port of 400G with 40 m, frames of 9,216 bytes and lossless ones of 1,024."""


def test_on_the_wire_are_two_frames_a_pause_frame_the_cable_and_the_response() -> None:
    parts = wire_parts(port("400G", 40, lossless=1024), PauseResponse.SHIPPED)
    assert {part.name: part.value for part in parts} == WIRE


@pytest.mark.parametrize("speed", ["1.6T", "1.2T"])
def test_where_sonics_table_ends_the_response_time_is_kept(speed: str) -> None:
    both = [wire_parts(port(speed, 5), response) for response in PauseResponse]
    assert both[0] == both[1]


@pytest.mark.parametrize(
    ("speed", "meters", "size"), [("100G", 1, 125), ("100G", 40, 5_000), ("800G", 3, 3_000)]
)
def test_a_cable_holds_ten_nanoseconds_a_meter_there_and_back(
    speed: str, meters: int, size: int
) -> None:
    assert cable_bytes(port(speed, meters)) == size


@pytest.mark.parametrize(
    ("speed", "times", "source"),
    [
        ("1G", 8192, "IEEE 802.1Qbb Annex N"),
        ("10G", 8192, "IEEE 802.1Qbb Annex N"),
        ("25G", 8192, "IEEE 802.1Qbb Annex N"),
        ("40G", 24_576, "IEEE 802.1Qbb Annex N"),
        ("50G", 122_880, "IEEE 802.1Qbb Annex N"),
        ("100G", 122_880, "IEEE 802.1Qbb Annex N"),
        ("200G", 245_760, "the time of 100G at 200G"),
        ("800G", 983_040, "the time of 100G at 800G"),
    ],
)
def test_interfaces_hold_the_bit_times_of_the_table(speed: str, times: int, source: str) -> None:
    assert interface_delay(SPEED(speed)) == (times // 8, f"{times} bit times: {source}")


@pytest.mark.parametrize("cell", [64, 65, 80, 96, 128, 144, 192, 254, 256, 318])
def test_no_frame_takes_more_buffer_for_a_byte_on_the_wire(cell: int) -> None:
    taken = max(Fraction(ceil(frame / cell) * cell, frame + 20) for frame in range(64, 9217))
    assert amplification(Bytes(cell)) == taken


def test_cells_add_to_all_that_is_under_way_at_worst() -> None:
    parts = general_parts(port("400G", 40, lossless=1024), Bytes(256), PauseResponse.SHIPPED)
    named = {part.name: part.value for part in parts}
    before = {**WIRE, "interfaces": 61_440}
    assert named == {**before, "cells": sum(before.values()) * (Fraction(256, 84) - 1)}
    assert parts[-1].source == "cells of 256 bytes: 3.048 bytes of buffer for a byte on the wire"


def test_a_fit_has_a_cell_for_every_smallest_slot() -> None:
    model = chip("Tomahawk5", None).model
    assert isinstance(model, CellFit)
    parts = fitted_parts(port("400G", 40), Bytes(254), model)
    named = {part.name: part.value for part in parts}
    before = {"cable": 20_000, "turn-round": model.turn_ns * 50, "frames": model.constant}
    assert named == {**before, "cells": sum(before.values()) * (Fraction(254, 84) - 1)}
    assert parts[-1].source == "a cell of 254 bytes for every 84 bytes on the wire"
