"""A risk class is never kinder than its own sentence, over all sentences about a change.

The vocabulary: a sentence with a word of LOSS is not hitless, and one with a word of RELOAD is a
reboot. HARMLESS lists the phrases that use such a word and mean no harm, each with its reason; they
are taken out of a sentence before it is read.
"""

from __future__ import annotations

import json
import re

import pytest
from tests.nos.test_risk import RULES

from fabricgen.compile.output import risks
from fabricgen.compile.output.risks import dialects_of
from fabricgen.core.tree.judge import GONE, NEW
from fabricgen.core.tree.risk import MEANING, Risk, Rule
from fabricgen.nos.registry import OURS
from fabricgen.nos.sonic.releases import RELEASES
from fabricgen.nos.sonic.updates import SLOW, updates
from fabricgen.operate.deploy.plan.switch_preview import OUTAGE

LOSS = re.compile(
    r"\b(?:loss|lost|loses?|drop(?:s|ped)?|restart(?:s|ed)?|resets?|breaks?|ends?|goes down|"
    r"(?:is|are) down|taken down|cease|withdrawn)\b",
    re.IGNORECASE,
)
RELOAD = re.compile(
    r"\b(?:reload(?:s|ed)?|reboot(?:s|ed)?|every service|forwarding plane)\b", re.IGNORECASE
)
HARMLESS = {
    "takes effect at the next reload": "nothing happens at the change",
    "takes effect at the next LAG that goes down": "nothing happens at the change",
    "without packet loss": "the opposite",
    "only chrony or rsyslog restarts": "a service that forwards nothing",
    "is lost until it returns": "the meaning of session-reset, as it is printed",
}


def updater() -> list[Rule]:
    """Return what is said of the config updater and of FRR's restart, by the sizes of changes."""
    where = {"DEVICE_METADATA": {"localhost": {"hwsku": "Arista-7060X6-64PE-O128S2"}}}

    def files(**tables: object) -> dict[str, str]:
        frr = f"frr version {RELEASES['202605'].frr}\n"
        return {"config_db.json": json.dumps({**where, **tables}), "frr.conf": frr}

    some = {f"Ethernet{number}": {"name": "a"} for number in range(SLOW)}
    other = {name: {"name": "b"} for name in some}
    states = [
        (files(), files(DEVICE_NEIGHBOR=some)),
        (files(DEVICE_NEIGHBOR=some), files(DEVICE_NEIGHBOR=other)),
        (files(BUFFER_POOL={}), files(BUFFER_POOL={"a": {"size": "1"}})),
        (files(), {**files(), "frr.conf": files()["frr.conf"] + "service integrated-vtysh\n"}),
    ]
    return [change.rule for before, after in states for change in updates(before, after)]


def sentences() -> list[tuple[Risk, str]]:
    """Return every sentence with its class."""
    every = [rule for own in RULES.values() for rule in own]
    every += [dialect.unknown for name in OURS for dialect in dialects_of(name)]
    every += [NEW, GONE, *(rule for rule in vars(risks).values() if isinstance(rule, Rule))]
    every += updater()
    said = {(rule.risk, rule.why) for rule in every}
    return sorted({*said, *MEANING.items(), (Risk.REBOOT, OUTAGE)})


SENTENCES = sentences()


def least(sentence: str) -> Risk:
    """Return the kindest class that a sentence allows."""
    for phrase in HARMLESS:
        sentence = sentence.replace(phrase, "")
    if RELOAD.search(sentence):
        return Risk.REBOOT
    return Risk.SESSION_RESET if LOSS.search(sentence) else Risk.HITLESS


@pytest.mark.parametrize(("risk", "sentence"), SENTENCES)
def test_no_class_is_kinder_than_its_sentence(risk: Risk, sentence: str) -> None:
    assert risk >= least(sentence), sentence


@pytest.mark.parametrize("phrase", HARMLESS)
def test_every_harmless_phrase_is_said_somewhere(phrase: str) -> None:
    assert any(phrase in sentence for _, sentence in SENTENCES)


def test_the_updater_has_a_sentence_for_many_new_entries_and_one_for_many_that_stood() -> None:
    said = {rule.risk: rule.why for rule in updater() if "entries" in rule.why}
    assert said[Risk.HITLESS].startswith(f"{SLOW} entries differ")
    assert said[Risk.REBOOT].startswith(f"{SLOW} existing entries change")


def test_the_words_are_seen() -> None:
    assert least("gives no answer, and then only a `config reload` is left") is Risk.REBOOT
    assert least("the session ends only when more routes come") is Risk.SESSION_RESET
    assert least("a remark") is Risk.HITLESS
