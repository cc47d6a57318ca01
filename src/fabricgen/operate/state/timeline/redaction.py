"""Remove secrets from the facts and sentences that the timeline stores."""

import re
from functools import lru_cache
from typing import Any

from fabricgen.core.tree.facts import Key, Value

HIDDEN = "(hidden)"
_ATTRIBUTE = re.compile(
    r"(?i)passw|passphrase|secret|community$|psk|token|credential|privacy|\bauth"
    r"|(?:^|-)(?:key|keys|hash)$"
)
"""Attributes of facts.md that hold a secret or its hash: `user` hash and key, `login` key,
`session` password, `snmp` community, `snmp-user` auth and privacy. Others match by their word."""
_KIND = re.compile(r"(?i)secret|community|password|psk")
"""Kinds whose object name may be the secret, as an SNMP community."""
_TEXT = re.compile(
    r"\$(?:[1-9]|y|2[abxy]?|sha\d+)\$\S+"  # crypt(5)
    r"|-----BEGIN[\s\S]*"
    r"|(?i:\b(?:passw\w*|passphrase|secret|psk|token|key-string|(?:snmp\S*|rocommunity) community)"
    r"[ =:]+\S+(?: \S+)?)"
)
_LONGEST = 1_000


def is_secret(key: Key, attribute: str) -> bool:
    """Return whether the value of a fact may be a secret."""
    return bool(_ATTRIBUTE.search(attribute.partition(" ")[0]) or _KIND.search(key[0]))


def name_of(key: Key) -> Key:
    """Return the key of an object without a secret name."""
    if _KIND.search(key[0]):
        return (key[0], *[HIDDEN] * bool(key[1:]))
    return tuple(map(plain, key))


def value_of(key: Key, attribute: str, value: Value) -> Value:
    """Return a value without secrets, with limited length."""
    return HIDDEN if is_secret(key, attribute) else _cleaned(value)


def _cleaned(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return tuple(_cleaned(each) for each in value)
    return plain(str(value))


@lru_cache(maxsize=100_000)
def plain(text: str) -> str:
    """Return a text without secrets, with limited length. Most texts come with every look."""
    short = text if len(text) <= _LONGEST else f"{text[:_LONGEST]}… ({len(text)} characters)"
    return _TEXT.sub(HIDDEN, short)
