"""Numbering plans: published ones come out exactly, and what a formula numbers twice is refused."""

from typing import Any

import pytest
from tests.unit.design.test_pins import LEAF, SITE, compiled, errors, fabric, frontend

from fabricgen.compile.compiler import slices
from fabricgen.compile.design.slices import Slicer
from fabricgen.compile.reports.derivations import derivations
from fabricgen.model.fabric.addressing import Ip

Words = dict[str, Any]
BIG = {"model": "7060X6-64PE", "platform": "eos"}


def backend(numbering: Words, **more: Any) -> Words:
    """Two stripes of 16 servers with eight rails."""
    words = {
        "design": "rail-optimized",
        "servers": {"count": 32, "gpus": 8, "nic_speed": "400G"},
        "scalable_unit": {"servers": 16},
        "leaf": BIG,
        "spine": BIG,
        "addressing": {"nics": "10.200.0.0/16", "links": "10.0.0.0/16"},
        "numbering": numbering,
        **more,
    }
    return {"site": SITE, "backend": words}


def nics(site: Words) -> dict[str, tuple[Ip, Ip]]:
    """Return each NIC's address and its leaf's, by server and rail."""
    made = fabric(site)
    plan = made.addresses.nics
    assert plan is not None
    return {
        f"{link.lower.name} {link.lower_port.label}": plan.ends(link)
        for link in made.topology.links
        if link.to_server
    }


def test_junipers_addresses_of_a_stripe() -> None:
    """Juniper, AI Data Center Network with EVPN multitenancy (JVD), appendix A: 10.200.STRIPE/24.

    Leaf 1 of stripe 1 has 10.200.0.0 to server 1 and 10.200.0.16 to server 2, leaf 8 10.200.0.14.
    """
    plan = {"nics": "10.200.0.1 + 0.0.1.0 per unit + 16 per server + 2 per rail"}
    every = nics(backend(plan))
    told = {
        "gpu0001 rdma0": ("10.200.0.1/31", "10.200.0.0/31"),
        "gpu0001 rdma7": ("10.200.0.15/31", "10.200.0.14/31"),
        "gpu0002 rdma0": ("10.200.0.17/31", "10.200.0.16/31"),
        "gpu0017 rdma1": ("10.200.1.3/31", "10.200.1.2/31"),
    }
    assert {name: tuple(map(str, every[name])) for name in told} == told


def test_nvidias_addresses_of_a_rail() -> None:
    """Spectrum-X hosts: 172.16.0.0/31 on rail 0, 172.18.0.0 on rail 1, 172.16.0.16 for host 8."""
    plan = {"nics": "172.16.0.0 + 0.2.0.0 per rail + 0.0.1.0 per unit + 2 per server"}
    site = backend(plan, addressing={"nics": "172.16.0.0/12"})
    every = nics(site)
    told = {
        "gpu0001 rdma0": ("172.16.0.0/31", "172.16.0.1/31"),
        "gpu0001 rdma7": ("172.30.0.0/31", "172.30.0.1/31"),
        "gpu0009 rdma0": ("172.16.0.16/31", "172.16.0.17/31"),
        "gpu0017 rdma1": ("172.18.1.0/31", "172.18.1.1/31"),
    }
    assert {name: tuple(map(str, every[name])) for name in told} == told
    plan_of = fabric(site).addresses.nics
    assert plan_of is not None
    assert str(plan_of.block_prefix(2, 1)) == "172.18.0.0/15"


def test_junipers_links_and_loopbacks_of_a_frontend() -> None:
    """Juniper, AI Data Center Network with AMD (JVD), tables 26 and 27: 10.0.5.0/31 and so on."""
    plan = {
        "links": {"leaf": "10.0.5.1 + 8 per upper + 4 per number + 2 per link"},
        "loopbacks": {"leaf": "10.0.1.0 + 1 per number", "spine": "10.0.3.0 + 1 per number"},
    }
    pools = {"links": "10.0.5.0/24", "loopbacks": "10.0.0.0/22"}
    made = fabric(frontend({}, links_per_spine=2, numbering=plan, addressing=pools))
    pairs = {
        (link.lower.name, link.upper.name, link.place): tuple(
            map(str, made.addresses.link(link) or ())
        )
        for link in made.topology.links
        if not link.to_server
    }
    assert pairs["fe-leaf01", "fe-spine1", 2] == ("10.0.5.3/31", "10.0.5.2/31")
    assert pairs["fe-leaf02", "fe-spine2", 2] == ("10.0.5.15/31", "10.0.5.14/31")
    loopbacks = {each.name: made.addresses.loopback(each).host for each in made.topology.switches}
    assert (loopbacks["fe-spine2"], loopbacks["fe-leaf01"]) == ("10.0.3.1", "10.0.1.0")


def test_the_asns_of_rfc_7938() -> None:
    """Section 5.2.1: 64534 for the top, one for the spines of a cluster, then one for each leaf."""
    plan = {"asn": {"leaf": "64601 + 1 per number", "spine": 64534}}
    made = fabric(frontend({}, numbering=plan, underlay={"asn": {"first": 64512, "last": 65534}}))
    asns = {each.name: made.routing.asns.asn(each) for each in made.topology.switches}
    assert asns == {
        "fe-spine1": 64534,
        "fe-spine2": 64534,
        "fe-leaf01": 64601,
        "fe-leaf02": 64602,
    }


