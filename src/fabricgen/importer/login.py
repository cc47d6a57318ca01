"""Configurations in; which servers say who may log in out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.importer.told import most, of, said, secret
from fabricgen.prove.walk.values import text

if TYPE_CHECKING:
    from fabricgen.importer.tree import Fragment, Tree
    from fabricgen.prove.foreign.network import Network
    from fabricgen.prove.foreign.switch import Judged

PROTOCOLS = ("tacacs", "radius")
"""As the intent asks them, where it does not say an order."""


def read(network: Network, _tree: Tree) -> Fragment:
    """Read it; a protocol without a key is none that a switch could speak."""
    switches = network.switches
    aaa: dict[str, Any] = {each: _servers(switches, each) for each in PROTOCOLS}
    asked = most(switches, _order) or ()
    given = [each for each in PROTOCOLS if aaa[each]]
    if len(given) == len(asked) == len(PROTOCOLS) and asked != PROTOCOLS:
        aaa["order"] = list(asked)
    words = said(**aaa)
    return {"site": {"management": {"aaa": words}}} if words else {}


def _servers(switches: list[Judged], protocol: str) -> dict[str, Any]:
    servers = most(switches, lambda each: _asked(each, protocol))
    key = secret(most(switches, lambda each: _key(each, protocol)), protocol, "key")
    return {"servers": list(servers), "key": key} if servers and key else {}


def _asked(switch: Judged, protocol: str) -> tuple[str, ...]:
    """Return the servers in the order in which they are asked: by priority, where they have one."""
    found = [
        (-int(text(own.get("priority")) or 0), key[2])
        for key, own in of(switch, "login", protocol)
        if len(key) == 3
    ]
    return tuple(host for _, host in sorted(found, key=lambda each: each[0]))


def _key(switch: Judged, protocol: str) -> str:
    keys = (text(own.get("key")) for _, own in of(switch, "login", protocol))
    return next(filter(None, keys), "")


def _order(switch: Judged) -> tuple[str, ...]:
    """Return the protocols in the order in which a login asks them."""
    told = text(switch.facts.get(("switch",), {}).get("login"))
    return tuple(sorted((each for each in PROTOCOLS if each in told), key=told.index))
