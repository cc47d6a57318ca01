"""A server that is planned or dead, as its switches write it, are read, verified and counted."""

from __future__ import annotations

from functools import cache

import pytest

from fabricgen.compile.attached.site import attached
from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.reports.explanation import explain_switch
from fabricgen.compile.sandbox import renderer
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import reader_of
from fabricgen.operate.deploy.batches.messages import outage
from fabricgen.prove.failures.groups import groups_of
from fabricgen.prove.failures.survey import Survey
from fabricgen.prove.qos.verify import verify
from fabricgen.prove.runs import expected
from fabricgen.prove.underlay import underlay
from fabricgen.prove.written import prove

SITE = """
site: {name: oslo, management: {subnet: 10.255.0.0/24}}
servers:
  db:
    count: 4
    states: {STATES}
    ports:
      front: {fabric: frontend, group: a, ports: 2, leafs: 2, bond: lacp, speed: 100G, per_leaf: 4}
frontend:
  leaf: {model: 7050CX3-32S, platform: PLATFORM}
  spine: {model: 7050CX3-32S, platform: PLATFORM, count: 2}
  leaf_groups: {a: {leafs: 1-2}}
tenants:
  shop:
    vlans: {lan: {id: 30}}
    attachments: [{servers: db, access: lan}]
"""
PLATFORMS = ("eos", "linux")
PLANNED, DEAD, THERE = "2: planned", "2: dead", ""


@cache
def site(platform: str, states: str) -> Site:
    text = SITE.replace("PLATFORM", platform).replace("STATES", states)
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.site is not None
    assert made.ok, made.findings
    return made.site


def pieces(platform: str, states: str) -> list[SwitchSlice]:
    return [it for _, it in slices(site(platform, states)) if it.switch.is_leaf]


def written(of: SwitchSlice) -> dict[str, str]:
    made = files_of(of, renderer(()))
    return {file.path.split("/", 2)[2]: file.text for file in made}


def ports(of: SwitchSlice) -> list[Interface]:
    return [it for it in of.interfaces if it.peer is not None and it.peer.name == "db0002"]


def laid(of: SwitchSlice) -> list[tuple[str, int | None]]:
    return [(it.port.label, it.lag) for it in of.interfaces]


@pytest.mark.parametrize("platform", PLATFORMS)
def test_ports_of_a_planned_server_are_shut_on_all_its_leafs_and_read_so(platform: str) -> None:
    for own, plain in zip(pieces(platform, PLANNED), pieces(platform, THERE), strict=True):
        assert [it for it in own.interfaces if it.shut] == ports(own)
        assert prove(own, written(own)).findings == ()
        assert prove(plain, written(own)).findings != ()
        why = {path for line in explain_switch(own, ()) for it in line.reasons for path in it.paths}
        assert ("servers", "db", "states", "2") in why


@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_dead_server_changes_no_file(platform: str) -> None:
    for own, plain in zip(pieces(platform, DEAD), pieces(platform, THERE), strict=True):
        assert written(own) == written(plain)


@pytest.mark.parametrize("states", [PLANNED, DEAD])
def test_nothing_else_moves(states: str) -> None:
    for own, plain in zip(pieces("eos", states), pieces("eos", THERE), strict=True):
        assert laid(own) == laid(plain)
        assert [it.segment and it.segment.number for it in own.lags] == [1, 2, 3, 4]


@pytest.mark.parametrize("states", [PLANNED, DEAD])
def test_verify_waits_for_no_light_and_no_neighbor(states: str) -> None:
    ways = underlay(it for _, it in slices(site("linux", states)))
    reader = reader_of("linux")
    assert reader is not None
    for own in pieces("linux", states):
        wanted = expected(own, ways, reader)
        (port,) = ports(own)
        name = spell(own.switch, port.port)
        assert wanted.facts["interface", name].get("link") != "up"
        assert ("cable", name) not in wanted.of("cable")
        assert (port.shut, port.dark) == (states == PLANNED, states == DEAD)


@pytest.mark.parametrize("states", [PLANNED, DEAD])
def test_what_is_read_back_by_the_second_reader_holds(states: str) -> None:
    made = site("eos", states)
    assert verify(made, ((it.switch, written(it)) for _, it in slices(made)), spell).findings == ()


@pytest.mark.parametrize("states", [PLANNED, DEAD])
def test_survive_batches_and_the_lab_leave_it_out(states: str) -> None:
    made = site("eos", states)
    assert sorted(attached(made)) == ["db0001", "db0003", "db0004"]
    rows = Survey(made.fabrics[0]).rows(())
    assert all(it.lower.name != "db0002" for it in groups_of(made.fabrics[0])[0].links)
    cables = [each for row in rows for each in row.failures if each.kind == "server-link"]
    assert cables
    assert not any("db0002" in each.name for each in cables)
    assert not any("db0002" in said for said in outage(made.fabrics[0], ["fe-leaf01"]))
    assert any("db0003" in said for said in outage(made.fabrics[0], ["fe-leaf01"]))


@pytest.mark.parametrize(
    ("states", "said"),
    [
        ("2: drained", "a server cannot be drained here; drain it in its scheduler"),
        ("1-2: planned, 2: dead", "a server can have only one state"),
        ("5: dead", "server 5 does not exist; the kind has 4"),
    ],
)
def test_what_cannot_be_is_said(states: str, said: str) -> None:
    text = SITE.replace("PLATFORM", "eos").replace("STATES", states)
    made = compile_site(load_texts({"site.yaml": text}))
    assert any(said in each.message for each in made.findings)
