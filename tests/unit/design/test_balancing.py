"""From backends with few and many flows: what is hashed, with which seed, and the arithmetic."""

import random
import re
from dataclasses import replace
from functools import cache
from math import gcd, isclose
from pathlib import Path

import pytest

from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Code, Diagnostic, has_errors
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.balancing import (
    FIVE_TUPLE,
    Field,
    Flows,
    LoadBalancing,
    Mode,
    busiest,
    reached,
)
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Role

PAGE = Path(__file__).resolve().parents[3] / "docs" / "design" / "load-balancing.md"
FAST = BitsPerSecond.parse("400G")
SITE = """
site: {{name: lab, management: {{subnet: 10.255.0.0/22}}}}
backend:
  design: {design}
  servers: {{count: {count}, gpus: 2, nic_speed: 400G, nic: {nic}}}
  leaf: {{model: 7060X6-64PE, platform: eos}}
  {above}
{more}
"""
SPINE = "spine: {model: 7060X6-64PE, platform: eos}"
PODS = """scalable_unit: {servers: 16}
  growth: {pods: 2}
  spine: {model: 7060X6-64PE, platform: eos, count: 4}
  superspine: {model: 7060X6-64PE, platform: eos}"""


@cache
def designed(
    more: str = "",
    *,
    count: int = 64,
    design: str = "rail-optimized",
    above: str = f"links: {{speed: 400G}}\n  {SPINE}",
    nic: str = "connectx-7",
) -> tuple[Fabric | None, list[Diagnostic]]:
    text = SITE.format(design=design, count=count, above=above, more=more, nic=nic)
    loaded = load_texts({"site.yaml": text})
    assert loaded.intent is not None, loaded.findings
    site, findings = design_site(loaded.intent)
    return next(iter(site.fabrics), None), findings


def told(more: str = "", role: Role = Role.LEAF, **words: object) -> LoadBalancing:
    fabric, _ = designed(more, **words)
    assert fabric is not None
    assert fabric.balancing is not None
    return fabric.balancing[role]


def test_left_out_it_is_ecmp_with_the_queue_pair_where_flows_are_few() -> None:
    assert told().mode is Mode.ECMP
    assert told().fields == FIVE_TUPLE
    assert told().wished == (Field.QUEUE_PAIR,)
    assert "64 NIC ports are 64 flows over 64 uplinks" in told().because.rule


@pytest.mark.parametrize(
    ("more", "nic"),
    [
        ("  load_balancing: {mode: flowlet}", "connectx-7"),
        ("  load_balancing: {queue_pairs: 1}", "connectx-7"),
        ("  load_balancing: {hash: [source-ip, destination-ip]}", "connectx-7"),
        ("  roce: {enabled: false}", "connectx-7"),
        ("", "pollara-400"),
    ],
)
def test_the_queue_pair_is_not_asked_for_where_it_would_not_help(more: str, nic: str) -> None:
    assert told(more, nic=nic).wished == ()


def test_what_is_hashed_is_the_same_for_a_leaf_that_is_still_empty() -> None:
    for more in ("", "  load_balancing: {queue_pairs: 16}"):
        assert told(more, count=2).flows == told(more, count=64).flows
        assert told(more, count=2).wished == told(more, count=64).wished


def test_fields_have_one_order_however_they_are_listed() -> None:
    one = told("  load_balancing: {hash: [queue-pair, destination-ip, source-ip]}")
    assert one.fields == (Field.SOURCE_IP, Field.DESTINATION_IP, Field.QUEUE_PAIR)


def test_each_tier_has_another_seed() -> None:
    pods = {"design": "three-tier", "above": PODS}
    assert [told("", role, **pods).seed for role in Role] == [0, 10, 25]
    assert not any(told("", role, **pods).seeded for role in Role)


def test_a_seed_that_is_said_holds_for_its_tier_alone() -> None:
    more = "  load_balancing: {seeds: {spine: 99}}"
    assert [told(more, role).seed for role in Role] == [0, 99, 25]
    assert [told(more, role).seeded for role in Role] == [False, True, False]


@pytest.mark.parametrize(
    ("more", "rule"),
    [
        (
            "",
            (
                "64 NIC ports are 64 flows over 64 uplinks; the busiest uplink is expected to "
                "carry 3.9 times its share; with the queue pair in the hash these are 256 and 2.3"
            ),
        ),
        ("  load_balancing: {mode: flowlet}", "ECMP paths are chosen by flowlet"),
        (
            "  load_balancing: {queue_pairs: 1}",
            (
                "64 NIC ports are 64 flows over 64 uplinks; the busiest uplink is expected to "
                "carry 3.9 times its share"
            ),
        ),
        (
            "  load_balancing: {hash: [source-ip, queue-pair]}",
            (
                "64 NIC ports x 4 queue pairs are 256 flows over 64 uplinks; the busiest uplink is "
                "expected to carry 2.3 times its share"
            ),
        ),
    ],
)
def test_the_rule_is_the_arithmetic_of_what_is_hashed(more: str, rule: str) -> None:
    for role, seed in ((Role.LEAF, 0), (Role.SPINE, 10)):
        because = told(more, role).because
        assert because.rule == f"{rule}; {role}s have the hash seed {seed}"
        assert because.main == ("backend", "load_balancing")


def test_flows_are_those_of_a_full_leaf_with_all_its_rails() -> None:
    one = told()
    assert one.flows is not None
    assert (one.flows.nics, one.flows.uplinks, one.flows.queue_pairs) == (64, 64, 4)
    assert (one.flows.nic_speed, one.flows.uplink_speed) == (FAST, FAST)


