"""Each planted fault of a SONiC switch whose check has the tag of the gate stops a push."""

from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from tests.written.sonic.planting import RELEASE, Fault
from tests.written.sonic.served import Served, Written, written
from tests.written.sonic.site import RAIL, designed
from tests.written.sonic.test_planted import FAULTS

from fabricgen.nos.health import Health
from fabricgen.nos.sonic.driver import health, traffic
from fabricgen.operate.deploy.fleet import Outcome
from fabricgen.operate.deploy.push.checked import gate_checks
from fabricgen.operate.deploy.push.gate import judged
from fabricgen.operate.deploy.push.model import BatchComparison, Model
from fabricgen.operate.deploy.texts import Texts

CHECKS = {each.name: each for each in gate_checks()}
STOPPED = [each for each in FAULTS if each.check in CHECKS]
LOST = {
    "port down": "port ",
    "member not selected": "LACP no longer uses ",
    "member expired": "LACP no longer uses ",
    "member not in the ASIC": "LACP no longer uses ",
    "session down": "BGP session ",
    "EVPN session down": "BGP session ",
}
"""Faults that may still end by themselves: the comparison with the earlier snapshot finds them."""


@cache
def model(*, dynamic: bool) -> Model:
    site = designed(RELEASE, dynamic=dynamic)
    names = (each.name for fabric in site.fabrics for each in fabric.topology.switches)
    return Model(site, Texts(site), frozenset(names))


def look(redis: Served, switch: Written) -> Health:
    """Ask what a push asks: it knows no sample of routes."""
    asked = replace(switch, expected=replace(switch.expected, facts={}))
    return health.of(redis.answers(asked, traffic.COMMANDS))


def compared(redis: Served, fault: Fault) -> tuple[tuple[str, ...], BatchComparison]:
    """Return what stops a push after which a switch has a fault."""
    right = written(fault.switch, RELEASE, dynamic=fault.switch == RAIL)
    broken = right.copy()
    fault.plant(broken)
    before, after = look(redis, right), look(redis, broken)
    against = BatchComparison(
        model=model(dynamic=fault.switch == RAIL),
        before={fault.switch: before},
        changed={fault.switch: frozenset()},
    )
    outcome: dict[str, Outcome[Any]] = {fault.switch: Outcome(after)}
    found = judged({fault.switch: before}, outcome, against)
    return found.get(fault.switch, ()), against


def test_many_faults_are_of_the_gate() -> None:
    assert len(STOPPED) > 40
    assert {"PfcPriorities", "Headroom", "Vlans", "BgpPeers", "DscpMaps"} <= {
        each.check for each in STOPPED
    }


@pytest.mark.parametrize("fault", STOPPED, ids=[each.name for each in STOPPED])
def test_a_fault_in_a_fact_of_the_model_stops_a_push(redis: Served, fault: Fault) -> None:
    found, _ = compared(redis, fault)
    says = LOST.get(fault.name, fault.says)
    assert any(says in each for each in found), (fault, found)
