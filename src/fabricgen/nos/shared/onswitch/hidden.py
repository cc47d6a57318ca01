"""Replace secrets in a text by tokens that are equal exactly where the secrets are equal.

The token of a secret depends on the host key of the switch, not on the caller. Only a reader of
that key can test a guess of the secret.
"""

from __future__ import annotations

import hashlib
import hmac
import re

from fabricgen.nos.shared.onswitch import disk

_KEYS = (
    "etc/ssh/ssh_host_ed25519_key",
    "etc/ssh/ssh_host_ecdsa_key",
    "etc/ssh/ssh_host_rsa_key",
    "etc/machine-id",
)
ROUTING = re.compile(
    r"^(.*\b(?:password|md5?|key-string|authentication-key|passphrase|authentication string|"
    r"nhrp auth\w*|tcp-md5-auth|hash-algo \S+ key)[ \t]+)(\S.*)$",
    re.MULTILINE,
)
"""Patterns of secrets in FRR's configuration: the text before the secret, and the secret.

The last four: FRRouting/frr doc/user: ripd.rst, nhrpd.rst, pathd.rst, ospf6d.rst.
"""
_PLACEHOLDER = re.compile(r"<<(?:secret|hidden):[^>\n]*>>")


def masked(pattern: re.Pattern[str], text: str) -> str:
    """Return a text with the secrets of a pattern replaced."""
    return pattern.sub(lambda match: f"{match[1]}{token(match[2].strip())}", text)


def unresolved(text: str) -> str:
    """Return a placeholder or token in the place of a value; empty if there is none."""
    match = _PLACEHOLDER.search(text)
    return match[0] if match else ""


def token(secret: str) -> str:
    """Return the token that replaces a secret."""
    digest = hmac.new(_key(), secret.encode(), hashlib.sha256)
    return f"<<hidden:{digest.hexdigest()[:12]}>>"


def _key() -> bytes:
    there = (disk.ROOT / path for path in _KEYS)
    return next(
        (hashlib.sha256(each.read_bytes()).digest() for each in there if each.exists()), b""
    )
