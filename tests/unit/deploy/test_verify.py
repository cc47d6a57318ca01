"""Switches that answer from memory: who is asked, who is unread, and who cannot be asked."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.unit.proof.state.lab import FRONTEND, LEAF, SPINE, models, models_of, whole

from fabricgen.model.fabric.transition import Transition
from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.linux.show.reader import LINUX, QUESTIONS
from fabricgen.operate.deploy import verify as module
from fabricgen.operate.deploy.fleet import Fault, Outcome, Stopped
from fabricgen.operate.deploy.targets import Target
from fabricgen.operate.deploy.verify import Record, verified
from fabricgen.operate.state.verified import Verified
from fabricgen.prove.catalogue.load import catalogue
from fabricgen.prove.catalogue.model import Outcome as Kind

COMPARED = tuple(each for each in catalogue() if not each.metrics)
"""Checks without counters, which the looks do not have."""
SITE = SimpleNamespace(name="small", limits=None)
WRONG = '"10.72.0.128":{\n    "remoteAs":4294967294,'


class Driver:
    """Gives one answer after the other, the last one again and again."""

    def __init__(self, *answers: str) -> None:
        self.answers = list(answers)

    def read(self, script: str) -> str:
        assert script == LINUX.encode(QUESTIONS)
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
        assert (site, kept) == (SITE, {})
        there.append(part)
        return {name: models()[name] for name in (LEAF, SPINE)}

    monkeypatch.setattr(module, "expectations", expectations)
    return there


def looked(
    fleet: Fleet, recorder: Record | None = None, apart: float = 0.0, **platforms: str
) -> Verified:
    names = {name.replace("_", "-"): platform for name, platform in platforms.items()}
    targets = {
        name: Target(name=name, fabric="frontend", platform=platform, address="10.0.0.1")
        for name, platform in names.items()
    }
    there = frozenset({LEAF, SPINE, "far"})
    ready = SimpleNamespace(site=SITE, targets=targets, there=there, fleet=fleet)
    return verified(cast("Any", ready), COMPARED, 0.0, recorder=recorder, apart=apart)


def sentences(found: Verified) -> list[str]:
    return [each.sentence for each in found.findings]


def test_switches_that_run_as_designed_have_no_difference(asked: list[frozenset[str]]) -> None:
    fleet = Fleet(fe_leaf02=Driver(whole(LEAF)), fe_spine1=Driver(whole(SPINE)))
    found = looked(fleet, fe_leaf02="linux", fe_spine1="linux")
    assert set(found.looks) == {LEAF, SPINE}
    assert (sentences(found), dict(found.unread), dict(found.unasked)) == ([], {}, {})
    assert not found.failed
    assert not found.incomplete
    assert asked == [{LEAF, SPINE, "far"}]
    assert fleet.closed == (LEAF, SPINE)


VERSION = "zebra version {}\n\n\x1eversion 0\n"


@pytest.mark.parametrize(
    ("release", "runs", "outcome", "said"),
    [
        ("debian12", VERSION.format("8.4.4"), Kind.PASSED, []),
        ("debian12", VERSION.format("8.4.9"), Kind.PASSED, []),
        (
            "debian12",
            VERSION.format("10.3"),
            Kind.FAILED,
            [f"{LEAF}: runs FRR 10.3, the intent has release debian12 (FRR 8.4.4)"],
        ),
        (
            "debian13",
            VERSION.format("10.5.4"),
            Kind.FAILED,
            [f"{LEAF}: runs FRR 10.5.4, the intent has release debian13 (FRR 10.3)"],
        ),
        (
            "debian13",
            "",
            Kind.UNREAD,
            [f"{LEAF}: the version is unread; the intent has release debian13 (FRR 10.3)"],
        ),
        ("", VERSION.format("10.3"), Kind.NOT_APPLICABLE, []),
    ],
)
def test_another_release_than_the_intent_names_is_a_difference(
    monkeypatch: pytest.MonkeyPatch, release: str, runs: str, outcome: Kind, said: list[str]
) -> None:
    named = FRONTEND.replace("platform: linux", f'platform: linux, release: "{release}"')
    wanted = models_of(named if release else FRONTEND)[LEAF]
    monkeypatch.setattr(module, "expectations", lambda *_, **__: {LEAF: wanted})
    found = looked(Fleet(fe_leaf02=Driver(whole(LEAF) + runs)), fe_leaf02="linux")
    (result,) = (each for each in found.results[LEAF] if each.check == "Release")
    assert (result.outcome, sentences(found)) == (outcome, said)


def test_every_difference_is_a_sentence() -> None:
    wrong = whole(LEAF).replace(WRONG, WRONG.replace("4294967294", "65001"))
    found = looked(Fleet(fe_leaf02=Driver(wrong)), fe_leaf02="linux")
    assert set(found.looks) == {LEAF}
    (sentence,) = sentences(found)
    assert "65001" in sentence
    assert found.failed


def test_who_does_not_answer_or_runs_no_scripts_is_unread() -> None:
    found = looked(Fleet(fe_spine1=object()), fe_leaf02="linux", fe_spine1="linux")
    assert found.unread == {LEAF: "no route", SPINE: "its driver cannot read the state"}


def test_platforms_that_nothing_reads_are_named_with_their_switches() -> None:
    fleet = Fleet()
    found = looked(fleet, a="eos", b="sonic", c="eos")
    assert found.unasked == {"eos": ["a", "c"], "sonic": ["b"]}
    assert (found.looks, found.unread) == ({}, {})
    assert fleet.closed == ()


def test_answers_are_recorded_before_they_are_read() -> None:
    stored: dict[str, object] = {}
    fleet = Fleet(fe_leaf02=Driver("garbage"), fe_spine1=Driver(whole(SPINE)))
    looked(fleet, stored.__setitem__, fe_leaf02="linux", fe_spine1="linux")
    assert stored == {LEAF: {}, SPINE: LINUX.decode(whole(SPINE))}


def test_a_second_look_shows_growth_since_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    slept = list[float]()
    added = list[tuple[set[str], float]]()

    def with_watch(result: Verified, plans: object, seconds: Any, limits: object) -> Verified:
        assert (plans, limits) == ({}, WatchLimits())
        added.append((set(seconds), max(seconds.values())))
        return result

    monkeypatch.setattr("time.sleep", slept.append)
    monkeypatch.setattr(module, "lossless_plans", lambda _site, _names: {})
    monkeypatch.setattr(module, "with_watch", with_watch)
    fleet = Fleet(fe_leaf02=Driver(whole(LEAF)), fe_spine1=Driver(whole(SPINE)))
    found = looked(fleet, apart=60.0, fe_leaf02="linux", fe_spine1="linux")
    assert slept == [60.0]
    assert all(look.before is not None for look in found.looks.values())
    assert [names for names, _ in added] == [{LEAF, SPINE}]


def test_one_look_adds_no_rules_of_watch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "with_watch", None)
    monkeypatch.setattr("time.sleep", None)
    fleet = Fleet(fe_leaf02=Driver(whole(LEAF)), fe_spine1=Driver(whole(SPINE)))
    assert looked(fleet, fe_leaf02="linux", fe_spine1="linux").looks
