"""`lldpcli -f json0 show neighbors` in; who is at the other end of each cable out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.fabric.facts import Neighbour

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


def neighbours(said: Mapping[str, Any]) -> tuple[Neighbour, ...]:
    """Return every neighbour; the name of one that does not give it is empty.

    json0 makes a list of everything, also of what is there once or not at all.
    """
    return tuple(
        _neighbour(interface)
        for lldp in said.get("lldp", ())
        for interface in lldp.get("interface", ())
    )


def _neighbour(interface: Mapping[str, Any]) -> Neighbour:
    chassis, ports = interface.get("chassis", ()), interface.get("port", ())
    return Neighbour(
        port=interface["name"],
        name=next(_values(chassis, "name"), ""),
        ports=(*_values(ports, "id"), *_values(ports, "descr")),
    )


def _values(items: Sequence[Mapping[str, Any]], key: str) -> Iterator[str]:
    for item in items:
        yield from (found["value"] for found in item.get(key, ()) if "value" in found)
