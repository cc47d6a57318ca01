"""Each planted fault of an EOS switch whose check has the tag of the gate stops a push."""

import copy
from functools import cache

import pytest
from tests.written.eos.eapi import output
from tests.written.eos.faults import FAULTS
from tests.written.eos.planting import Fault
from tests.written.eos.sites import Plant, bench

from fabricgen.nos.eos.driver.health import REQUEST, health_of
from fabricgen.nos.health import Health
from fabricgen.operate.deploy.fleet import Outcome
from fabricgen.operate.deploy.push.checked import gate_checks
from fabricgen.operate.deploy.push.gate import judged
from fabricgen.operate.deploy.push.model import BatchComparison, Model
from fabricgen.operate.deploy.texts import Texts

CHECKS = {each.name for each in gate_checks()}
TOLERATED = {"receive errors", "transmit errors"}
"""Growth by fewer errors than a link may have while it comes up."""
STOPPED = [each for each in FAULTS if each.check in CHECKS and each.name not in TOLERATED]
LOST = {
    "a dead link": "port Ethernet29/1 is down",
    "a member is not bundled": "LACP no longer uses ",
    "a member without LACP": "LACP no longer uses ",
    "a session is down": "BGP session ",
    "an EVPN session is down": "BGP session ",
}
"""Faults that may still end without a person: the earlier snapshot shows them."""


@cache
def model(name: str) -> Model:
    site = bench(name).site
    there = (each.name for fabric in site.fabrics for each in fabric.present)
    return Model(site, Texts(site), frozenset(there))


def look(where: tuple[str, str], plant: Plant | None = None) -> Health:
    shown = copy.deepcopy(bench(where[0]).shown[where[1]])
    if plant is not None:
        plant(shown)
    return health_of(output(shown, REQUEST))


def stopped(fault: Fault) -> tuple[str, ...]:
    """Return what stops a push after which the switch has a fault."""
    name, switch = fault.where
    before, after = look(fault.where), look(fault.where, fault.plant)
    changed = {switch: frozenset[tuple[str, ...]]()}
    against = BatchComparison(model=model(name), before={switch: before}, changed=changed)
    return judged({switch: before}, {switch: Outcome(after)}, against).get(switch, ())


@pytest.mark.parametrize("fault", STOPPED, ids=[each.name for each in STOPPED])
def test_a_fault_in_a_fact_of_the_model_stops_a_push(fault: Fault) -> None:
    says = LOST.get(fault.name, fault.says)
    assert any(says in each for each in stopped(fault)), stopped(fault)


def test_many_faults_are_of_the_gate() -> None:
    assert len(STOPPED) > 40
    assert {"Vlans", "BgpPeers", "PortMtu", "Vnis", "BgpPolicies", "PortVlans"} <= {
        each.check for each in STOPPED
    }


@pytest.mark.parametrize("where", sorted({each.where for each in FAULTS}))
def test_a_right_switch_stops_no_push(where: tuple[str, str]) -> None:
    """Each switch that a fault is planted in."""
    health = look(where)
    assert model(where[0]).wrong(where[1], health) == {}
