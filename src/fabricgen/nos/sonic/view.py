"""What the config_db.json templates may see: sections of tables, every key and order decided.

A CONFIG_DB has one shape: table, key, fields. So a section holds its tables as they are printed,
and the reason of an entry travels with the entry: `Entry` is its fields (a dict, so that `tojson`
prints it) and has `because` beside them. A table that would be empty is not in its section, and a
section without tables is None.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.fabric.because import Because

Field = str | list[str]
"""CONFIG_DB knows text, and lists of text for YANG leaf-lists; numbers and booleans are text."""


class Entry(dict[str, Field]):
    """The fields of one CONFIG_DB entry, and why it is there."""

    __slots__ = ("because",)

    def __init__(self, because: Because, fields: Mapping[str, Field]) -> None:
        """Copy the fields: entries are never shared between tables."""
        super().__init__(fields)
        self.because = because


Table = dict[str, Entry]


@dataclass(frozen=True, slots=True, eq=False)
class Section:
    """Tables that belong together, in the order they are printed."""

    tables: Mapping[str, Table]


@dataclass(frozen=True, slots=True, eq=False)
class SharedSection(Section):
    """A section that many switches have in common; it is made once and rendered once."""

    shared: ClassVar[bool] = True


@dataclass(frozen=True, slots=True, kw_only=True)
class ConfigDb:
    """The sections of config_db.json, in the order of the file."""

    system: Section
    ports: Section
    interfaces: Section
    vlans: Section | None
    members: Section | None
    vrfs: Section | None
    vxlan: Section | None
    neighbors: Section | None
    hashing: Section | None
    qos: Section | None
    port_qos: Section | None
    buffers: Section | None
    port_buffers: Section | None
    management: Section
    services: Section | None
    counters: Section


def section(tables: Mapping[str, Table]) -> Section | None:
    """Return the tables that have entries as a section, or None when none has."""
    filled = {name: table for name, table in tables.items() if table}
    return Section(filled) if filled else None


def shared_section(tables: Mapping[str, Table]) -> SharedSection | None:
    """Return the same as `section`, for tables that many switches have in common."""
    filled = {name: table for name, table in tables.items() if table}
    return SharedSection(filled) if filled else None
