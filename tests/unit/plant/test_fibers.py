"""How many fibers there are, by which panels they run, and how much light they lose."""

from collections import Counter, defaultdict
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.unit.plant.test_cables import SITE, compiled, laid, moved

from fabricgen.core.diagnostics import Code, Diagnostic
from fabricgen.model.cabling.cables import cables
from fabricgen.model.cabling.fibers import fibers_of, grade
from fabricgen.model.cabling.loss import loss_of
from fabricgen.model.cabling.media import Wanted, chosen, plug_of, unlike_fiber, unlike_polish
from fabricgen.model.cabling.mounted import panel_of
from fabricgen.model.cabling.panels import patching
from fabricgen.model.cabling.patched import Patching
from fabricgen.model.cabling.trunks import trunks_for
from fabricgen.model.catalog.optics import MediaOption, Socket, shipped_optics
from fabricgen.model.fabric.floor import Media
from fabricgen.model.fabric.switch import Site

OPTICS = shipped_optics()


def by_panels(more: dict[str, Any] | None = None, **words: Any) -> dict[str, Any]:
    return {"cabling": {"structured": {"backend": words}, **(more or {})}}


def site_of(**more: Any) -> Site:
    site = compiled(**more).site
    assert site is not None
    return site


def patched(**words: Any) -> Patching:
    site = site_of(**by_panels(**words))
    return patching(cables(site), site.floor)


def said(code: Code, **more: Any) -> list[Diagnostic]:
    return [each for each in compiled(**more).findings if each.code is code]


def in_rack(name: str, **more: Any) -> int:
    every = laid(**more)
    ends = [(each, end) for each in every for end in (each.near, each.far)]
    return sum(
        fibers_of(cable) or 0
        for cable, end in ends
        if end.stand is not None and end.stand.rack.name == name
    )


def test_a_rack_of_four_servers_with_eight_nics_of_eight_fibers_has_256() -> None:
    assert in_rack("r01-01") == 4 * 8 * 8


def test_a_rack_of_eight_servers_with_eight_nics_of_sixteen_fibers_has_1024() -> None:
    cable, optic = next(each for each in laid() if each.rail), OPTICS["400G-SR8"]
    assert cable.link is not None
    whole = replace(cable.near, place=replace(cable.near.place, sub=0, subs=1))
    wide = replace(cable, way=MediaOption(optic, optic, optic.reach), near=whole)
    assert 8 * 8 * (fibers_of(wide) or 0) == 8 * 8 * 16 == 1024


@pytest.mark.parametrize(
    ("fibers", "each", "spare", "trunks"),
    [(256, 8, 0, 32), (256, 12, 0, 22), (256, 16, 0, 16), (256, 24, 0, 11), (256, 8, 25, 40)],
)
def test_trunks_are_rounded_up(fibers: int, each: int, spare: float, trunks: int) -> None:
    assert trunks_for(fibers, each, spare) == trunks


@given(st.integers(1, 10_000), st.sampled_from([8, 12, 16, 24]), st.integers(0, 400))
def test_there_are_never_too_few_trunks_nor_a_whole_one_too_many(
    fibers: int, each: int, spare: int
) -> None:
    wanted = fibers + fibers * spare / 100
    there = trunks_for(fibers, each, spare) * each
    assert wanted <= there < wanted + each + 1


@pytest.mark.parametrize("trunk", [8, 12, 16, 24])
def test_every_fiber_of_a_trunk_is_used_once_and_none_is_lost(trunk: int) -> None:
    plan = patched(trunk=trunk)
    used: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for each in plan.patched:
        assert sum(p.last - p.first + 1 for p in each.pieces) == fibers_of(each.cable)
        for piece in each.pieces:
            used[piece.trunk].append((piece.first, piece.last))
    assert {each.name for each in plan.trunks} == used.keys()
    for one in plan.trunks:
        ranges = sorted(used[one.name])
        assert all(before[1] < after[0] for before, after in pairwise(ranges))
        assert sum(last - first + 1 for first, last in ranges) == one.used <= trunk
        assert one.racks[0] != one.racks[1]


