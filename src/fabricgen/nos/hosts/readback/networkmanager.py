"""Read the interface that a NetworkManager keyfile configures (nm-settings-keyfile(5))."""

from collections.abc import Iterator
from typing import Any

from fabricgen.nos.hosts.readback.network import (
    FileStatements,
    Route,
    Rule,
    bond_options,
    left,
    route_of,
    rule_of,
)
from fabricgen.nos.hosts.readback.networkd import sections

_KINDS = {"ethernet", "bond", "vlan"}
_OPTIONS = {key: key for key in ("mode", "miimon", "lacp_rate", "xmit_hash_policy", "primary")}


def networkmanager(text: str) -> Iterator[FileStatements]:
    one = {kind: dict(pairs) for kind, pairs in sections(text)}
    head = one.pop("connection")
    name, kind, _ = head.pop("interface-name"), head.pop("type", "ethernet"), head.pop("id")
    if kind not in _KINDS:
        raise ValueError(f"unknown type of connection {kind}")
    words: dict[str, Any] = {"mtu": int(one.pop("ethernet", {}).pop("mtu", 0))}
    if head.pop("slave-type", "bond") == "bond" and "master" in head:
        words["bond"] = head.pop("master")
    if kind == "bond":
        words["options"] = bond_options(one.pop("bond"), _OPTIONS)
    if kind == "vlan":
        tag = one.pop("vlan")
        words |= {"vlan": int(tag.pop("id")), "link": tag.pop("parent")}
        left(tag)
    routes: list[Route] = []
    rules: list[Rule] = []
    for family in ("ipv4", "ipv6"):
        asked = one.pop(family, {"method": "disabled"})
        own = _addressed(name, family, asked, routes, rules)
        own["addresses"] = (*words.get("addresses", ()), *own.get("addresses", ()))
        words |= own
    left({**one, **head})
    yield FileStatements(name=name, words=words, routes=tuple(routes), rules=tuple(rules))


def _addressed(
    name: str, family: str, words: dict[str, str], routes: list[Route], rules: list[Rule]
) -> dict[str, Any]:
    """Return address and DHCP of one family; add its routes and rules."""
    method = words.pop("method")
    if method not in ("auto", "manual", "disabled"):
        raise ValueError(f"unknown method {method}")
    for key in [key for key in words if key.startswith("route") and key[5:].isdigit()]:
        prefix, via, metric, *_ = (*words.pop(key).split(","), "", "")
        options = words.pop(f"{key}_options", "").split(",")
        more = dict(each.split("=") for each in options if each)
        routes.append(route_of(name, {"to": prefix, "via": via, "metric": metric, **more}))
    for key in [key for key in words if key.startswith("routing-rule")]:
        pairs = words.pop(key).split()
        rules.append(rule_of(dict(zip(pairs[::2], pairs[1::2], strict=True))))
    told: dict[str, Any] = {}
    if method == "auto" and family == "ipv6":
        told = {"announced": True}
    elif method == "auto":
        open_ = words.pop("ignore-auto-routes", "false"), words.pop("never-default", "false")
        told = {"dhcp": True, "routes": open_ != ("true", "true")}
    elif method == "manual":
        address, _, gateway = words.pop("address1").partition(",")
        told = {"addresses": (address,)}
        if gateway:
            every = "::/0" if ":" in gateway else "0.0.0.0/0"
            routes.append(route_of(name, {"to": every, "via": gateway}))
    left(words)
    return told
