"""ASNs from both ends of a range, and what of the MTU is left to servers."""

import pytest
from tests.unit.fabric.parts import switch

from fabricgen.model.fabric.routing import AsnPlan, Routing
from fabricgen.model.fabric.topology import Role


@pytest.mark.parametrize("shared", [False, True])
def test_every_leaf_has_an_asn_of_its_own_from_the_bottom(*, shared: bool) -> None:
    plan = AsnPlan(first=65000, last=65100, shared=shared)
    assert [plan.asn(switch(Role.LEAF, number)) for number in range(3)] == [65000, 65001, 65002]


def test_spines_and_superspines_count_down_interleaved() -> None:
    plan = AsnPlan(first=65000, last=65100, shared=False)
    assert [plan.asn(switch(Role.SPINE, number)) for number in range(3)] == [65100, 65098, 65096]
    assert [plan.asn(switch(Role.SUPERSPINE, number)) for number in range(2)] == [65099, 65097]


def test_shared_the_superspines_have_the_last_one_and_each_pod_one_below() -> None:
    plan = AsnPlan(first=65000, last=65100, shared=True)
    assert {plan.asn(switch(Role.SUPERSPINE, number)) for number in range(3)} == {65100}
    for pod in (1, 2, 3):
        assert {plan.asn(switch(Role.SPINE, number, pod)) for number in range(3)} == {65100 - pod}


@pytest.mark.parametrize(("overlay", "mtu"), [(True, 9164), (False, 9214)])
def test_what_servers_send_fits_into_a_tunnel_where_there_are_any(
    *, overlay: bool, mtu: int
) -> None:
    """Outer Ethernet 14, IPv4 20, UDP 8 and VXLAN 8 bytes: RFC 7348, section 5."""
    routing = Routing(
        path=("backend",),
        links="numbered",
        asns=AsnPlan(first=1, last=2, shared=False),
        bfd=None,
        mtu=9214,
        ecmp=64,
        allowed=(),
        overlay=overlay,
    )
    assert routing.tenant_mtu == mtu
    assert 14 + 20 + 8 + 8 == 9214 - 9164
