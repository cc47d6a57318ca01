"""One action on many switches: what each of them comes to, who hears of it, and what is closed."""

from collections.abc import Callable
from typing import Any

import pytest
from napalm.base.exceptions import (
    CommandErrorException,
    CommandTimeoutException,
    CommitConfirmException,
    CommitError,
    ConnectionException,
    ConnectTimeoutError,
    MergeConfigException,
    NapalmException,
    ReplaceConfigException,
)
from nornir.core.inventory import ConnectionOptions, Defaults, Groups, Host, Hosts, Inventory

from fabricgen.nos.driver import Busy, NoCheckpoint, Transport
from fabricgen.operate.deploy import connection
from fabricgen.operate.deploy.connection import NoDriver
from fabricgen.operate.deploy.fleet import Fault, Fleet, Late, Outcome, Stopped
from fabricgen.operate.deploy.inventory.plugin import CONNECTION
from fabricgen.operate.deploy.runner import Stop

ASIDE: Outcome[str] = Outcome(None, Fault.CANCELED, "stopped before its turn")


class Driver:
    """Notes when it is opened and closed. stuck: hosts whose connection does not close."""

    log: list[str]
    stuck: tuple[str, ...]

    def __init__(self, hostname: str, *_: object) -> None:
        self.name = hostname

    def open(self) -> None:
        if self.name == "gone":
            raise ConnectionException("no route")
        self.log.append(f"open {self.name}")

    def close(self) -> None:
        self.log.append(f"close {self.name}")
        if self.name in self.stuck:
            raise OSError("broken pipe")


@pytest.fixture(autouse=True)
def log(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(connection, "driver_of", lambda _: Driver)
    monkeypatch.setattr(Driver, "log", list[str](), raising=False)
    monkeypatch.setattr(Driver, "stuck", (), raising=False)
    return Driver.log


def fleet(*names: str, stop: Stop | None = None) -> Fleet:
    options = {CONNECTION: ConnectionOptions(extras={})}
    hosts = {
        name: Host(name, hostname=name, platform="eos", connection_options=options)
        for name in names
    }
    inventory = Inventory(Hosts(hosts), Groups(), Defaults())
    hide = {"the S3CRET of it": "the *** of it"}
    return Fleet(
        inventory, stop or Stop(), lambda text: hide.get(text, text), workers=2, patience=60
    )


def named(driver: Transport, name: str) -> str:
    assert getattr(driver, "name", None) == name
    return name.upper()


def raising(error: BaseException) -> Callable[[Transport, str], str]:
    def act(_: Transport, name: str) -> str:
        if name == "a":
            raise error
        return name.upper()

    return act


def test_an_action_gets_the_driver_of_each_named_switch(log: list[str]) -> None:
    assert fleet("a", "b", "c").each(["b", "a"], named) == {"b": Outcome("B"), "a": Outcome("A")}
    assert sorted(log) == ["open a", "open b"]


def test_outcomes_are_in_the_order_that_was_asked_for() -> None:
    assert list(fleet("a", "b", "c").each(["c", "a", "b"], named)) == ["c", "a", "b"]
    assert fleet("a").each([], named) == {}


def test_connections_stay_open_from_one_action_to_the_next(log: list[str]) -> None:
    switches = fleet("a", "b")
    switches.each(["a", "b"], named)
    switches.each(["a"], named)
    assert sorted(log) == ["open a", "open b"]
    switches.close(["a"])
    assert log[2:] == ["close a"]
    switches.each(["a", "b"], named)
    assert log[3:] == ["open a"]


def test_one_that_does_not_let_go_is_left(log: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Driver, "stuck", ("a",))
    switches = fleet("a", "b")
    switches.each(["a", "b"], named)
    switches.close(["a", "b"])
    assert log[2:] == ["close a", "close b"]
    assert switches.each(["a"], named) == {"a": Outcome("A")}
    assert log[4:] == ["open a"]


@pytest.mark.parametrize(
    ("error", "fault"),
    [
        (Busy("x"), Fault.BUSY),
        (NoCheckpoint("x"), Fault.FAILED),
        (ReplaceConfigException("x"), Fault.REFUSED),
        (MergeConfigException("x"), Fault.REFUSED),
        (CommitConfirmException("x"), Fault.FAILED),
        (CommitError("x"), Fault.FAILED),
        (ConnectionException("x"), Fault.UNREACHABLE),
        (CommandErrorException("x"), Fault.FAILED),
        (NapalmException("x"), Fault.FAILED),
        (Stopped(Fault.STALE, "x"), Fault.STALE),
    ],
)
def test_what_a_switch_answers_is_a_fault_and_its_words(error: Exception, fault: Fault) -> None:
    """And costs no other switch anything."""
    outcomes = fleet("a", "b").each(["a", "b"], raising(error))
    assert outcomes == {"a": Outcome(None, fault, "x"), "b": Outcome("B")}


def test_what_nobody_foresaw_leaves_the_switch_unknown_and_names_its_kind() -> None:
    outcomes = fleet("a").each(["a"], raising(ZeroDivisionError("x")))
    assert outcomes["a"] == Outcome(None, Fault.UNKNOWN, "ZeroDivisionError: x")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "CommitError"),
        ("two\n  lines", "two lines"),
        ("the S3CRET\nof it", "the *** of it"),
    ],
)
def test_words_are_one_line_without_secrets_or_else_the_kind(text: str, said: str) -> None:
    outcomes = fleet("a").each(["a"], raising(CommitError(text)))
    assert outcomes["a"] == Outcome(None, Fault.FAILED, said)


