"""A link that is planned, drained or dead, as each platform writes it, is read and counted on."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.output.risks import changes_of
from fabricgen.compile.reports.explanation import explain_switch
from fabricgen.compile.sandbox import renderer
from fabricgen.core.tree.facts import GLOBAL
from fabricgen.core.tree.judge import worst
from fabricgen.core.tree.risk import Risk
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.nos.lowering import spell
from fabricgen.nos.registry import reader_of
from fabricgen.operate.deploy.batches.judge import judge_batch
from fabricgen.operate.deploy.coordination.terms import is_drained, terms_of
from fabricgen.prove.designed import peer_of
from fabricgen.prove.failures.survey import Survey
from fabricgen.prove.qos.verify import verify
from fabricgen.prove.runs import Expected, expected
from fabricgen.prove.underlay import underlay
from fabricgen.prove.written import judge_of, prove

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
DRAINED = "{state: drained}"


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
def switch_slice(platform: str, name: str, link: str) -> SwitchSlice:
    return next(it for _, it in slices(site(platform, link)) if it.switch.name == name)


def between(of: SwitchSlice) -> Interface:
    other = ENDS[of.switch.name == ENDS[0]]
    return next(it for it in of.interfaces if it.peer is not None and it.peer.name == other)


def written(of: SwitchSlice) -> dict[str, str]:
    made = files_of(of, renderer(()))
    return {file.path.split("/", 2)[2]: file.text for file in made}


def shows(platform: str, name: str, link: str) -> Expected:
    own, every = switch_slice(platform, name, link), slices(site(platform, link))
    reader = reader_of(platform)
    assert reader is not None
    return expected(own, underlay(it for _, it in every), reader)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_both_ports_of_a_planned_link_are_shut_and_read_so(platform: str, end: str) -> None:
    own, plain = switch_slice(platform, end, PLANNED), switch_slice(platform, end, AS_EVER)
    assert [it for it in own.interfaces if it.shut] == [between(own)]
    assert prove(own, written(own)).findings == ()
    assert prove(own, written(plain)).findings != ()
    assert prove(plain, written(own)).findings != ()


@pytest.mark.parametrize("platform", PLATFORMS)
def test_the_shut_port_names_the_intent_as_its_cause(platform: str) -> None:
    lines = explain_switch(switch_slice(platform, "fe-spine1", PLANNED), ())
    why = {path for line in lines for reason in line.reasons for path in reason.paths}
    assert ("frontend", "switches", "fe-leaf01", "links", "fe-spine1", "state") in why


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_both_ends_of_a_drained_link_make_its_ways_longer_and_are_read_so(
    platform: str, end: str
) -> None:
    own, plain = switch_slice(platform, end, DRAINED), switch_slice(platform, end, AS_EVER)
    lines = [line.strip() for text in written(own).values() for line in text.splitlines()]
    before = [line.strip() for text in written(plain).values() for line in text.splitlines()]
    side = "ABOVE" if own.switch.is_leaf else "BELOW"
    (peer,) = (peer_of(own, it) for it in own.sessions if it.interface is between(own))
    new = Counter(lines) - Counter(before)
    assert new[f"set as-path prepend {own.asn} {own.asn} {own.asn}"] == 1
    assert new[f"neighbor {peer} route-map TO-{side}-DRAINED out"] == 1
    assert not Counter(before) - Counter(lines)
    assert prove(own, written(own)).findings == ()
    assert prove(own, written(plain)).findings != ()
    assert prove(plain, written(own)).findings != ()


@pytest.mark.parametrize("platform", PLATFORMS)
def test_what_drains_a_link_names_the_intent_and_moves_no_session(platform: str) -> None:
    own, plain = (
        switch_slice(platform, "fe-spine1", DRAINED),
        switch_slice(platform, "fe-spine1", AS_EVER),
    )
    changes = changes_of(platform, written(plain), written(own))
    assert changes
    assert worst(changes) is Risk.HITLESS
    for words in ("as-path prepend", "TO-BELOW-DRAINED out", "TO-BELOW-DRAINED permit"):
        (line,) = (it for it in explain_switch(own, ()) if words in it.text)
        why = {path for reason in line.reasons for path in reason.paths}
        assert ("frontend", "switches", "fe-leaf01", "links", "fe-spine1", "state") in why


@pytest.mark.parametrize("leaf", ["fe-leaf01", "fe-leaf02"])
def test_verify_waits_for_its_session_and_for_no_way_over_it_between_leafs(leaf: str) -> None:
    other = {"fe-leaf01": "fe-leaf02", "fe-leaf02": "fe-leaf01"}[leaf]
    ways, plain = (
        underlay(it for _, it in slices(site("linux", link))).routes for link in (DRAINED, AS_EVER)
    )
    assert set(plain[leaf][other]) - set(ways[leaf][other]) == set(plain[leaf]["fe-spine1"])
    assert len(ways[leaf][other]) == 3
    assert ways["fe-spine1"] == plain["fe-spine1"]
    own, wanted = switch_slice("linux", "fe-leaf01", DRAINED), shows("linux", "fe-leaf01", DRAINED)
    name = spell(own.switch, between(own).port)
    assert ("cable", name) in wanted.of("cable")
    assert wanted.facts["interface", name]["link"] == "up"
    sessions = [it for key, it in wanted.facts.items() if key[:2] == ("session", GLOBAL)]
    assert all("state" in each for each in sessions)


def test_of_two_links_to_a_spine_the_other_one_is_used() -> None:
    text = SITE.replace("PLATFORM", "linux").replace("count: 4", "count: 1, links: 2")
    text = text.replace("fe-spine1: LINK", f"25: {DRAINED}")
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.site is not None
    assert made.ok, made.findings
    ways = underlay(it for _, it in slices(made.site)).routes
    assert len(ways["fe-leaf01"]["fe-leaf02"]) == 1
    assert len(ways["fe-spine1"]["fe-leaf01"]) == 1
    assert len(ways["fe-leaf02"]["fe-leaf01"]) == 2


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_switch_with_a_drained_link_is_not_drained(platform: str, end: str) -> None:
    judge = judge_of(platform)
    assert judge is not None
    facts, strange = judge.facts(written(switch_slice(platform, end, DRAINED)))
    assert not strange
    assert not is_drained(terms_of(facts))


def test_what_an_unnumbered_neighbor_of_eos_cannot_be_told_is_refused() -> None:
    bare = SITE.replace("  leaf_groups", "  underlay: {links: unnumbered}\n  leaf_groups")
    for platform in PLATFORMS:
        text = bare.replace("PLATFORM", platform).replace("LINK", DRAINED)
        made = compile_site(load_texts({"site.yaml": text}))
        assert made.ok is (platform != "eos")
        if platform == "eos":
            assert any("no separate route map" in str(it.message) for it in made.findings)


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("platform", PLATFORMS)
def test_a_dead_link_changes_no_file(platform: str, end: str) -> None:
    assert written(switch_slice(platform, end, DEAD)) == written(
        switch_slice(platform, end, AS_EVER)
    )


@pytest.mark.parametrize("link", [PLANNED, DEAD])
@pytest.mark.parametrize("end", ENDS)
def test_verify_waits_for_nothing_of_the_link(end: str, link: str) -> None:
    own, wanted = switch_slice("linux", end, link), shows("linux", end, link)
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
@pytest.mark.parametrize("link", [PLANNED, DRAINED])
def test_what_is_read_back_by_the_second_reader_holds(platform: str, link: str) -> None:
    made = site(platform, link)
    assert verify(made, ((it.switch, written(it)) for _, it in slices(made)), spell).findings == ()


@pytest.mark.parametrize("link", [PLANNED, DRAINED, DEAD])
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


@pytest.mark.parametrize(
    ("link", "refused"), [(AS_EVER, False), (PLANNED, True), (DRAINED, True), (DEAD, True)]
)
def test_batches_do_not_count_on_it(link: str, refused: bool) -> None:  # noqa: FBT001 - a case
    said = judge_batch(site("eos", link), ("fe-spine2", "fe-spine3"), 50)
    assert any("fe-leaf01 has only 1 of 3" in each for each in said) is refused
