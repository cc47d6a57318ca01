"""Mistakes that have nothing to do with each other come in one run, each of them once and alone."""

import random

import pytest

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts

SITE = """\
site:
  name: lab
  management:
    subnet: 10.255.0.0/22
    ntp: [10.9.0.1, 10.9.0.2]
    users: [{name: admin, ssh_key: ssh-ed25519 AAAA}]
backend:
  design: rail-optimized
  servers: {count: 64, nic_speed: 400G, cable_length: 5}
  leaf: {platform: eos, model: 7060X6-64PE}
  spine: {model: 7060X6-64PE, platform: eos}
  underlay: {mtu: 9000}
  names: {spine: "be-spine{index}"}
  roce: {dscp: 26}
  growth: {servers: 128}
frontend:
  leaf_groups:
    cpu: {leafs: 1-4, servers: {per_leaf: 16, speed: 100G}}
    gpu: {leafs: 5-6, servers: {per_leaf: 16, speed: 200G}}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: eos, count: 2}
tenants:
  red:
    vrfs: {red: {id: 1, vlans: {a: {id: 100, subnet: 10.1.0.0/24}, b: {id: 101, subnet: 10.1.1.0/24}}}}
    attachments: [{group: cpu, access: a}]
  blue:
    vrfs: {blue: {id: 2, vlans: {a: {id: 200, subnet: 10.2.0.0/24}, b: {id: 201, subnet: 10.3.0.0/24}}}}
"""  # noqa: E501 - as people write it

LEAF = "leaf: {platform: eos, model: 7060X6-64PE}"
WRONG = {
    "name: lab": ("name: Lab_1", Code.BAD_VALUE),
    "10.9.0.2]": ("10.9.0.300]", Code.BAD_VALUE),
    "ssh_key: ssh-ed25519 AAAA": ("role: operator", Code.BAD_VALUE),
    "cable_length: 5": ("cable_length: 5m", Code.BAD_VALUE),
    LEAF: ("leaf: {platform: eos, model: DS9999}", Code.UNKNOWN_REFERENCE),
    "mtu: 9000": ("mtu: 90000", Code.BAD_VALUE),
    "be-spine{index}": ("be-{color}-spine{index}", Code.BAD_VALUE),
    "dscp: 26": ("dscp: 48", Code.QUEUES_INCOMPLETE),
    "growth: {servers: 128}": ("growth: {servers: 32}", Code.GROWTH_TOO_SMALL),
    "per_leaf: 16, speed: 100G": ("per_leaf: 500, speed: 100G", Code.PORTS_EXHAUSTED),
    "speed: 200G": ("speed: 25G", Code.SPEED_NOT_ON_MODEL),
    "{id: 101": ("{id: 100", Code.DUPLICATE_ID),
    "group: cpu, access: a": ("group: cpus, access: a", Code.UNKNOWN_REFERENCE),
}
"""What is right, what a person wrote in its place, and what that is called."""
CHECKED = {
    "subnet: 10.255.0.0/22": ("subnet: 10.72.0.0/22", Code.FABRICS_NOT_ISOLATED),
    "id: 201, subnet: 10.3.0.0/24": ("id: 201, subnet: 10.2.0.0/25", Code.ADDRESS_OVERLAP),
}
"""The same for what a check finds."""


def written(*right: str) -> str:
    text = SITE
    for good in right:
        bad, _ = (WRONG | CHECKED)[good]
        assert good in text
        text = text.replace(good, bad)
    return text


def errors(*right: str) -> list[tuple[str, str]]:
    """Return code and words of each error of the site with these mistakes, as they are printed."""
    compiled = compile_site(load_texts({"site.yaml": written(*right)}))
    assert not compiled.ok or not right
    return [(e.code, e.message) for e in compiled.findings if e.severity is Severity.ERROR]


def test_the_site_is_good_without_them() -> None:
    assert errors() == []


@pytest.mark.parametrize("right", WRONG | CHECKED)
def test_a_mistake_says_itself_and_nothing_that_follows_from_it(right: str) -> None:
    assert [code for code, _ in errors(right)] == [(WRONG | CHECKED)[right][1]]


def test_all_mistakes_come_in_one_run() -> None:
    assert sorted(errors(*WRONG)) == sorted(each for right in WRONG for each in errors(right))


@pytest.mark.parametrize("mended", WRONG)
def test_mending_one_leaves_the_others_as_they_were(mended: str) -> None:
    before, gone = errors(*WRONG), errors(mended)
    now = errors(*(right for right in WRONG if right != mended))
    assert now == [each for each in before if each not in gone]


