"""Remove secrets from the answers of a switch before they are stored.

Readers ask for named fields, so an answer rarely has a secret. The filter is the second barrier. It
removes secrets that the tool knows and values of fields with a secret's name. It also removes words
after keywords of a configuration, hashes and private keys.
"""

import json
import re
from collections.abc import Callable
from typing import Any

HIDDEN = "(hidden)"
_FIELDS = frozenset(
    (
        *("community", "communitystring", "rocommunity", "rwcommunity", "secret", "sharedsecret"),
        *("password", "passwd", "passphrase", "passkey", "psk", "token", "privatekey", "hash"),
        *("encryptedkey", "encryptedpassword", "authpassword", "privpassword", "authkey"),
        *("privkey", "md5password", "md5key", "sshkey"),
    )
)
"""Names of JSON fields in small letters, without other characters. Only texts are replaced, so the
object `community` of a BGP route stays, and so does the field `key` of nft."""
_WORD = re.compile(r"[^a-z0-9]")
_HASH = re.compile(r"\$(?:[1-9]|y|2[abxy]?|sha\d+)\$\S+")
"""A hash of crypt(5)."""
_PEM = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*-----|\Z)")
_TYPE = r"(?:\d{1,2}|8a|sha512|md5|encrypted|cleartext|localized)"
_NAMES = r"(?:pass(?:word|wd|phrase|key)|secret|psk|token|key-string)"
_LINES = tuple(
    re.compile(pattern)
    for pattern in (
        rf"(?i)\b({_NAMES}[\"']?[ =:]+[\"']?(?:{_TYPE}[ =:]+)?)([^\s\"',]+)",
        rf"(?i)\b(key {_TYPE} )(\S+)",
        r"(?i)\b((?:snmp-server community|r[ow]community6?|com2sec6? \S+ \S+) )(\S+)",
        r"(?i)\b((?:auth|priv) (?:md5|sha\S*|3?des\S*|aes\S*) )(\S+)",
    )
)
"""Keywords of a configuration, with an optional type of the value, and the value."""


class UnfilteredError(Exception):
    """An answer that the filter cannot read, so that it is not stored."""


def filtered(text: str, hide: Callable[[str], str]) -> str:
    """Return an answer without secrets. An answer without any is unchanged.

    Args:
        text: The answer, JSON or text.
        hide: Replaces the secrets that the tool knows.

    Raises:
        UnfilteredError: The JSON is nested too deep.
    """
    shown = hide(text)
    try:
        value = json.loads(shown) if shown.lstrip().startswith(("{", "[")) else None
    except ValueError:
        value = None
    except RecursionError as error:
        raise UnfilteredError("the answer is nested too deep") from error
    if value is None:
        return _without(shown)
    try:
        clean = _cleaned(value)
        return shown if clean == value else json.dumps(clean)
    except RecursionError as error:
        raise UnfilteredError("the answer is nested too deep") from error


def _cleaned(value: Any, field: str = "") -> Any:
    if isinstance(value, dict):
        return {_text(name): _cleaned(each, name) for name, each in value.items()}
    if isinstance(value, list):
        return [_cleaned(each, field) for each in value]
    if not isinstance(value, str):
        return value
    if value and _WORD.sub("", field.lower()) in _FIELDS:
        return HIDDEN
    return _text(value)


def _text(text: str) -> str:
    """Return a text of a JSON answer. Text with blanks may be lines of a configuration."""
    return _without(text) if "$" in text or " " in text or "-----" in text else text


def _without(text: str) -> str:
    text = _PEM.sub(HIDDEN, text)
    text = _HASH.sub(HIDDEN, text)
    for line in _LINES:
        text = line.sub(rf"\g<1>{HIDDEN}", text)
    return text
