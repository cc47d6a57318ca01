"""Converts YAML syntax errors to diagnostics that name the mistake.

libyaml reports tokens and contexts. This module names the mistake that the author made.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import Code, Diagnostic, Position
from fabricgen.core.record import record

if TYPE_CHECKING:
    from yaml import Mark, YAMLError

_BREAK = re.compile(r"\r\n|\r|\n")
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f"  # control characters; x85 breaks a line in YAML 1.1
    "\u2028\u2029"  # line and paragraph separators: they end a comment in libyaml
    "\u202a-\u202e\u2066-\u2069"  # directions: a line would read otherwise than it is compiled
    "\ud800-\udfff\ufeff\ufffe\uffff]"
)
_QUOTES = "put the value in quotes"
_ESCAPE = ("unknown backslash sequence", "use 'single quotes', which keep a backslash")
_TAB = ("a tab is used for indentation", "indent with spaces")


@record()
class _Told:
    """The sentence and hint for a problem of libyaml; `opened`: report where its context began."""

    message: str
    hint: str = ""
    opened: bool = False


_PROBLEMS = {
    "found a tab character that violates indentation": _Told(*_TAB),
    "found a tab character where an indentation space is expected": _Told(*_TAB),
    "did not find expected ',' or '}'": _Told(
        "expected ',' or '}}': the '{{' of {line} is still open"
    ),
    "did not find expected ',' or ']'": _Told(
        "expected ',' or ']': the '[' of {line} is still open"
    ),
    "mapping values are not allowed in this context": _Told(
        "a ':' is in a position where no key can be",
        "give all keys of a mapping the same indent, put a space after each ':', quote a value "
        "with ': '",
    ),
    "did not find expected key": _Told(
        "expected a key of the mapping that starts in {line}",
        "give all keys of a mapping the same indent; close every bracket and quote",
    ),
    "did not find expected '-' indicator": _Told(
        "expected '- ', an item of the list that starts in {line}", "give all items the same indent"
    ),
    "could not find expected ':'": _Told(
        "a key without ':'", "write `key: value`, with a space after the colon", opened=True
    ),
    "found unexpected end of stream": _Told(
        "the quote that opens here is never closed", opened=True
    ),
    "found unexpected document indicator": _Told(
        "the quote that opens here is not closed before '---'", opened=True
    ),
    "found unknown escape character": _Told(*_ESCAPE),
    "did not find expected hexdecimal number": _Told(*_ESCAPE),
    "found invalid Unicode character escape code": _Told(*_ESCAPE),
    "did not find expected alphabetic or numeric character": _Told(
        "a value cannot start with {char!r}", _QUOTES, opened=True
    ),
    "did not find expected comment or line break": _Told(
        "text after {char!r} must start on the next line", _QUOTES, opened=True
    ),
    "did not find expected node content": _Told("a value is missing here", _QUOTES),
    "found unexpected ':'": _Told("a ':' inside a value between brackets", _QUOTES),
}


def invisible(name: str, text: str) -> Diagnostic | None:
    """Refuse text with an invisible character that changes the value."""
    match = _INVISIBLE.search(text)
    if match is None:
        return None
    lines = _BREAK.split(text[: match.start()])
    return Diagnostic(
        Code.YAML_SYNTAX,
        f"the invisible character U+{ord(match[0]):04X} changes the value",
        hint='remove it, or write it as an escape in "double quotes"',
        position=Position(name, len(lines), len(lines[-1]) + 1),
    )


def syntax_error(name: str, text: str, error: YAMLError) -> Diagnostic:
    """Return a diagnostic for an error of libyaml."""
    problem = str(
        getattr(error, "problem", None)
        or getattr(error, "reason", None)
        or ("the file is not YAML")
    )
    mark: Mark | None = getattr(error, "problem_mark", None)
    context: Mark | None = getattr(error, "context_mark", None)
    told = _PROBLEMS.get(problem) or _plain(problem, getattr(error, "context", None))
    if problem == "found character that cannot start any token":
        tab = _letter(text, mark) == "\t"
        told = _Told(*_TAB) if tab else _Told("a value cannot start with {char!r}", _QUOTES)
    if told.opened:
        mark = context or mark
    line = f"line {context.line + 1}" if context else "the file"
    sentence = told.message.format(char=_letter(text, mark), line=line)
    place = Position(name, mark.line + 1, mark.column + 1) if mark else Position(name, 1, 1)
    return Diagnostic(Code.YAML_SYNTAX, sentence, hint=told.hint, position=place)


def _plain(problem: str, context: str | None) -> _Told:
    sentence = f"{context}: {problem}" if context else problem
    return _Told(sentence.replace("{", "{{").replace("}", "}}"))


def _letter(text: str, mark: Mark | None) -> str:
    if mark is None:
        return ""
    lines = _BREAK.split(text)
    return lines[mark.line][mark.column : mark.column + 1] if mark.line < len(lines) else ""
