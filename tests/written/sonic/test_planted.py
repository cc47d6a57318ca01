"""Each fault that is planted into a written right switch is found by the check that names it."""

from dataclasses import replace

import pytest
from tests.written.sonic import (
    faults_of_lossless,
    faults_of_ports,
    faults_of_routing,
    faults_of_systems,
)
from tests.written.sonic.planting import RELEASE, Fault, printed
from tests.written.sonic.served import Served, Written, written
from tests.written.sonic.site import LOSSLESS, RAIL

from fabricgen.nos.show import Observed
from fabricgen.nos.sonic.show.reader import SONIC
from fabricgen.prove.catalogue.engine import run
from fabricgen.prove.catalogue.load import catalogue
from fabricgen.prove.catalogue.model import Finding, Outcome, Subject

FAULTS: tuple[Fault, ...] = (
    *faults_of_ports.FAULTS,
    *faults_of_routing.FAULTS,
    *faults_of_lossless.FAULTS,
    *faults_of_systems.FAULTS,
)
_GUESSED = {"HardwareFib", "Time"}
"""Checks whose fields no document shows, so that they fail no switch."""


def findings(switch: Written, look: Observed) -> list[Finding]:
    """Return all findings of the catalogue, with a look a minute before that was alike."""
    assert look.clock is not None
    before = replace(look, clock=look.clock - 60)
    subject = Subject(expected=switch.expected, observed=look, before=before)
    return [each for one in run(catalogue(), subject, SONIC) for each in one.findings]


def test_there_are_more_than_a_hundred_faults() -> None:
    names = [each.name for each in FAULTS]
    assert len(set(names)) == len(names) > 100


@pytest.mark.parametrize("fault", FAULTS, ids=[each.name for each in FAULTS])
def test_a_planted_fault_is_found(redis: Served, fault: Fault) -> None:
    switch = written(fault.switch, RELEASE, dynamic=fault.switch == RAIL).copy()
    fault.plant(switch)
    found = findings(switch, redis.look(switch))
    about = [each for each in found if fault.says in each.sentence and each.check == fault.check]
    assert about, [(each.check, each.sentence) for each in found]
    outcomes = {each.outcome for each in about}
    wrong = {Outcome.FAILED, Outcome.NOT_YET}
    assert outcomes <= ({Outcome.UNREAD} if fault.check in _GUESSED else wrong)
    assert all(each.source for each in about)


@pytest.mark.parametrize("release", ["202411", "master"])
def test_another_release_is_found(redis: Served, release: str) -> None:
    switch = written(LOSSLESS, RELEASE).copy()
    printed("/etc/sonic/sonic_version.yml", RELEASE, release)(switch)
    found = [each.sentence for each in findings(switch, redis.look(switch))]
    assert [each for each in found if f"runs SONiC {release}" in each]
