"""Which keys of tenants and of the edge come back from rendered files, platform by platform.

tenant_keys.txt has the answer for each: back (the files are the same again), differs (some lines
are not), broken (what is found does not compile), - (the key changes no file there). Keys of
zones, flows, gateways and most of jobs are not in it: nothing reads them back but as tenants.
FABRICGEN_GOLDEN=update with FABRICGEN_FAULTS=all writes it anew.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from tests.keys.schema import Key, every_key
from tests.keys.test_every_key import effect, of, pairs
from tests.longer import longer
from tests.unit.adopt.examples import rendered
from tests.unit.adopt.test_tenants import BELOW, OURS, read

from fabricgen.nos.registry import platforms

if TYPE_CHECKING:
    from fabricgen.importer.tree import Tree

GOLDEN = Path(__file__).with_name("tenant_keys.txt")
UPDATE = os.environ.get("FABRICGEN_GOLDEN") == "update"
SECTIONS = (*OURS, *(f"frontend.{each}" for each in BELOW))
KEYS = [key for key in every_key() if f"{key}.".startswith(tuple(f"{s}." for s in SECTIONS))]
LOOKED_AT = {line.split()[0]: line for line in GOLDEN.read_text().splitlines()[1:]}
TABLE = [key for key in KEYS if str(key) in LOOKED_AT]
SHORT = TABLE[::16]
"""Keys that every run looks at."""


def on(words: Any, platform: str) -> Any:
    """Return a tree with every switch on one platform."""
    if isinstance(words, list):
        return [on(each, platform) for each in words]
    if not isinstance(words, dict):
        return words
    kept = {key: on(each, platform) for key, each in words.items() if key != "release"}
    return kept | ({"platform": platform} if "platform" in words else {})


def telling(key: Key, platform: str) -> Tree | None:
    """Return a site in which a key has a value that changes a file; None where none does."""
    for one, other in pairs(key):
        first, second = (on(site, platform) for site in (one, other))
        before, after = (of(site, None, frozenset({"files"})) for site in (first, second))
        if before is not None and after is not None and "files" in effect(key, before, after):
            return dict(second)
    return None


def answer(key: Key, platform: str) -> str:
    """Render a site with a key, read it back, and say what comes of it."""
    tree = telling(key, platform)
    if tree is None:
        return "-"
    _, again = read(tree)
    try:
        return "back" if rendered(again) == rendered(tree) else "differs"
    except AssertionError:
        return "broken"


def row(key: Key) -> str:
    """Return the line of a key in the table."""
    return " ".join((str(key), *(answer(key, platform) for platform in platforms())))


@pytest.mark.parametrize("key", SHORT, ids=str)
def test_a_key_comes_back_as_the_table_says(key: Key) -> None:
    assert row(key) == LOOKED_AT[str(key)]


@longer
def test_every_key_of_the_table_comes_back_as_it_says() -> None:
    rows = [row(key) for key in TABLE]
    text = "\n".join((" ".join(("key", *platforms())), *rows)) + "\n"
    if UPDATE:
        GOLDEN.write_text(text)
    assert GOLDEN.read_text() == text


def test_most_keys_come_back() -> None:
    answers = [word for line in LOOKED_AT.values() for word in line.split()[1:] if word != "-"]
    assert list(LOOKED_AT) == [str(key) for key in TABLE]
    assert answers.count("back") >= 0.85 * len(answers)
