"""Switches that answer from memory: who is asked, who is unread, and who cannot be asked."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.unit.proof.state.lab import FRONTEND, LEAF, SPINE, models, models_of, text

from fabricgen.model.fabric.transition import Transition
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.operate.deploy import verify as module
from fabricgen.operate.deploy.fleet import Fault, Outcome, Stopped
from fabricgen.operate.deploy.targets import Target
from fabricgen.operate.deploy.verify import Verified, verified

WRONG = '"10.72.0.128":{\n    "remoteAs":4294967294,'


class Driver:
    """Gives one answer after the other, the last one again and again."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)

    def read(self, script: str) -> str:
        assert script == LINUX.script
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


class Fleet:
    """Switches by name; one without a driver does not answer."""

    def __init__(self, **drivers: object) -> None:
        self.drivers = {name.replace("_", "-"): driver for name, driver in drivers.items()}
        self.closed: tuple[str, ...] | None = None

    def look(self, names: Mapping[str, str], action: Any) -> dict[str, Outcome[str]]:
        return {name: self._one(name, action) for name in names}

    def _one(self, name: str, action: Any) -> Outcome[str]:
        if name not in self.drivers:
            return Outcome(None, Fault.UNREACHABLE, "no route")
        try:
            return Outcome(action(self.drivers[name], name))
        except Stopped as stopped:
            return Outcome(None, stopped.fault, str(stopped))

    def close(self, names: tuple[str, ...]) -> None:
        self.closed = names


@pytest.fixture(autouse=True)
def asked(monkeypatch: pytest.MonkeyPatch) -> list[frozenset[str]]:
    """Expect of every Linux switch that is there what the model says."""
    there = list[frozenset[str]]()

    def expectations(
        site: object, part: frozenset[str], *, kept: dict[str, Transition]
    ) -> dict[str, Any]:
        assert (site, kept) == ("the site", {})
        there.append(part)
        return {name: models()[name] for name in (LEAF, SPINE)}

    monkeypatch.setattr(module, "expectations", expectations)
    return there


def looked(fleet: Fleet, **platforms: str) -> Verified:
    names = {name.replace("_", "-"): platform for name, platform in platforms.items()}
    targets = {
        name: Target(name=name, fabric="frontend", platform=platform, address="10.0.0.1")
        for name, platform in names.items()
    }
    ready = SimpleNamespace(
        site="the site", targets=targets, there=frozenset({LEAF, SPINE, "far"}), fleet=fleet
    )
    return verified(cast("Any", ready), 0.0)


def test_switches_that_run_as_designed_have_no_difference(asked: list[frozenset[str]]) -> None:
    fleet = Fleet(fe_leaf02=Driver(text(LEAF)), fe_spine1=Driver(text(SPINE)))
    found = looked(fleet, fe_leaf02="linux", fe_spine1="linux")
    assert set(found.looks) == {LEAF, SPINE}
    assert (found.differences, dict(found.unread), dict(found.unasked)) == ([], {}, {})
    assert asked == [{LEAF, SPINE, "far"}]
    assert fleet.closed == (LEAF, SPINE)


VERSION = "zebra version {}\n\n\x1eversion 0\n"


@pytest.mark.parametrize(
    ("release", "runs", "said", "unread"),
    [
        ("debian12", VERSION.format("8.4.4"), [], []),
        ("debian12", VERSION.format("8.4.9"), [], []),
        (
            "debian12",
            VERSION.format("10.3"),
            [f"{LEAF}: runs FRR 10.3, the intent has release debian12 (FRR 8.4.4)"],
            [],
        ),
        (
            "debian13",
            VERSION.format("10.5.4"),
            [f"{LEAF}: runs FRR 10.5.4, the intent has release debian13 (FRR 10.3)"],
            [],
        ),
        ("debian13", "", [], [LEAF]),
        ("", VERSION.format("10.3"), [], []),
    ],
)
def test_another_release_than_the_intent_names_is_a_difference(
    monkeypatch: pytest.MonkeyPatch, release: str, runs: str, said: list[str], unread: list[str]
) -> None:
    named = FRONTEND.replace("platform: linux", f'platform: linux, release: "{release}"')
    wanted = models_of(named if release else FRONTEND)[LEAF]
    monkeypatch.setattr(module, "expectations", lambda *_, **__: {LEAF: wanted})
    found = looked(Fleet(fe_leaf02=Driver(text(LEAF) + runs)), fe_leaf02="linux")
    assert (found.differences, found.unversioned) == (said, unread)


def test_every_difference_is_a_sentence() -> None:
    wrong = text(LEAF).replace(WRONG, WRONG.replace("4294967294", "65001"))
    found = looked(Fleet(fe_leaf02=Driver(wrong)), fe_leaf02="linux")
    assert set(found.looks) == {LEAF}
    assert len(found.differences) == 1
    assert "65001" in found.differences[0]


def test_who_does_not_answer_or_runs_no_scripts_is_unread() -> None:
    found = looked(Fleet(fe_spine1=object()), fe_leaf02="linux", fe_spine1="linux")
    assert found.unread == {LEAF: "no route", SPINE: "its driver cannot run scripts"}


def test_platforms_that_nothing_reads_are_named_with_their_switches() -> None:
    fleet = Fleet()
    found = looked(fleet, a="eos", b="sonic", c="eos")
    assert found.unasked == {"eos": ["a", "c"], "sonic": ["b"]}
    assert (found.looks, found.unread) == ({}, {})
    assert fleet.closed == ()
