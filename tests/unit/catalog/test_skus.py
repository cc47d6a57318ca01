"""The hardware SKUs of a model: which one the ports of a switch make it, and how it is spelled."""

from dataclasses import replace

import pytest

from fabricgen.core.units import BitsPerSecond, Bytes, Meters
from fabricgen.model.catalog.cages import Mode
from fabricgen.model.catalog.memory import memory_facts
from fabricgen.model.catalog.skus import Layout, Sku, choose, nearest, told
from fabricgen.model.catalog.switches import SwitchModel, model_names, switch_model
from fabricgen.model.catalog.targets import UNKNOWN, facts_at
from fabricgen.model.lossless.memory import ShippedPool
from fabricgen.model.lossless.rows import Row

SPEED = BitsPerSecond.parse
ALL = [
    (name, sku)
    for name in model_names()
    if (known := switch_model(name)) is not None
    for sku in known.skus.get("sonic", ())
]


def model(name: str) -> SwitchModel:
    found = switch_model(name)
    assert found is not None
    return found


def layout(name: str, *banks: tuple[int, str]) -> Layout:
    """Use the first cages of a model so, bank by bank; its service cages as they ship."""
    box = model(name)
    wanted = [text for count, text in banks for _ in range(count)]
    made: list[tuple[int, Mode]] = []
    for cage, text in zip(box.usable, wanted, strict=True):
        count, speed = text.split("x")
        mode = cage.mode(SPEED(speed), int(count))
        assert mode is not None
        made.append((cage.number, mode))
    return (*made, *((cage.number, cage.modes[0]) for cage in box.cages if cage.service))


def chosen(name: str, *banks: tuple[int, str], lossless: str = "") -> str | None:
    speeds = [SPEED(text) for text in lossless.split()]
    sku = choose(model(name).skus["sonic"], layout(name, *banks), speeds)
    return sku.name if sku else None


@pytest.mark.parametrize(
    ("name", "banks", "lossless", "wanted"),
    [
        ("7060X6-64PE", [(64, "2x400G")], "400G", "Arista-7060X6-64PE-O128S2"),
        ("7060X6-64PE", [(64, "4x200G")], "200G", "Arista-7060X6-64PE-256x200G"),
        ("7060X6-64PE", [(64, "1x800G")], "800G", "Arista-7060X6-64PE"),
        ("7060X6-64PE", [(32, "1x800G"), (32, "2x400G")], "", "Arista-7060X6-64PE-P32O64"),
        ("7060X6-64PE", [(48, "2x400G"), (16, "1x800G")], "400G", "Arista-7060X6-64PE-O128S2"),
        ("7060X6-64PE", [(64, "1x400G")], "", "Arista-7060X6-64PE-64x400G"),
        ("7060X6-64PE", [(64, "1x400G")], "400G", "Arista-7060X6-64PE-O128S2"),
        ("7050CX3-32S", [(32, "1x100G")], "100G", "Arista-7050CX3-32S-C32"),
        ("7050CX3-32S", [(32, "1x100G")], "", "Arista-7050CX3-32S-C32"),
        ("7050CX3-32S", [(24, "4x25G"), (8, "1x100G")], "", "Arista-7050CX3-32S"),
        ("7050CX3-32S", [(24, "4x25G"), (8, "1x100G")], "25G", "Arista-7050CX3-32S"),
        ("S5232F-ON", [(24, "4x25G"), (8, "1x100G")], "", "DellEMC-S5232f-P-25G"),
        ("Z9332F-ON", [(32, "1x100G")], "100G", "DellEMC-Z9332f-O32"),
        ("SN5600", [(64, "2x400G")], "400G", "Mellanox-SN5600-O128"),
        ("SN5600", [(32, "2x400G"), (32, "1x800G")], "400G 800G", "ACS-SN5600"),
        ("SN4700", [(32, "4x100G")], "100G", "Mellanox-SN4700-C128"),
        ("AS9716-32D", [(32, "4x100G")], "", None),
        ("Z9664F-ON", [(64, "2x200G")], "", None),
    ],
)
def test_the_ports_choose_the_sku(
    name: str, banks: list[tuple[int, str]], lossless: str, wanted: str | None
) -> None:
    assert chosen(name, *banks, lossless=lossless) == wanted


def test_where_no_sku_fits_the_nearest_come_first() -> None:
    ports = layout("S5232F-ON", (20, "4x25G"), (12, "1x100G"))
    fixed = [sku for sku in model("S5232F-ON").skus["sonic"] if not sku.splits]
    assert choose(fixed, ports, ()) is None
    best, *_ = nearest(fixed, ports)
    assert best.name == "DellEMC-S5232f-P-25G"
    assert best.refused(ports) == 4
    assert told(ports) == "20 x 4x25G and 12 x 1x100G and 2 x 1x10G"


