"""VRFs that share a service: they take subnets of both families."""

import pytest
from tests.unit.checks.sites import MANAGEMENT

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts

SITE = (
    MANAGEMENT
    + """
frontend:
  design: collapsed
  leaf: {model: 7050CX3-32S, platform: eos}
  leaf_groups: {racks: {leafs: 1-2, servers: {per_leaf: 2, speed: 25G}}}
tenants:
  web:
    vrfs: {web: {id: 1, vlans: {web: {id: 110, subnet: 10.110.0.0/24}}}}
    attachments: [{group: racks, servers: "1", access: web}]
  files:
    vrfs: {files: {id: 2, vlans: {files: {id: 120, subnet: 10.120.0.0/24}}, share_routes: [web]}}
    attachments: [{group: racks, servers: "2", access: files}]
"""
)


WEB6 = SITE.replace("10.110.0.0/24", '10.110.0.0/24, subnet6: "2001:db8:110::/64"')
BOTH6 = WEB6.replace("10.120.0.0/24", '10.120.0.0/24, subnet6: "2001:db8:120::/64"')


@pytest.mark.parametrize(
    ("text", "web", "files"),
    [
        (SITE, ["10.120.0.0/24"], ["10.110.0.0/24"]),
        (WEB6, ["10.120.0.0/24"], ["10.110.0.0/24", "2001:db8:110::/64"]),
        (
            BOTH6,
            ["10.120.0.0/24", "2001:db8:120::/64"],
            ["10.110.0.0/24", "2001:db8:110::/64"],
        ),
    ],
)
def test_vrfs_that_share_take_subnets_of_both_families(
    text: str, web: list[str], files: list[str]
) -> None:
    site = compile_site(load_texts({"site.yaml": text})).site
    assert site is not None
    assert site.fabrics[0].overlay is not None
    vrfs = site.fabrics[0].overlay.vrfs
    taken = {
        name: sorted(str(rule.prefix) for each in vrfs[name].takes for rule in each.prefixes)
        for name in ("web", "files")
    }
    assert taken == {"web": web, "files": files}
    assert {rule.longest for vrf in vrfs.values() for each in vrf.takes for rule in each.of(6)} <= {
        128
    }


@pytest.mark.parametrize(
    ("subnet", "clash"), [("2001:db8:110::/64", True), ("2001:db8:111::/64", False)]
)
def test_an_address_of_ipv6_that_a_vrf_would_have_twice_is_refused(
    subnet: str, *, clash: bool
) -> None:
    text = WEB6.replace("10.120.0.0/24", f'10.120.0.0/24, subnet6: "{subnet}"')
    found = compile_site(load_texts({"site.yaml": text})).findings
    assert (Code.LEAKS_OVERLAP in {item.code for item in found}) is clash


def test_who_serves_a_vrf_that_is_not_there_hears_of_it() -> None:
    found = compile_site(load_texts({"site.yaml": SITE.replace("[web]", "[wed]")})).findings
    assert [item.code for item in found if "wed" in item.message] == [Code.UNKNOWN_REFERENCE]
