"""From single ports: worked numbers of each headroom model, and where their terms come from."""

from dataclasses import replace
from fractions import Fraction

import pytest

from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.lossless.chips import CHIPS, LARGEST_CELL, SonicDynamic, chip
from fabricgen.model.lossless.headroom import headroom, wire_minimum
from fabricgen.model.lossless.port import (
    PauseResponse,
    Port,
    SmallPackets,
    Traffic,
    pause_quanta,
    response_bytes,
)
from fabricgen.model.lossless.wire import amplification, interface_delay

LENGTHS = (5, 40, 100, 300)


def port(speed: str, meters: int, lossless: int = 9216, mtu: int = 9216) -> Port:
    return Port(
        speed=BitsPerSecond.parse(speed),
        length=Meters(meters),
        mtu=Bytes(mtu),
        lossless_mtu=Bytes(lossless),
        lanes=4,
    )


@pytest.mark.parametrize(
    ("speed", "expected"),
    [
        ("100G", (44397, 48772, 56272, 81272)),
        ("200G", (48798, 57548, 72548, 122548)),
        ("400G", (78976, 96476, 126476, 226476)),
        ("800G", (81476, 116476, 176476, 376476)),
    ],
)
def test_bytes_on_the_wire(speed: str, expected: tuple[int, ...]) -> None:
    found = tuple(wire_minimum(port(speed, meters)).total for meters in LENGTHS)
    assert found == expected


def test_the_terms_of_800g_at_40_m() -> None:
    terms = {term.name: term.value for term in wire_minimum(port("800G", 40)).terms}
    assert terms["cable"] == 40_000
    assert terms["peer response"] == 57_920
    assert terms["own frame before pause"] + terms["peer's last frame"] == 18_472
    assert terms["pause frame"] == 84
    assert sum(terms.values()) == 116_476


@pytest.mark.parametrize(
    ("speed", "per_meter"), [("100G", 125), ("200G", 250), ("400G", 500), ("800G", 1000)]
)
def test_a_meter_of_cable_on_the_wire(speed: str, per_meter: int) -> None:
    assert wire_minimum(port(speed, 1)).per_meter == per_meter


@pytest.mark.parametrize(
    ("speed", "expected"),
    [
        ("100G", (44032, 49152, 57344, 83968)),
        ("200G", (50176, 60416, 75776, 130048)),
        ("400G", (86016, 104448, 137216, 243712)),
        ("800G", (95232, 132096, 196608, 411648)),
    ],
)
def test_spectrum_4_with_half_the_packets_small(speed: str, expected: tuple[int, ...]) -> None:
    silicon = chip("Spectrum-4", None)
    made = [headroom(port(speed, meters, 4096), silicon, Traffic(50)).total for meters in LENGTHS]
    assert tuple(made) == expected


@pytest.mark.parametrize(
    ("speed", "expected"),
    [
        ("400G", (231424, 283648, 374784, 677888)),
        ("800G", (257024, 362496, 544768, 1150976)),
    ],
)
def test_spectrum_4_at_worst(speed: str, expected: tuple[int, ...]) -> None:
    silicon = chip("Spectrum-4", None)
    made = [headroom(port(speed, meters, 1024), silicon).total for meters in LENGTHS]
    assert tuple(made) == expected


@pytest.mark.parametrize(
    ("speed", "expected"),
    [
        ("400G", (394970, 448056, 538734, 840994)),
        ("800G", (726186, 831850, 1013460, 1618234)),
    ],
)
def test_tomahawk_5_by_its_fit(speed: str, expected: tuple[int, ...]) -> None:
    made = [headroom(port(speed, meters), chip("Tomahawk5", None)) for meters in LENGTHS]
    assert tuple(item.total for item in made) == expected
    assert all(item.error == Fraction("0.0046") and "fit" in item.model for item in made)


@pytest.mark.parametrize(
    ("asic", "speed", "meters", "total"),
    [
        ("Spectrum-3", "400G", 300, 272384),
        ("Spectrum-3", "100G", 40, 51200),
        ("Spectrum-4", "800G", 300, 474112),
        ("Spectrum-4", "200G", 40, 65536),
    ],
)
def test_the_current_code_as_its_author_ran_it(
    asic: str, speed: str, meters: int, total: int
) -> None:
    """sonic-swss pull request 3235: port MTU 9100, RDMA MTU 1024, 50 % small packets."""
    asked, silicon = port(speed, meters, 1024, 9100), chip(asic, None)
    assert isinstance(silicon.model, SonicDynamic)
    made = headroom(asked, silicon, Traffic(50))
    assert made.total == total