@pytest.mark.parametrize(("name", "sku"), ALL, ids=lambda one: getattr(one, "name", one))
def test_a_sku_offers_the_ports_it_ships_with(name: str, sku: Sku) -> None:
    ports = tuple(sku.layout.items())
    assert not sku.refused(ports)
    assert [cage for cage, _ in ports] == [cage.number for cage in model(name).cages]
    if sku.splits:
        modes = [mode for cage, mode in ports if not model(name).cages[cage - 1].service]
        assert all(sku.spelled(mode) in sku.modes for mode in modes)


@pytest.mark.parametrize(
    ("name", "split", "spelled"),
    [
        ("SN5600", "2x400G", "2x400G[200G,100G,50G,40G,25G,10G]"),
        ("SN5600", "4x50G", "4x200G[100G,50G,25G,10G]"),
        ("SN4700", "4x25G", "4x25G(4)[10G,1G]"),
        ("7060X6-64PE", "2x400G", "2x400G"),
        ("7060X6-64PE", "1x400G", "1x400G"),
        ("7050CX3-32S", "4x25G", "4x25G[10G]"),
        ("Z9864F-ON", "2x400G", "2x400G(8)"),
    ],
)
def test_a_mode_is_spelled_as_breakout_modes_have_it(name: str, split: str, spelled: str) -> None:
    count, speed = split.split("x")
    mode = model(name).usable[0].mode(SPEED(speed), int(count))
    assert mode is not None
    assert {sku.spelled(mode) for sku in model(name).skus["sonic"]} == {spelled}


@pytest.mark.parametrize("name", sorted({name for name, _ in ALL}))
def test_rows_and_pools_are_those_of_its_file(name: str) -> None:
    raw = model(name).platforms["sonic"]
    for sku in model(name).skus["sonic"]:
        facts = facts_at(raw["skus"][sku.name], UNKNOWN)
        rows = [
            [
                row.speed.megabits,
                row.length,
                row.size,
                row.resume,
                row.headroom,
                row.alpha,
                row.resume_offset,
            ]
            for row in sku.rows
        ]
        assert rows == facts.get("headroom", [])
        assert {row.source for row in sku.rows} <= {f"{sku.name}/pg_profile_lookup.ini"}
        assert sku.dynamic or bool(sku.lacks) == (not sku.rows or not sku.pools)


POOL: dict[str, int | str] = {"size": 9_000, "xoff": 2_000}


@pytest.mark.parametrize(
    ("mode", "rows", "alpha"),
    [("dynamic", 1, -2), (None, 1, -2), ("static", 1, 0), ("dynamic", 0, 0)],
)
def test_a_threshold_is_known_where_the_pool_is_dynamic(
    mode: str | None, rows: int, alpha: int
) -> None:
    row = Row(speed=SPEED("100G"), length=Meters(5), headroom=Bytes(900), source="a test", alpha=-2)
    said: dict[str, int | str] = POOL if mode is None else {**POOL, "mode": mode}
    (sku, *_) = model("Z9332F-ON").skus["sonic"]
    made = replace(sku, rows=(row,) * rows, pools={"ingress_lossless_pool": said})
    assert made.alpha == alpha
    assert made.pool == ShippedPool(Bytes(2_000), Bytes(9_000))
    assert replace(made, pools={"ingress_lossless_pool": {"size": 9_000}}).pool is None


@pytest.mark.parametrize("text", ["1x", "1x400G[200G", "1x400G(4"])
def test_a_mode_that_is_none_is_refused(text: str) -> None:
    (sku, *_) = model("Z9332F-ON").skus["sonic"]
    with pytest.raises(ValueError, match="is not a breakout mode"):
        replace(sku, modes=(text,)).spelled(Mode(1, SPEED("400G"), 8))


def test_an_os_that_runs_as_a_sku_has_that_ones_memory_alone() -> None:
    box = model("7060X6-64PE")
    slow, fast = (layout(box.name, (64, text)) for text in ("2x400G", "1x800G"))
    mine = memory_facts(box, "sonic", slow, [SPEED("400G")])
    assert (mine.own, mine.sku, mine.lacks) == (True, "Arista-7060X6-64PE-O128S2", None)
    assert {str(row.speed) for row in mine.rows} == {"400G"}
    assert mine.pool is not None
    assert mine.pool.headroom == Bytes(29_423_360)
    other = memory_facts(box, "sonic", fast, [SPEED("800G")])
    assert (other.rows, other.pool, other.alpha) == ((), None, 0)
    assert other.lacks is not None


def test_an_os_without_skus_has_what_is_known_of_the_chip() -> None:
    box = model("7060X6-64PE")
    facts = memory_facts(box, "eos", layout(box.name, (64, "2x400G")), [SPEED("400G")])
    assert (facts.own, facts.sku, facts.lacks) == (False, None, None)
    assert {str(row.speed) for row in facts.rows} == {"100G", "200G", "400G"}
