"""The ratio of each tier, as `check` and `render` tell it."""

import pytest
from tests.cli.calling import TENANTS, call

from fabricgen.compile.compiler import compile_site
from fabricgen.compile.reports.ratios import ratio_lines
from fabricgen.intent.load import load_texts

SITE = """site:
  name: lab
  management: {subnet: 10.255.0.0/22}
backend:
  design: DESIGN
  servers: {count: 8, gpus: 2, nic_speed: 400G}
  scalable_unit: {servers: 4}
  oversubscription: 2
  links: {speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
"""
SPINE = "  spine: {model: 7060X6-64PE, platform: eos, count: COUNT}\n"


def told(design: str, spine: str) -> list[str]:
    loaded = load_texts({"site.yaml": SITE.replace("DESIGN", design) + spine})
    site = compile_site(loaded).site
    assert site is not None
    return list(ratio_lines(site))


@pytest.mark.parametrize(("count", "ratio"), [("2", "2"), ("4", "1")])
def test_a_tier_has_the_ratio_of_its_cables(count: str, ratio: str) -> None:
    spine = SPINE.replace("COUNT", count)
    lines = told("rail-optimized", spine)
    assert lines == [f"backend bandwidth, below to above: leaf {ratio} : 1"]


def test_leafs_alone_send_nothing_up() -> None:
    site = SITE.replace("  scalable_unit: {servers: 4}\n", "").replace("DESIGN", "rail-only")
    made = compile_site(load_texts({"site.yaml": site})).site
    assert made is not None
    (line,) = ratio_lines(made)
    assert line.endswith("one tier, nothing goes up")


def test_check_tells_it_of_each_fabric() -> None:
    assert "frontend bandwidth, below to above: leaf 2 : 1" in call("check", TENANTS).out
    assert "below to above" not in call("check", TENANTS, "--format", "json").out
