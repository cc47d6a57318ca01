"""Define the view of the config_db.json template: its tables, with every key and order decided.

A CONFIG_DB has one shape: table, key, fields. `tojson` prints it unchanged. An `Entry` has its
fields and its reason, `because`.
"""

from collections.abc import Iterable, Mapping

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record

Field = str | list[str]
"""CONFIG_DB has text, and lists of text for YANG leaf-lists; numbers and booleans are text."""


class Entry(dict[str, Field]):
    """The fields of one CONFIG_DB entry, and their reason."""

    __slots__ = ("because",)

    def __init__(self, because: Provenance, fields: Mapping[str, Field]) -> None:
        """Copy the fields: entries are never shared between tables."""
        super().__init__(fields)
        self.because = because


Table = dict[str, Entry]
Tables = dict[str, Table]


@record()
class ConfigDb:
    """The tables of config_db.json, in the order of the file."""

    tables: Tables


def merged(*groups: Tables) -> Tables:
    """Return the tables of some groups, which may have entries of the same table."""
    names = dict.fromkeys(name for group in groups for name in group)
    return {
        name: {key: entry for group in groups for key, entry in group.get(name, {}).items()}
        for name in names
    }


def joined(groups: Iterable[Tables]) -> ConfigDb:
    """Return one database of all tables that have entries."""
    return ConfigDb({name: table for group in groups for name, table in group.items() if table})
