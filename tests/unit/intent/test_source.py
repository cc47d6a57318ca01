"""YAML text in: what each scalar means, where each key stands, and what is refused."""

from itertools import pairwise
from typing import Any

import pytest

from fabricgen.core.diagnostics import Code, Diagnostic, Position
from fabricgen.intent.source import MAX_DEPTH, SourceMap, read_text


def read(text: str) -> Any:
    data, findings = read_text("a.yaml", text, SourceMap())
    assert not findings
    return data


def refused(text: str) -> Diagnostic:
    data, findings = read_text("a.yaml", text, SourceMap())
    assert data is None
    assert len(findings) == 1
    return findings[0]


def mapped(text: str) -> SourceMap:
    source = SourceMap()
    data, findings = read_text("a.yaml", text, source)
    assert not findings
    source.root = data
    return source


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("on", "on"),
        ("off", "off"),
        ("yes", "yes"),
        ("No", "No"),
        ("y", "y"),
        ("true", True),
        ("False", False),
        ("tRue", "tRue"),
        ("null", None),
        ("~", None),
        ("", None),
        ("nil", "nil"),
        ("12:30", "12:30"),
        ("1:30:00", "1:30:00"),
        ("11:22:33:44:55:16", "11:22:33:44:55:16"),
        ("65000:1", "65000:1"),
        ("2026-11-20", "2026-11-20"),
        ("10.0.0.1", "10.0.0.1"),
        ("12", 12),
        ("+12", 12),
        ("-7", -7),
        ("012", 12),
        ("0o17", 15),
        ("0x1f", 31),
        ("0b11", "0b11"),
        ("1_000", "1_000"),
        ("1,000", "1,000"),
        ("1e3", 1000.0),
        ("1.5", 1.5),
        (".5", 0.5),
        ("5.", 5.0),
        (".inf", ".inf"),
        ("-.inf", "-.inf"),
        (".nan", ".nan"),
        ("400G", "400G"),
        ("=", "="),
        ("'12'", "12"),
        ('"true"', "true"),
        ('"a\\nb"', "a\nb"),
        ("! 12", "12"),
    ],
)
def test_a_scalar_means_what_yaml_1_2_says(written: str, value: object) -> None:
    found = read(f"key: {written}\n")["key"]
    assert found == value
    assert type(found) is type(value)


def test_a_number_of_640_digits_is_a_number() -> None:
    assert read("key: " + "9" * 640)["key"] == 10**640 - 1


def test_a_longer_number_stays_text() -> None:
    assert read("key: " + "9" * 641)["key"] == "9" * 641


def test_a_number_of_5000_digits_is_refused() -> None:
    found = refused("key: " + "9" * 5000)
    assert found.code is Code.TOO_DEEP_OR_LARGE
    assert found.position == Position("a.yaml", 1, 6)


def test_keys_stay_text() -> None:
    assert read("1: a\ntrue: b\n~: c\n12:30: d\n") == {
        "1": "a",
        "true": "b",
        "~": "c",
        "12:30": "d",
    }


def test_a_block_text_keeps_its_lines() -> None:
    assert read("key: |\n  12\n  no\n")["key"] == "12\nno\n"


@pytest.mark.parametrize("text", ["", "\n\n", "# only a comment\n", "---\n", "--- # x\n", "\ufeff"])
def test_an_empty_file_has_no_data(text: str) -> None:
    assert read(text) is None


PLACES = """\
block:
  key: value
  list:
    - one
    - two: 2
flow: {inner: [1, {deep: x}], "quoted": y}
ünïcode: ✓
emoji: {😀😀: v, next: w}
"""


@pytest.mark.parametrize(
    ("path", "line", "column"),
    [
        (("block",), 1, 1),
        (("block", "key"), 2, 8),
        (("block", "list"), 3, 3),
        (("block", "list", 0), 4, 7),
        (("block", "list", 1), 5, 7),
        (("block", "list", 1, "two"), 5, 12),
        (("flow",), 6, 1),
        (("flow", "inner"), 6, 8),
        (("flow", "inner", 0), 6, 16),
        (("flow", "inner", 1, "deep"), 6, 26),
        (("flow", "quoted"), 6, 41),
        (("ünïcode",), 7, 10),
        (("emoji", "😀😀"), 8, 13),
        (("emoji", "next"), 8, 22),
    ],
)
def test_a_path_has_its_place(path: tuple[str | int, ...], line: int, column: int) -> None:
    assert mapped(PLACES).locate(path) == Position("a.yaml", line, column)


def test_a_key_has_its_own_place() -> None:
    assert mapped(PLACES).locate(("flow", "quoted"), key=True) == Position("a.yaml", 6, 31)


