"""What people get wrong in YAML, and the sentence and place they read for it."""

import pytest
from yaml import YAMLError
from yaml.reader import ReaderError

from fabricgen.core.diagnostics import Code, Position
from fabricgen.intent.source import SourceMap, read_text
from fabricgen.intent.syntax import syntax_error

WRONG = [
    ("a:\n\tb: 1\n", "2:1", "a tab is used for indentation"),
    ("a:\n  b: 1\n\tc: 2\n", "3:1", "a tab is used for indentation"),
    ("a: {b: 1\nc: 2\n", "2:2", "expected ',' or '}': the '{' of line 1 is still open"),
    ("a: [1, 2\nc: 2\n", "2:2", "expected ',' or ']': the '[' of line 1 is still open"),
    ("a: {b: 1 c: 2}\n", "1:11", "expected ',' or '}': the '{' of line 1 is still open"),
    ("a: b: c\n", "1:5", "a ':' is in a position where no key can be"),
    ("a: 1\n  b: 2\n", "2:4", "a ':' is in a position where no key can be"),
    ("a:\n    b: 1\n  c: 2\n", "3:3", "expected a key of the mapping that starts in line 1"),
    ("a: {b: c}}\n", "1:10", "expected a key of the mapping that starts in line 1"),
    ("a:\n  - 1\n  b: 2\n", "3:3", "expected '- ', an item of the list that starts in line 2"),
    ("a:\n  b: 1\n  c\nd: 2\n", "3:3", "a key without ':'"),
    ('a: "b\nc: 1\n', "1:4", "the quote that opens here is never closed"),
    ("a: 'b\nc: 1\n", "1:4", "the quote that opens here is never closed"),
    ('a: "b\n---\n"\n', "1:4", "the quote that opens here is not closed before '---'"),
    ('a: "\\q"\n', "1:5", "unknown backslash sequence"),
    ('a: "\\ud800"\n', "1:7", "unknown backslash sequence"),
    ("a: @b\n", "1:4", "a value cannot start with '@'"),
    ("a: %b\n", "1:4", "a value cannot start with '%'"),
    ("a: `b`\n", "1:4", "a value cannot start with '`'"),
    ("a: *\n", "1:4", "a value cannot start with '*'"),
    ("a: |b\n", "1:4", "text after '|' must start on the next line"),
    ("a: ]\n", "1:4", "a value is missing here"),
    ("a: {b:, c: 1}\n", "1:6", "a ':' inside a value between brackets"),
    ("%FOO bar\n---\na: 1\n", "1:5", "while scanning a directive: found unknown directive name"),
]


@pytest.mark.parametrize(("text", "place", "said"), WRONG)
def test_a_mistake_is_named_at_its_place(text: str, place: str, said: str) -> None:
    data, findings = read_text("a.yaml", text, SourceMap())
    assert data is None
    assert [str(item.position) for item in findings] == [f"a.yaml:{place}"]
    assert findings[0].message == said


@pytest.mark.parametrize("text", [text for text, _, _ in WRONG])
def test_a_mistake_has_the_code_of_syntax(text: str) -> None:
    _, findings = read_text("a.yaml", text, SourceMap())
    assert [item.code for item in findings] == [Code.YAML_SYNTAX]


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (YAMLError(), "the file is not YAML"),
        (ReaderError("a.yaml", 0, 1, "utf-8", "control {characters}"), "control {characters}"),
    ],
)
def test_a_mistake_without_a_place_is_at_the_start_of_its_file(error: YAMLError, said: str) -> None:
    finding = syntax_error("a.yaml", "a: 1\n", error)
    assert (finding.message, finding.position) == (said, Position("a.yaml", 1, 1))
