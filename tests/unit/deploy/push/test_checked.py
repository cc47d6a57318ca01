"""Which findings of the catalogue stop a push, and which are only said."""

from collections.abc import Iterator
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.deploy.push.test_model import MTU, judged, leaf, model
from tests.unit.proof.state.lab import LEAF

from fabricgen.nos import registry
from fabricgen.nos.health import Health
from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.show import Observed, Part, Source
from fabricgen.operate.deploy import fleet
from fabricgen.operate.deploy.push import checked
from fabricgen.operate.deploy.push.checked import ERRORS, GATE, OTHERWISE, GateChecks, stops
from fabricgen.operate.deploy.push.gate import judged as gated
from fabricgen.prove.catalogue.load import catalogue
from fabricgen.prove.catalogue.model import Finding, Outcome, Severity

PORT = "swp29"
Seen = dict[tuple[str, ...], float]


def seen(health: Health) -> Observed:
    assert health.observed is not None
    return health.observed


def measured(health: Health, **counts: float) -> Health:
    named: Seen = {(name.replace("_", "-"), PORT): value for name, value in counts.items()}
    return replace(health, observed=replace(seen(health), measures=named))


@pytest.fixture
def reader(monkeypatch: pytest.MonkeyPatch) -> Iterator[SimpleNamespace]:
    """Let a test replace parts of the reader of Linux."""
    parts = SimpleNamespace(now=LINUX)

    def reader_of(_platform: str) -> Any:
        return parts.now

    monkeypatch.setattr(checked, "reader_of", reader_of)
    model.cache_clear()  # it has the state that the real reader expects
    yield parts
    model.cache_clear()
    assert registry.reader_of("linux") is LINUX


def test_every_error_stops_a_push_or_is_compared_otherwise() -> None:
    """A new check of the catalogue needs a decision."""
    errors = {each.name for each in catalogue() if each.severity is Severity.ERROR}
    tagged = {each.name for each in catalogue() if GATE in each.tags}
    assert errors - tagged == set(OTHERWISE)
    assert tagged - errors == {"PortErrors", "PfcUnexpected"}


def test_a_failure_stops_and_names_its_object() -> None:
    checks = model().checks
    found = checks.failed(LEAF, leaf(MTU))
    assert found == {"vni10110 has MTU 1500, but the model has 9164": ("interface", "vni10110")}
    assert checks.failed(LEAF, leaf()) == {}


def test_a_guessed_value_fails_no_push_and_is_said(reader: SimpleNamespace) -> None:
    guess = Source("ip -d address", "mtu", guess="no recording shows it")
    reader.now = replace(LINUX, sources={("interface", "mtu"): guess})
    assert judged(leaf(), leaf(MTU)) == ([], [])
    (said,) = model().unverified(LEAF, leaf(MTU))
    assert said.startswith("PortMtu: vni10110 has MTU 1500")
    assert "no recording shows it" in said
    assert model().unverified(LEAF, leaf()) == ()


@pytest.mark.parametrize("names", [("interface", "mtu"), ("interface", "mtu", "vni10110")])
def test_an_unknown_value_is_not_compared(names: tuple[str, ...]) -> None:
    """The release or the model does not report it."""
    after = leaf(MTU)
    blind = replace(seen(after), unknown={names: "this release does not report it"})
    assert judged(leaf(), replace(after, observed=blind)) == ([], [])


def test_an_unread_part_is_not_compared() -> None:
    """The snapshot names it, and a part that was read before is a loss."""
    own = seen(leaf(MTU))
    blind = replace(own, unread={**own.unread, Part.INTERFACES: "the command was refused"})
    assert judged(leaf(), replace(leaf(), observed=blind)) == ([], [])


def test_a_session_that_may_still_come_fails_no_push() -> None:
    """The gate compares sessions with the earlier snapshot: a new one may need its other end."""
    own = seen(leaf())
    key = next(key for key in own.facts if key[0] == "session")
    facts = {**own.facts, key: {**own.facts[key], "state": "Active"}}
    assert judged(leaf(), replace(leaf(), observed=replace(own, facts=facts))) == ([], [])


def test_a_warning_without_the_tag_fails_no_push(reader: SimpleNamespace) -> None:
    reader.now = replace(LINUX, measured={"flaps": Part.COUNTERS})
    then, now = measured(leaf(), flaps=1), measured(leaf(), flaps=900)
    assert judged(then, now) == ([], [])


@pytest.mark.parametrize(("more", "count"), [(ERRORS, 0), (ERRORS + 1, 1)])
def test_errors_of_ports_may_grow_a_little(reader: SimpleNamespace, more: int, count: int) -> None:
    """Frames are lost while a link comes up; `verify` allows none."""
    reader.now = replace(LINUX, measured={"receive-errors": Part.COUNTERS})
    then, now = measured(leaf(), receive_errors=5), measured(leaf(), receive_errors=5 + more)
    assert len(judged(then, now)[0]) == count


def test_growth_counts_also_without_a_model() -> None:
    """A rollback restores what no intent describes."""
    then, now = measured(leaf(), receive_errors=5), measured(leaf(), receive_errors=99)
    found = gated({LEAF: then}, {LEAF: fleet.Outcome(now)}, None)
    assert found == {LEAF: ("receive-errors of port swp29 grew by 94",)}


@pytest.mark.parametrize(
    ("outcome", "kind", "stopped"),
    [
        (Outcome.FAILED, "session", True),
        (Outcome.NOT_YET, "session", False),
        (Outcome.NOT_YET, "acl-rule", True),
        (Outcome.UNREAD, "acl-rule", False),
    ],
)
def test_a_state_that_no_other_switch_brings_stops(
    outcome: Outcome, kind: str, *, stopped: bool
) -> None:
    """An access rule that the hardware has refused waits for nobody."""
    finding = Finding(
        switch=LEAF,
        check="AclRules",
        outcome=outcome,
        severity=Severity.ERROR,
        sentence="odd",
        key=(kind, "a", "b"),
    )
    assert stops(finding) is stopped


def test_what_nobody_read_has_no_checks() -> None:
    checks: GateChecks = model().checks
    assert checks.failed(LEAF, Health()) == {}
    assert checks.about(LEAF, None) == frozenset()


def test_a_value_that_the_release_does_not_report_is_said_where_the_model_needs_it() -> None:
    blind = replace(seen(leaf()), unknown={("interface", "mtu"): "this release has no MTU"})
    assert model().unverified(LEAF, replace(leaf(), observed=blind)) == (
        "PortMtu: this release has no MTU",
    )
    other = replace(seen(leaf()), unknown={("headroom", "bytes"): "this release has no headroom"})
    assert model().unverified(LEAF, replace(leaf(), observed=other)) == ()
