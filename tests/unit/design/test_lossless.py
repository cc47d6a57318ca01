"""The lossless plan of a designed backend: what counts, and what is said about it."""

from collections.abc import Iterable
from typing import Any

import pytest
from tests.unit.design.sites import R128, Keys, backend, fabric, findings, intent

from fabricgen.compile.design import lossless
from fabricgen.compile.design.port_memory import CABLES
from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.model.catalog.switches import model_names, switch_model
from fabricgen.model.fabric.buffers import SwitchBuffers
from fabricgen.model.fabric.qos import Kind
from fabricgen.model.lossless.budget import Budget, budget
from fabricgen.model.lossless.memory import Memory, PortGroup

EXCEEDED = Code.BUFFER_EXCEEDED


def leaf_buffers(servers: int, *, length: int = 40, **roce: object) -> SwitchBuffers:
    """The memory of the first leaf of a design that reserves 64 servers."""
    near = {"count": servers, "gpus": 8, "nic_speed": "400G", "cable_length": length}
    keys = backend("rail-optimized", R128, servers, servers=near, growth={"servers": 64})
    keys["backend"]["roce"] = {"over_subscription": 8, **roce}
    plan = fabric(keys).lossless
    assert plan is not None
    return plan.switches["be-su01-leaf1"]


@pytest.mark.parametrize(
    ("near", "far", "said"),
    [(10, 40, ["10 m and 40 m"]), (40, 40, ["40 m"]), (5, 40, ["5 m", "40 m"])],
)
def test_cables_that_share_a_shipped_row_share_its_warning(
    near: int, far: int, said: list[str]
) -> None:
    servers = {"count": 64, "gpus": 8, "nic_speed": "400G", "cable_length": near}
    links = {"speed": "400G", "length": far}
    keys = backend("rail-optimized", R128, 64, servers=servers, links=links)
    _, found = design_site(intent(keys))
    told = [item.message for item in found if item.code is Code.HEADROOM_DIFFERS]
    assert sorted(text.split(":")[0] for text in told) == sorted(
        f"{R128} 400G {cables}" for cables in said
    )


def test_the_plan_is_that_of_the_full_switch() -> None:
    """So that no threshold moves when the next server is plugged in."""
    few, many = leaf_buffers(4), leaf_buffers(64)
    assert (few.pause_at, few.memory) == (many.pause_at, many.memory)


def test_a_longer_cable_never_asks_for_less() -> None:
    near, far = (
        sum(port.headroom * count for port, count in plan.ports)
        for plan in (leaf_buffers(64, length=5), leaf_buffers(64, length=300))
    )
    assert near < far


def mixed(**roce: object) -> list[Diagnostic]:
    """What is said of 800G uplinks into 100G NICs."""
    servers = {"count": 8, "gpus": 2, "nic_speed": "100G"}
    unit: Keys = {"scalable_unit": {"servers": 4}, "oversubscription": 8}
    keys = backend(
        "rail-optimized", R128, 8, servers=servers, links={"speed": "800G"}, roce=roce, **unit
    )
    _, found = design_site(intent(keys))
    return [item for item in found if "one faster ingress" in item.message]


def test_an_uplink_faster_than_the_nics_is_said_where_marking_comes_too_late() -> None:
    (found,) = mixed(ecn={"minimum": 1_500_000, "maximum": 2_000_000})
    assert (found.code, found.severity) == (Code.MARKING_RULE, Severity.WARNING)
    assert found.path == ("backend", "links", "speed")
    assert found.message.startswith(
        "ECN on 100G ports: one faster ingress is marked before it is paused: "
        "Kmin 1,500,000 + (800G - 100G) x "
    )


def test_an_uplink_faster_than_the_nics_is_in_order_where_marking_comes_first() -> None:
    assert not mixed()


@pytest.mark.parametrize("roce", [{"ecn": {"enabled": False}}, {"enabled": False}])
def test_without_marking_a_faster_uplink_is_not_judged(roce: dict[str, object]) -> None:
    assert not mixed(**roce)


@pytest.mark.parametrize(
    ("length", "rule"), [(150, "shipped row"), (151, "computed: no shipped row")]
)
def test_a_cable_longer_than_the_vendors_table_gets_the_computed_value(
    length: int, rule: str
) -> None:
    (kind,) = (kind for kind, _ in leaf_buffers(4, length=length).ports if kind.length == length)
    assert kind.rule.startswith(rule)
    assert (kind.shipped is None) == (kind.headroom >= kind.computed.total)


def test_cables_that_the_pool_cannot_hold_are_refused_with_the_sum() -> None:
    near = {"count": 8, "gpus": 8, "nic_speed": "400G", "cable_length": 2000}
    keys = backend("rail-only", R128, 8, servers=near)
    found = [item for item in findings(keys) if item.code is Code.BUFFER_EXCEEDED]
    assert [item.path for item in found] == [("backend", "roce")]
    assert found[0].message == (
        "leaf 7060X6-64PE: the headroom is 14.9 times its pool of 29,423,360 bytes, more than 4: "
        "128 x 3,426,985 (400G at 2000 m) = 438,654,080"
    )


SHIPS = {
    name: sku
    for name in model_names()
    if (model := switch_model(name)) is not None
    for sku in reversed(model.skus.get("sonic", ()))
    if sku.pool is not None and sku.lacks is None and not sku.dynamic
    if len({sku.layout[cage.number] for cage in model.usable}) == 1
}
"""Of each model the first SKU that ships with a pool for headroom and one sort of ports."""


