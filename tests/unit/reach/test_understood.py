"""Whatever the grammars can say of what a packet meets is understood, or known not to be."""

import pytest

from fabricgen.nos.registry import platforms
from fabricgen.prove.walk.understood import OTHERS, UNDERSTOOD
from fabricgen.prove.written import judge_of

JOINED = {"group", "template"}
"""What a grammar resolves before anybody reads it: members and their group."""
LISTS = {"clause", "prefixes", "communities", "targets", "origins"}
"""Kinds that stand inside a policy; one by itself is used by nobody, and nobody knows why."""


@pytest.mark.parametrize("platform", platforms())
def test_every_fact_of_a_grammar_is_understood(platform: str) -> None:
    judge = judge_of(platform)
    assert judge is not None
    topics = {topic for grammar in judge.grammars.values() for topic in grammar.about}
    kinds = {kind for kind, _ in topics} - OTHERS - LISTS
    assert kinds <= set(UNDERSTOOD)
    missing = {
        (kind, name)
        for kind, name in topics
        if kind in kinds and name not in UNDERSTOOD[kind] | JOINED
    }
    assert not missing
