"""The routing of a fabric: ASNs from both ends of a range, equal paths, and what is announced."""

import pytest
from tests.unit.design.sites import R128, Keys, backend, fabric, findings, frontend, only, switches

from fabricgen.core.diagnostics import Code

FIRST = 4_200_000_000
SIX_SPINES: Keys = {"spine": switches(R128, count=8), "scalable_unit": {"servers": 8}}


def one_leaf(asns: int) -> Keys:
    """Return a leaf below eight spines, and a range of that many ASNs."""
    asn = {"first": FIRST, "last": FIRST + asns - 1}
    return backend("rail-optimized", R128, 8, gpus=1, underlay={"asn": asn}, **SIX_SPINES)


def test_leafs_and_spines_are_counted_apart() -> None:
    """A leaf takes the first ASN, spines every other one from the last: the 8th is the 15th."""
    assert findings(one_leaf(16)) == []
    found = only(one_leaf(15))
    assert (found.code, found.path) == (
        Code.ASN_RANGE_TOO_SMALL,
        ("backend", "underlay", "asn"),
    )
    assert found.message.startswith("16 ASNs are needed, but ")


def test_rails_without_spines_take_one_asn_for_each_leaf() -> None:
    asn = {"first": FIRST, "last": FIRST + 7}
    assert findings(backend("rail-only", R128, 8, underlay={"asn": asn})) == []
    asn["last"] -= 1
    assert only(backend("rail-only", R128, 8, underlay={"asn": asn})).code == (
        Code.ASN_RANGE_TOO_SMALL
    )


@pytest.mark.parametrize(("servers", "ecmp"), [(8, 64), (64, 64)])
def test_equal_paths_are_never_told_narrower_than_64(servers: int, ecmp: int) -> None:
    keys = backend("rail-optimized", R128, servers, gpus=1, scalable_unit={"servers": servers})
    assert fabric(keys).routing.ecmp == ecmp


def allowed(keys: Keys) -> dict[str, tuple[int, int]]:
    routing = fabric(keys).routing
    return {str(each.prefix): (each.longest, each.shortest) for each in routing.allowed}


def test_host_routes_of_switches_and_links_of_nics_may_be_announced() -> None:
    nics = {"nics": "172.16.0.0/12", "loopbacks": "10.192.0.0/16"}
    keys = backend("rail-only", R128, 8, addressing=nics)
    assert allowed(keys) == {"10.192.0.0/16": (32, 32), "172.16.0.0/12": (31, 31)}


def test_subnets_of_nics_are_announced_with_their_length() -> None:
    keys = backend("rail-only", R128, 8, nic_addressing={"mode": "subnet"})
    plan = fabric(keys).addresses.nics
    assert plan is not None
    assert plan.subnet_length is not None
    assert allowed(keys)["172.16.0.0/12"] == (plan.subnet_length, plan.subnet_length)


def test_a_frontend_announces_its_loopbacks_and_vteps() -> None:
    assert allowed(frontend()) == {"10.64.0.0/16": (32, 32), "10.65.0.0/16": (32, 32)}


def test_bfd_and_mtu_are_those_of_the_underlay() -> None:
    underlay: Keys = {"mtu": 9000, "bfd": {"interval": 150, "multiplier": 4}}
    routing = fabric(frontend(underlay=underlay)).routing
    assert routing.bfd is not None
    assert (routing.mtu, routing.bfd.interval, routing.bfd.multiplier) == (9000, 150, 4)
    off = fabric(frontend(underlay={"bfd": {"enabled": False}})).routing
    assert off.bfd is None
    assert (off.path, off.links, off.overlay) == (("frontend", "underlay"), "numbered", True)
    assert not fabric(backend("rail-only", R128, 4)).routing.overlay
