"""`lldpcli -f json0 show neighbors` in; who is at the other end of each cable out."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from fabricgen.core.tree.facts import Facts


def neighbours(shown: Mapping[str, Any]) -> Facts:
    """Return who was heard on each port: their name, and the names they give their own port.

    The name of one that does not give it is empty. json0 makes a list of everything, also of what
    is there once or not at all.
    """
    heard: dict[str, list[tuple[str, ...]]] = {}
    for lldp in shown.get("lldp", ()):
        for interface in lldp.get("interface", ()):
            heard.setdefault(interface["name"], []).append(_neighbour(interface))
    return {("cable", port): {"far": tuple(ends)} for port, ends in heard.items()}


def _neighbour(interface: Mapping[str, Any]) -> tuple[str, ...]:
    chassis, ports = interface.get("chassis", ()), interface.get("port", ())
    return (next(_values(chassis, "name"), ""), *_values(ports, "id"), *_values(ports, "descr"))


def _values(items: Sequence[Mapping[str, Any]], key: str) -> Iterator[str]:
    for item in items:
        yield from (str(each["value"]) for each in item.get(key, ()) if "value" in each)
