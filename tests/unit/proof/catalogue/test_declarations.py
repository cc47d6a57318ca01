"""The files of the checks: complete, and together they cover all that a reader reads."""

from collections import Counter
from dataclasses import fields

import pytest
from tests.docs.reference.checks import is_read

from fabricgen.model.settings.watching import WatchLimits
from fabricgen.nos.measures import BY_NAME
from fabricgen.nos.registry import nos, platforms, reader_of
from fabricgen.nos.show import Reader
from fabricgen.prove.catalogue.load import catalogue, chosen
from fabricgen.prove.catalogue.model import Check
from fabricgen.prove.catalogue.rules import RULES

READERS = {name: found for name in platforms() if (found := reader_of(name)) is not None}
CHECKS = catalogue()
TOPICS = Counter(topic for each in CHECKS for topic in each.topics)
GROUPS = frozenset(
    (
        *("identity", "ports", "optics", "cables", "bundles", "vlans", "overlay", "bgp", "routes"),
        *("policy", "lossless", "system", "services"),
    )
)
WATCHED = frozenset(
    (
        *("queue-peak", "group-peak", "fec-corrected", "octets-received", "octets-sent"),
        *("rate-received", "light-sent", "prefixes-sent", "port-pause-sent"),
        *("discards-received", "discards-sent"),
    )
)
"""Metrics without a limit: `watch` shows them next to the thresholds of the model."""
ASKED_ELSEWHERE = frozenset(("path",))
"""Kinds that `verify` does not ask for: `reach --live` asks for the paths of two addresses."""
every_check = pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
every_reader = pytest.mark.parametrize("reader", READERS.values(), ids=READERS)


@every_reader
def test_each_topic_of_a_reader_is_in_one_check(reader: Reader) -> None:
    read = [topic for topic in reader.about if topic[0] not in ASKED_ELSEWHERE]
    assert {topic: TOPICS[topic] for topic in read if TOPICS[topic] != 1} == {}


def test_no_topic_is_in_two_checks() -> None:
    assert [topic for topic, number in TOPICS.items() if number > 1] == []


def test_each_metric_is_in_a_check_or_watched() -> None:
    checked = {metric for each in CHECKS for metric in each.metrics}
    assert BY_NAME.keys() - checked == WATCHED
    assert checked - BY_NAME.keys() == set()


@every_reader
def test_a_reader_measures_known_metrics(reader: Reader) -> None:
    assert reader.measured.keys() - BY_NAME.keys() == set()


def test_every_rule_has_a_check_and_every_check_a_known_rule() -> None:
    assert {each.rule for each in CHECKS if each.rule} == RULES.keys()


@every_check
def test_a_check_is_complete(check: Check) -> None:
    assert check.tags[0] in GROUPS
    assert check.topics or check.rule
    for text in (check.proves, check.why):
        assert text.endswith(".")
        assert len(text.split()) <= 30
    assert check.example.startswith("leaf1: ")
    assert check.covers in ("", "ports")


@every_check
def test_limits_of_a_check_are_settings(check: Check) -> None:
    assert {*check.limits} <= {each.name for each in fields(WatchLimits)}


@every_check
def test_objects_that_a_check_needs_are_compared_by_a_check(check: Check) -> None:
    if check.needs not in ("", "lossless", "marking"):
        kind, name = check.needs.split()
        assert (kind, name) in TOPICS


@every_check
def test_a_check_that_a_platform_lacks_reads_nothing_of_its_reader(check: Check) -> None:
    for name in check.absent:
        reader = READERS.get(name)
        if reader is not None:
            assert not {*check.topics} & reader.about.keys()
            others = {"queue-drops"} if (check.name, name) == ("LosslessDrops", "linux") else set()
            assert not ({*check.metrics} - others) & reader.measured.keys()  # queues of tc


def test_names_and_tags_choose_checks() -> None:
    names = [each.name for each in chosen(["PortMtu"], ["optics"])]
    assert "PortMtu" in names
    assert {each.name for each in CHECKS if "optics" in each.tags} < {*names}
    assert len(names) < len(CHECKS)
    assert chosen() == CHECKS
    with pytest.raises(KeyError, match="PortMTU"):
        chosen(["PortMTU"])


@every_check
def test_releases_that_lack_values_are_known(check: Check) -> None:
    known = {f"{name} {release}" for name in READERS for release in nos(name).releases}
    assert {*check.lacking} <= known
    assert not check.lacking or check.metrics


@every_check
@every_reader
def test_each_check_is_read_or_has_a_reason(reader: Reader, check: Check) -> None:
    """So that the table of docs/reference/checks.md has no empty cell."""
    name = next(key for key, one in READERS.items() if one is reader)
    assert name in check.absent or is_read(check, reader)
