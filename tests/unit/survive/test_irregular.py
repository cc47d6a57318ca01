"""All failures of drawn irregular sites, each against the second judge, with the names.

A failure is computed once for all equal ones, so every single one of a row is judged here.
"""

import random
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.longer import draws
from tests.unit.survive.naive import Naive
from tests.unit.survive.test_survey import fabric_of, torn

from fabricgen.model.fabric.switch import Fabric
from fabricgen.prove.failures.failures import Failure
from fabricgen.prove.failures.survey import Outcome, Survey, Surveyed

LEAFS, PORTS, TENANTS = 4, 3, 2


def scattered(seed: int, *, mlag: bool, exits: bool) -> Fabric:
    """Return a fabric where a lot decides the tenant of each port: some ports have none."""
    draw = random.Random(seed)
    role = {"model": "7050CX3-32S", "platform": "eos"}
    groups: dict[str, Any] = {"a": {"leafs": f"1-{LEAFS}"}}
    if mlag:
        groups["a"]["multihoming"] = {"kind": "mlag"}
    ports = {"fabric": "frontend", "per_leaf": PORTS, "group": "a", "speed": "25G"}
    bonded = {**ports, "ports": 2, "leafs": 2, "bond": "lacp", "per_leaf": 2, "first": 9}
    servers = {
        "one": {"count": LEAFS * PORTS, "ports": {"eth": ports}},
        "two": {"count": draw.choice([1, 2, 3]), "ports": {"eth": bonded}},
    }
    owners = [draw.randrange(TENANTS + 1) for _ in range(LEAFS * PORTS)]
    tenants: dict[str, Any] = {}
    for number in range(TENANTS):
        vlans = {"v": {"id": 100 + number, "subnet": f"172.20.{number}.0/24"}}
        vrf: dict[str, Any] = {"id": number + 1, "vlans": vlans}
        if exits and not number:
            peer = {"address": "192.0.2.1/31", "peer": "192.0.2.0", "asn": 64496}
            vrf["external"] = {"isp": {"leaf": draw.randint(1, LEAFS), "cage": 26, **peer}}
        mine = [str(port) for port, owner in enumerate(owners, 1) if owner == number]
        attachments = [{"servers": "one", "numbers": n, "access": "v"} for n in mine]
        if not number:
            attachments.append({"servers": "two", "access": "v"})
        tenants[f"t{number}"] = {"vrfs": {f"t{number}": vrf}, "attachments": attachments}
    frontend = {
        "leaf": role,
        "spine": {**role, "count": 2},
        "oversubscription": 8,
        "leaf_groups": groups,
    }
    words = {"frontend": frontend, "servers": servers, "tenants": tenants}
    return fabric_of("\n" + yaml.safe_dump(words, sort_keys=False))


def half_paired(fabric: Fabric, one: Surveyed) -> bool:
    """Tell whether a group has ports on one leaf of an MLAG pair alone.

    The analysis leaves the other leaf out, so it is stricter than the second judge there.
    """
    used = {link.upper.name for link in one.group.links}
    pairs = ({link.lower.name, link.upper.name} for link in fabric.topology.links if link.of_pair)
    return any(len(pair & used) == 1 for pair in pairs)


def judge(fabric: Fabric, one: Surveyed, failure: Failure) -> tuple[Any, ...]:
    """Return the numbers of the second judge, and the servers that lose the network."""
    naive = Naive(
        fabric.topology,
        one.group.links,
        one.group.beside,
        joined=one.group.joined,
        dead=set(failure.switches),
        cut=set(map(id, failure.links)),
    )
    keeps, each, *_ = naive.outcome()
    ends: dict[str, list[bool]] = {}
    for link in one.group.links:
        ends.setdefault(link.lower.name, []).append(naive.keeps(naive.end(link)))
    return keeps, each, {server for server, kept in ends.items() if not any(kept)}


def told(outcome: Outcome | None) -> tuple[Any, ...]:
    return (outcome.keeps, outcome.each, set(outcome.lost)) if outcome else (1, 1, set())


@settings(max_examples=draws(20), deadline=None)
@given(
    seed=st.integers(0, 2**32),
    mlag=st.booleans(),
    exits=st.booleans(),
    broken=st.booleans(),
)
def test_every_failure_of_an_irregular_site(
    seed: int, *, mlag: bool, exits: bool, broken: bool
) -> None:
    fabric = scattered(seed, mlag=mlag, exits=exits)
    fabric = torn(fabric, seed) if broken else fabric
    survey = Survey(fabric)
    rows = survey.rows(())
    for row in rows:
        for failure in row.failures:
            for one in (each for each in survey.groups if not half_paired(fabric, each)):
                first = told(row.outcomes.get(one.group))
                naive = judge(fabric, one, failure)
                where = failure.name, one.group.label
                assert (*naive[:2], len(naive[2])) == (*first[:2], len(first[2])), where
                assert told(one.outcome(failure)) == naive, where
    walked = survey.walked
    assert walked is not None
    assert walked.failures == sum(len(row.failures) for row in rows)
    assert len(rows) <= walked.classes <= walked.failures
