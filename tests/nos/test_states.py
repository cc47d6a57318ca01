"""A switch that is planned, drained or dead, as each platform writes it and is read."""

from functools import cache

import pytest

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.reports.explanation import explain_switch
from fabricgen.compile.sandbox import renderer
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.nos.lowering import spell
from fabricgen.operate.deploy.batches.groups import groups_of
from fabricgen.operate.deploy.batches.judge import judge_batch
from fabricgen.operate.deploy.targets import targets_of
from fabricgen.prove.failures.survey import Survey
from fabricgen.prove.qos.verify import verify
from fabricgen.prove.underlay import underlay
from fabricgen.prove.verifier import expectations
from fabricgen.prove.written import prove

SITE = """
site: {name: oslo, management: {subnet: 10.255.0.0/24}}
servers:
  db:
    count: 2
    ports:
      front: {fabric: frontend, group: a, ports: 2, leafs: 2, bond: lacp, speed: 100G, per_leaf: 2}
frontend:
  leaf: {model: 7050CX3-32S, platform: PLATFORM}
  spine: {model: 7050CX3-32S, platform: PLATFORM, count: 4}
  leaf_groups: {a: {leafs: 1-2}}
  switches: {NAME: {state: STATE}}
tenants:
  shop:
    vlans: {lan: {id: 30}}
    attachments: [{servers: db, access: lan}]
"""
LONE = SITE.replace("ports: 2, leafs: 2, bond: lacp", "ports: 1")
"""Servers on one leaf, as SONiC has them."""


@cache
def site(platform: str, name: str, state: str) -> Site:
    text = LONE if platform == "sonic" else SITE
    for word, value in (("PLATFORM", platform), ("NAME", name), ("STATE", state)):
        text = text.replace(word, value)
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.site is not None
    assert made.ok, made.findings
    return made.site


def switch_slice(platform: str, name: str, of: tuple[str, str]) -> SwitchSlice:
    return next(it for _, it in slices(site(platform, *of)) if it.switch.name == name)


def written(of: SwitchSlice) -> dict[str, str]:
    made = files_of(of, renderer(()))
    return {file.path.split("/", 2)[2]: file.text for file in made}


def shut(of: SwitchSlice) -> list[str]:
    return [spell(of.switch, item.port) for item in of.interfaces if item.shut]


@pytest.mark.parametrize("platform", ["eos", "linux", "sonic"])
def test_a_drained_spine_makes_its_ways_longer_and_is_read_so(platform: str) -> None:
    drained = switch_slice(platform, "fe-spine1", ("fe-spine1", "drained"))
    active = switch_slice(platform, "fe-spine1", ("fe-spine2", "drained"))
    own = f"set as-path prepend {drained.asn} {drained.asn} {drained.asn}"
    assert own in "\n".join(written(drained).values())
    assert prove(drained, written(drained)).findings == ()
    assert prove(active, written(drained)).findings != ()
    assert prove(drained, written(active)).findings != ()


@pytest.mark.parametrize("platform", ["eos", "linux", "sonic"])
def test_the_line_names_the_intent_as_its_cause(platform: str) -> None:
    drained = switch_slice(platform, "fe-spine1", ("fe-spine1", "drained"))
    lines = [it for it in explain_switch(drained, ()) if "as-path prepend" in it.text]
    why = {path for line in lines for reason in line.reasons for path in reason.paths}
    assert ("frontend", "switches", "fe-spine1", "state") in why


@pytest.mark.parametrize("platform", ["eos", "linux", "sonic"])
def test_ports_to_a_planned_switch_wait(platform: str) -> None:
    leaf = switch_slice(platform, "fe-leaf01", ("fe-spine1", "planned"))
    assert len(shut(leaf)) == 1
    assert prove(leaf, written(leaf)).findings == ()
    assert (
        prove(switch_slice(platform, "fe-leaf01", ("fe-spine1", "dead")), written(leaf)).findings
        != ()
    )


@pytest.mark.parametrize("platform", ["eos", "linux"])
def test_bonds_leave_a_drained_leaf_by_its_ports(platform: str) -> None:
    drained = switch_slice(platform, "fe-leaf02", ("fe-leaf02", "drained"))
    assert len(shut(drained)) == 2
    assert prove(drained, written(drained)).findings == ()
    assert shut(switch_slice(platform, "fe-leaf01", ("fe-leaf02", "drained"))) == []