def test_what_is_whole_is_checked_beside_what_is_not() -> None:
    """The backend is none, a tenant and an account have errors; the rest goes to the checks."""
    mistakes = (LEAF, "{id: 101", "10.9.0.2]", *CHECKED)
    assert sorted(code for code, _ in errors(*mistakes)) == sorted(
        [
            Code.UNKNOWN_REFERENCE,
            Code.DUPLICATE_ID,
            Code.BAD_VALUE,
            *(c for _, c in CHECKED.values()),
        ]
    )


def test_what_no_check_has_seen_is_said() -> None:
    text = written("mtu: 9000", "{id: 101")
    compiled = compile_site(load_texts({"site.yaml": text}))
    assert [item.check for item in compiled.examined if item.not_run] == [
        "checks of the backend",
        "checks of tenant red",
    ]


@pytest.mark.parametrize("seed", range(6))
def test_any_mistakes_together_are_those_of_each(seed: int) -> None:
    drawn = random.Random(seed).sample(list(WRONG), 6)
    assert sorted(errors(*drawn)) == sorted(each for right in drawn for each in errors(right))


def test_a_way_out_of_a_tenant_that_is_left_out_is_not_judged() -> None:
    """A session that announces nothing follows from VLANs that could not be read."""
    wan = "{wan: {leaf: 1, cage: 60, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 65000}}"
    text = SITE.replace("id: 2, vlans: {", "id: 2, external: " + wan + ", vlans: {")
    for site, codes in {
        text: [],
        text[: text.rindex("vlans:")] + "vlans: none}}\n": [Code.BAD_VALUE],
    }.items():
        findings = compile_site(load_texts({"site.yaml": site})).findings
        assert [item.code for item in findings if item.severity is Severity.ERROR] == codes


def test_a_file_that_cannot_be_read_hides_no_other() -> None:
    texts = {"a.yaml": "site: [", "b.yaml": "backend:" + written(LEAF).partition("backend:")[2]}
    findings = compile_site(load_texts(texts)).findings
    said = {item.code for item in findings if item.severity is Severity.ERROR}
    assert said == {Code.YAML_SYNTAX, Code.UNKNOWN_REFERENCE}


def test_a_misspelled_key_is_not_taken_for_one_that_was_left_out() -> None:
    """At 800G, which would be the default, the spines have no room."""
    text = SITE.replace("count: 64", "count: 520").replace("servers: 128", "servers: 520")
    right = text.replace("  underlay:", "  links: {speed: 400G}\n  underlay:")
    for site, codes in {
        right: [],
        text: [Code.RADIX_EXCEEDED],
        right.replace("links: {speed", "links: {spede"): [Code.UNKNOWN_KEY],
    }.items():
        findings = compile_site(load_texts({"site.yaml": site})).findings
        assert [item.code for item in findings if item.severity is Severity.ERROR] == codes


RACKED = """\
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.9.0.1]}}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {web: {leafs: 1-4, servers: {per_leaf: 16, speed: 25G}}}
fabrics:
  oob:
    kind: access
    leaf: {model: SN2201, platform: sonic}
    spine: {model: 7050CX3-32S, platform: sonic}
    zones: {servers: {switch: 1}, network: {switch: 2}}
    vlans: {switches: {id: 20}}
racks:
  servers: {count: 4, contents: [{servers: frontend-web, count: 30}]}
  network: {row: 1, position: 2, contents: [{switches: "fe-*"}]}
tenants:
  red:
    vrfs: {red: {id: 1, vlans: {a: {id: 100, subnet: 10.1.0.1/24}, b: {id: 101, subnet: 10.1.1.0/24}}}}
    attachments: [{group: web, trunk: [b, node, nod]}]
  blue:
    vrfs: {blue: {id: 2, vlans: {c: {id: 200, subnet: 10.2.0.0/24}}}}
"""  # noqa: E501 - as people write it


def test_racks_places_and_tenants_are_judged_in_one_run() -> None:
    compiled = compile_site(load_texts({"site.yaml": RACKED}))
    messages = [item.message for item in compiled.findings if item.severity is Severity.ERROR]
    wanted = [
        "are both at place 2 of row 1",
        "lacks 2 free units in a row for fe-leaf02-s06",
        "host bits are set",
        "tenant 'red' has no VLAN 'node'",
        "tenant 'red' has no VLAN 'nod'",
    ]
    assert [sum(part in message for message in messages) for part in wanted] == [1] * len(wanted)
    assert len(messages) == len(wanted), messages


def test_tenants_of_a_fabric_with_errors_are_named_as_unchecked() -> None:
    text = RACKED.replace("count: 2}", "count: 200}")
    unseen = {each.check for each in compile_site(load_texts({"site.yaml": text})).examined}
    assert {"checks of the frontend", "checks of tenant red", "checks of tenant blue"} <= unseen
