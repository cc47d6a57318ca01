"""Files of a server in; the network that netplan, networkd or NetworkManager makes of them out.

Read by their manuals: netplan-yaml, systemd.network(5), nm-settings-keyfile(5). A word that is not
of addresses, routes or rules is passed over.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import yaml

from fabricgen.hosts.readback.network import MAIN, Network, Route, Rule

if TYPE_CHECKING:
    Section = tuple[str, dict[str, str]]

_REFUSES = {"unicast": False, "unreachable": True, "blackhole": True, "prohibit": True}
"""The types of routes that are understood here: whether what matches one is dropped."""
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Unreadable(ValueError):  # noqa: N818 - it says what is wrong, as Failure does
    """A file is not what its program reads: netplan's YAML, or a section that has to be there."""


def read(files: Mapping[str, str]) -> Network:
    """Return the network of a server, from its files by their paths on it; or raise Unreadable."""
    try:
        return _read(files)
    except (yaml.YAMLError, LookupError, TypeError, ValueError, AttributeError) as fault:
        raise Unreadable(" ".join(str(fault).split())[:100]) from fault


def _read(files: Mapping[str, str]) -> Network:
    addresses: dict[str, str] = {}
    routes: list[Route] = []
    rules: list[Rule] = []
    for path, text in files.items():
        for folder, reader in _READERS.items():
            if path.startswith(folder) and not path.endswith(".link"):
                for device, address, own_routes, own_rules in reader(text):
                    addresses[device] = address
                    routes += own_routes
                    rules += own_rules
    return Network(addresses, tuple(routes), tuple(rules))


Device = tuple[str, str, list[Route], list[Rule]]


def _netplan(text: str) -> Iterator[Device]:
    for name, words in yaml.load(text, Loader=_LOADER)["network"]["ethernets"].items():  # noqa: S506
        routes = [_route(name, route) for route in words.get("routes", ())]
        rules = [_rule(rule) for rule in words.get("routing-policy", ())]
        yield name, words["addresses"][0], routes, rules


def _networkd(text: str) -> Iterator[Device]:
    sections = list(_sections(text))
    one = dict(sections)
    name = one["Match"]["Name"]
    routes = [
        _route(name, words, "Destination", "Gateway", "Table", "Type")
        for kind, words in sections
        if kind == "Route"
    ]
    rules = [
        _rule(words, "From", "To", "Table", "Priority")
        for kind, words in sections
        if kind == "RoutingPolicyRule"
    ]
    yield name, one["Network"]["Address"], routes, rules


def _networkmanager(text: str) -> Iterator[Device]:
    one = dict(_sections(text))
    name, words = one["connection"]["interface-name"], one["ipv4"]
    routes = []
    for key in (key for key in words if key.startswith("route") and key[5:].isdigit()):
        prefix, *rest = words[key].split(",")
        options = dict(
            each.split("=") for each in words.get(f"{key}_options", "").split(",") if each
        )
        routes.append(_route(name, {"to": prefix, "via": rest[0] if rest else "", **options}))
    rules = [
        _rule(dict(zip(pairs[::2], pairs[1::2], strict=True)))
        for key, value in words.items()
        if key.startswith("routing-rule")
        for pairs in [value.split()]
    ]
    yield name, words["address1"], routes, rules


def _route(
    device: str,
    words: Mapping[str, Any],
    to: str = "to",
    via: str = "via",
    table: str = "table",
    kind: str = "type",
) -> Route:
    number = int(words.get(table) or MAIN)
    return Route(
        prefix=words[to],
        via=words.get(via) or "",
        device=device,
        table=0 if number == MAIN else number,
        unreachable=_REFUSES[words.get(kind, "unicast")],
    )


def _rule(
    words: Mapping[str, Any],
    source: str = "from",
    to: str = "to",
    table: str = "table",
    priority: str = "priority",
) -> Rule:
    return Rule(
        source=words.get(source, ""),
        to=words.get(to, ""),
        table=int(words[table]),
        priority=int(words[priority]),
    )


def _sections(text: str) -> Iterable[Section]:
    """Yield the sections of an INI file; one name may come more than once."""
    sections: list[Section] = []
    for line in text.splitlines():
        word = line.strip()
        if word.startswith("["):
            sections.append((word.strip("[]"), {}))
        elif word and word[0] not in "#;" and sections:
            key, _, value = word.partition("=")
            sections[-1][1][key.strip()] = value.strip()
    return sections


_READERS: dict[str, Callable[[str], Iterator[Device]]] = {
    "etc/netplan/": _netplan,
    "etc/systemd/network/": _networkd,
    "etc/NetworkManager/system-connections/": _networkmanager,
}
