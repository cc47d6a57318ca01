"""The ports of a NIC on several leafs of one plane: a leaf may fail and no NIC is alone."""

from typing import Any

import pytest
from tests.property.growing import facts, lost
from tests.unit.design.sites import R128, Keys, backend, counts, fabric, intent, pairs, refused

from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Code
from fabricgen.nos.hosts.routed import RoutedSlicer


def dual(count: int, **more: Any) -> Keys:
    """Units of 32 servers with NICs of two ports at 200G, each on a leaf of its own."""
    servers = {"count": count, "gpus": 4, "nic_speed": "200G", "nic_ports": 2}
    words: Keys = {
        "servers": servers,
        "scalable_unit": {"servers": 32},
        "growth": {"servers": 96, "rails": 6},
        "leafs_per_nic": 2,
    }
    return backend("rail-optimized", R128, 1, **{**words, **more})


def test_a_rail_has_two_leafs_and_each_nic_a_port_on_both() -> None:
    made = fabric(dual(40)).topology
    assert counts(made)[0] == 2 * 4 * 2
    for server in made.servers:
        leafs = [link.upper for link in made.links_at[server.name]]
        assert [leaf.rails for leaf in leafs] == [(1,), (1,), (2,), (2,), (3,), (3,), (4,), (4,)]
        assert len({leaf.name for leaf in leafs}) == 8
    assert len(pairs(made)) == 1


def test_both_leafs_reach_all_spines() -> None:
    made = fabric(dual(40)).topology
    above: dict[str, set[str]] = {}
    for link in made.links:
        if not link.to_server:
            above.setdefault(link.lower.name, set()).add(link.upper.name)
    assert len(above) == 16
    assert len({frozenset(spines) for spines in above.values()}) == 1


def test_each_port_of_a_nic_has_an_address_and_a_gateway_of_its_own() -> None:
    made = fabric(dual(2))
    slicer = RoutedSlicer(made)
    sides = [side for server in made.topology.servers for side in slicer.sides(server)]
    ports = [port for side in sides for port in side.ports]
    assert len(ports) == 16
    assert len({str(port.address) for port in ports}) == 16
    assert len({str(port.gateway) for port in ports}) == 16


@pytest.mark.parametrize("more", [{}, {"spine": {"per_rail": True}}, {"rails_per_leaf": 2}])
@pytest.mark.parametrize(("count", "gpus"), [(41, 4), (70, 4), (40, 5)])
def test_more_servers_and_rails_move_nothing(more: Keys, count: int, gpus: int) -> None:
    def built(servers: int, nics: int) -> Any:
        keys = dual(servers)
        words = keys["backend"]
        for key, value in more.items():
            words[key] = {**words[key], **value} if isinstance(value, dict) else value
        words["servers"] = {**words["servers"], "gpus": nics}
        return design_site(intent(keys))[0]

    assert lost(facts(built(40, 4)), facts(built(count, gpus))) == []


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"leafs_per_nic": 3}, "2 port(s) of a NIC in one plane cannot be divided over 3 leafs"),
        ({"planes": 2}, "1 port(s) of a NIC in one plane cannot be divided over 2 leafs"),
        (
            {"nic_addressing": {"mode": "subnet"}},
            "2 leafs would be the gateway of one subnet, which belongs to one rail and unit",
        ),
    ],
)
def test_what_cannot_be_spread_is_refused(more: Keys, said: str) -> None:
    found = refused(dual(32, **more))
    assert (found.code, found.path, found.message) == (
        Code.BAD_VALUE,
        ("backend", "leafs_per_nic"),
        said,
    )
