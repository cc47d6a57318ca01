"""Replaces the secrets in a saved CONFIG_DB and prints it in one layout."""

import json

from fabricgen.nos.shared.hiding import Token
from fabricgen.nos.sonic.driver.onswitch.shown import SECRET_FIELDS, SECRET_KEYS, SECRET_VALUES


def hide(text: str, token: Token) -> str:
    """Return a database with tokens. Its tables and keys are sorted, as a switch prints them.

    Raises:
        ValueError: The text is not a database.
    """
    tables = json.loads(text)
    try:
        shown = {
            table: {
                token(key) if table in SECRET_KEYS else key: {
                    field: token(str(value)) if _is_secret(table, field) else value
                    for field, value in fields.items()
                }
                for key, fields in rows.items()
            }
            for table, rows in tables.items()
        }
    except AttributeError:
        raise ValueError("the text is not a database of tables") from None
    return json.dumps(shown, indent=4, sort_keys=True, ensure_ascii=False) + "\n"


def _is_secret(table: str, field: str) -> bool:
    return SECRET_VALUES.get(table) == field or SECRET_FIELDS.search(field) is not None
