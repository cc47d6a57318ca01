"""Configurations in; what may be shown of them out: canonical, compared, without secrets."""

from __future__ import annotations

import difflib
import hashlib
import json
import re
from typing import TYPE_CHECKING, Any

from fabricgen.nos.bundle import pack
from fabricgen.nos.sonic.driver.tables import patch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabricgen.nos.sonic.driver.tables import Tables

TABLES, ROUTING = "config_db.json", "frr.conf"
"""The files of a switch, as platforms/sonic renders them."""

_SECRET_KEYS = ("SNMP_COMMUNITY",)
_SECRET_FIELDS = re.compile(r"(?i)passw|passkey|secret")
_SECRET_LINES = re.compile(r"(?m)^\s*(?:neighbor \S+ password|password|enable password) (\S+)")
_NONE = "(none)"


def hidden(secret: str) -> str:
    """Return what stands for a secret: equal secrets stay equal."""
    return f"<<hidden:{hashlib.sha256(secret.encode()).hexdigest()[:12]}>>"


def secrets(tables: Tables, frr: str | None) -> dict[str, str]:
    """Return the secrets of a configuration, and what stands for each."""
    found = {key for name in _SECRET_KEYS for key in tables.get(name, {})}
    for rows in tables.values():
        for fields in rows.values():
            found |= {str(value) for field, value in fields.items() if _SECRET_FIELDS.search(field)}
    found |= set(_SECRET_LINES.findall(frr or ""))
    return {secret: hidden(secret) for secret in sorted(found, key=len, reverse=True) if secret}


def masked(text: str, known: Mapping[str, str]) -> str:
    """Replace every secret in a text that is not structured, such as what a program said."""
    for secret, shown in known.items():
        text = text.replace(secret, shown)
    return text


def shown(tables: Tables) -> Tables:
    """Return tables without their secrets."""
    return {
        name: {
            hidden(key) if name in _SECRET_KEYS else key: {
                field: hidden(str(value)) if _SECRET_FIELDS.search(field) else value
                for field, value in fields.items()
            }
            for key, fields in rows.items()
        }
        for name, rows in tables.items()
    }


def shown_routing(frr: str) -> str:
    """Return frr.conf without its secrets."""
    return _SECRET_LINES.sub(lambda hit: hit[0].replace(hit[1], hidden(hit[1])), frr)


def canonical(tables: Tables, frr: str | None) -> str:
    """Return both files as one text, which is the same for the same configuration."""
    text = json.dumps(shown(tables), indent=2, sort_keys=True, ensure_ascii=False) + "\n"
    routing = {} if frr is None else {ROUTING: shown_routing(frr)}
    return pack({TABLES: text, **routing})


def compared(before: Tables, after: Tables, old: str | None, new: str | None) -> str:
    """Return what differs: a line for each field of CONFIG_DB, and a unified diff of frr.conf."""
    steps = patch(shown(before), shown(after))
    lines = [line for step in steps for line in _lines(step, shown(before))]
    if new is not None and old != new:
        ran, runs = (shown_routing(text or "").splitlines() for text in (old, new))
        lines += difflib.unified_diff(ran, runs, ROUTING, ROUTING, lineterm="")
    return "".join(f"{line}\n" for line in lines)


def _lines(step: Mapping[str, Any], before: Tables) -> Iterable[str]:
    words = [word.replace("~1", "/").replace("~0", "~") for word in step["path"][1:].split("/")]
    rows: Any = before
    for word in words:
        rows = rows.get(word, {})
    old = {} if step["op"] == "add" else {tuple(words): rows}
    new = {} if step["op"] == "remove" else {tuple(words): step["value"]}
    return _fields(_flat(old), _flat(new))


def _flat(found: Mapping[tuple[str, ...], Any]) -> dict[tuple[str, ...], Any]:
    """Spread tables and entries to their fields; an entry without fields stands for itself."""
    flat: dict[tuple[str, ...], Any] = {}
    for words, value in found.items():
        if isinstance(value, dict) and value and len(words) < 3:
            flat |= _flat({(*words, key): inner for key, inner in value.items()})
        else:
            flat[words] = value
    return flat


def _fields(old: dict[tuple[str, ...], Any], new: dict[tuple[str, ...], Any]) -> Iterable[str]:
    for words in sorted({*old, *new}):
        sides = (_word(found[words]) if words in found else _NONE for found in (old, new))
        yield f"{'|'.join(words[:2])} {' '.join(words[2:]) or '(entry)'} {' -> '.join(sides)}"


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "(no fields)" if value == {} else str(value)
