"""A link that is planned or dead, as each platform writes it, is read, verified and counted on."""

from __future__ import annotations

from functools import cache

import pytest

from fabricgen.compiler import compile_site, files_of, slices
from fabricgen.deploy.batches.judge import judge_batch
from fabricgen.fabric.switch import Interface, Site, SwitchSlice
from fabricgen.intent.load import load_texts
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import reader_of
from fabricgen.proof.designed import peer_of
from fabricgen.proof.qos.verify import verify
from fabricgen.proof.runs import Expected, expected
from fabricgen.proof.underlay import underlay
from fabricgen.proof.written import prove
from fabricgen.reports.explanation import explain_switch
from fabricgen.sandbox import renderer
from fabricgen.survive.survey import Survey
from fabricgen.tree.facts import GLOBAL

SITE = """
site: {name: oslo, management: {subnet: 10.255.0.0/24}}
frontend:
  leaf: {model: 7050CX3-32S, platform: PLATFORM}
  spine: {model: 7050CX3-32S, platform: PLATFORM, count: 4}
  leaf_groups: {a: {leafs: 1-2, servers: {per_leaf: 4, speed: 100G}}}
  switches: {fe-leaf01: {links: {fe-spine1: LINK}}}
"""
PLATFORMS = ("eos", "linux", "sonic")
ENDS = ("fe-leaf01", "fe-spine1")
PLANNED, DEAD, AS_EVER = "{state: planned}", "{state: dead}", "{to: fe-spine1 port 1}"


@cache
def site(platform: str, link: str) -> Site:
    text = SITE.replace("PLATFORM", platform).replace("LINK", link)
    if link == AS_EVER:
        text = text.partition("  switches")[0]
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.site is not None
    assert made.ok, made.findings
    return made.site


@cache
def piece(platform: str, name: str, link: str) -> SwitchSlice:
    return next(it for _, it in slices(site(platform, link)) if it.switch.name == name)


def between(of: SwitchSlice) -> Interface:
    other = ENDS[of.switch.name == ENDS[0]]
    return next(it for it in of.interfaces if it.peer is not None and it.peer.name == other)


def written(of: SwitchSlice) -> dict[str, str]:
    made = files_of(of, renderer(()))
    return {file.path.split("/", 2)[2]: file.text for file in made}


def shows(platform: str, name: str, link: str) -> Expected:
    own, every = piece(platform, name, link), slices(site(platform, link))
    reader = reader_of(platform)
    assert reader is not None
    return expected(own, underlay(it for _, it in every), reader)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_both_ports_of_a_planned_link_are_shut_and_read_so(platform: str, end: str) -> None:
    own, plain = piece(platform, end, PLANNED), piece(platform, end, AS_EVER)
    assert [it for it in own.interfaces if it.shut] == [between(own)]
    assert prove(own, written(own)).findings == ()
    assert prove(own, written(plain)).findings != ()
    assert prove(plain, written(own)).findings != ()


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_shut_port_names_the_intent_as_its_cause(platform: str) -> None:
    lines = explain_switch(piece(platform, "fe-spine1", PLANNED), ())
    why = {path for line in lines for reason in line.reasons for path in reason.paths}
    assert ("frontend", "switches", "fe-leaf01", "links", "fe-spine1", "state") in why


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_dead_link_changes_no_file(platform: str, end: str) -> None:
    assert written(piece(platform, end, DEAD)) == written(piece(platform, end, AS_EVER))


@pytest.mark.parametrize("link", [PLANNED, DEAD])
@pytest.mark.parametrize("end", ENDS)
def test_verify_waits_for_nothing_of_the_link(end: str, link: str) -> None:
    own, wanted = piece("linux", end, link), shows("linux", end, link)
    port = between(own)
    name = spell(own.switch, port.port)
    assert ("cable", name) not in wanted.of("cable")
    assert wanted.facts["interface", name].get("link") != "up"
    over = [it for it in own.sessions if it.interface is port]
    loopbacks = [it for it in own.sessions if it.overlay and it.peer is port.peer]
    assert over
    keys = {("session", GLOBAL, peer_of(own, it)) for it in (*over, *loopbacks)}
    assert not any("state" in wanted.facts[key] for key in keys)
    others = wanted.of("session").keys() - keys
    assert others
    assert all("state" in wanted.facts[key] for key in others)
    routes = [it for key, it in wanted.facts.items() if key[0] == "route"]
    assert routes
    assert not any(name in it["ports"] for it in routes)


@pytest.mark.parametrize("platform", PLATFORMS)
def test_what_is_read_back_by_the_second_reader_holds(platform: str) -> None:
    made = site(platform, PLANNED)
    assert verify(made, ((it.switch, written(it)) for _, it in slices(made)), spell).findings == ()


@pytest.mark.parametrize("link", [PLANNED, DEAD])
def test_survive_counts_it_as_lost_already(link: str) -> None:
    rows = Survey(site("eos", link).fabrics[0]).rows(())
    single = [each for row in rows for each in row.failures if each.kind == "link"]
    assert len(single) == 7
    assert {len(each.cut) for each in single} == {2}
    lost = {
        each.name: next(iter(row.outcomes.values())).keeps
        for row in rows
        for each in row.failures
        if each.kind == "spine"
    }
    assert lost["fe-spine1"] > lost["fe-spine2"]


@pytest.mark.parametrize(("link", "refused"), [(AS_EVER, False), (PLANNED, True), (DEAD, True)])
def test_batches_do_not_count_on_it(link: str, refused: bool) -> None:  # noqa: FBT001 - a case
    said = judge_batch(site("eos", link), ("fe-spine2", "fe-spine3"), 50)
    assert any("fe-leaf01 keeps 1 of 3" in each for each in said) is refused
