"""What the pings before a batch prove, and what people are told of those that prove nothing."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.unit.deploy.push.test_stations import LEAFS, look, model

from fabricgen.nos.traffic import End, Kind, Traffic
from fabricgen.operate.deploy.fleet import Fault, Outcome
from fabricgen.operate.deploy.push.baseline import Baseline, baseline
from fabricgen.operate.deploy.push.steps import Ready, Steps

SERVER = "server fe-leaf01-h2 (10.10.20.10, VLAN 20, VRF red, at fe-leaf01)"


@dataclass
class Driver:
    """A switch that hears everybody but those that are deaf. deaf: by asking VRF and address."""

    deaf: Collection[tuple[str, str]] = ()
    reaches: Collection[str] = ()

    def reach(self, ends: Collection[End], seen: Traffic) -> Mapping[End, bool]:
        assert seen.vtep
        return {
            end: (end.of, end.far) not in self.deaf
            if end.kind is Kind.ROUTED
            else end.far in self.reaches
            for end in ends
        }


class Fleet:
    """Runs a step on switches of the test."""

    def __init__(self, **drivers: Driver | Fault) -> None:
        self.drivers = {name.replace("_", "-"): driver for name, driver in drivers.items()}

    def each(self, names: Collection[str], step: Any) -> dict[str, Outcome[Any]]:
        found: dict[str, Outcome[Any]] = {}
        for name in names:
            driver = self.drivers.get(name, Driver())
            found[name] = (
                Outcome(fault=driver, said="no answer")
                if isinstance(driver, Fault)
                else Outcome(step(driver, name))
            )
        return found


def pinged(
    *, probe: bool = True, edits: Collection[tuple[str, str]] = (), **drivers: Any
) -> Baseline:
    change = SimpleNamespace(around=SimpleNamespace(model=model(*edits)))
    steps = Steps(
        change=cast("Any", change),
        ours=frozenset(),
        timer=60,
        target=cast("Any", None),
        probe=probe,
    )
    return baseline(
        cast("Any", Fleet(**drivers)),
        steps,
        {"fe-leaf01": Ready("", look(1))},
        {name: look(number) for number, name in enumerate(LEAFS[1:], 2)},
        "push-1",
    )


def test_all_that_answer_are_counted_and_the_seed_is_said() -> None:
    found = pinged()
    assert found.sentences == (
        "3 switches pinged 12 servers (random sample, seed push-1): 28 pairs of 28 answered",
    )
    answers = found.ready["fe-leaf01"].health.traffic.reached
    assert {end.far: on for end, on in answers.items() if end.kind is Kind.ROUTED} == {
        f"10.10.{vlan}.{host}": True for vlan in (10, 20, 30, 40) for host in (10, 11, 12)
    }
    assert set(found.neighbors["fe-leaf02"].traffic.reached.values()) == {True, False}


def test_a_server_that_was_silent_before_is_named() -> None:
    deaf = Driver(deaf={("red", "10.10.20.10")})
    found = pinged(fe_leaf01=deaf, fe_leaf02=deaf, fe_leaf03=deaf)
    assert found.sentences[1:] == (
        f"no answer before the batch, so the health check ignores: {SERVER}",
    )


def test_a_pair_that_did_not_work_before_is_named_with_both_ends() -> None:
    found = pinged(fe_leaf02=Driver(deaf={("red", "10.10.20.10")}))
    assert found.sentences[1:] == (
        f"already before the batch: fe-leaf02 does not reach {SERVER} in VRF red",
    )


def test_a_source_that_nobody_answers_proves_nothing() -> None:
    everyone = {("red", f"10.10.{vlan}.{host}") for vlan in (10, 20) for host in range(10, 13)}
    assert pinged(fe_leaf01=Driver(deaf=everyone)).sentences[1:] == (
        "fe-leaf01: no server of VRF red answers 10.250.1.1; the health check ignores these pings",
    )


def test_two_vrfs_that_meet_already_are_named_and_not_judged() -> None:
    every = [f"10.10.{vlan}.{host}" for vlan in (30, 40) for host in (10, 11, 12)]
    (said,) = {
        each.partition(" already")[0]
        for each in pinged(fe_leaf01=Driver(reaches=every)).sentences[1:]
    }
    assert said == "fe-leaf01: VRF red"


def test_a_switch_that_cannot_ask_is_unread_and_the_others_go_on() -> None:
    found = pinged(fe_leaf02=Fault.FAILED)
    assert found.neighbors["fe-leaf02"].unread == ("pings of servers: no answer",)
    assert not found.neighbors["fe-leaf02"].traffic.reached
    assert found.ready["fe-leaf01"].health.traffic.reached


def test_a_driver_that_cannot_send_packets_is_not_counted() -> None:
    found = pinged(fe_leaf02=object(), fe_leaf03=object())
    assert found.sentences == (
        "1 switch pinged 12 servers (random sample, seed push-1): 12 pairs of 12 answered",
    )


@pytest.mark.parametrize("probe", [True, False])
def test_no_probe_asks_nobody(probe: bool) -> None:  # noqa: FBT001 - a case
    assert bool(pinged(probe=probe).sentences) is probe


def test_a_vrf_without_diagnostic_addresses_is_named() -> None:
    edits = [("        diagnostics: {subnet: 10.250.1.0/24}", "")]
    assert pinged(edits=edits).sentences[1].startswith("VRF red has no diagnostic addresses")
