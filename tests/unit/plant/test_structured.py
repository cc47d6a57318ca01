"""What structured cabling takes: every fiber of a trunk is at a panel, every plug has a cord."""

from collections import Counter
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.plant.test_cables import SITE, compiled

from fabricgen.model.cabling.fibers import fibers_of
from fabricgen.model.cabling.mounted import mounted
from fabricgen.model.cabling.parts import PartNames
from fabricgen.plan.bill import lines, minutes
from fabricgen.plan.cabling import Plan

SWITCHES: dict[str, Any] = {"row": 2, "contents": [{"switches": "be-*"}]}
NETWORK: dict[str, Any] = {"gpu": SITE["racks"]["gpu"], "network": SWITCHES}


def plan_of(*, medium: str = "multimode", **words: Any) -> Plan:
    media = {"backend": {"servers": [medium], "switches": [medium]}}
    more: dict[str, Any] = {
        key: words.pop(key) for key in ("panel", "manager", "spares") if key in words
    }
    cabling: dict[str, Any] = {"structured": {"backend": words}, "media": media, **more}
    site = compiled(racks=NETWORK, cabling=cabling).site
    assert site is not None
    return Plan.of(site)


def counts(plan: Plan) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for line in lines(plan):
        sums[line.part.name] += line.counts.get("backend", 0)
    return dict(sums)


def kinds(plan: Plan) -> dict[str, int]:
    sums: Counter[str] = Counter()
    for line in lines(plan):
        sums[line.part.kind] += line.counts.get("backend", 0)
    return dict(sums)


def test_plugs_that_meet_trunks_take_adapters_and_no_cassette() -> None:
    # 4 racks of 4 servers with 8 NICs: 32 trunks of 8 fibers from each to one rack of switches
    told = counts(plan_of(trunk=8))
    assert told["OM4 trunk MPO-12/APC 8 fibers"] == 4 * 32
    assert told["MPO-12 adapter"] == 2 * 4 * 32
    assert told["OM4 MPO-12/APC to MPO-12/APC"] == 2 * 4 * 32
    assert told["panel 48 ports 1 U"] == 4 + 3  # 32 ports in each rack, 128 at the switches
    assert "cassette" not in kinds(plan_of(trunk=8))


def test_two_trunks_of_12_and_three_plugs_of_8_share_a_cassette() -> None:
    # 256 fibers a rack are 22 trunks of 12, and 11 cassettes at either end
    told = counts(plan_of(trunk=12))
    assert told["OM4 trunk MPO-12/APC 12 fibers"] == 4 * 22
    assert told["OM4 cassette 2x MPO-12/APC to 3x MPO-12/APC"] == 2 * 4 * 11
    assert "MPO-12 adapter" not in told


def test_single_mode_trunks_are_angled() -> None:
    told = counts(plan_of(trunk=24, medium="single-mode"))
    assert told["OS2 trunk MPO-24/APC 24 fibers"] == 4 * 11
    assert told["OS2 cassette MPO-24/APC to 3x MPO-12/APC"] == 2 * 4 * 11


def test_spare_trunks_are_bought_and_have_no_cassettes_yet() -> None:
    one, other = kinds(plan_of(trunk=12)), kinds(plan_of(trunk=12, spare=100))
    assert other.pop("trunk") == 4 * 43
    del one["trunk"]
    assert one == other


def test_spares_on_the_shelf_are_those_of_cables() -> None:
    spares = {line.part.called: line.spares for line in lines(plan_of(spares={"cables": 10}))}
    # of 88 cassettes, 7 panels
    assert spares["OM4 cassette 2x MPO-12/APC to 3x MPO-12/APC"] == 9
    assert spares["panel 48 ports 1 U"] == 1
    assert spares["7060X6-64PE"] == 0


def test_managers_hold_the_cables_of_their_rack() -> None:
    # 32 cables in each of 4 racks, and 128 beside 8 leafs and a spine of 64 uplinks: 256 ends
    plan = plan_of(manager=24)
    ends = Counter(
        end.stand.rack.name
        for cable in plan.laid
        for end in (cable.near, cable.far)
        if end.stand is not None
    )
    assert kinds(plan)["cable manager"] == sum(-(-count // 24) for count in ends.values())


def test_panels_hang_above_managers_and_none_is_in_a_unit_of_another() -> None:
    plan = plan_of(manager=24, panel={"ports": 24, "units": 2})
    for rack, there in mounted(plan.patching, plan.laid, plan.site.floor).items():
        units = [unit for each in there for unit in range(each.unit, each.unit + each.units)]
        top = next(each.units for each in plan.site.floor.racks if each.name == rack)
        assert sorted(units, reverse=True) == list(range(top, top - len(units), -1))
        assert len({each.name for each in there}) == len(there)


def test_a_cord_and_a_trunk_take_the_minutes_of_a_piece() -> None:
    plan = plan_of(trunk=8)
    straight = sum(run.cables[0].channel is None for run in plan.pieces)
    assert minutes(plan)["backend"][0] == straight + (2 + 1) * 128


@settings(max_examples=12, deadline=None)
@given(
    trunk=st.sampled_from([8, 12, 16, 24]),
    spare=st.integers(0, 60),
    ports=st.integers(1, 60),
    medium=st.sampled_from(["multimode", "single-mode"]),
)
def test_fibers_in_trunks_are_fibers_at_panels(
    *, trunk: int, spare: int, ports: int, medium: str
) -> None:
    plan = plan_of(trunk=trunk, spare=spare, medium=medium, panel={"ports": ports, "units": 1})
    by_panels = [cable for cable in plan.laid if cable.channel is not None]
    patching = plan.patching
    assert sum(each.used for each in patching.trunks) == sum(fibers_of(c) or 0 for c in by_panels)
    for rack in plan.site.floor.racks:
        mine = [each for each in patching.trunks if rack.name in each.racks]
        here = [bundle for bundle in patching.bundles if rack in bundle.racks]
        ends = [(each.cable, side) for bundle in here for each, side in bundle.at(rack)]
        assert sum(each.used for each in mine) == sum(fibers_of(c) or 0 for c, _ in ends)
        taken = {port for _, side in ends for port in side.ports}
        assert taken == set(range(1, patching.ports.get(rack.name, 0) + 1))
    told, every = kinds(plan), sum(patching.ports.values())
    cords = sum(run.cables[0].channel is not None for run in plan.pieces)
    assert cords == every
    assert told["trunk"] == len(patching.trunks)
    assert told["panel"] == sum(-(-count // ports) for count in patching.ports.values())
    at_adapters = {
        (side.rack.name, port)
        for each in patching.patched
        for side in (each.near, each.far)
        if side.straight
        for port in side.ports
    }
    assert told.get("adapter", 0) == len(at_adapters)
    assert told.get("cassette", 0) * 3 >= every - len(at_adapters)


def test_every_part_of_a_bill_is_a_name_for_a_price() -> None:
    for medium in ("multimode", "single-mode"):
        for trunk in (8, 12, 16, 24):
            plan = plan_of(trunk=trunk, medium=medium, manager=24)
            models = {s.model.name for f in plan.site.fabrics for s in f.topology.switches}
            names = PartNames.of(models, plan.site.floor.optics)
            assert [x.part.called for x in lines(plan) if not names.has(x.part.called)] == []