def planned(model: str, speed: str, **roce: object) -> SwitchBuffers:
    """The memory of the leafs of a small backend of that model, whatever else is said of it."""
    servers = {"count": 8, "gpus": 2, "nic_speed": speed}
    keys = backend("rail-only", model, 8, servers=servers, roce=roce)
    keys["backend"]["leaf"]["platform"] = "sonic"
    site, _ = design_site(intent(keys))
    assert site is not None
    plan = site.fabrics[0].lossless
    assert plan is not None
    return next(iter(plan.switches.values()))


def test_some_models_ship_with_a_pool() -> None:
    assert "7060X6-64PE" in SHIPS


@pytest.mark.parametrize("storage", [None, {}])
@pytest.mark.parametrize("model", SHIPS)
def test_the_pool_of_the_plan_is_the_one_that_is_written(model: str, storage: object) -> None:
    """The headroom is in its size, and what each group reserves is not shared."""
    sku = SHIPS[model]
    assert sku.pool is not None
    speed = str(sku.layout[1].speed)
    made = planned(model, speed, over_subscription=16, storage=storage)
    assert made.sku == sku.name
    assert made.pool == made.headroom == sku.pool.headroom
    groups = sum(count for _, count in made.ports) * made.classes
    (size,) = {row.below for row in sku.rows if str(row.speed) == speed}
    assert made.cell is not None
    whole = -(-size // made.cell) * made.cell
    assert made.shared == sku.pool.size - sku.pool.headroom - groups * whole
    assert sum(term.value for term in made.terms) == made.memory


def test_two_lossless_classes_share_what_one_had() -> None:
    one, two = leaf_buffers(64), leaf_buffers(64, storage={})
    groups = sum(count for _, count in one.ports)
    assert (one.classes, two.classes) == (1, 2)
    assert (one.shared, one.headroom) == (two.shared, two.headroom)
    assert one.pause_at == one.shared // (1 + groups)
    assert two.pause_at == two.shared // (1 + 2 * groups)


def test_without_pause_there_is_no_lossless_group() -> None:
    made = leaf_buffers(64, pfc=False, storage={})
    assert (made.classes, made.headroom, made.pool, made.pause_at) == (0, 0, None, None)


def test_two_classes_over_subscribe_the_pool_twice_as_much() -> None:
    def told(**roce: object) -> list[str]:
        keys = backend("rail-only", R128, 64, roce={"over_subscription": 5, **roce})
        return [item.message for item in design_site(intent(keys))[1] if item.code is EXCEEDED]

    assert told() == []
    (said,) = told(storage={})
    one = leaf_buffers(64, length=5)
    groups = [f"{count} x 2 classes x {port.headroom:,}" for port, count in one.ports]
    asked = 2 * sum(port.headroom * count for port, count in one.ports)
    assert said.endswith(f"(400G at 5 m) = {asked:,}")
    assert groups[0].split(" x ", 1)[1] in said
    assert told(storage={}, over_subscription=-(-asked // int(one.pool or 1))) == []


def test_the_remedies_of_a_pool_are_those_an_intent_can_have() -> None:
    def hints(**roce: object) -> list[str]:
        keys = backend("rail-only", R128, 64, roce=roce)
        return [item.hint for item in design_site(intent(keys))[1] if item.code is EXCEEDED]

    (hint,) = hints(storage={})
    first, *others = hint.split("; or ")
    assert first == "remove roce.storage"
    assert others[-1].startswith("set roce.over_subscription: 6")
    assert hints() == []
    assert hints(storage={}, over_subscription=6) == []
    (hint,) = hints(over_subscription=1)
    assert "storage" not in hint


@pytest.mark.parametrize("off", [(), (Kind.LOSSLESS,), (Kind.STORAGE,)])
def test_each_class_has_marking_plans_of_its_own(off: tuple[Kind, ...]) -> None:
    said = {kind: {"enabled": kind not in off} for kind in (Kind.LOSSLESS, Kind.STORAGE)}
    storage = {"ecn": said[Kind.STORAGE]}
    keys = backend("rail-only", R128, 8, roce={"ecn": said[Kind.LOSSLESS], "storage": storage})
    site, _ = design_site(intent(keys))
    assert site is not None
    plan = site.fabrics[0].lossless
    assert plan is not None
    assert set(plan.marking) == {kind for kind in said if kind not in off}
    assert {kind for kind, _ in plan.plans} == set(plan.marking)


@pytest.mark.parametrize("model", ["SN5600", "7060X6-64PE"])
@pytest.mark.parametrize("response", ["shipped", "conservative"])
def test_a_shorter_cable_is_proposed_with_what_it_would_get(
    response: str, model: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The response that was asked for, the vendor's rows: as if the cable were that short."""
    seen: list[PortGroup] = []

    def watched(memory: Memory, groups: Iterable[PortGroup], *rest: Any) -> Budget:
        seen[:] = groups
        return budget(memory, seen, *rest)

    monkeypatch.setattr(lossless, "budget", watched)

    def asked(length: int) -> PortGroup:
        servers = {"count": 8, "gpus": 2, "nic_speed": "800G", "cable_length": length}
        roce = {"pause_response": response, "over_subscription": 16}
        design_site(intent(backend("rail-only", model, 8, servers=servers, roce=roce)))
        (group,) = seen
        return group

    ladder = asked(301).shorter
    assert [length for length, _ in ladder] == list(CABLES)
    assert [size for _, size in ladder] == [asked(length).headroom for length, _ in ladder]
