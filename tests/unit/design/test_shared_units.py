"""Units with few servers get by with fewer leafs, and appliances keep ports of a leaf."""

from typing import Any

import pytest
from tests.property.growing import facts, lost
from tests.unit.design.sites import (
    R64,
    Keys,
    backend,
    counts,
    fabric,
    frontend,
    intent,
    of_role,
    only,
    refused,
    sized,
    switches,
)

from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Code
from fabricgen.model.fabric.topology import Role

SHARED = [{"units": "2", "rails_per_leaf": 8}]


def planes(count: int, **more: Any) -> Keys:
    """Units of 32 servers with 8 NICs of two ports, one for each of two planes."""
    servers = {"count": count, "gpus": 8, "nic_speed": "400G", "nic_ports": 2, "nic": "connectx-8"}
    unit = {"servers": 32, **more}
    growth = {"servers": 96}
    keys: Keys = {"servers": servers, "planes": 2, "scalable_unit": unit, "growth": growth}
    return backend("rail-optimized", R64, 1, **keys)


def test_a_server_more_than_a_unit_takes_two_leafs_and_not_sixteen() -> None:
    assert counts(fabric(planes(33)).topology)[0] == 32
    assert counts(fabric(planes(33, shared=SHARED)).topology)[0] == 18


def test_the_rails_of_a_shared_leaf_are_groups_of_its_ports() -> None:
    made = fabric(planes(34, shared=SHARED)).topology
    last = [leaf for leaf in of_role(made, Role.LEAF) if leaf.unit == 2]
    assert [leaf.rails for leaf in last] == [tuple(range(1, 9))] * 2
    at = [link.upper_port.cage for link in made.links_at[last[0].name] if link.to_server]
    assert at == [rail * 4 + server for server in (1, 2) for rail in range(8)]


@pytest.mark.parametrize(("before", "after"), [(33, 34), (33, 36), (32, 33), (34, 36)])
def test_a_shared_unit_grows_and_moves_nothing(before: int, after: int) -> None:
    site = [design_site(intent(planes(count, shared=SHARED)))[0] for count in (before, after)]
    less, more = map(facts, site)
    assert lost(less, more) == [] or before == 32


def test_a_unit_that_is_named_no_more_keeps_every_number() -> None:
    few, full = (design_site(intent(planes(36, **how)))[0] for how in ({"shared": SHARED}, {}))
    for name, told in facts(few).items():
        assert facts(full)[name]["identity"] == told["identity"]


SAID = [
    (
        planes(37, shared=SHARED),
        Code.PORTS_EXHAUSTED,
        (0, "rails_per_leaf"),
        "unit 2 has 5 servers, but with 8 rails on a leaf of 32 ports there is room for 4",
        "this fits: `rails_per_leaf: 6`",
    ),
    (
        planes(64, shared=SHARED),
        Code.PORTS_EXHAUSTED,
        (0, "rails_per_leaf"),
        "unit 2 has 32 servers, but with 8 rails on a leaf of 32 ports there is room for 4",
        "remove unit 2, which now has enough servers for the usual leafs",
    ),
    (
        planes(33, shared=[*SHARED, *SHARED]),
        Code.DUPLICATE_ID,
        (1, "units"),
        "unit 2 is named twice",
        "",
    ),
]


@pytest.mark.parametrize(("keys", "code", "path", "said", "hint"), SAID)
def test_what_does_not_fit_is_refused(
    keys: Keys, code: Code, path: tuple[str | int, ...], said: str, hint: str
) -> None:
    found = refused(keys)
    where = ("backend", "scalable_unit", "shared", *path)
    assert (found.code, found.path, found.message) == (code, where, said)
    assert found.hint == hint


def test_a_unit_that_is_not_there_is_refused() -> None:
    found = only(planes(32, shared=SHARED))
    assert (found.code, found.message) == (
        Code.UNKNOWN_REFERENCE,
        "the backend has 1 units, but no unit 2",
    )


def test_fewer_rails_on_a_leaf_share_nothing() -> None:
    keys = planes(33, shared=[{"units": "2", "rails_per_leaf": 2}])
    keys["backend"] |= {"rails_per_leaf": 2, "oversubscription": 4}
    keys["backend"]["scalable_unit"]["servers"] = 24
    assert refused(keys).code is Code.BAD_VALUE


def test_ports_that_are_reserved_are_taken_by_nobody() -> None:
    some = switches(R64, reserve=4)
    whole = sized(backend("rail-optimized", R64, 8))
    less = sized(backend("rail-optimized", R64, 8, leaf=some))
    assert (whole.per_unit, less.per_unit) == (32, 30)
    assert len(less.leaf.down) + len(less.leaf.up) == 60


def test_a_rail_only_leaf_keeps_ports_too() -> None:
    leaf = switches(R64, reserve=4)
    assert sized(backend("rail-only", R64, 60, leaf=leaf)).per_unit == 60
    assert refused(backend("rail-only", R64, 61, leaf=leaf)).code is Code.PORTS_EXHAUSTED


def test_more_ports_than_are_left_cannot_be_reserved() -> None:
    unit = {"servers": 32}
    found = refused(
        backend("rail-optimized", R64, 8, scalable_unit=unit, leaf=switches(R64, reserve=1))
    )
    assert found.code is Code.PORTS_EXHAUSTED
    assert "32 cages down and 32 up, and 1 are reserved; Z9664F-ON has 64" in found.message
    all_of_them = backend("rail-optimized", R64, 8, leaf=switches(R64, reserve=64))
    assert refused(all_of_them).path == ("backend", "leaf", "reserve")


def test_a_frontend_leaf_keeps_ports_for_appliances() -> None:
    found = only(frontend(leaf=switches("7050CX3-32S", reserve=25)))
    assert found.code is Code.PORTS_EXHAUSTED
    assert found.message == (
        "4 server ports need 4 cages, 4 spines need 4 and 25 are reserved, but 7050CX3-32S has 32"
    )
    assert "`reserve: 24`" in found.hint
    assert not frontend_says(24)


def frontend_says(reserve: int) -> list[Any]:
    words = intent(frontend(leaf=switches("7050CX3-32S", reserve=reserve)))
    return design_site(words)[1]