def test_a_switch_that_is_not_reached_or_has_no_driver_has_an_outcome_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert fleet("gone").each(["gone"], named)["gone"].fault is Fault.UNREACHABLE

    def driver_of(name: str) -> Any:
        raise NoDriver(f"no driver {name}")

    monkeypatch.setattr(connection, "driver_of", driver_of)
    assert fleet("a").each(["a"], named)["a"] == Outcome(None, Fault.FAILED, "no driver eos")


def test_each_outcome_is_told_once_also_of_those_that_were_left_out() -> None:
    told = dict[str, list[Outcome[str]]]()

    def hear(name: str, outcome: Outcome[str]) -> None:
        told.setdefault(name, []).append(outcome)

    outcomes = fleet("a", "b").each(["a", "b"], raising(Busy("x")), hear)
    assert told == {name: [outcome] for name, outcome in outcomes.items()}
    told.clear()
    assert fleet("a", stop=Stop(asked=1)).each(["a"], named, hear) == {"a": ASIDE}
    assert told == {"a": [ASIDE]}


@pytest.mark.parametrize(
    ("asked", "undoing", "outcome"),
    [
        (0, False, Outcome("A")),
        (1, False, ASIDE),
        (1, True, Outcome("A")),
        (2, True, ASIDE),
    ],
)
def test_undoing_goes_on_until_the_operator_asks_twice(
    asked: int, outcome: Outcome[str], *, undoing: bool
) -> None:
    found = fleet("a", stop=Stop(asked=asked)).each(["a"], named, undoing=undoing)
    assert found == {"a": outcome}


def test_who_failed_is_asked_again_the_next_time() -> None:
    """Nornir itself would leave it out from then on."""
    switches = fleet("a")
    switches.each(["a"], raising(SystemExit(3)))
    assert switches.each(["a"], named) == {"a": Outcome("A")}


def test_a_look_asks_those_that_were_late_again_with_fewer_at_a_time(log: list[str]) -> None:
    """Each is told once, and is asked on a new connection: the old one may hang."""
    names = ("a", "b", "c", "d", "e")
    switches, told = fleet(*names), list[tuple[str, str | None]]()
    turns = dict.fromkeys(names, 0)

    def act(driver: Transport, name: str) -> str:
        turns[name] += 1
        if turns[name] == 1 and name != "e":
            raise CommandTimeoutException("no answer within 60 s")
        return named(driver, name)

    found = switches.look(names, act, lambda name, it: told.append((name, it.value)))
    assert {name: it.value for name, it in found.items()} == {it: it.upper() for it in names}
    assert turns == {"a": 2, "b": 2, "c": 2, "d": 2, "e": 1}
    assert sorted(told) == [(name, name.upper()) for name in names]
    assert [log.count(f"open {name}") for name in names] == [2, 2, 2, 2, 1]


def test_one_that_stays_late_is_told_so_once_and_what_changes_is_never_repeated() -> None:
    told, asked = list[str](), list[str]()

    def act(_: Transport, name: str) -> str:
        asked.append(name)
        raise ConnectTimeoutError("no SSH connection: timed out")

    switches = fleet("a", "b")
    found = switches.look(("a", "b"), act, lambda name, it: told.append(f"{name} {it.fault}"))
    assert set(found.values()) == {Late(None, Fault.UNREACHABLE, "no SSH connection: timed out")}
    assert sorted(told) == ["a unreachable", "b unreachable"]
    assert len(asked) == 4
    switches.each(("a", "b"), act)
    assert len(asked) == 6
