"""Map settings of ports to tables, keys and fields of CONFIG_DB."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.core.units import Percent
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Port
from fabricgen.model.settings.ports import PortProfile
from fabricgen.model.settings.setting import declared
from fabricgen.nos.sonic.view import Entry, Tables


def _kbps(port: Port, share: Percent) -> int:
    return round(int(port.speed) * share / 100_000)


@record(kw_only=True)
class Row:
    """Place of a port profile's setting in CONFIG_DB.

    Attributes:
        table: Name of the table.
        key: Last part of its key, after the port.
        field: Field of the entry.
        spelled: Returns the number in the unit of the table.
        most: Largest number of the table.
        limit: The same number for people.
    """

    table: str
    key: str
    field: str
    spelled: Callable[[Port, Any], int]
    most: int
    limit: str


def _storm(kind: str) -> Row:
    """Return the row of one kind of frames (sonic-storm-control.yang, each release from 202405)."""
    return Row(
        table="PORT_STORM_CONTROL",
        key=kind,
        field="kbps",
        spelled=_kbps,
        most=100_000_000,
        limit="100 Gb/s",
    )


ROWS = {
    "storm_control.broadcast": _storm("broadcast"),
    # unknown-multicast has no receivers; without snooping that is all multicast
    "storm_control.multicast": _storm("unknown-multicast"),
    "storm_control.unknown_unicast": _storm("unknown-unicast"),
}
"""By the key of the setting (model/settings/ports.py)."""


def port_settings(named: Iterable[tuple[Interface, str]]) -> Tables:
    """Return the entries for the profiles of ports; each port of a LAG has an entry.

    Args:
        named: Each interface with its name on the switch.
    """
    tables: Tables = {row.table: {} for row in ROWS.values()}
    for interface, name in named:
        for row, value, because in _chosen(interface):
            number = {row.field: str(row.spelled(interface.port, value))}
            tables[row.table][f"{name}|{row.key}"] = Entry(because, number)
    return tables


def too_large(switch_slice: SwitchSlice) -> list[Diagnostic]:
    """Refuse numbers above the limit of their table."""
    over: dict[IntentPath, Diagnostic] = {}
    for item in switch_slice.interfaces:
        for row, value, because in _chosen(item):
            if row.spelled(item.port, value) > row.most:
                path, kind = because.main, str(because.main[-1]).replace("_", "-")
                message = (
                    f"SONiC: {value} % of {item.port.speed} for {kind} is above {row.limit}, "
                    f"the maximum of {row.table}"
                )
                over[path] = Diagnostic(Code.UNSUPPORTED, message, path=path)
    return list(over.values())


def _chosen(interface: Interface) -> Iterator[tuple[Row, Any, Provenance]]:
    """Yield the row, the value and the reason of each setting of a port that has a row."""
    profile = interface.carries.profile if interface.carries is not None else None
    if profile is None:
        return
    for setting in declared(PortProfile):
        row, because = ROWS.get(setting.key), profile.chosen.get(setting.key)
        if row is not None and because is not None:
            yield row, setting.value(profile.values), because