def test_explain_has_the_terms_and_the_place_of_a_plan() -> None:
    plan = {"loopbacks": {"leaf": "10.64.7.1 + 4 per number"}}
    made = compiled(frontend({}, numbering=plan)).site
    assert made is not None
    found = {
        switch_slice.switch.name: derivations(fabric, switch_slice)[switch_slice.loopback.host]
        for fabric, switch_slice in slices(made)
    }
    assert found["fe-leaf02"] == (
        "loopback = 10.64.7.1 + 4 x (number 2 - 1); by `frontend.numbering.loopbacks.leaf`"
    )


def test_the_leafs_of_an_mlag_pair_have_one_asn_and_vtep() -> None:
    group = {
        "leafs": "1-2",
        "multihoming": {"kind": "mlag"},
        "servers": {"per_leaf": 2, "speed": "100G"},
    }
    plan = {"asn": {"leaf": "65001 + 1 per index"}, "vteps": "10.65.1.1 + 1 per number"}
    underlay = {"asn": {"first": 64512, "last": 65534}}
    site = frontend({}, numbering=plan, leaf_groups={"a": group}, underlay=underlay)
    made = fabric(site)
    ends = {(each.asn, str(each.vtep)) for each in Slicer(made).slices() if each.switch.is_leaf}
    assert ends == {(65001, "10.65.1.1/32")}


WRONG: dict[str, tuple[Words, str]] = {
    "twice": (
        {"loopbacks": {"leaf": "10.64.0.9"}},
        "FG804 fe-leaf02 and fe-leaf01 both have the loopback 10.64.0.9",
    ),
    "twice with the design": (
        {"loopbacks": {"spine": "10.64.0.1 + 1 per number"}},
        "FG804 fe-spine1 and fe-leaf01 both have the loopback 10.64.0.1, the latter by design",
    ),
    "outside": (
        {"vteps": "10.64.0.9 + 1 per number"},
        (
            "FG805 fe-leaf01 has the VTEP 10.64.0.9 by this formula, which is outside of "
            "`addressing.vteps`, 10.65.0.0/16"
        ),
    ),
    "links": (
        {"links": {"leaf": "10.72.0.1 + 2 per number"}},
        "FG804 fe-leaf01 30 and fe-leaf01 29 both have the pair of addresses /31 10.72.0.0",
    ),
    "management": (
        {"management": {"leaf": "10.255.0.1 + 1 per number"}},
        (
            "FG804 fe-leaf01 has the management address 10.255.0.1, which the gateway already has "
            "by site.management.subnet"
        ),
    ),
    "range": (
        {"asn": {"leaf": "65001 + 1 per number"}},
        (
            "FG805 fe-leaf01 has the ASN 65001 by this formula, which is outside of 4200000000-"
            "4294967294 of `underlay.asn`"
        ),
    ),
    "coordinate": (
        {"loopbacks": {"leaf": "10.64.0.1 + 1 per rail"}},
        "FG103 unknown coordinate 'rail' in this formula",
    ),
    "tier": ({"loopbacks": {"superspine": "10.64.0.1"}}, "FG103 the frontend has no superspines"),
    "base": (
        {"loopbacks": {"leaf": "65001 + 1 per number"}},
        "FG103 this formula must begin with an IPv4 address, for example 10.0.0.1",
    ),
    "no address": (
        {"loopbacks": {"leaf": "10.64.0.999 + 1 per number"}},
        "FG103 this formula must begin with an IPv4 address, for example 10.0.0.1",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_a_plan_that_cannot_be_is_refused(name: str) -> None:
    plan, told = WRONG[name]
    assert errors(frontend({}, numbering=plan)) == [told]


def test_spines_of_two_pods_with_one_asn_are_refused() -> None:
    """A route from pod to pod would be dropped as a loop by the second spine."""
    words = {
        "design": "superspine",
        "superspine": LEAF,
        "leafs_per_pod": 1,
        "numbering": {"asn": {"spine": 4_250_000_000}},
    }
    told = "fe-pod02-spine1 and fe-pod01-spine1 both have the ASN 4250000000"
    assert errors(frontend({}, **words)) == [f"FG804 {told}"]


def test_rails_that_never_meet_need_a_block_each() -> None:
    plan = {"nics": "10.200.0.1 + 16 per server + 2 per rail"}
    site = backend(plan, design="rail-only", servers={"count": 16, "gpus": 8, "nic_speed": "400G"})
    del site["backend"]["spine"]
    (told,) = errors(site)
    assert (
        told == "FG805 rails without a common switch need a block each, but this formula mixes them"
    )


def test_a_nic_outside_of_the_block_of_its_rail_is_refused() -> None:
    plan = {"nics": "10.200.0.1 + 0.0.0.16 per rail + 2 per server"}
    told = errors(backend(plan, servers={"count": 8, "gpus": 2, "nic_speed": "400G"}))
    assert told == []
    told = errors(backend({"nics": "10.200.0.9 + 0.0.0.16 per rail + 2 per server"}))
    assert told[0].startswith("FG804 gpu0")
