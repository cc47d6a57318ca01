"""Hints that are followed: the site then has no such error any more."""

import re

import pytest

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Diagnostic, Severity
from fabricgen.intent.load import load_texts

PER_LEAF = """\
site: {{name: lab, management: {{subnet: 10.255.0.0/22, ntp: [10.9.0.1, 10.9.0.2]}}}}
frontend:
  leaf: {{model: {model}, platform: eos}}
  spine: {{model: {model}, platform: eos, count: {spines}}}
  leaf_groups:
    web: {{leafs: 1-4, servers: {{per_leaf: {count}, speed: {speed}, links: {links}}}}}
"""
ACCESS = """\
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.9.0.1, 10.9.0.2]}}
racks: {compute: {contents: [{switches: "oob-*"}]}}
fabrics:
  oob:
    kind: access
    leaf: {model: SN2201, platform: sonic}
"""
RACKS = """\
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.9.0.1, 10.9.0.2]}}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {web: {leafs: 1-8, servers: {per_leaf: 8, speed: 25G}}}
racks: {web: {count: 4, contents: [{switches: "PATTERN"}]}}
"""


def errors(text: str) -> list[Diagnostic]:
    """Return the errors of a site."""
    found = compile_site(load_texts({"site.yaml": text})).findings
    return [item for item in found if item.severity is Severity.ERROR]


@pytest.mark.parametrize("links", [1, 2])
@pytest.mark.parametrize("spines", [2, 4])
@pytest.mark.parametrize(
    ("model", "speed"),
    [("7050CX3-32S", "25G"), ("7050CX3-32S", "100G"), ("7060X6-64PE", "100G")],
)
def test_the_per_leaf_that_fits_is_not_oversubscribed(
    model: str, speed: str, spines: int, links: int
) -> None:
    words = {"model": model, "speed": speed, "spines": spines, "links": links}
    (error,) = errors(PER_LEAF.format(count=500, **words))
    fits = re.search(r"per_leaf: (\d+)", error.hint)
    assert fits
    assert errors(PER_LEAF.format(count=fits[1], **words)) == []


def test_an_oversubscribed_leaf_says_what_its_uplinks_allow() -> None:
    words = {"model": "7050CX3-32S", "speed": "25G", "spines": 2, "links": 1}
    found = errors(PER_LEAF.format(count=25, **words))
    assert found
    assert all("200G up allow 600G down" in error.hint for error in found)


def test_the_examples_of_missing_keys_compile() -> None:
    hints = [error.hint for error in errors(ACCESS)]
    keys = [
        match for hint in hints for match in re.findall(r"`((?:zones|vlans|spine): .*?)`", hint)
    ]
    assert len(keys) == 3
    spine = "    spine: {model: 7050CX3-32S, platform: sonic}"  # this site runs SONiC
    lines = [spine if key.startswith("spine") else f"    {key}" for key in keys]
    assert errors(ACCESS + "\n".join(lines)) == []


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("fe-leaf0*", "fe-leaf01 and 7 more would be in two racks"),
        ("fe-laef{rack:02}", "rack 1 of web contains 'fe-laef01'"),
    ],
)
def test_a_pattern_of_four_racks_is_one_finding(pattern: str, said: str) -> None:
    (error,) = errors(RACKS.replace("PATTERN", pattern))
    assert said in error.message
