"""What is kept in a failure, held against a second judge that shares no code with the first."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest
from tests.unit.checks import sites
from tests.unit.survive.naive import Naive

from fabricgen.compile.design.site import design_site
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.failures import Fails
from fabricgen.model.fabric.switch import Fabric
from fabricgen.prove.failures.failures import Failure, singles
from fabricgen.prove.failures.survey import Survey

FRONTEND = """
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  oversubscription: 8
"""
PAIRS = (
    FRONTEND
    + """
servers:
  web:
    count: 3
    ports:
      front: {fabric: frontend, ports: 2, leafs: 2, bond: lacp, speed: 25G, per_leaf: 2, group: a}
  db:
    count: 2
    ports:
      front: {fabric: frontend, ports: 2, leafs: 2, bond: active-backup, speed: 100G, per_leaf: 4,
              group: b}
  old:
    count: 3
    ports: {front: {fabric: frontend, speed: 25G, per_leaf: 2, first: 9, group: b}}
tenants:
  one:
    vrfs: {one: {id: 1, vlans: {a: {id: 100, subnet: 172.20.0.0/24}}}}
    attachments: [{servers: web, access: a, numbers: 1-2}, {servers: old, access: a}]
  two:
    vrfs: {two: {id: 2, vlans: {b: {id: 200, subnet: 172.20.1.0/24}}}}
    attachments: [{servers: db, access: b}, {servers: web, access: b, numbers: 3-3}]
"""
).replace(
    "oversubscription: 8", "oversubscription: 8\n  leaf_groups: {a: {leafs: 1-4}, b: {leafs: 5-6}}"
)
MLAG = """
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  oversubscription: 8
  leaf_groups: {a: {leafs: 1-4, multihoming: {kind: mlag}}, b: {leafs: 5-5}}
servers:
  web:
    count: 3
    ports:
      front: {fabric: frontend, ports: 2, leafs: 2, bond: lacp, speed: 100G, per_leaf: 2, group: a}
  old:
    count: 4
    ports: {front: {fabric: frontend, speed: 100G, per_leaf: 1, first: 9, group: a}}
  far:
    count: 3
    ports: {front: {fabric: frontend, speed: 100G, per_leaf: 4, group: b}}
tenants:
  one:
    vrfs: {one: {id: 1, vlans: {a: {id: 100, subnet: 172.20.0.0/24}}}}
    attachments: [{servers: web, access: a}, {servers: old, access: a}, {servers: far, access: a}]
"""
COLLAPSED = """
frontend:
  design: collapsed
  leaf: {model: 7050CX3-32S, platform: eos}
  pair: {links: 2}
  leaf_groups: {racks: {leafs: 1-2, servers: {per_leaf: 3, speed: 25G}}}
"""
SITES = {
    "rail-only": sites.RAIL_ONLY,
    "rail-optimized": sites.RAIL_OPTIMIZED,
    "three tiers": sites.THREE_TIER,
    "two planes": sites.TWO_PLANES,
    "superspines": sites.SUPERSPINES,
    "pairs and tenants": PAIRS,
    "collapsed": COLLAPSED,
    "MLAG pairs": MLAG,
}


def fabric_of(text: str) -> Fabric:
    loaded = load_texts({"site.yaml": sites.MANAGEMENT + text})
    assert loaded.intent is not None, loaded.findings
    site, _ = design_site(loaded.intent)
    (fabric,) = site.fabrics
    return fabric


def held_against(survey: Survey, failures: list[Failure]) -> int:
    """Compare each outcome with the second judge's; how many were compared."""
    compared = 0
    for failure in failures:
        for one in survey.groups:
            single = failure.kind not in (Fails.DOUBLE, Fails.POWER_ZONE)
            mine = one.single(failure) if single else one.outcome(failure)
            naive = Naive(
                survey.fabric.topology,
                one.group.links,
                one.group.beside,
                joined=one.group.joined,
                dead=set(failure.switches),
                cut=set(map(id, failure.links)),
            ).outcome()
            whole = (Fraction(1), Fraction(1), 0, 0)
            told = (mine.keeps, mine.each, len(mine.lost), mine.hit) if mine is not None else whole
            assert told == naive, (failure.name, one.group.label)
            compared += 1
    return compared


