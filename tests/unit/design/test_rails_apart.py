"""Spines of each rail's own: rails never meet, and each is as large as a spine has ports."""

from typing import Any

import pytest
from tests.property.growing import facts, lost
from tests.unit.design.sites import (
    R64,
    Keys,
    backend,
    counts,
    fabric,
    intent,
    of_role,
    refused,
    sized,
    switches,
    uplinks,
)
from yaml import safe_dump

from fabricgen.compile.compiler import compile_site
from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.topology import Role
from fabricgen.nos.hosts.routed import RoutedSlicer

APART = switches(R64, per_rail=True)


def rails(count: int, gpus: int = 4, **more: Any) -> Keys:
    unit = {"servers": 32}
    return backend(
        "rail-optimized", R64, count, gpus=gpus, **{"spine": APART, "scalable_unit": unit, **more}
    )


def test_a_rail_is_as_large_as_a_spine_has_ports() -> None:
    size = sized(rails(32 * 64, gpus=8))
    assert (size.units, size.groups(1)) == (64, 8)
    assert size.spines is not None
    assert (size.spines.count, len(size.blocks)) == (32, 8)
    found = refused(rails(32 * 64 + 1, gpus=8))
    assert found.code is Code.RADIX_EXCEEDED
    assert found.message.startswith("65 switches with 1 link(s) to each spine need 65 ports on it")


def test_spines_join_leafs_of_one_rail() -> None:
    made = fabric(rails(64)).topology
    assert counts(made) == (8, 4, 0)
    spine = {switch.name: switch.rails for switch in of_role(made, Role.SPINE)}
    assert set(spine.values()) == {(1,), (2,), (3,), (4,)}
    for link in uplinks(made):
        assert link.lower.rails == link.upper.rails  # type: ignore[union-attr]


def test_a_server_has_no_route_from_rail_to_rail() -> None:
    apart, joined = fabric(rails(64)), fabric(rails(64, spine=switches(R64)))
    for made, meets in ((apart, False), (joined, True)):
        (side,) = RoutedSlicer(made).sides(made.topology.servers[0])
        assert {port.plan.everywhere is not None for port in side.ports} == {meets}


@pytest.mark.parametrize(("more", "gpus"), [(96, 4), (64, 5), (96, 6)])
def test_more_units_and_more_rails_move_nothing(more: int, gpus: int) -> None:
    growth = {"growth": {"servers": 128, "rails": 6}}
    site = [
        design_site(intent(rails(count, of, **growth)))[0] for count, of in ((64, 4), (more, gpus))
    ]
    assert lost(*map(facts, site)) == []


def test_rails_that_share_leafs_have_no_spines_of_their_own() -> None:
    shared = [{"units": "2", "rails_per_leaf": 4}]
    found = refused(rails(33, scalable_unit={"servers": 32, "shared": shared}))
    assert (found.code, found.path) == (Code.BAD_VALUE, ("backend", "scalable_unit", "shared"))


# Alibaba's Astral (docs/design/backend.md): rails are apart in a pod, and meet in the core.


def pods(count: int, **more: Any) -> Keys:
    keys = {"spine": APART, "scalable_unit": {"servers": 4}, "pod": {"units": 2}, "gpus": 4}
    return backend("three-tier", R64, count, **{**keys, **more})


def test_rails_of_a_pod_meet_only_in_the_superspines() -> None:
    made = fabric(pods(16)).topology
    spines = of_role(made, Role.SPINE)
    tops = {switch.name for switch in of_role(made, Role.SUPERSPINE)}
    assert {(switch.pod, switch.rails) for switch in spines} == {
        (pod, (rail,)) for pod in (1, 2) for rail in (1, 2, 3, 4)
    }
    above: dict[str, set[str]] = {}
    for link in uplinks(made):
        above.setdefault(link.lower.name, set()).add(link.upper.name)
        if link.upper.role is Role.SPINE:
            assert link.lower.rails == link.upper.rails  # type: ignore[union-attr]
            assert link.lower.pod == link.upper.pod  # type: ignore[union-attr]
    assert tops
    for spine in spines:
        assert above[spine.name] == {
            switch.name for switch in of_role(made, Role.SUPERSPINE) if switch.unit == spine.index
        }


def test_its_switches_pass_every_check() -> None:
    keys = pods(16, roce={"pfc": False}, load_balancing={"queue_pairs": 64})
    site = {"name": "lab", "management": {"subnet": "10.0.0.0/16", "ntp": ["10.0.0.1"]}}
    made = compile_site(load_texts({"site.yaml": safe_dump({"site": site, **keys})}))
    assert [item for item in made.findings if item.severity is Severity.ERROR] == []
    assert made.site is not None


def test_servers_reach_other_rails_over_the_superspines() -> None:
    made = fabric(pods(16))
    (side,) = RoutedSlicer(made).sides(made.topology.servers[0])
    assert all(port.plan.everywhere is not None for port in side.ports)


@pytest.mark.parametrize(("more", "gpus"), [(24, 4), (16, 5), (24, 6)])
def test_more_pods_and_more_rails_move_nothing(more: int, gpus: int) -> None:
    growth = {"growth": {"servers": 32, "rails": 6, "pods": 4}}
    site = [
        design_site(intent(pods(count, gpus=of, **growth)))[0]
        for count, of in ((16, 4), (more, gpus))
    ]
    assert lost(*map(facts, site)) == []


def test_one_asn_for_the_spines_of_a_pod_is_refused() -> None:
    found = refused(pods(16, underlay={"asn": {"scheme": "rfc7938"}}))
    assert (found.code, found.path) == (Code.BAD_VALUE, ("backend", "underlay", "asn", "scheme"))