@pytest.mark.parametrize(("rails", "nics"), [(1, 64), (2, 64), (3, 42)])
def test_rails_that_share_a_leaf_share_its_uplinks(rails: int, nics: int) -> None:
    """Of three rails that a leaf could have the servers here have two: 21 servers of 2 NICs."""
    fabric, _ = designed(f"  rails_per_leaf: {rails}", count=21)
    assert fabric is not None
    assert fabric.balancing is not None
    flows = fabric.balancing[Role.LEAF].flows
    assert flows is not None
    assert flows.nics == nics


def test_tiers_are_chained_where_a_second_one_chooses() -> None:
    assert told("", design="three-tier", above=PODS).chained
    assert not told().chained


def test_without_spines_there_is_nothing_to_balance() -> None:
    fabric, findings = designed(design="rail-only", above="")
    assert fabric is not None
    assert fabric.balancing is None
    assert not has_errors(findings)


def test_asking_for_a_mode_without_spines_is_an_error() -> None:
    _, findings = designed("  load_balancing: {mode: flowlet}", design="rail-only", above="")
    assert [item.code for item in findings if has_errors([item])] == [Code.BAD_VALUE]


def test_queue_pairs_are_those_of_the_nic_unless_they_are_said() -> None:
    for more, pairs in (("", 4), ("  load_balancing: {queue_pairs: 16}", 16)):
        fabric, _ = designed(more)
        assert fabric is not None
        assert [plan.queue_pairs for plan in fabric.hosts.values()] == [pairs]


@pytest.mark.parametrize(
    ("nic", "pairs", "reorders", "spreads"),
    [
        ("connectx-7", 4, False, False),
        ("connectx-8", 4, True, False),
        ("pollara-400", 1, True, True),
        ("nonesuch", 1, False, False),
    ],
)
def test_servers_are_planned_by_their_nic(
    nic: str, pairs: int, *, reorders: bool, spreads: bool
) -> None:
    """A NIC that nobody knows is told elsewhere; here it has one queue pair and no gifts."""
    for mode in ("ecmp", "spray"):
        fabric, _ = designed(f"  load_balancing: {{mode: {mode}}}", nic=nic)
        assert fabric is not None
        (plan,) = fabric.hosts.values()
        assert (plan.nic, plan.queue_pairs) == (nic, pairs)
        assert (plan.reorders, plan.sprayed, plan.spreads) == (reorders, mode == "spray", spreads)


@pytest.mark.parametrize(("flows", "paths"), [(32, 32), (64, 64), (128, 32), (512, 64), (256, 16)])
def test_the_expected_maximum_is_that_of_flows_thrown_at_random(flows: int, paths: int) -> None:
    chance, total, times = random.Random(1), 0, 1000
    for _ in range(times):
        counts = [0] * paths
        for _ in range(flows):
            counts[chance.randrange(paths)] += 1
        total += max(counts)
    assert isclose(busiest(flows, paths), total / times, rel_tol=0.04)


def test_one_path_takes_everything_and_two_flows_share_two_half_the_time() -> None:
    assert busiest(7, 1) == 7
    assert isclose(busiest(2, 2), 1.375)  # of independent paths; thrown exactly it is 1.5


def test_a_share_is_what_an_uplink_carries_or_the_mean_if_that_is_more() -> None:
    plain = Flows(nics=64, uplinks=64, queue_pairs=4, nic_speed=FAST, uplink_speed=FAST)
    assert isclose(plain.shares(queue_pairs=False), busiest(64, 64))
    twice_as_fast = replace(plain, uplinks=32, uplink_speed=BitsPerSecond.parse("800G"))
    assert isclose(twice_as_fast.shares(queue_pairs=False), busiest(64, 32) / 2)
    few_uplinks = replace(plain, uplinks=16)
    assert isclose(few_uplinks.shares(queue_pairs=False), busiest(64, 16) / 4)
    assert replace(plain, nics=2).shares(queue_pairs=False) < 1.1


@pytest.mark.parametrize("paths", range(1, 17))
def test_links_reached_are_those_that_some_hash_leads_to(paths: int) -> None:
    for onward in range(1, 17):
        for entering in range(1, gcd(paths, onward) + 1):
            comes = [value for value in range(paths * onward) if value % paths < entering]
            there = {value % onward for value in comes}
            assert len(there) == reached(paths, entering, onward)


def rows(columns: int) -> list[list[float]]:
    """Return the rows of numbers in the page's tables of that width."""
    found = re.findall(r"^\| ([0-9. |]+) \|$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)
    cells = [[float(cell) for cell in row.split(" | ")] for row in found]
    return [row for row in cells if len(row) == columns]


@pytest.mark.parametrize("row", rows(7))
def test_the_page_has_the_flows_that_the_arithmetic_gives(row: list[float]) -> None:
    nics, uplinks, pairs = (int(cell) for cell in row[:3])
    flows = Flows(nics=nics, uplinks=uplinks, queue_pairs=pairs, nic_speed=FAST, uplink_speed=FAST)
    count, times = flows.counted(queue_pairs=True), flows.shares(queue_pairs=True)
    assert row[3:] == [
        count,
        count / uplinks,
        round(busiest(count, uplinks), 1),
        round(times, 1),
    ]


@pytest.mark.parametrize("row", rows(4))
def test_the_page_has_the_links_that_are_reached(row: list[float]) -> None:
    paths, entering, onward = (int(cell) for cell in row[:3])
    assert row[3] == reached(paths, entering, onward)


def test_the_page_has_both_tables() -> None:
    assert (len(rows(7)), len(rows(4))) == (8, 5)
