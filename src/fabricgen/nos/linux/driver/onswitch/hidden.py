"""Text with secrets in; the same text with tokens out, equal exactly where the secrets are equal.

The token of a secret depends on the switch's own host key: it is the same whoever asks, and tells
nobody who cannot read that key what the secret may be.
"""

from __future__ import annotations

import hashlib
import hmac
import re

from fabricgen.nos.linux.driver.onswitch import disk

_KEYS = (
    "etc/ssh/ssh_host_ed25519_key",
    "etc/ssh/ssh_host_ecdsa_key",
    "etc/ssh/ssh_host_rsa_key",
    "etc/machine-id",
)
_ROUTING = re.compile(
    r"^(.*\b(?:password|md5|key-string|authentication-key|passphrase)[ \t]+)(\S.*)$", re.MULTILINE
)
_ACCOUNTS = re.compile(r"^([^:\n]*:)(.+)$", re.MULTILINE)
_SNMP = re.compile(
    r"^(\s*(?:(?:ro|rw)community6?|createUser|com2sec6?|trapcommunity|trap2?sink|informsink)"
    r"[ \t]+)(\S.*)$",
    re.MULTILINE | re.IGNORECASE,
)
_PLACEHOLDER = re.compile(r"<<(?:secret|hidden):[^>\n]*>>")
_FILES = {
    "etc/fabricgen/passwords": _ACCOUNTS,
    "etc/snmp/snmpd.conf": _SNMP,
    "etc/frr/frr.conf": _ROUTING,
}


def hide(path: str, text: str) -> str:
    """Return the text of a file without its secrets."""
    pattern = _FILES.get(path)
    if pattern is None:
        return text
    return pattern.sub(lambda found: f"{found[1]}{token(found[2].strip())}", text)


def unresolved(text: str) -> str:
    """Return a placeholder or token that stands where a value should; empty when none does."""
    found = _PLACEHOLDER.search(text)
    return found[0] if found else ""


def token(secret: str) -> str:
    """Return what stands for a secret."""
    made = hmac.new(_key(), secret.encode(), hashlib.sha256)
    return f"<<hidden:{made.hexdigest()[:12]}>>"


def _key() -> bytes:
    there = (disk.ROOT / path for path in _KEYS)
    return next(
        (hashlib.sha256(each.read_bytes()).digest() for each in there if each.exists()), b""
    )
