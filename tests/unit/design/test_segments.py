"""From servers with LACP on two leafs: one Ethernet segment each, which growing does not move."""

import pytest
from tests.nos.tenants import paired
from tests.property.batch_sites import everything

from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.slices import Slicer
from fabricgen.core.diagnostics import has_errors
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.segment import Segment
from fabricgen.model.fabric.switch import Site
from fabricgen.operate.deploy.batches.judge import judge_batch
from fabricgen.operate.deploy.batches.plan import BatchRequest, plan_batches
from fabricgen.operate.deploy.batches.sizes import sizes

SMALL = paired("7050CX3-32S", "eos")


def designed(text: str) -> Site:
    loaded = load_texts({"site.yaml": text})
    assert loaded.intent is not None, loaded.findings
    site, findings = design_site(loaded.intent)
    assert not has_errors(findings), findings
    return site


def segments(text: str) -> dict[tuple[str, str], Segment]:
    """Return every segment by server and leaf."""
    return {
        (lag.far, switch_slice.switch.name): lag.segment
        for fabric in designed(text).fabrics
        for switch_slice in Slicer(fabric).slices()
        for lag in switch_slice.lags
        if lag.segment is not None
    }


def test_both_leafs_say_the_same_but_for_who_forwards() -> None:
    found = segments(SMALL)
    one, other = found["db0002", "fe-leaf01"], found["db0002", "fe-leaf02"]
    assert one.identifier == other.identifier == "00:02:fc:0a:41:00:01:00:00:02"
    assert one.system == other.system == "02:fc:0a:41:00:01"  # VTEP 10.65.0.1, of the first leaf
    assert (one.preference, other.preference) == (100, 200)
    assert (one.peer.name, other.peer.name) == ("fe-leaf02", "fe-leaf01")


def test_servers_take_turns_in_whose_broadcasts_they_have() -> None:
    first = [
        segment.preference for (_, leaf), segment in segments(SMALL).items() if leaf == "fe-leaf01"
    ]
    assert first == [200, 100, 200]


def test_pairs_differ_in_their_system() -> None:
    found = segments(SMALL)
    assert found["db0004", "fe-leaf03"].identifier == "00:02:fc:0a:41:00:03:00:00:01"
    assert len({segment.identifier for segment in found.values()}) == 5


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("count: 5", "count: 17"),
        ("count: 2}", "count: 4}"),
        ("per_leaf: 3}", "per_leaf: 3, cable_length: 3}"),
        ("tenants:", "  leaf_groups: {a: {leafs: 1-8}}\ntenants:"),
    ],
)
def test_growing_moves_no_segment(old: str, new: str) -> None:
    before, after = segments(SMALL), segments(SMALL.replace(old, new, 1))
    told = [(key, each.identifier, each.preference) for key, each in before.items()]
    assert told == [(key, after[key].identifier, after[key].preference) for key in before]


def test_a_server_on_one_leaf_has_none() -> None:
    assert segments(SMALL.replace("leafs: 2, ", "")) == {}
    assert segments(SMALL.replace("bond: lacp", "bond: active-backup")) == {}


def test_no_batch_has_both_leafs_of_a_segment() -> None:
    site = designed(SMALL)
    batches = plan_batches(site, everything(site), BatchRequest(sizes=sizes("100%"), floor=0))
    leafs = [set(batch.switches) for batch in batches if batch.role.value == "leaf"]
    assert all(not {"fe-leaf01", "fe-leaf02"} <= names for names in leafs)
    assert all(not {"fe-leaf03", "fe-leaf04"} <= names for names in leafs)
    (why,) = judge_batch(site, ["fe-leaf01", "fe-leaf02"], floor=0)
    assert why.endswith("are leafs of one server, db0001 and 2 more servers")
