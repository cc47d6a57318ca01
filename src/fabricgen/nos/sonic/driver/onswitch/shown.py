"""Tables in; what may be shown of them out: without secrets, and as a list of differences."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fabricgen.nos.shared.onswitch import hidden
from fabricgen.nos.sonic.driver.onswitch.tables import patch

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from fabricgen.nos.sonic.driver.onswitch.tables import Tables

_SECRET_KEYS = ("SNMP_COMMUNITY",)
_SECRET_FIELDS = re.compile(r"(?i)passw|passkey|secret")
_NONE = "(none)"


def secrets(tables: Tables, frr: str) -> dict[str, str]:
    """Return the secrets of a configuration, the longest first, and what stands for each."""
    values = {key for name in _SECRET_KEYS for key in tables.get(name, {})}
    for rows in tables.values():
        for row in rows.values():
            values |= {str(value) for field, value in row.items() if _SECRET_FIELDS.search(field)}
    values |= {match[2].strip() for match in hidden.ROUTING.finditer(frr)}
    return {value: hidden.token(value) for value in sorted(values, key=len, reverse=True) if value}


def masked(text: str, known: Mapping[str, str]) -> str:
    """Replace every secret in a text that is not structured, such as what a program said."""
    for secret, mark in known.items():
        text = text.replace(secret, mark)
    return text


def shown(tables: Tables) -> Tables:
    """Return tables without their secrets."""
    return {
        name: {
            hidden.token(key) if name in _SECRET_KEYS else key: {
                field: hidden.token(str(value)) if _SECRET_FIELDS.search(field) else value
                for field, value in fields.items()
            }
            for key, fields in rows.items()
        }
        for name, rows in tables.items()
    }


def canonical(tables: Tables) -> str:
    """Return tables as the one text that equal tables have."""
    return json.dumps(shown(tables), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def differences(before: Tables, after: Tables) -> list[str]:
    """Return a line for each field that differs."""
    steps = patch(shown(before), shown(after))
    return [line for step in steps for line in _lines(step, shown(before))]


def _lines(step: Mapping[str, Any], before: Tables) -> Iterable[str]:
    words = [word.replace("~1", "/").replace("~0", "~") for word in step["path"][1:].split("/")]
    rows: Any = before
    for word in words:
        rows = rows.get(word, {})
    old = {} if step["op"] == "add" else {tuple(words): rows}
    new = {} if step["op"] == "remove" else {tuple(words): step["value"]}
    return _fields(_flat(old), _flat(new))


def _flat(values: Mapping[tuple[str, ...], Any]) -> dict[tuple[str, ...], Any]:
    """Spread tables and entries to their fields; an entry without fields stands for itself."""
    flat: dict[tuple[str, ...], Any] = {}
    for words, value in values.items():
        if isinstance(value, dict) and value and len(words) < 3:
            flat |= _flat({(*words, key): inner for key, inner in value.items()})
        else:
            flat[words] = value
    return flat


def _fields(old: dict[tuple[str, ...], Any], new: dict[tuple[str, ...], Any]) -> Iterable[str]:
    for words in sorted({*old, *new}):
        sides = (_word(side[words]) if words in side else _NONE for side in (old, new))
        yield f"{'|'.join(words[:2])} {' '.join(words[2:]) or '(entry)'} {' -> '.join(sides)}"


def _word(value: Any) -> str:
    if isinstance(value, list):
        return ",".join(map(str, value))
    return "(no fields)" if value == {} else str(value)
