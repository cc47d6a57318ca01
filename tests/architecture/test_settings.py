"""A setting is declared once: in model/settings, and in no model, view, expectation or importer."""

import ast
from collections import Counter
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from tests.architecture.test_size_budgets import ROOT

from fabricgen.compile.render import template_folder
from fabricgen.intent.schema import intent_schema
from fabricgen.model.settings.registry import RECORDS
from fabricgen.model.settings.setting import Declared, Setting, declared
from fabricgen.nos.features import Feature, Unsupported
from fabricgen.nos.registry import nos, platforms
from fabricgen.prove.written import judge_of

SOURCE = ROOT / "src" / "fabricgen"
READERS = (
    *("intent/model", "importer", "prove/designed.py"),
    *("nos/eos/view", "nos/eos/facts.py", "nos/sonic/expected.py", "nos/linux/expected.py"),
)
"""What follows from a declaration, without a line for each key."""

ATTACHED = {
    *product(("ntp", "syslog", "dns"), ("nos/eos/facts.py", "nos/sonic/expected.py")),
    *product(("ntp", "syslog", "dns", "banner"), ("nos/linux/expected.py",)),
    ("banner", "nos/sonic/expected.py"),
}
"""Where an expectation names a key because more comes with it, which is designed.

That is a source interface, a fixed field of each server, a file, or a switch that is turned on.
"""
EVERY = [(kind, each) for kind in RECORDS for each in declared(kind)]
STATED = [(kind, each) for kind, each in EVERY if each.setting.fact]
"""Settings with a neutral fact of their own. A record in a record, and a list, has none."""


def _named(pair: tuple[type[Any], Declared]) -> str:
    return f"{pair[0].__name__}.{pair[1].key}"


def test_there_are_settings() -> None:
    assert len(EVERY) > 5
    assert all(isinstance(each.setting, Setting) for _, each in EVERY)


@pytest.mark.parametrize("pair", STATED, ids=_named)
def test_each_platform_reads_a_setting_or_says_why_not(pair: tuple[type[Any], Declared]) -> None:
    fact, feature = pair[1].setting.fact, pair[1].setting.feature
    for platform in platforms():
        judge = judge_of(platform)
        assert judge is not None
        kind = 0 if pair[1].setting.per_entry else 1
        reads = fact in {topic[kind] for topic in judge.about}
        able = not feature or not isinstance(
            nos(platform).answer(Feature(feature), nos(platform).release), Unsupported
        )
        assert reads == able, f"{platform}: a grammar row for {fact!r}, or a sentence why not"


@pytest.mark.parametrize("pair", STATED, ids=_named)
def test_a_setting_is_named_where_it_is_declared(pair: tuple[type[Any], Declared]) -> None:
    key = pair[1].path[0]
    if _KEYS[key] > 1:
        pytest.skip(f"{key!r} is a key of other things, too")
    named = [
        path.relative_to(SOURCE).as_posix()
        for place in READERS
        if (key, place) not in ATTACHED
        for path in _files(SOURCE / place)
        if key in _words(path)
    ]
    assert named == []


def test_a_template_reads_the_record_itself() -> None:
    ports = (template_folder() / "eos" / "ports.j2").read_text()
    assert "guarded.values.storm_control.broadcast" in ports


_KEYS = Counter(
    key for words in intent_schema({})["$defs"].values() for key in words.get("properties", {})
)


def _files(place: Path) -> list[Path]:
    return sorted(place.rglob("*.py")) if place.is_dir() else [place]


def _words(path: Path) -> set[str]:
    """Return every identifier and every text of a module."""
    words: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text())):
        match node:
            case ast.Name(id=word) | ast.Attribute(attr=word) | ast.Constant(value=str(word)):
                words.add(word)
            case ast.keyword(arg=str(word)):
                words.add(word)
            case _:
                pass
    return words
