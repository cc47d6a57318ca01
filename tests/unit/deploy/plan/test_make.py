"""A plan of looks: who has an entry, which batches there are, and who made it where."""

import getpass
import socket
from collections.abc import Collection
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.property.batch_sites import everything, frontend

from fabricgen import __version__
from fabricgen.operate.deploy.batches.plan import BatchRequest, plan_batches
from fabricgen.operate.deploy.batches.sizes import sizes
from fabricgen.operate.deploy.fleet import Fault, Outcome
from fabricgen.operate.deploy.plan.document import Entry, identified
from fabricgen.operate.deploy.plan.make import look_at_all, operator, planned
from fabricgen.operate.deploy.plan.switch_preview import SwitchPreview
from fabricgen.operate.deploy.targets import Target

SHA = {name: digit * 64 for name, digit in (("a", "1"), ("b", "2"))}


def entry(name: str, state: str = "same") -> Entry:
    return Entry(switch=name, fabric="f", platform="eos", state=state, rendered="0" * 64)


class Fleet:
    """Gives each switch the outcome that the test says, and tells of it."""

    def __init__(self, **outcomes: Outcome[SwitchPreview]) -> None:
        self.outcomes, self.closed = outcomes, list[str]()

    def look(
        self, names: Collection[str], action: str, told: Any
    ) -> dict[str, Outcome[SwitchPreview]]:
        assert action == "look"
        for name in names:
            told(name, self.outcomes[name])
        return {name: self.outcomes[name] for name in names}

    def close(self, names: Collection[str]) -> None:
        self.closed += names


LENS = SimpleNamespace(
    look="look",
    targets={
        "a": Target(name="a", fabric="frontend", platform="eos", address="10.0.0.1"),
        "b": Target(name="b", fabric="backend", platform="sonic", address="10.0.0.2"),
    },
    texts=SimpleNamespace(of=lambda name: SimpleNamespace(sha256=SHA[name])),
)
GONE = Entry(
    switch="b",
    fabric="backend",
    platform="sonic",
    state="unreachable",
    said="no route",
    rendered=SHA["b"],
)


def test_every_switch_has_an_entry_and_who_cannot_be_looked_at_says_why() -> None:
    fleet = Fleet(
        a=Outcome(SwitchPreview(entry("a"))), b=Outcome(None, Fault.UNREACHABLE, "no route")
    )
    told = list[Entry]()
    looks = look_at_all(cast("Any", fleet), cast("Any", LENS), told.append)
    assert looks == (SwitchPreview(entry("a")), SwitchPreview(GONE))
    assert told == [entry("a"), GONE]
    assert fleet.closed == ["a", "b"]


def test_nobody_has_to_listen() -> None:
    fleet = Fleet(a=Outcome(SwitchPreview(entry("a"))), b=Outcome(SwitchPreview(entry("b"))))
    looks = look_at_all(cast("Any", fleet), cast("Any", LENS))
    assert looks == (SwitchPreview(entry("a")), SwitchPreview(entry("b")))


def test_what_changes_stands_in_batches_and_the_rest_in_none(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(getpass, "getuser", lambda: "ann")
    monkeypatch.setattr(socket, "gethostname", lambda: "desk")
    whole = frontend(4, 2)
    names = everything(whole)
    changing = [name for name in names if "leaf" in name][:2]
    entries = tuple(entry(it, "changes" if it in changing else "same") for it in names)
    wish = BatchRequest(sizes=sizes("1"), floor=10, together=True)
    plan = planned(whole, tuple(map(SwitchPreview, entries)), wish)
    expected = plan_batches(whole, changing, wish)
    assert [(it.fabric, it.switches, it.why, it.stays, it.warnings) for it in plan.batches] == [
        (it.fabric, it.switches, it.why, it.stays, it.warnings) for it in expected
    ]
    assert sorted(name for batch in plan.batches for name in batch.switches) == sorted(changing)
    assert plan.switches == entries
    assert (plan.site, plan.tool, plan.by) == (whole.name, __version__, "ann@desk")
    assert (plan.floor, plan.together) == (10, True)
    assert plan == identified(plan)
    moment = datetime.fromisoformat(plan.made)
    assert (moment.tzinfo, moment.microsecond % 1000) == (UTC, 0)


@pytest.mark.parametrize("error", [KeyError("uid 1000"), OSError("no user")])
def test_an_account_without_a_name_is_unknown(
    error: Exception, monkeypatch: pytest.MonkeyPatch
) -> None:
    def getuser() -> str:
        raise error

    monkeypatch.setattr(getpass, "getuser", getuser)
    assert operator() == "unknown"
