"""Show CONFIG_DB's tables without secrets, and list their differences."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fabricgen.nos.shared.onswitch import hidden

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.nos.sonic.driver.onswitch.tables import Tables

SECRET_KEYS = ("SNMP_COMMUNITY",)
SECRET_VALUES = {"NTP_KEY": "value"}
"""Fields of single tables: sonic-yang-models, sonic-ntp.yang."""
SECRET_FIELDS = re.compile(
    r"(?i)passw|passkey|secret|token|_cak\b|(?<![a-z_])community(?![a-z_])|authentication-key|"
    r"admin_hash"
)


def _is_secret(table: str, field: str) -> bool:
    return SECRET_VALUES.get(table) == field or SECRET_FIELDS.search(field) is not None


def secrets(tables: Tables, frr: str) -> dict[str, str]:
    """Return the secrets of a configuration, the longest first, and their tokens."""
    values = {key for name in SECRET_KEYS for key in tables.get(name, {})}
    for table, rows in tables.items():
        for row in rows.values():
            values |= {str(value) for field, value in row.items() if _is_secret(table, field)}
    values |= {match[2].strip() for match in hidden.ROUTING.finditer(frr)}
    return {value: hidden.token(value) for value in sorted(values, key=len, reverse=True) if value}


def masked(text: str, known: Mapping[str, str]) -> str:
    """Replace every secret in an unstructured text, such as the output of a program."""
    for secret, mark in known.items():
        text = text.replace(secret, mark)
    return text


def shown(tables: Tables) -> Tables:
    return {
        name: {
            hidden.token(key) if name in SECRET_KEYS else key: {
                field: hidden.token(str(value)) if _is_secret(name, field) else value
                for field, value in fields.items()
            }
            for key, fields in rows.items()
        }
        for name, rows in tables.items()
    }


def canonical(tables: Tables) -> str:
    """Return tables as a text that is the same for equal tables."""
    return json.dumps(shown(tables), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def differences(before: Tables, after: Tables) -> list[str]:
    """Return a line for each changed field; an entry without fields has a line, too."""
    old, new = _flat(shown(before)), _flat(shown(after))
    return [
        f"{table}|{key} {field or '(entry)'} {_words(old, place)} -> {_words(new, place)}"
        for place in sorted({*old, *new})
        for table, key, field in [place]
        if old.get(place) != new.get(place)
    ]


def _flat(tables: Tables) -> dict[tuple[str, str, str], Any]:
    return {
        (table, key, field): value
        for table, rows in tables.items()
        for key, row in rows.items()
        for field, value in (row or {"": "(no fields)"}).items()
    }


def _words(side: Mapping[tuple[str, str, str], Any], place: tuple[str, str, str]) -> str:
    value = side.get(place, "(none)")
    return ",".join(map(str, value)) if isinstance(value, list) else str(value)
