"""Designs that vendors publish, rebuilt from their servers alone: the switch counts must agree.

Sources: Asterfusion (rail-only, two-tier), NVIDIA Spectrum-X B300 reference architecture
(twin-plane scalable units), Juniper AI data centre validated designs (H100 stripes, frontend),
ByteDance MegaScale (NSDI 2024). Counts are quoted; the models are ones of the catalog with the
same ports.
"""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING

import pytest
from tests.unit.design.sites import (
    R32,
    R64,
    R128,
    backend,
    counts,
    fabric,
    frontend,
    of_role,
    only,
    pairs,
    sized,
    switches,
    uplinks,
)

from fabricgen.diagnostics import Code
from fabricgen.fabric.topology import Nic, Role

if TYPE_CHECKING:
    from tests.unit.design.sites import Keys


def test_asterfusion_rail_only_has_4_leafs_and_128_links() -> None:
    made = fabric(backend("rail-only", R32, 32, gpus=4)).topology
    assert counts(made) == (4, 0, 0)
    assert len(made.links) == 128


def test_asterfusion_rail_only_puts_nic_n_on_leaf_n() -> None:
    made = fabric(backend("rail-only", R32, 32, gpus=4)).topology
    for link in made.links:
        assert isinstance(link.lower_port, Nic)
        assert link.upper.index == link.lower_port.rail


def test_asterfusion_rail_only_refuses_the_33rd_server() -> None:
    found = only(backend("rail-only", R32, 33, gpus=4))
    assert found.code is Code.PORTS_EXHAUSTED
    assert found.path == ("backend", "servers", "count")
    assert "33 servers" in found.message
    assert "32 ports of 400G" in found.message


def asterfusion_two_tier() -> Keys:
    return backend("rail-optimised", R128, 64, gpus=4, links={"speed": "800G"})


def test_asterfusion_two_tier_has_4_leafs_and_2_spines() -> None:
    assert counts(fabric(asterfusion_two_tier()).topology) == (4, 2, 0)


def test_asterfusion_two_tier_has_16_links_of_800g_per_pair() -> None:
    made = fabric(asterfusion_two_tier()).topology
    assert pairs(made) == {16}
    assert {str(link.speed) for link in uplinks(made)} == {"800G"}


def test_asterfusion_two_tier_fills_its_spines() -> None:
    made = fabric(asterfusion_two_tier()).topology
    for spine in of_role(made, Role.SPINE):
        assert len(made.links_at[spine.name]) == 64


def twin_plane(units: int) -> Keys:
    servers = {"count": 64 * units, "gpus": 8, "nic_speed": "400G", "nic_ports": 2}
    unit = {"servers": 64}
    return backend("rail-optimised", R128, 1, servers=servers, planes=2, scalable_unit=unit)


@pytest.mark.parametrize(
    ("units", "leafs", "spines"),
    [(1, 16, 8), (2, 32, 16), (4, 64, 32), (8, 128, 64), (16, 256, 128)],
)
def test_nvidia_twin_plane_has_the_published_switches(units: int, leafs: int, spines: int) -> None:
    size = sized(twin_plane(units))
    assert size.spines is not None
    assert size.units * size.servers.groups * 2 == leafs
    assert size.spines.count * 2 == spines


def test_nvidia_twin_plane_has_no_cable_between_planes() -> None:
    made = fabric(twin_plane(1)).topology
    planes = {switch.name: switch.plane for switch in made.switches}
    assert all(planes[link.lower.name] == planes[link.upper.name] for link in uplinks(made))


def test_nvidia_twin_plane_loses_half_its_bandwidth_with_a_plane() -> None:
    made = fabric(twin_plane(1)).topology
    to_first = [link for link in made.links if link.to_server and link.upper.plane == 1]
    assert Fraction(len(to_first), 64 * 8 * 2) == Fraction(1, 2)


@pytest.mark.parametrize(
    ("servers", "spine", "leafs", "spines", "links"),
    [(64, R32, 32, 16, 512), (128, R64, 64, 16, 1024)],
)
def test_juniper_h100_stripes_have_the_published_switches(
    servers: int, spine: str, leafs: int, spines: int, links: int
) -> None:
    more: Keys = {"scalable_unit": {"servers": 16}, "spine": switches(spine)}
    made = fabric(backend("rail-optimised", R32, servers, **more)).topology
    assert counts(made) == (leafs, spines, 0)
    assert len(uplinks(made)) == links
    assert pairs(made) == {1}


def test_juniper_frontend_has_4_links_per_pair() -> None:
    racks = {"leafs": "1-2", "servers": {"per_leaf": 32, "speed": "100G"}}
    model = "7060DX5-64S"
    made = fabric(
        frontend(
            leaf=switches(model),
            spine=switches(model, count=2),
            leaf_groups={"racks": racks},
            links_per_spine=4,
        )
    ).topology
    assert counts(made) == (2, 2, 0)
    assert pairs(made) == {4}
    assert len(made.servers) == 64


def test_bytedance_has_64_servers_per_set_of_8_leafs() -> None:
    servers = {"count": 64, "gpus": 8, "nic_speed": "200G"}
    size = sized(backend("rail-optimised", R64, 1, servers=servers))
    assert size.per_unit == 64
    assert size.units * size.servers.groups == 8
    assert (len(size.leaf.down), len(size.leaf.up)) == (64, 32)
