"""Failures beside a switch that carries nothing: what is left is counted without both."""

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.prove.failures.survey import Survey

SITE = """
site: {name: oslo, management: {subnet: 10.255.0.0/24}}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {a: {leafs: 1-2, servers: {per_leaf: 2, speed: 100G}}}
"""
STATES = "  switches: {fe-spine1: {state: dead}}\n"


def kept(text: str) -> set[float]:
    """Return what servers keep without one spine."""
    made = compile_site(load_texts({"site.yaml": text})).site
    assert made is not None
    rows = Survey(made.fabrics[0]).rows(())
    spines = (row for row in rows if row.failures[0].kind == "spine")
    return {float(each.keeps) for row in spines for each in row.outcomes.values()}


def test_the_last_spine_takes_all_with_it() -> None:
    assert kept(SITE) != {0.0}
    assert kept(SITE + STATES) == {0.0}