def test_spectrum_6_has_18_kib_more() -> None:
    silicon = chip("Spectrum-6", None)
    assert isinstance(silicon.model, SonicDynamic)
    bare = replace(silicon, model=replace(silicon.model, extra=Bytes(0)))
    asked = port("400G", 40, 4096)
    assert headroom(asked, silicon).total - headroom(asked, bare).total == 18 * 1024
    assert [term.name for term in headroom(asked, silicon).terms][-1] == "more for this chip"
    assert "more for this chip" not in [term.name for term in headroom(asked, bare).terms]


def test_compensation_only_below_the_worst_case() -> None:
    """sonic-swss pull request 4757: 2 KiB unless that reaches headroom of small packets alone."""
    silicon = chip("Spectrum-4", None)
    assert isinstance(silicon.model, SonicDynamic)
    paid = replace(silicon, model=replace(silicon.model, compensation=Bytes(2048)))
    asked = port("400G", 40, 1024)
    half, whole = Traffic(50), Traffic(100)
    assert headroom(asked, paid, half).total - headroom(asked, silicon, half).total == 2048
    assert headroom(asked, paid, whole) == headroom(asked, silicon, whole)
    added = "small-packet compensation"
    assert [term.name for term in headroom(asked, paid, half).terms].count(added) == 1


def test_barefoot_counts_400g_twice_and_a_gearbox_both_ways() -> None:
    silicon = chip("Tofino2", None)
    model = silicon.model
    assert isinstance(model, SonicDynamic)
    terms = {term.name: term.value for term in headroom(port("400G", 5), silicon).terms}
    assert terms["peer response"] == 2 * 905 * 64
    geared = replace(silicon, model=replace(model, gearbox_ns=400))
    boxed = {term.name: term.value for term in headroom(port("100G", 5), geared).terms}
    assert boxed["gearbox"] == pytest.approx(2 * 100_000 * 400 / 8192, abs=1)


def test_share_and_percentage_agree_when_all_packets_are_small() -> None:
    silicon, asked = chip("Spectrum-4", None), port("400G", 40)
    share = headroom(asked, silicon, Traffic(100, SmallPackets.SHARE))
    percentage = headroom(asked, silicon, Traffic(100, SmallPackets.PERCENTAGE))
    assert share.total == percentage.total


def test_quanta_of_the_standard_and_above_400g() -> None:
    shipped, careful = PauseResponse.SHIPPED, PauseResponse.CONSERVATIVE
    at = BitsPerSecond.parse
    assert pause_quanta(at("100G"), shipped) == pause_quanta(at("100G"), careful) == 394
    assert (pause_quanta(at("800G"), shipped), pause_quanta(at("800G"), careful)) == (905, 1810)
    assert (pause_quanta(at("1.6T"), shipped), pause_quanta(at("1.6T"), careful)) == (None, 3620)
    assert pause_quanta(at("2.5G"), shipped) == 67, "an unlisted speed takes the faster one"
    found = response_bytes(at("400G"), shipped)
    assert found is not None
    assert found[0] == 57_920


def test_a_speed_beyond_sonics_table_gets_its_fixed_response() -> None:
    silicon = chip("Spectrum-5", None)
    terms = {term.name: term for term in headroom(port("1.6T", 5), silicon).terms}
    assert terms["peer response"].value == pytest.approx(3891, abs=1)
    careful = headroom(port("1.6T", 5), silicon, response=PauseResponse.CONSERVATIVE)
    assert careful.total > 3 * headroom(port("1.6T", 5), silicon).total
    assert wire_minimum(port("1.6T", 5)).total > 231_680


@pytest.mark.parametrize("cell", sorted({*(item.cell for item in CHIPS), 32, 64, 84, 208, 384}))
def test_no_frame_length_takes_more_than_the_amplification(cell: int) -> None:
    worst = max(Fraction(-(-frame // cell) * cell, frame + 20) for frame in range(64, 9217))
    assert amplification(Bytes(cell)) == worst


def test_interfaces_keep_the_time_of_100g_above_it() -> None:
    at = BitsPerSecond.parse
    assert interface_delay(at("100G"))[0] == 122880 // 8
    assert interface_delay(at("400G"))[0] == 4 * 122880 // 8
    assert interface_delay(at("10G"))[0] == 1024
    assert interface_delay(at("40G"))[0] == 3072


def test_unknown_chips_get_the_general_model() -> None:
    known, unknown = chip("Tomahawk2", Bytes(208)), chip("Jericho2", None)
    assert (known.cell, unknown.cell) == (208, LARGEST_CELL)
    made = headroom(port("100G", 40), known)
    assert made.model == "802.1Qbb and worst cells"
    assert made.total % 208 == 0
    with pytest.raises(ValueError, match="254"):
        chip("Tomahawk5", Bytes(208))
