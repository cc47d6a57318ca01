"""Configuration texts as EOS shows them in; comparable ones and their differences out."""

from __future__ import annotations

from difflib import unified_diff
from hashlib import sha256

from fabricgen.nos.eos.driver.masking import hide


def normal(text: str) -> str:
    """Return the text without its head, the comments before the first line of the configuration.

    `! Command:`, `! device:`, `! Startup-config last modified`: how, where, when it was shown.
    """
    lines = [line.rstrip() for line in text.splitlines()]
    start = next((at for at, line in enumerate(lines) if not line.startswith("!")), len(lines))
    return "".join(f"{line}\n" for line in lines[start:] if line)


def digest(text: str) -> str:
    """Return a name for a configuration that tells it from others and says nothing of it."""
    return sha256(text.encode()).hexdigest()[:12]


def difference(now: str, wanted: str) -> str:
    """Return what has to change that `wanted` runs; empty when nothing has to."""
    lines = list(unified_diff(hide(now).splitlines(), hide(wanted).splitlines(), lineterm=""))
    return "\n".join(lines[2:])
