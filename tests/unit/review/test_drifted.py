"""The drift of a switch by meaning: its object, both values, its place and the risk."""

from functools import cache
from pathlib import Path

import pytest

from fabricgen.compile.compiler import compile_site
from fabricgen.core.tree.risk import Risk
from fabricgen.intent.load import load_site
from fabricgen.operate.deploy.texts import Texts
from fabricgen.review.attribution import Design
from fabricgen.review.diff_parts import Parts
from fabricgen.review.drifted import Drift, drift_of

INTENT = Path(__file__).resolve().parents[3] / "intent"
LEAF = ("lab", "frontend/fe-leaf01")


@cache
def design(name: str) -> tuple[Design, Texts]:
    site = compile_site(load_site(INTENT / name)).site
    assert site is not None
    return Design(site), Texts(site)


def drifts(of: tuple[str, str], *edits: tuple[str, str]) -> dict[str, Drift]:
    """Return the drift of a switch that runs its own files with edits, by sentence."""
    known, texts = design(of[0])
    rendered = dict(texts.of(of[1].rpartition("/")[2]).files)
    running = dict(rendered)
    for old, new in edits:
        assert any(old in text for text in running.values()), old
        running = {path: text.replace(old, new) for path, text in running.items()}
    found = drift_of(of[1], Parts(before=running, after=rendered), known)
    return {each.sentence: each for each in found}


def test_a_switch_as_rendered_has_no_drift() -> None:
    assert drifts(LEAF) == {}


def test_a_changed_value_has_both_values_the_place_and_the_risk() -> None:
    found = drifts(LEAF, ("bgp router-id 10.64.0.1\n", "bgp router-id 9.9.9.9\n"))
    said = "BGP of VRF default: router id is 9.9.9.9, but the design has 10.64.0.1"
    drift = found[said]
    assert (drift.running, drift.rendered) == ("9.9.9.9", "10.64.0.1")
    assert drift.risk is Risk.SESSION_RESET
    assert drift.effect == "every neighbor of the process receives a Cease"
    assert drift.intent[0] == "frontend"
    assert (drift.key, drift.attribute) == (("bgp", "default"), "router-id")


def test_a_list_names_only_the_items_that_differ() -> None:
    found = drifts(LEAF, ("server 10.255.0.250", "server 10.255.0.199"))
    assert "ntp 10.255.0.199 is not in the design" in found
    assert "ntp 10.255.0.250 is missing" in found


def test_a_line_without_a_fact_is_a_line() -> None:
    (drift,) = drifts(LEAF, ("frr defaults", "no such command\nfrr defaults")).values()
    assert "`no such command` is not in the design" in drift.sentence
    assert drift.key == ()


@pytest.mark.parametrize(
    ("of", "edit", "said"),
    [
        (("full", "frontend/fe-leaf01"), ("mtu 9214", "mtu 1500"), "MTU is 1500"),
        (("full", "backend/be-su01-leaf1"), ('"mtu": "9214"', '"mtu": "1500"'), "MTU is 1500"),
    ],
)
def test_every_platform_is_read_by_its_grammar(
    of: tuple[str, str], edit: tuple[str, str], said: str
) -> None:
    """EOS is one text, SONiC a database and FRR."""
    found = drifts(of, edit)
    assert any(said in sentence for sentence in found)
    assert {each.key[0] for each in found.values() if each.key} <= {"interface", "vlan", "pool"}
