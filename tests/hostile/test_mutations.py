"""Example sites with lines and words deleted, doubled or replaced: everything is answered.

Loading and designing must return findings, whatever the text has become; an exception fails.
"""

import re
from functools import cache
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Position
from fabricgen.intent.load import load_texts

INTENT = Path(__file__).resolve().parents[2] / "intent"
SITES = ("full", "lab", "rail-only", "tenants")  # small enough to be designed many times
NUMBERS = ["0", "-1", "1", "3", "65", "4095", "99999999999", "1.5", "1e9", ".inf", "0o7", "1:30"]
WORDS = ["null", "true", "on", "''", '"', "'", "{}", "[]", "*x", "&x", "!!str", "<<", "- ", "? "]
VALUES = ["LAB-64", "SN5600", "sonic", "400G", "9.9T", "10.0.0.1/8", "::/0", "1-9", "9-1", "{rack}"]
KEYS = ["count", "subnet", "leafs", "id", "red", "access", "spine", "growth"]
TOKENS = st.one_of(
    st.sampled_from(NUMBERS),
    st.sampled_from(VALUES),
    st.sampled_from(WORDS + KEYS),
    st.integers(1, 128).map(str),
    st.text(max_size=6),
)


@cache
def example(name: str) -> dict[str, str]:
    return {str(path): path.read_text() for path in sorted((INTENT / name).rglob("*.yaml"))}


@st.composite
def mutated(draw: st.DrawFn) -> dict[str, str]:
    """Draw an example site with up to three changes."""
    texts = dict(example(draw(st.sampled_from(SITES))))
    for _ in range(draw(st.sampled_from([1, 1, 2, 3]))):
        name = draw(st.sampled_from(sorted(texts)))
        lines = texts[name].splitlines()
        at = draw(st.integers(0, len(lines)))
        lines[at : at + 1] = draw(st.sampled_from(CHANGES))(draw, lines[at : at + 1])
        texts[name] = "\n".join(lines)
    return texts


def lose(_draw: st.DrawFn, _line: list[str]) -> list[str]:
    return []


def double(_draw: st.DrawFn, line: list[str]) -> list[str]:
    return line * 2


def indent(draw: st.DrawFn, line: list[str]) -> list[str]:
    return [draw(st.sampled_from(["  ", "\t", "- "])) + text for text in line]


def other_word(draw: st.DrawFn, line: list[str]) -> list[str]:
    """Put a token in the place of one word."""
    words = line[0].split(" ") if line else [""]
    words[draw(st.integers(0, len(words) - 1))] = draw(TOKENS)
    return [" ".join(words)]


def other_value(draw: st.DrawFn, line: list[str]) -> list[str]:
    """Put a token in the place of a value, and keep the brackets around it."""
    found = list(re.finditer(r"(?<=: )[^{}\[\]:,#]+(?=[],}\s]|$)", line[0] if line else ""))
    if not found:
        return line
    value = draw(st.sampled_from(found))
    return [value.string[: value.start()] + draw(TOKENS) + value.string[value.end() :]]


CHANGES = (lose, double, indent, other_word, *[other_value] * 12)


@settings(
    max_examples=200,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(mutated())
def test_no_text_makes_loading_or_designing_fail(texts: dict[str, str]) -> None:
    loaded = load_texts(texts)
    if loaded.intent is None:
        assert loaded.findings
        return
    _, findings = design_site(loaded.intent)
    for item in findings:
        place = loaded.source.locate(item.path, key=item.at_key)
        assert place is None or isinstance(place, Position)


@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(mutated())
def test_every_finding_about_a_text_has_a_place_in_it(texts: dict[str, str]) -> None:
    loaded = load_texts(texts)
    for item in loaded.findings:
        place = item.position or loaded.source.locate(item.path, key=item.at_key)
        assert place is not None, item
        lines = [*texts[place.file].splitlines(), ""]
        assert 1 <= place.line <= len(lines), item
