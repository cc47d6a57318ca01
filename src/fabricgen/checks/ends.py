"""One end of a cable: as a small key that is cheap to compare, and as text for a person."""

from __future__ import annotations

from fabricgen.fabric.topology import Link, Nic, Port, Server, Switch

SUBS = 6  # bits kept for the interface of a broken-out cage


def key(port: Port) -> int:
    """Return cage and interface as one number: hashing a Port itself is ten times dearer."""
    return port.cage << SUBS | port.sub


def text(owner: Switch | Server | str, port: Port | Nic) -> str:
    """Spell one end: be-leaf1 port 3/2."""
    name = owner if isinstance(owner, str) else owner.name
    return f"{name} port {port.label}"


def cable(link: Link) -> str:
    """Spell both ends of a link."""
    return f"{text(link.lower, link.lower_port)} to {text(link.upper, link.upper_port)}"


def port_at(link: Link, name: str) -> Port | None:
    """Return the port of a link on the switch of that name; None where a NIC is plugged in."""
    port = link.upper_port if link.upper.name == name else link.lower_port
    return port if isinstance(port, Port) else None
