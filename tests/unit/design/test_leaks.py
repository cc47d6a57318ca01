"""VRFs that share a service: what of it stays apart is said."""

from __future__ import annotations

import pytest
from tests.unit.checks.sites import MANAGEMENT

from fabricgen.compiler import compile_site
from fabricgen.diagnostics import Severity
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
    vrfs: {files: {id: 2, vlans: {files: {id: 120, subnet: 10.120.0.0/24}}, serves: [web]}}
    attachments: [{group: racks, servers: "2", access: files}]
"""
)


@pytest.mark.parametrize(
    ("families", "apart"),
    [
        ({}, ""),
        ({"10.110.0.0/24": "2001:db8:110::/64"}, "2001:db8:110::/64"),
        ({"10.120.0.0/24": "2001:db8:120::/64"}, "2001:db8:120::/64"),
        (
            {"10.110.0.0/24": "2001:db8:110::/64", "10.120.0.0/24": "2001:db8:120::/64"},
            "2001:db8:120::/64 and 1 more",
        ),
    ],
)
def test_ipv6_of_vrfs_that_share_stays_apart_and_is_said(
    families: dict[str, str], apart: str
) -> None:
    text = SITE
    for subnet, subnet6 in families.items():
        text = text.replace(subnet, f'{subnet}, subnet6: "{subnet6}"')
    findings = compile_site(load_texts({"site.yaml": text})).findings
    said = [item for item in findings if "take IPv4 subnets of each other" in item.message]
    assert [item.severity for item in said] == [Severity.WARNING] * bool(apart)
    assert apart in "".join(item.message for item in said)