def test_what_is_not_written_stands_at_the_nearest_key() -> None:
    assert mapped(PLACES).locate(("block", "other", "key")) == Position("a.yaml", 1, 1)


def test_a_key_of_the_same_name_elsewhere_is_not_taken() -> None:
    source = mapped("backend:\n  links: {speed: 400G}\n")
    assert source.locate(("backend", "addressing", "links")) == Position("a.yaml", 1, 1)


def test_the_whole_site_has_no_place() -> None:
    assert mapped(PLACES).locate(()) is None


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_any_line_ending_counts_lines(ending: str) -> None:
    source = mapped(PLACES.replace("\n", ending))
    assert source.locate(("flow", "quoted")) == Position("a.yaml", 6, 41)


def test_a_byte_order_mark_takes_no_column() -> None:
    assert mapped("\ufeffkey: 1\n").locate(("key",)) == Position("a.yaml", 1, 6)


def test_an_alias_is_the_value_it_names() -> None:
    assert read("a: &x {b: 1}\nc: *x\n") == {"a": {"b": 1}, "c": {"b": 1}}


def test_every_duplicate_key_is_told_with_both_places() -> None:
    data, found = read_text("a.yaml", "k: 1\nm: {x: 1, x: 2}\nk: 3\n", SourceMap())
    assert data == {"k": 1, "m": {"x": 1}}
    assert [(item.code, item.position) for item in found] == [
        (Code.DUPLICATE_KEY, Position("a.yaml", 2, 11)),
        (Code.DUPLICATE_KEY, Position("a.yaml", 3, 1)),
    ]
    assert "first at a.yaml:1:1" in found[1].message


@pytest.mark.parametrize("opening", ["[", "{a: ", "- ", "[{a: ", "&a [", "a:\n"])
def test_100000_levels_are_refused(opening: str) -> None:
    text = opening * 100_000
    if "\n" in opening:  # block style has to indent, so fewer levels say the same
        text = "".join(" " * level + "a:\n" for level in range(MAX_DEPTH + 9))
    assert refused(text).code is Code.TOO_DEEP_OR_LARGE


@pytest.mark.parametrize("opening", ["? ", "{", "? - "])
def test_100000_keys_inside_keys_are_refused(opening: str) -> None:
    assert refused(opening * 100_000).code is Code.YAML_FEATURE


def test_64_levels_are_allowed() -> None:
    read("a: " + "[" * MAX_DEPTH + "]" * MAX_DEPTH)


def test_an_alias_bomb_is_refused() -> None:
    names = "abcdefghij"
    lines = ["a: &a [x,x,x,x,x,x,x,x,x,x]"]
    lines += [
        f"{name}: &{name} [{','.join([f'*{before}'] * 10)}]" for before, name in pairwise(names)
    ]
    found = refused("\n".join(lines))
    assert found.code is Code.TOO_DEEP_OR_LARGE
    assert found.position is not None
    assert found.position.line == 6


@pytest.mark.parametrize(
    ("text", "column", "said"),
    [
        ("a: &x {b: *x}", 11, "the alias *x is inside the value that it names"),
        ("a: &x [*x]", 8, "the alias *x is inside the value that it names"),
        ("a: *y", 4, "the alias *y has no anchor before it"),
        ("a: {<<: {b: 1}}", 5, "merge keys (<<) are not supported"),
        ("a: !!int 3", 4, "the tag '!!int' is not supported"),
        ("a: !local 3", 4, "the tag '!local' is not supported"),
        ("!!str a: 3", 1, "the tag '!!str' is not supported"),
        ("a: !!python/object/apply:os.system [x]", 4, "!!python/object/apply:os.system"),
        ("a: 1\n---\nb: 2", 1, "the file has a second document"),
        ("? [a]\n: 1", 3, "a key must be plain text"),
        ("{[1]: 2}", 2, "a key must be plain text"),
    ],
)
def test_a_feature_is_refused_at_its_place(text: str, column: int, said: str) -> None:
    found = refused(text)
    assert found.code is Code.YAML_FEATURE
    assert said in found.message
    assert found.position is not None
    assert found.position.column == column


def test_a_quoted_merge_key_is_a_key() -> None:
    assert read('"<<": 1') == {"<<": 1}


def test_a_long_key_is_refused() -> None:
    assert refused("? " + "k" * 5000 + "\n: 1").code is Code.TOO_DEEP_OR_LARGE


@pytest.mark.parametrize("letter", ["\x00", "\x07", "\x1b", "\x7f", "\x85", "\u2028", "\u202e"])
def test_an_invisible_character_is_refused(letter: str) -> None:
    found = refused(f"a: 1\nb: x # {letter}\n")
    assert found.code is Code.YAML_SYNTAX
    assert f"U+{ord(letter):04X}" in found.message
    assert found.position == Position("a.yaml", 2, 8)
