"""Zones and links between sites in what a lab expects of its packets."""

import json
from dataclasses import replace
from functools import cache

from tests.keys.sites import SITES
from tests.unit.lab.bench import ROOT

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.operate.lab.client import LabClient
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.outside.routers import routers
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.outside import entering, leaving
from fabricgen.operate.lab.traffic.pairs import Apart, Pair

ZONES = """
zones:
  web: {vlans: [red/web]}
  db: {vlans: [red/db]}
  net: {outside: [red/red/isp1, red/red/isp2]}
services: {probe: [udp/47910], other: [udp/53]}
flows:
  - {clients: [web], servers: [db], services: [probe]}
  - {clients: [db], servers: [web], services: [other]}
  - {clients: [web], servers: [net], services: [probe]}
  - {clients: [net], servers: [db], services: [probe]}
"""


@cache
def bench_of(text: str, *, guarded: bool = True) -> Bench:
    made = compile_site(load_texts({"site.yaml": text}), "linux")
    assert made.site is not None, made.findings
    plan = lay_out(made.site, name="edge", lifted=None, files=())
    return Bench(LabClient(ROOT / "no-lab"), made.site, replace(plan, guarded=guarded))


def zoned(*, guarded: bool = True) -> Bench:
    text = (ROOT / "intent/edge/site.yaml").read_text(encoding="utf-8")
    return bench_of(text + ZONES, guarded=guarded)


def between(bench: Bench, one: str, other: str) -> list[Pair]:
    """Return the pairs between two hosts' networks, by the ends of their names."""
    return [
        pair
        for pair in bench.pairs
        if bench.endpoint(pair.source).name.endswith(one)
        and bench.endpoint(pair.target).name.endswith(other)
    ]


def test_a_flow_lets_packets_pass_one_way_alone() -> None:
    assert {pair.routers for pair in between(zoned(), "leaf01-s01/red-web", "red-db")} == {2}
    (back,) = between(zoned(), "red-db", "leaf01-s01/red-web")
    assert (back.routers, back.apart) == (None, Apart.ZONES)
    (six,) = between(zoned(), "red-db IPv6", "leaf01-s01/red-web IPv6")
    assert six.apart is Apart.ZONES


def test_nobody_asks_within_a_vlan_or_a_vrf_without_zones() -> None:
    assert all(pair.routers == 0 for pair in between(zoned(), "red-web", "red-web"))
    assert all(pair.routers is not None for pair in between(zoned(), "blue-app", "blue-app"))


def test_the_outside_is_a_zone_of_its_own() -> None:
    bench = zoned()
    every = routers(bench.site, bench.plan.names)
    heard = {
        (bench.ends[each.source].segment, bool(each.hearers))
        for each in leaving(bench, every)
        if bench.ends[each.source].group == "red"
    }
    assert heard == {("red-web", True), ("red-db", False)}
    inward = {
        (bench.ends[each.source].name, bench.ends[number].segment)
        for each in entering(bench, every)
        for number in each.hearers
    }
    assert {end for end in inward if end[0].endswith("-red")} == {
        ("out-isp1-red", "red-db"),
        ("out-isp2-red", "red-db"),
    }


def test_where_the_kernel_has_no_filter_all_may_pass() -> None:
    bench = zoned(guarded=False)
    (back,) = between(bench, "red-db", "leaf01-s01/red-web")
    assert back.routers == 2
    every = routers(bench.site, bench.plan.names)
    heard = [each for each in leaving(bench, every) if bench.ends[each.source].segment == "red-db"]
    assert all(each.hearers for each in heard)


def test_a_link_between_sites_carries_its_vrf_and_no_other() -> None:
    bench = bench_of(json.dumps(SITES["joined"]))
    across = {
        (ends[0].leaf, ends[1].leaf, pair.routers, pair.apart)
        for pair in bench.pairs
        for ends in ((bench.endpoint(pair.source), bench.endpoint(pair.target)),)
        if ends[0].fabric == "east" and ends[1].fabric == "west"
    }
    joined = {way[:3] for way in across if way[3] is None}
    assert joined >= {("east-leaf01", "west-leaf02", 2), ("east-leaf02", "west-leaf01", 4)}
    alone = lay_out(bench.site, name="e", lifted=None, files=(), limit=("*leaf01", "*spine*"))
    apart = Bench(bench.client, bench.site, alone)
    ways = {pair.apart for pair in apart.pairs if apart.endpoint(pair.source).fabric == "east"}
    assert Apart.FABRICS in ways
    assert not [pair for pair in apart.pairs if pair.routers == 3]
