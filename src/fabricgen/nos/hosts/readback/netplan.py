"""The text of a netplan file in, what it says of each interface out (netplan-yaml)."""

from collections.abc import Iterator
from typing import Any

import yaml

from fabricgen.nos.hosts.readback.network import Told, bond_options, left, route_of, rule_of

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OPTIONS = {
    "mode": "mode",
    "mii-monitor-interval": "miimon",
    "lacp-rate": "lacp_rate",
    "transmit-hash-policy": "xmit_hash_policy",
    "primary": "primary",
}
"""Parameters of a bond, in the kernel's words; times are in milliseconds."""


def netplan(text: str) -> Iterator[Told]:
    """Yield every interface."""
    every = dict(yaml.load(text, Loader=_LOADER)["network"])  # noqa: S506
    if every.pop("version") != 2:
        raise ValueError("netplan reads version 2")
    for name, words in (every.pop("ethernets", None) or {}).items():
        yield _device(name, dict(words), {}, ())
    for name, words in every.pop("bonds", {}).items():
        own = dict(words)
        options = bond_options(own.pop("parameters"), _OPTIONS)
        yield _device(name, own, {"options": options}, tuple(own.pop("interfaces")))
    for name, words in every.pop("vlans", {}).items():
        own = dict(words)
        yield _device(name, own, {"vlan": own.pop("id"), "link": own.pop("link")}, ())
    left(every)


def _device(
    name: str, words: dict[str, Any], more: dict[str, Any], members: tuple[str, ...]
) -> Told:
    routes = [route_of(name, route) for route in words.pop("routes", ())]
    rules = [rule_of(rule) for rule in words.pop("routing-policy", ())]
    addresses = words.pop("addresses", ())
    overrides = dict(words.pop("dhcp4-overrides", {}))
    own = {
        "mtu": words.pop("mtu", 0),
        "addresses": tuple(addresses),
        "dhcp": words.pop("dhcp4", False),
        "routes": overrides.pop("use-routes", True),
        "announced": words.pop("accept-ra", True),
    }
    for key in ("dhcp6", "link-local", "optional"):
        words.pop(key, None)
    left(words | overrides)
    return Told(
        name=name, words=own | more, routes=tuple(routes), rules=tuple(rules), members=members
    )