def test_every_plug_has_a_port_of_its_own_at_a_panel_of_its_rack() -> None:
    plan = patched()
    ports: Counter[tuple[str, int]] = Counter()
    for each in plan.patched:
        for side in (each.near, each.far):
            ports.update((side.rack.name, number) for number in side.ports)
    assert set(ports.values()) == {1}
    assert Counter(rack for rack, _ in ports) == plan.ports


def test_panels_hang_from_the_top_of_the_rack() -> None:
    floor = site_of(**by_panels()).floor
    rack = floor.racks[0]
    places = [panel_of(port, floor, rack) for port in (1, 48, 49)]
    assert places == [("r01-01-pp1", 42, 1), ("r01-01-pp1", 42, 48), ("r01-01-pp2", 41, 1)]


def test_cables_by_panels_are_longer_and_settings_know_it() -> None:
    far = {"racks": moved(9)}
    one = {each.name: each.length for each in laid(**far) if each.rail}
    other = {each.name: each.length for each in laid(**far, **by_panels()) if each.rail}
    assert all(other[name].way > one[name].way for name in one)
    links = site_of(**far, **by_panels()).fabrics[0].topology.links
    longest = max(each.meters for each in other.values())
    assert max(link.length for link in links if link.to_server) == -(-longest // 1)


def test_only_the_pairs_that_are_named_have_trunks() -> None:
    assert not patched(between=[["gpu", "gpu"]]).patched
    assert patched(between=[["network", "gpu"]]).patched


def test_growth_moves_no_fiber() -> None:
    small = {**by_panels(), "servers": {"gpu": {**SITE["servers"]["gpu"], "count": 8}}}
    places = []
    for more in (small, by_panels()):
        site = site_of(**more)
        plan = patching(cables(site), site.floor)
        at = ((each.cable.name, each.pieces, each.near, each.far) for each in plan.patched)
        places.append({name: (said, near.ports, far.ports) for name, said, near, far in at})
    assert places[0].items() <= places[1].items()


@pytest.mark.parametrize(
    ("trunk", "optics", "pairs"),
    [
        (8, ("OSFP-800G-2DR4", "400G-DR4"), (2, 0)),  # plug to plug
        (12, ("OSFP-800G-2DR4", "400G-DR4"), (4, 0)),  # a cassette from 12 to 8 at either end
        (12, ("800G-2FR4", "400G-FR4"), (2, 2)),
    ],
)
def test_what_meets_in_a_channel(
    trunk: int, optics: tuple[str, str], pairs: tuple[int, int]
) -> None:
    site = site_of(**by_panels(trunk=trunk))
    near, far = (OPTICS[each] for each in optics)
    every = [
        replace(each, way=MediaOption(near, far, near.reach))
        for each in cables(site)
        if each.channel is not None
    ]
    by = patching(every, site.floor).patched[0]
    cable = by.cable
    loss = loss_of(cable, site.floor.losses, by)
    assert loss is not None
    assert (loss.mpo, loss.lc) == pairs
    fiber = cable.length.meters / 1000 * 0.4
    assert loss.total == pytest.approx(pairs[0] * 0.35 + pairs[1] * 0.25 + fiber)


def test_a_cable_from_port_to_port_loses_what_its_fiber_loses() -> None:
    site = site_of()
    cable = next(each for each in cables(site) if each.rail)
    loss = loss_of(cable, site.floor.losses)
    assert loss is not None
    assert loss.total == pytest.approx(cable.length.meters / 1000 * 3.0)


def test_an_unknown_budget_is_not_kept() -> None:
    """No source says what 400GBASE-SR4 bears: the plan says `not known`."""
    site = site_of(**by_panels({"losses": {"mpo": 10}}))
    by = patching(cables(site), site.floor).patched[0]
    loss = loss_of(by.cable, site.floor.losses, by)
    assert loss is not None
    assert (loss.budget, loss.too_much) == (None, False)


def test_a_rack_that_keeps_no_room_for_its_panels_is_full() -> None:
    found = said(Code.RACK_FULL, **by_panels({"manager": 32}))
    assert [each.path for each in found] == [("racks", "gpu")] * 4 + [("racks", "network")]
    racks = {name: {**words, "panels": 14} for name, words in SITE["racks"].items()}
    racks["gpu"]["height"] = 48
    assert not said(Code.RACK_FULL, racks=racks, **by_panels({"manager": 32}))


def test_too_few_fibers_for_the_next_speed_are_a_warning() -> None:
    racks = {name: {**words, "panels": 5} for name, words in SITE["racks"].items()}
    assert len(said(Code.FIBERS_SHORT, racks=racks, **by_panels(trunk=16, next_fibers=16))) == 4
    enough = by_panels(trunk=16, next_fibers=16, spare=100)
    assert not said(Code.FIBERS_SHORT, racks=racks, **enough)


@pytest.mark.parametrize(
    ("between", "times"),
    [
        ([["gpu", "middle"], ["middle", "network"]], 1),
        ([["gpu", "middle"], ["middle", "network"], ["network", "gpu"]], 0),
        ([["gpu", "middle"]], 0),
        ([], 0),
    ],
)
def test_a_cross_connect_is_said_and_its_fiber_runs_from_port_to_port(
    between: list[list[str]], times: int
) -> None:
    middle = {"row": 2, "panels": 6, "contents": [{"pdus": 1}]}
    more = {"racks": {**SITE["racks"], "middle": middle}, **by_panels(between=between)}
    found = said(Code.CROSS_CONNECT, **more)
    assert [each.path for each in found] == [
        ("cabling", "structured", "backend", "between")
    ] * times
    assert all(each.channel is None for each in laid(**more) if each.rail) is (
        ["network", "gpu"] not in between and between != []
    )


def test_copper_asks_for_no_cross_connect() -> None:
    middle = {"row": 2, "contents": [{"pdus": 1}]}
    near = {"media": {"backend": {"servers": ["active-copper"], "switches": ["active-copper"]}}}
    words = by_panels(near, between=[["gpu", "middle"], ["middle", "network"]])
    assert not said(Code.CROSS_CONNECT, racks={**SITE["racks"], "middle": middle}, **words)


def test_what_no_medium_reaches_is_said() -> None:
    near = {"media": {"backend": {"servers": ["copper"]}}}
    assert said(Code.NO_MEDIUM, cabling=near)
    assert not said(Code.NO_MEDIUM)


@pytest.mark.parametrize(
    ("form", "mode", "medium", "meters", "laid_as"),
    [
        ("SFP28", "1x25G", "copper", 5, "SFP28-25G-DAC"),
        ("SFP28", "1x25G", "copper", 5.1, None),
        ("RJ45", "1x25G", "twisted-pair", 30, "25GBASE-T"),
        ("RJ45", "1x25G", "twisted-pair", 31, None),
        ("RJ45", "1x10G", "twisted-pair", 100, "10GBASE-T"),
        ("RJ45", "1x40G", "twisted-pair", 30, "40GBASE-T"),
        ("RJ45", "1x5G", "twisted-pair", 100, "5GBASE-T"),
        ("RJ45", "1x10G", "twisted-pair", 101, None),
        ("SFP28", "1x25G", "multimode", 100, "SFP28-25G-SR"),
        ("SFP28", "1x25G", "multimode", 101, None),
    ],
)
def test_a_medium_reaches_so_far_and_no_farther(
    form: str, mode: str, medium: str, meters: float, laid_as: str | None
) -> None:
    socket = Socket(forms=(form,), modes=(mode,))
    wanted = Wanted(
        near=socket,
        far=socket,
        meters=meters,
        media=(medium,),
        policy=Media(servers=(medium,), switches=(medium,)),
        apart=False,
    )
    way = chosen(wanted, list(OPTICS.values()))
    assert (way.near.name if way is not None else None) == laid_as


@pytest.mark.parametrize(("meters", "name"), [(30, "OM3"), (31, "OM4"), (50, "OM4")])
def test_multimode_has_the_grade_of_its_length(meters: float, name: str) -> None:
    cable = next(each for each in laid() if each.rail)
    assert grade(replace(cable, length=replace(cable.length, sold=meters))) == name


def test_single_mode_is_os2() -> None:
    single = {"media": {"backend": {"servers": ["single-mode"], "switches": ["single-mode"]}}}
    assert {grade(each) for each in laid(cabling=single)} == {"OS2"}


@pytest.mark.parametrize("turned", [False, True])
def test_fibers_are_those_of_the_end_that_has_fewer(*, turned: bool) -> None:
    """Half of a 16-fiber optic above, a 16-fiber optic with a cable of its own below: 8 carry."""
    cable, wide = next(each for each in laid() if each.rail), OPTICS["400G-SR8"]
    assert cable.link is not None
    port = cable.link.upper_port
    half = replace(cable.near, port=replace(port, sub=1, subs=2))
    whole = replace(cable.far, port=replace(port, sub=0, subs=1))
    ends = (whole, half) if turned else (half, whole)
    ways = MediaOption(wide, wide, wide.reach)
    assert fibers_of(replace(cable, near=ends[0], far=ends[1], way=ways)) == 8
    less = MediaOption(wide, OPTICS["400G-SR4"], wide.reach)
    if turned:
        less = MediaOption(less.far, less.near, less.reach)
    own = replace(cable, near=whole, far=whole, way=less)
    assert fibers_of(own) == 8


def test_plugs_that_share_a_trunk_or_cross_two_take_a_cassette() -> None:
    """Fibers of two kinds of plug never mix in one trunk; a plug of half a trunk is not alone."""
    site = site_of(**by_panels(trunk=8))
    one, *rest = [each for each in cables(site) if each.channel is not None]
    assert one.way is not None
    lc = OPTICS["QSFP56-200G-FR4"]
    mixed = [replace(one, way=MediaOption(lc, lc, lc.reach)), *rest]
    plan = patching(mixed, site.floor)
    kinds = {each.cable.name: (each.near.straight, each.far.straight) for each in plan.patched}
    assert kinds.pop(one.name) == (False, False)
    assert set(kinds.values()) == {(True, True)}
    assert one.link is not None
    place = replace(one.near.place, sub=0, subs=4)
    quarter = replace(one, near=replace(one.near, place=place))
    (alone,) = patching([quarter], site.floor).patched
    assert (alone.near.straight, alone.far.straight) == (False, False)


def test_ends_that_are_unlike_are_known() -> None:
    sr8, sr4, dr4 = OPTICS["400G-SR8"], OPTICS["QSFP56-200G-SR4"], OPTICS["400G-DR4"]
    lc = OPTICS["QSFP28-100G-DR"]
    assert unlike_fiber(MediaOption(sr8, dr4, sr8.reach))
    assert unlike_polish(MediaOption(sr8, sr4, sr8.reach))
    assert not unlike_polish(
        MediaOption(dr4, lc, lc.reach)
    )  # a cord from MPO/APC to LC/UPC is usual
    plug = plug_of(OPTICS["OSFP-800G-2DR4"])
    assert plug is not None
    assert (plug.family, plug.polish, plug.fibers) == ("MPO", "APC", 8)


def test_copper_between_racks_takes_no_trunk() -> None:
    near = {"media": {"backend": {"servers": ["active-copper", "multimode"]}}}
    every = [each for each in laid(**by_panels(near)) if each.rail]
    assert {each.fixed is not None for each in every} == {True, False}
    for each in every:
        assert (each.channel is None) is (each.fixed is not None)