def test_a_drained_leaf_keeps_its_segments_to_itself() -> None:
    """FRR 8.4.4 tells them after a start although no port of theirs is up (seen in the lab)."""
    drained = switch_slice("linux", "fe-leaf02", ("fe-leaf02", "drained"))
    lines = [it for it in explain_switch(drained, ()) if "match evpn route-type" in it.text]
    assert [it.text.split()[-1] for it in lines] == ["ead", "es"]
    why = {path for line in lines for reason in line.reasons for path in reason.paths}
    assert ("frontend", "switches", "fe-leaf02", "state") in why
    told = written(drained)
    silent = told["etc/frr/frr.conf"].replace(" match evpn route-type es\n", "")
    assert prove(drained, told | {"etc/frr/frr.conf": silent}).findings != ()
    for state in (("fe-spine1", "drained"), ("fe-leaf01", "drained"), ("fe-leaf02", "dead")):
        assert (
            "route-type"
            not in written(switch_slice("linux", "fe-leaf02", state))["etc/frr/frr.conf"]
        )


@pytest.mark.parametrize("state", ["planned", "drained", "dead"])
def test_what_is_read_back_by_the_second_reader_holds(state: str) -> None:
    made = site("eos", "fe-spine1", state)
    found = verify(made, ((it.switch, written(it)) for _, it in slices(made)), spell)
    assert found.findings == ()


@pytest.mark.parametrize("leaf", ["fe-leaf01", "fe-leaf02"])
def test_verify_waits_for_no_way_over_a_drained_spine_but_to_itself(leaf: str) -> None:
    other = {"fe-leaf01": "fe-leaf02", "fe-leaf02": "fe-leaf01"}[leaf]
    ways = underlay(it for _, it in slices(site("linux", "fe-spine1", "drained"))).routes
    plain = underlay(it for _, it in slices(site("linux", "fe-spine1", "active"))).routes
    assert set(plain[leaf][other]) - set(ways[leaf][other]) == set(ways[leaf]["fe-spine1"])
    assert len(ways[leaf][other]) == 3
    assert ways["fe-spine1"] == plain["fe-spine1"]


def test_verify_wants_the_ports_to_a_planned_spine_shut() -> None:
    made = site("linux", "fe-spine1", "planned")
    wanted = expectations(made, [it.name for it in targets_of(made).values()])
    port = shut(switch_slice("linux", "fe-leaf01", ("fe-spine1", "planned")))[0]
    assert wanted["fe-leaf01"].facts["interface", port]["link"] == "shut"


@pytest.mark.parametrize(("state", "there"), [("planned", 5), ("dead", 5), ("drained", 6)])
def test_who_is_not_there_is_not_pushed_to(state: str, there: int) -> None:
    assert len(targets_of(site("eos", "fe-spine1", state))) == there


@pytest.mark.parametrize("state", ["planned", "drained", "dead"])
def test_survive_counts_it_as_lost(state: str) -> None:
    rows = Survey(site("eos", "fe-spine1", state).fabrics[0]).rows(())
    spines = [row for row in rows if row.failures[0].kind == "spine"]
    assert [len(row.failures) for row in spines] == [3]
    assert {each.gone for row in spines for each in row.failures} == {
        (f"fe-spine{number}", "fe-spine1") for number in (2, 3, 4)
    }


def test_batches_do_not_count_on_it() -> None:
    fabric = site("eos", "fe-spine1", "dead").fabrics[0]
    spines = [it for it in fabric.topology.switches if not it.is_leaf]
    plane = next(it for it in groups_of(fabric, spines[1:]) if it.noun == "spines")
    assert plane.total == 3
    assert judge_batch(site("eos", "fe-spine1", "dead"), ("fe-spine2",)) == ()
    two = judge_batch(site("eos", "fe-spine1", "dead"), ("fe-spine2", "fe-spine3"), 50)
    assert "plane 1 has only 1 of 3 spines left (--min-available is 50 %)" in two
