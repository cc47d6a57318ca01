"""The engine: unread is never right, a guess fails no switch, and each outcome has its reason."""

from dataclasses import replace

import pytest
from tests.unit.proof.catalogue.subjects import Measures, Sources, check, result

from fabricgen.core.tree.facts import Facts
from fabricgen.nos.show import ENABLED, SHUT, UP, Part, Source
from fabricgen.prove.catalogue.load import catalogue
from fabricgen.prove.catalogue.model import Check, Outcome, Severity

PORT = ("interface", "Ethernet1")
RIGHT: Facts = {PORT: {"mtu": "9214"}}
WRONG: Facts = {PORT: {"mtu": "1500"}}


def needed(declared: Check) -> Facts:
    """The objects without which a check does not apply."""
    kind, _, name = declared.needs.partition(" ")
    return {(kind, "Ethernet1", "3"): {name: "1"}} if name else {}


MEASURED = [each for each in catalogue() if each.metrics]


def test_equal_facts_pass() -> None:
    found = result("PortMtu", wanted=RIGHT, facts=RIGHT)
    assert (found.outcome, found.objects, found.findings) == (Outcome.PASSED, 1, ())


def test_a_different_fact_fails_with_both_values_and_the_field() -> None:
    sources: Sources = {("interface", "mtu"): Source("show interfaces", "interfaces.IF.mtu")}
    found = result("PortMtu", wanted=RIGHT, facts=WRONG, sources=sources)
    (finding,) = found.findings
    assert (found.outcome, finding.outcome) == (Outcome.FAILED, Outcome.FAILED)
    assert (finding.expected, finding.actual) == ("9214", "1500")
    assert finding.source == "show interfaces: interfaces.IF.mtu"
    assert finding.sentence.startswith("leaf1: ")


def test_a_value_from_a_guessed_field_fails_no_switch() -> None:
    sources: Sources = {
        ("interface", "mtu"): Source("show interfaces", "mtu", "no recording shows it")
    }
    found = result("PortMtu", wanted=RIGHT, facts=WRONG, sources=sources)
    assert found.outcome is Outcome.UNREAD
    assert found.reason.endswith("(not verified: no recording shows it)")


def test_a_measure_from_a_guessed_field_fails_no_switch() -> None:
    then: Measures = {("fec-uncorrected", "Ethernet1"): 1}
    now: Measures = dict.fromkeys(then, 9)
    sources: Sources = {("fec-uncorrected",): Source("show phy", "fec", "a guess")}
    found = result("UncorrectedFec", now=now, then=then, sources=sources)
    assert found.outcome is Outcome.UNREAD
    assert result("UncorrectedFec", now=now, then=then).outcome is Outcome.FAILED


def test_a_missing_protocol_result_is_not_yet() -> None:
    found = result("PortLink", wanted={PORT: {"link": UP}}, facts={PORT: {"link": ENABLED}})
    assert found.outcome is Outcome.NOT_YET
    found = result("PortLink", wanted={PORT: {"link": UP}}, facts={PORT: {"link": SHUT}})
    assert found.outcome is Outcome.FAILED


def test_an_unread_part_is_unread_with_its_reason() -> None:
    found = result("PortMtu", wanted=RIGHT, facts=RIGHT, unread={Part.INTERFACES: "no answer"})
    assert found.outcome is Outcome.UNREAD
    assert found.reason == "leaf1: interfaces could not be read: no answer"


def test_a_failure_in_one_part_counts_more_than_another_unread_part() -> None:
    two = replace(check("Vnis"), topics=(("interface", "mtu"),), metrics=("flaps",))
    found = result(two, wanted=RIGHT, facts=WRONG, unread={Part.COUNTERS: "no answer"})
    assert found.outcome is Outcome.FAILED
    assert {each.outcome for each in found.findings} == {Outcome.FAILED, Outcome.UNREAD}


def test_a_topic_that_a_release_does_not_report_is_not_applicable() -> None:
    found = result(
        "PortMtu", wanted=RIGHT, unknown={("interface", "mtu"): "this release has no MTU"}
    )
    assert (found.outcome, found.reason) == (Outcome.NOT_APPLICABLE, "this release has no MTU")
    assert found.objects == 0


@pytest.mark.parametrize(
    "declared", [each for each in catalogue() if each.topics], ids=lambda each: each.name
)
def test_a_check_whose_topics_no_reader_has_never_passes(declared: Check) -> None:
    found = result(replace(declared, metrics=()), read=False)
    assert found.outcome is Outcome.NOT_APPLICABLE
    assert found.reason == "the reader of test does not read this"


