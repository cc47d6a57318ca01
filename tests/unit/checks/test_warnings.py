"""Sites that would run, with what nobody wants: no clock, one spine, one way out, small packets."""

import pytest

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts

NTP = "ntp: [10.255.3.250, 10.255.3.251]"
WAY = """
        external:
          one: {leaf: 1, cage: 24, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 64496}
"""
SECOND = "          two: {leaf: 2, cage: 24, address: 192.0.2.3/31, peer: 192.0.2.2, asn: 64496}\n"
SITE = (
    """site:
  name: lab
  management: {subnet: 10.255.0.0/22, ntp: [10.255.3.250, 10.255.3.251]}
backend:
  design: rail-only
  servers: {count: 4, gpus: 2, nic_speed: 100G}
  leaf: {model: 7050CX3-32S, platform: eos}
  roce: {enabled: false}
  underlay: {mtu: 4156}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {racks: {leafs: 1-2, servers: {per_leaf: 2, speed: 100G}}}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans: {web: {id: 110, subnet: 10.110.0.0/24}}"""
    + WAY
    + SECOND
    + "    attachments: [{group: racks, access: web}]\n"
)


def said(old: str = "", new: str = "") -> list[tuple[Code | str, Severity, str]]:
    assert old in SITE
    found = compile_site(load_texts({"site.yaml": SITE.replace(old, new, 1)})).findings
    return [(item.code, item.severity, item.message) for item in found]


def test_nothing_is_said_of_a_site_with_two_of_each() -> None:
    assert said() == []


@pytest.mark.parametrize(
    ("old", "new", "code", "words"),
    [
        (f", {NTP}", "", Code.MISSING_KEY, "no NTP server"),
        ("mtu: 4156", "mtu: 4155", Code.MTU_BROKEN, "the MTU 4,155"),
        (
            "eos, count: 2",
            "eos, count: 1",
            Code.SINGLE_POINT,
            "fe-spine1 is the only spine of 2 leafs",
        ),
        (
            SECOND,
            "",
            Code.SINGLE_POINT,
            "fe-leaf01 is the only leaf with an external peer of VRF red",
        ),
    ],
)
def test_each_is_a_warning(old: str, new: str, code: Code, words: str) -> None:
    ((told, severity, message),) = said(old, new)
    assert (told, severity) == (code, Severity.WARNING)
    assert words in message


def test_one_leaf_needs_no_second_spine() -> None:
    assert [item for item in said("leafs: 1-2", "leafs: 1") if item[0] is Code.SINGLE_POINT] == []


@pytest.mark.parametrize("subnet", ["172.16.4.0/22", "10.72.0.0/14"])
def test_management_lies_in_no_pool(subnet: str) -> None:
    ((code, severity, message),) = said("10.255.0.0/22", subnet)
    assert (code, severity) == (Code.FABRICS_NOT_ISOLATED, Severity.ERROR)
    assert f"{subnet} of management" in message
