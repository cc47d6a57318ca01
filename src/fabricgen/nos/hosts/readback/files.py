"""Read the network of a server from its rendered files."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import yaml
from yaml import YAMLError

from fabricgen.nos.hosts.readback.network import (
    Device,
    FileStatements,
    Network,
    bond_options,
    left,
    route_of,
    rule_of,
)
from fabricgen.nos.hosts.readback.networkd import networkd
from fabricgen.nos.hosts.readback.networkmanager import networkmanager

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_OPTIONS = {
    "mode": "mode",
    "mii-monitor-interval": "miimon",
    "lacp-rate": "lacp_rate",
    "transmit-hash-policy": "xmit_hash_policy",
    "primary": "primary",
}
"""Parameters of a bond, in the kernel's words; times are in milliseconds."""


def netplan(text: str) -> Iterator[FileStatements]:
    every = dict(yaml.load(text, Loader=_LOADER)["network"])  # noqa: S506
    if every.pop("version") != 2:
        raise ValueError("netplan version 2 is required")
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
) -> FileStatements:
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
    return FileStatements(
        name=name, words=own | more, routes=tuple(routes), rules=tuple(rules), members=members
    )


class Unreadable(ValueError):  # noqa: N818 - the message is the reason, as in Failure
    """A file has an unexpected form: no YAML of netplan, or a missing section."""


def read(files: Mapping[str, str]) -> Network:
    """Return the network of a server from its files by path; Unreadable for an invalid file."""
    try:
        return _read(files)
    except (YAMLError, LookupError, TypeError, ValueError, AttributeError) as fault:
        raise Unreadable(" ".join(str(fault).split())[:100]) from fault


def _read(files: Mapping[str, str]) -> Network:
    every = [
        told
        for path, text in files.items()
        for folder, reader in _READERS.items()
        if path.startswith(folder) and not path.endswith(".link")
        for told in reader(text)
    ]
    return Network(
        _devices(every),
        tuple(route for told in every for route in told.routes),
        tuple(rule for told in every for rule in told.rules),
    )


def _devices(every: list[FileStatements]) -> dict[str, Device]:
    """Join the statements about one interface from several places, at either end."""
    words: dict[str, dict[str, Any]] = {told.name: {} for told in every}
    for told in every:
        words[told.name] |= told.words
    bonds: dict[str, set[str]] = {}
    for told in every:
        for member in told.members:
            words[member]["bond"] = told.name
        for above in told.carries:
            words[above]["link"] = told.name
    for told in every:
        if told.primary:
            words[words[told.name]["bond"]]["options"]["primary"] = told.name
    for name, own in words.items():
        if "bond" in own:
            bonds.setdefault(own["bond"], set()).add(name)
    return {
        name: Device(members=frozenset(bonds.get(name, ())), **own) for name, own in words.items()
    }


_READERS: dict[str, Callable[[str], Iterator[FileStatements]]] = {
    "etc/netplan/": netplan,
    "etc/systemd/network/": networkd,
    "etc/NetworkManager/system-connections/": networkmanager,
}
