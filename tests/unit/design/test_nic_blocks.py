"""NIC addresses: one block per rail and plane; inside a /31 per server, or a subnet per leaf."""

import pytest
from tests.unit.design.sites import R128, Keys, backend, fabric, switches

from fabricgen.compile.design.slices import Slicer
from fabricgen.model.fabric.addressing import NicPlan, host_text
from fabricgen.model.fabric.interface import Use


def plan(keys: Keys) -> NicPlan:
    nics = fabric(keys).addresses.nics
    assert nics is not None
    return nics


def two_units(**more: object) -> Keys:
    unit = {"servers": 2}
    spine = switches(R128, count=1)
    return backend("rail-optimized", R128, 4, gpus=2, scalable_unit=unit, spine=spine, **more)


def on_ports(keys: Keys) -> dict[str, list[str]]:
    """Return the addresses on the NIC ports of each leaf."""
    found = {}
    for switch_slice in Slicer(fabric(keys)).slices():
        nics = [item for item in switch_slice.interfaces if item.use is Use.NIC]
        if nics:
            found[switch_slice.switch.name] = [str(item.address) for item in nics]
    return found


@pytest.mark.parametrize(
    ("keys", "blocks"),
    [
        (
            backend("rail-only", R128, 4, gpus=8),
            {(1, 1): "172.16.0.0/15", (2, 1): "172.18.0.0/15", (8, 1): "172.30.0.0/15"},
        ),
        (
            backend("rail-only", R128, 4, gpus=5),  # cut as if for 8
            {(1, 1): "172.16.0.0/15", (5, 1): "172.24.0.0/15"},
        ),
        (
            backend("rail-only", R128, 4, gpus=4, growth={"rails": 8}),
            {(1, 1): "172.16.0.0/15", (4, 1): "172.22.0.0/15"},
        ),
        (
            backend("rail-only", R128, 4, gpus=4, growth={"planes": 2}),
            {(1, 1): "172.16.0.0/15", (1, 2): "172.18.0.0/15", (4, 1): "172.28.0.0/15"},
        ),
        (
            backend("rail-only", R128, 4, gpus=4, addressing={"nics": "10.0.0.0/8"}),
            {(1, 1): "10.0.0.0/10", (4, 1): "10.192.0.0/10"},
        ),
    ],
)
def test_each_rail_and_plane_has_its_block(keys: Keys, blocks: dict[tuple[int, int], str]) -> None:
    made = plan(keys)
    assert {key: made.block_prefix(*key).prefix for key in blocks} == blocks


def test_each_server_has_a_31_that_follows_from_its_number() -> None:
    assert on_ports(two_units()) == {
        "be-su01-leaf1": ["172.16.0.0/31", "172.16.0.2/31"],
        "be-su01-leaf2": ["172.24.0.0/31", "172.24.0.2/31"],
        "be-su02-leaf1": ["172.16.0.4/31", "172.16.0.6/31"],
        "be-su02-leaf2": ["172.24.0.4/31", "172.24.0.6/31"],
    }


def test_two_ports_of_a_nic_have_a_31_each() -> None:
    servers = {"count": 2, "gpus": 1, "nic_speed": "400G", "nic_ports": 2}
    made = on_ports(backend("rail-only", R128, 2, servers=servers))
    assert made == {
        "be-leaf1": ["172.16.0.0/31", "172.16.0.2/31", "172.16.0.4/31", "172.16.0.6/31"]
    }


def test_a_leaf_is_the_gateway_of_its_rails_subnet() -> None:
    keys = two_units(nic_addressing={"mode": "subnet"})
    gateways = {
        switch_slice.switch.name: [str(vlan.gateway(4)) for vlan in switch_slice.vlans]
        for switch_slice in Slicer(fabric(keys)).slices()
        if switch_slice.vlans
    }
    assert gateways == {
        "be-su01-leaf1": ["172.16.0.1/29"],
        "be-su01-leaf2": ["172.24.0.1/29"],
        "be-su02-leaf1": ["172.16.0.9/29"],
        "be-su02-leaf2": ["172.24.0.9/29"],
    }


@pytest.mark.parametrize(
    ("servers", "length"), [(1, 30), (2, 29), (5, 29), (6, 28), (13, 28), (14, 27)]
)
def test_a_rails_subnet_holds_servers_gateway_and_ends(servers: int, length: int) -> None:
    mode = {"mode": "subnet"}
    keys = backend("rail-only", R128, 1, scalable_unit={"servers": servers}, nic_addressing=mode)
    assert plan(keys).subnet_length == length


def test_a_block_is_cut_by_arithmetic_not_by_lists() -> None:
    made = plan(backend("rail-only", R128, 4, addressing={"nics": "0.0.0.0/0"}))
    assert host_text(made.block_first(8, 1), 4) == "224.0.0.0"
