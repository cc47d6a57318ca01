"""Tiers, labels of ports, and the links at either end of a cable."""

from tests.unit.fabric.parts import link, port, server, switch

from fabricgen.core.provenance import Provenance
from fabricgen.model.fabric.topology import Nic, Role, Topology


def test_tiers_are_counted_from_the_servers_up() -> None:
    assert {role: role.tier for role in Role} == {
        Role.LEAF: 1,
        Role.SPINE: 2,
        Role.SUPERSPINE: 3,
    }
    assert [switch(role, 0).is_leaf for role in Role] == [True, False, False]


def test_a_port_is_labeled_by_its_cage_and_its_place_where_there_are_several() -> None:
    assert port(3).label == "3"
    assert [port(3, sub, 2).label for sub in range(2)] == ["3/1", "3/2"]
    assert Nic(rail=1, port=2, name="rdma0", network="rdma").label == "rdma0"


def test_links_are_known_at_both_ends_and_in_order() -> None:
    gpu, leaf, spine = server(), switch(Role.LEAF, 0), switch(Role.SPINE, 0)
    down, up, again = link(gpu, leaf), link(leaf, spine), link(leaf, spine, 1)
    at = Topology(
        fabric="backend", switches=(leaf, spine), servers=(gpu,), links=(down, up, again)
    ).links_at
    assert at[gpu.name] == [down]
    assert at[leaf.name] == [down, up, again]
    assert at[spine.name] == [up, again]
    assert [each.to_server for each in (down, up)] == [True, False]


def test_a_finding_points_at_the_main_place_or_at_the_whole_site() -> None:
    assert Provenance((("backend", "leaf"), ("site",)), "").main == ("backend", "leaf")
    assert Provenance((), "").main == ()
