"""`verify --for` adds the rules of `watch` that the catalogue lacks, with outcomes of checks."""

from collections.abc import Mapping
from types import SimpleNamespace
from typing import Any

import pytest
from tests.unit.watch.site import leaf, plans, to_server
from tests.unit.watch.written import Series

from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.show import Observed, Part, Reader, Source
from fabricgen.nos.spelling import Names
from fabricgen.operate.state.verified import Verified
from fabricgen.operate.state.watch import checks as module
from fabricgen.operate.state.watch.checks import ADDED, check_of, with_watch
from fabricgen.operate.state.watch.looks import METRICS, Seen
from fabricgen.operate.state.watch.rules import RULES
from fabricgen.prove.catalogue.load import catalogue, chosen
from fabricgen.prove.catalogue.model import Outcome, Severity

LEAF = leaf()
SERVER = to_server(LEAF)
READER = Reader(
    names=Names(loopback="lo", tunnel="lo", management="eth0", gateway=str, bundle=str),
    about={},
    questions=lambda _facts: (),
    encode=lambda _questions: "",
    decode=lambda _output: {},
    parse=lambda _answers: Observed(),
    measured=dict.fromkeys(METRICS, Part.COUNTERS),
    sources={("pause-sent",): Source("COUNTERS", "PFC_3_TX")},
)


@pytest.fixture(autouse=True)
def reader(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "reader_of", lambda _platform: READER)


def observed(seen: Seen) -> Observed:
    return Observed(measures=seen.measures, clock=seen.clock, sampled=seen.sampled)


def verified(series: Series, *tags: str) -> Verified:
    first, second = series.look(0.0), series.look(60.0)
    looks: Mapping[str, Any] = {
        name: SimpleNamespace(
            before=observed(first.seen[name]),
            observed=observed(second.seen[name]),
            expected=SimpleNamespace(platform="sonic", sources=READER.sources),
        )
        for name in second.seen
    }
    result = Verified(checks=chosen(tags=tags), looks=looks, results=dict.fromkeys(looks, ()))
    seconds = dict.fromkeys(looks, 60.0)
    return with_watch(result, plans(), seconds, WatchLimits())


def test_every_rule_is_added_or_has_a_check_of_the_catalogue() -> None:
    names = {each.name for each in catalogue()}
    assert {rule.check for rule in RULES if rule.check} <= names
    assert not {rule.name for rule in ADDED} & names
    assert all(check_of(rule).severity in Severity for rule in ADDED)


def test_a_calm_fabric_passes_every_added_rule() -> None:
    found = verified(Series(plans()))
    assert set(found.results) == set(plans())
    for results in found.results.values():
        assert {each.check for each in results} == {rule.name for rule in ADDED}
        assert {each.outcome for each in results} == {Outcome.PASSED}
    assert not found.failed
    assert not found.incomplete


def test_a_pause_fails_a_warning_with_its_source_and_limit() -> None:
    series = Series(plans())
    series.rates[LEAF.switch] = {("pause-sent", SERVER, "3"): 500.0}
    found = verified(series)
    (finding,) = found.findings
    assert (finding.check, finding.severity) == ("FullIngress", Severity.WARNING)
    assert finding.outcome is Outcome.FAILED
    assert finding.source == "COUNTERS: PFC_3_TX"
    assert "watch.pauses" in finding.expected
    assert finding.actual == "500 frames/s"
    assert not found.failed


def test_spreading_pauses_fail_verify() -> None:
    series = Series(plans())
    for name, plan in plans().items():
        port = next(each.name for each in plan.lossless)
        series.rates[name] = {("pause-sent", port, "3"): 500.0}
    found = verified(series)
    assert "PausesSpread" in {each.check for each in found.findings}
    assert found.failed


def test_an_uncounted_metric_is_unread() -> None:
    series = Series(plans())
    series.unknown[LEAF.switch] = {("pause-sent",): "off"}
    found = verified(series)
    outcomes = {each.check: each.outcome for each in found.results[LEAF.switch]}
    assert outcomes["FullIngress"] is outcomes["PausesSpread"] is Outcome.UNREAD
    assert found.incomplete


def test_another_choice_of_checks_adds_no_rule() -> None:
    found = verified(Series(plans()), "identity")
    assert set(found.results.values()) == {()}