def test_a_check_without_an_object_of_the_model_is_not_applicable() -> None:
    found = result("Segments")
    assert found.outcome is Outcome.NOT_APPLICABLE
    assert found.reason == "the model has no such object on this switch"


def test_a_platform_without_the_state_is_not_applicable_with_the_declared_reason() -> None:
    lacking = replace(check("PortMtu"), absent={"test": "it has no ports"})
    found = result(lacking, wanted=RIGHT, facts=WRONG)
    assert (found.outcome, found.reason) == (Outcome.NOT_APPLICABLE, "it has no ports")


@pytest.mark.parametrize("declared", MEASURED, ids=lambda each: each.name)
def test_a_check_without_any_measure_never_passes(declared: Check) -> None:
    """An absent counter is no counter of zero."""
    wanted = needed(declared)
    absent = result(declared, wanted=wanted, facts=wanted, then={})
    assert absent.outcome is Outcome.UNREAD
    assert "no answer of the switch has a value of" in absent.reason
    unread = result(declared, wanted=wanted, then={}, unread={Part.COUNTERS: "timeout"})
    assert (unread.outcome, unread.reason) == (Outcome.UNREAD, "timeout")
    reasons = {(each,): "the group is off" for each in declared.metrics}
    unknown = result(declared, wanted=wanted, then={}, unknown=reasons)
    assert (unknown.outcome, unknown.reason) == (Outcome.NOT_APPLICABLE, "the group is off")
    silent = result(declared, wanted=wanted, then={}, measured={})
    assert silent.outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    "declared", [each for each in MEASURED if each.looks > 1], ids=lambda each: each.name
)
def test_growth_is_not_applicable_at_the_first_snapshot(declared: Check) -> None:
    wanted = needed(declared)
    now: Measures = {(metric, "Ethernet1", "3"): 1.0 for metric in declared.metrics}
    found = result(declared, wanted=wanted, now=now)
    assert found.outcome is Outcome.NOT_APPLICABLE
    assert found.reason == "growth needs two snapshots of the switch"


def test_a_cabled_port_without_a_counter_is_unread() -> None:
    wanted: Facts = {
        **{("interface", name): {"link": UP} for name in ("Ethernet1", "Ethernet2")},
        **{("cable", name): {"far": ()} for name in ("Ethernet1", "Ethernet2")},
    }
    one: Measures = {("flaps", "Ethernet1"): 3.0}
    found = result("LinkFlaps", wanted=wanted, now=one, then=one)
    assert found.outcome is Outcome.UNREAD
    assert [each.key for each in found.findings] == [("interface", "Ethernet2")]
    both: Measures = one | {("flaps", "Ethernet2"): 0.0}
    assert result("LinkFlaps", wanted=wanted, now=both, then=both).outcome is Outcome.PASSED
    reported = {("flaps", "Ethernet2"): "this port has no counter"}
    found = result("LinkFlaps", wanted=wanted, now=one, then=one, unknown=reported)
    assert found.outcome is Outcome.PASSED


def test_a_limit_of_fabricgen_is_named_in_the_finding() -> None:
    found = result("BitErrors", now={("pre-fec-ber", "Ethernet1"): 1e-3})
    (finding,) = found.findings
    assert finding.expected == "at most 2.4e-04 (bit_errors, a choice of fabricgen)"
    assert found.severity is Severity.WARNING


@pytest.mark.parametrize("name", ["LosslessDrops", "PauseShare", "PfcStorms", "EcnRate"])
def test_a_switch_without_lossless_classes_has_no_lossless_check(name: str) -> None:
    found = result(name, paused={}, marked=frozenset(), then={})
    assert found.outcome is Outcome.NOT_APPLICABLE
    assert found.reason.startswith("the model has no ")


def test_a_value_that_a_release_does_not_report_is_not_applicable() -> None:
    lacking = replace(
        check("BitErrors"), absent={}, lacking={"linux debian12": "it computes no ratio"}
    )
    found = result(lacking, platform="linux", release=("debian12", ""))
    assert (found.outcome, found.reason) == (Outcome.NOT_APPLICABLE, "it computes no ratio")
    assert result(lacking, platform="linux", release=("debian13", "")).outcome is Outcome.UNREAD
