"""Minimum packet memory of a tier: it holds at the number, and not above it or without facts."""

import pytest

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.intent.load import load_texts

SITE = """
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}}
frontend:
  leaf: {model: 7060DX5-64S, platform: eos}
  spine: {model: SPINE, platform: PLATFORM, count: 2}
  links: {speed: 400G}
  leaf_groups: {racks: {leafs: 1-2, servers: {per_leaf: 4, speed: 100G}}}
  buffer_per_port: DEPTH
"""
RAILS = """
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}}
backend:
  design: rail-only
  servers: {count: 2, gpus: 4, nic_speed: 400G}
  leaf: {model: 7280DR3-24, platform: eos}
  roce: {pfc: false}
  buffer_per_port: DEPTH
"""


def found(
    depth: str, text: str = SITE, spine: str = "7280DR3-24", platform: str = "eos"
) -> list[Diagnostic]:
    words = {"DEPTH": depth, "SPINE": spine, "PLATFORM": platform}
    for name, word in words.items():
        text = text.replace(name, word)
    made = compile_site(load_texts({"site.yaml": text}))
    others = [item for item in made.findings if item.severity is Severity.ERROR]
    assert all(item.code is Code.BUFFER_TOO_SHALLOW for item in others), others
    return [item for item in made.findings if item.code is Code.BUFFER_TOO_SHALLOW]


def test_a_deep_spine_holds_what_a_shared_one_does_not() -> None:
    """7280DR3-24: 8,192 MB of a Jericho2 for 24 ports. 7060DX5-64S: 114 MB for 64."""
    assert found("{spine: 341}") == []
    (told,) = found("{spine: 342}")
    assert "8,192 MB of 7280DR3-24 for 24 ports are 341 MB per port" in told.message
    (told,) = found("{spine: 40}", spine="7060DX5-64S")
    assert told.path == ("frontend", "buffer_per_port", "spine")
    assert "are 1.78 MB per port, but the minimum is 40 MB" in told.message


def test_each_tier_has_its_own_minimum() -> None:
    assert found("{leaf: 1.69, spine: 40}") == []
    (told,) = found("{leaf: 1.8, spine: 40}")
    assert told.path[-1] == "leaf"


def test_unknown_memory_is_not_enough() -> None:
    other = SITE.replace("7060DX5-64S", "7050CX3-32S").replace("400G", "100G")
    (told,) = found("{spine: 1}", other, spine="LAB-64", platform="linux")
    assert "is not known" in told.message


def test_rails_without_pauses_may_have_virtual_output_queues() -> None:
    assert found("{leaf: 341}", RAILS) == []
    assert found("{leaf: 342}", RAILS)


@pytest.mark.parametrize("depth", ["{spine: 0}", "{leafs: 1}", "40", "{superspine: 1}"])
def test_a_minimum_that_means_nothing_is_refused(depth: str) -> None:
    text = SITE.replace("DEPTH", depth).replace("SPINE", "7280DR3-24").replace("PLATFORM", "eos")
    assert not compile_site(load_texts({"site.yaml": text})).ok
