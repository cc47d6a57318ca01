"""One own line in; what is wrong with the secrets in it, out. Of such a line nothing is shown.

What follows a word that the driver hides is a reference, and a reference stands there alone: a push
puts the value in its place, and nothing else keeps that out of a difference.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import Code
from fabricgen.model.settings.setting import PLACEHOLDER

if TYPE_CHECKING:
    from fabricgen.nos.own_file import OwnFile

_FULL = (
    "password",
    "passphrase",
    "secret",
    "community",
    "authentication-key",
    "key-string",
    "message-digest-key",
)
_SHORTEST = 3
_NO_SHORT = frozenset({"key", "auth", "authentication"})
_SAID = re.compile(
    r"([\w-]*(?:passw|passphrase|secret|token|psk|cvauth|api[_-]?key|private[_-]?key)\w*[\"']?"
    r" ?[:=])",
    re.IGNORECASE,
)
_TEXT = re.compile(r"\b(?:description|remark|alias|name) ")
_KEY = re.compile(r"-----BEGIN|(?<!\S)(?!AAAA)[A-Za-z0-9+/]{60,}={0,2}(?!\S)")
"""PEM (RFC 7468), or base64 of 45 bytes and more, but for public keys of SSH (RFC 4253, 6.6)."""


@lru_cache(maxsize=65536)
def wrong(text: str, file: OwnFile) -> tuple[Code, str] | None:
    """Say what is wrong with the secrets of a line; None where nothing is."""
    line = " ".join(text.split())
    hidden = set()
    for match in (match for each in _any_case(file.secrets) for match in each.finditer(line)):
        if not PLACEHOLDER.fullmatch(match[2]):
            return _clear(line[: match.end(1)])
        hidden.add(match.start(2))
    without = PLACEHOLDER.sub("", line)
    if said := _SAID.search(without):
        return _clear(said[1])
    if _KEY.search(without):
        return Code.OWN_LINE_IN_CLEAR, "a key stands in it"
    if file.manner is not None and (
        word := next(filter(_full, _TEXT.split(without)[0].split()), "")
    ):
        why = f"`{word}` is short for `{_full(word)}`: what follows is hidden by the whole word"
        return Code.OWN_LINES_REFUSED, why
    if any(match.start() not in hidden for match in PLACEHOLDER.finditer(line)):
        why = "a reference stands behind a word by which the switch hides what follows"
        return Code.OWN_LINES_REFUSED, why
    return None


def _clear(behind: str) -> tuple[Code, str]:
    return Code.OWN_LINE_IN_CLEAR, f"a secret in clear stands behind `{behind.strip()}`"


def _full(word: str) -> str:
    """Return the word of secrets that a word is short for; empty where it is for none."""
    word = word.lower()
    if len(word) < _SHORTEST or word in _NO_SHORT:
        return ""
    return next((full for full in _FULL if full != word and full.startswith(word)), "")


@lru_cache(maxsize=16)
def _any_case(patterns: tuple[re.Pattern[str], ...]) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(each.pattern, each.flags | re.IGNORECASE) for each in patterns)
