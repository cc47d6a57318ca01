"""Looks at switches that answer from memory: when one is done, and who is looked at again."""

from collections.abc import Mapping

import pytest
from tests.unit.proof.state.lab import LEAF, SPINE, models, text

from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.prove.verifier import Look, Verifier

ASN = '"10.72.0.128":{\n    "remoteAs":4294967294,'
WRONG = ASN.replace("4294967294", "65001")
FOREVER = 3600.0


class Network:
    """Switches that give one answer after the other, and the last one again and again."""

    def __init__(self, **answers: list[str]) -> None:
        self.answers = {name.replace("_", "-"): list(texts) for name, texts in answers.items()}
        self.asked: list[set[str]] = []

    def __call__(self, scripts: Mapping[str, str]) -> dict[str, str]:
        assert set(scripts.values()) == {LINUX.request({})}
        self.asked.append(set(scripts))
        there = scripts.keys() & self.answers.keys()
        return {name: self._next(self.answers[name]) for name in sorted(there)}

    @staticmethod
    def _next(answers: list[str]) -> str:
        return answers.pop(0) if len(answers) > 1 else answers[0]


def verifier(network: Network) -> Verifier:
    return Verifier(network, {name: models()[name] for name in (LEAF, SPINE)})


SETTLED = {LEAF.replace("-", "_"): text(LEAF), SPINE.replace("-", "_"): text(SPINE)}


def network(**others: list[str]) -> Network:
    answers = {name: [answer] for name, answer in SETTLED.items()}
    return Network(**{**answers, **others})


def test_one_look_is_not_enough_to_know_that_nothing_moves() -> None:
    eye = verifier(network())
    first, second = eye.look(), eye.look()
    assert [look.first for look in first.values()] == [True, True]
    assert not any(look.done or look.wrong for look in first.values())
    assert all(look.done and not look.first for look in second.values())


def test_some_are_looked_at_and_who_does_not_answer_is_not_there() -> None:
    quiet = Network(**{LEAF.replace("-", "_"): [text(LEAF)]})
    eye = verifier(quiet)
    assert eye.look([SPINE]) == {}
    assert eye.look().keys() == {LEAF}
    assert quiet.asked == [{SPINE}, {LEAF, SPINE}]


def test_it_looks_until_all_are_done_and_no_longer() -> None:
    net, told = network(), list[dict[str, Look]]()
    looks = verifier(net).settle(FOREVER, lambda seen: told.append(dict(seen)))
    assert all(look.done for look in looks.values())
    assert net.asked == [{LEAF, SPINE}] * 2
    assert [all(look.first for look in seen.values()) for seen in told] == [True, False]


def test_who_is_done_is_not_asked_again() -> None:
    moving = [text(LEAF, "early"), text(LEAF), text(LEAF, "later")]
    net = network(**{LEAF.replace("-", "_"): moving})
    looks = verifier(net).settle(FOREVER)
    assert all(look.done for look in looks.values())
    assert net.asked == [{LEAF, SPINE}] * 2 + [{LEAF}]


def test_who_contradicts_the_model_is_looked_at_once_more_and_not_waited_for() -> None:
    spoiled = text(LEAF).replace(ASN, WRONG)
    assert spoiled != text(LEAF)
    net = network(**{LEAF.replace("-", "_"): [spoiled]})
    looks = verifier(net).settle(FOREVER)
    assert (looks[LEAF].wrong, looks[LEAF].done, looks[SPINE].done) == (True, False, True)
    assert net.asked == [{LEAF, SPINE}] * 2


@pytest.mark.parametrize("patience", [-1.0])
def test_when_patience_is_over_the_last_looks_are_the_answer(patience: float) -> None:
    net = network(**{LEAF.replace("-", "_"): [text(LEAF, "early")]})
    looks = verifier(net).settle(patience)
    assert not looks[LEAF].done
    assert net.asked == [{LEAF, SPINE}]
