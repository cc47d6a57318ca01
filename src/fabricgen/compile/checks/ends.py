"""Represent one end of a cable as a small key for comparison and as text for people."""

from functools import cache

from fabricgen.model.fabric.topology import Link, Nic, Port, Server, Switch

BITS = 16  # a key fits: 10 bits of cage, 1 for broken out, 5 for the interface of the cage


@cache
def key(port: Port) -> int:
    """Return cage and interface as one number: hashing a Port itself is ten times dearer."""
    return port.cage << 6 | (port.subs > 1) << 5 | port.sub


def label(number: int) -> str:
    """Spell the port behind a key as the port would: 3, or 3/2."""
    cage = str(number >> 6)
    return f"{cage}/{(number & 31) + 1}" if number & 32 else cage


def text(owner: Switch | Server, port: Port | Nic) -> str:
    """Spell one end: be-leaf1 port 3/2."""
    return f"{owner.name} port {port.label}"


def cable(link: Link) -> str:
    """Spell both ends of a link."""
    return f"{text(link.lower, link.lower_port)} to {text(link.upper, link.upper_port)}"


def port_at(link: Link, name: str) -> Port | None:
    """Return the port of a link on the switch of that name; None where a NIC is plugged in."""
    port = link.upper_port if link.upper.name == name else link.lower_port
    return port if isinstance(port, Port) else None