@pytest.mark.parametrize("name", SITES)
def test_every_single_failure_costs_what_the_second_judge_says(name: str) -> None:
    survey = Survey(fabric_of(SITES[name]))
    every = list(singles(survey.fabric))
    switches = [failure for failure in every if failure.switches]
    links = [failure for failure in every if failure.links]
    assert held_against(survey, switches + links[:: 1 + len(links) // 24])


def torn(fabric: Fabric, seed: int) -> Fabric:
    """Return a fabric of which a third of the links is not there, and another third is slower."""
    draw = random.Random(seed)
    links = tuple(
        replace(link, speed=BitsPerSecond(link.speed // draw.choice([1, 1, 2, 3])))
        for link in fabric.topology.links
        if draw.random() < 2 / 3
    )
    return replace(fabric, topology=replace(fabric.topology, links=links))


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["pairs and tenants", "superspines", "MLAG pairs", "two planes"])
def test_what_is_like_nothing_else_is_judged_as_well(name: str, seed: int) -> None:
    survey = Survey(torn(fabric_of(SITES[name]), seed))
    every = list(singles(survey.fabric))
    random.Random(seed).shuffle(every)
    assert held_against(survey, every[:16])


@pytest.mark.parametrize("name", SITES)
def test_double_failures_cost_what_the_second_judge_says(name: str) -> None:
    survey = Survey(fabric_of(SITES[name]))
    every = list(singles(survey.fabric))
    pairs = [
        Failure(
            kind=Fails.DOUBLE,
            name=f"{one.name} and {other.name}",
            switches=one.switches + other.switches,
            links=one.links + other.links,
        )
        for one, other in zip(every, every[7::5], strict=False)
    ]
    assert held_against(survey, pairs)


ONE_EXIT = """
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  oversubscription: 8
  leaf_groups: {a: {leafs: 1-3}, exits: {leafs: 4-4}}
servers:
  web: {count: 6, ports: {front: {fabric: frontend, speed: 100G, per_leaf: 2, group: a}}}
tenants:
  one:
    vrfs:
      one:
        id: 1
        vlans: {a: {id: 100, subnet: 172.20.0.0/24}}
        external: {isp: {leaf: 4, cage: 26, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 64496}}
    attachments: [{servers: web, access: a}]
"""


def hanging_exit() -> Survey:
    """Return a fabric whose exit has a link to the first spine only, so leafs meet it there."""
    fabric = fabric_of(ONE_EXIT)
    kept = [
        link
        for link in fabric.topology.links
        if (link.lower.name, link.upper.name) != ("fe-leaf04", "fe-spine2")
    ]
    return Survey(replace(fabric, topology=replace(fabric.topology, links=tuple(kept))))


def test_equal_failures_name_the_servers_that_each_of_them_shuts_in() -> None:
    survey = hanging_exit()
    (tenant,) = (one for one in survey.groups if one.group.name == "one")
    shut_in = {}
    for failure in singles(survey.fabric):
        tenant.single(failure)
        found = tenant.outcome(failure)
        if found is not None and found.shut_in and not found.lost and failure.links:
            shut_in[failure.name] = found.shut_in
    every = tuple(f"web000{number}" for number in range(1, 7))
    ends = {name.partition(":")[0]: servers for name, servers in shut_in.items()}
    assert ends == {
        "fe-leaf01": every[:2],
        "fe-leaf02": every[2:4],
        "fe-leaf03": every[4:],
        "fe-leaf04": every,
    }


def test_failures_of_one_row_shut_in_equally_many_servers() -> None:
    survey = hanging_exit()
    for row in survey.rows(()):
        counts = {
            (one.group.label, len(told.shut_in))
            for failure in row.failures
            for one in survey.groups
            if (told := one.outcome(failure)) is not None
        }
        assert len(counts) == len({label for label, _ in counts})


def test_failures_of_one_row_are_of_one_kind() -> None:
    rows = hanging_exit().rows(())
    assert all(len({failure.kind for failure in row.failures}) == 1 for row in rows)
