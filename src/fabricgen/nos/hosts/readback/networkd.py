"""Read the interface that a .network or .netdev file configures.

Sources: systemd.network(5) and systemd.netdev(5).
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator

from fabricgen.nos.hosts.readback.network import (
    FileStatements,
    bond_options,
    left,
    route_of,
    rule_of,
)

Section = tuple[str, list[tuple[str, str]]]
_OPTIONS = {
    "Mode": "mode",
    "MIIMonitorSec": "miimon",
    "LACPTransmitRate": "lacp_rate",
    "TransmitHashPolicy": "xmit_hash_policy",
}
_DHCP = {"no": False, "ipv4": True}
_TRUTH = {"no": False, "yes": True}
_ROUTE = {"Destination": "to", "Gateway": "via", "Table": "table", "Type": "type"}
_ROUTE |= {"Metric": "metric"}
_RULE = {"From": "from", "To": "to", "Table": "table", "Priority": "priority"}
_PASSED = {"Scope", "RequiredForOnline", "LinkLocalAddressing"}
_LISTS = {"VLAN", "Address"}


def networkd(text: str) -> Iterator[FileStatements]:
    one: dict[str, dict[str, str]] = defaultdict(dict)
    routes, rules, carries, addresses = [], [], [], []
    for kind, pairs in sections(text):
        if kind == "Route":
            routes.append(_renamed(pairs, _ROUTE))
        elif kind == "RoutingPolicyRule":
            rules.append(_renamed(pairs, _RULE))
        else:
            carries += [value for key, value in pairs if key == "VLAN"]
            addresses += [value for key, value in pairs if key == "Address"]
            one[kind] |= {k: v for k, v in pairs if k not in _PASSED | _LISTS}
    if "NetDev" in one:
        yield _made(one)
        return
    name, link, network = one.pop("Match")["Name"], one.pop("Link", {}), one.pop("Network")
    words: dict[str, object] = {
        "mtu": int(link.pop("MTUBytes", 0)),
        "addresses": tuple(addresses),
        "dhcp": _DHCP[network.pop("DHCP", "no")],
        "routes": _TRUTH[one.pop("DHCPv4", {}).pop("UseRoutes", "yes")],
        "announced": _TRUTH[network.pop("IPv6AcceptRA", "yes")],
    }
    if "Bond" in network:
        words["bond"] = network.pop("Bond")
    primary = _TRUTH[network.pop("PrimarySlave", "no")]
    left({**one, **link, **network})
    yield FileStatements(
        name=name,
        words=words,
        routes=tuple(route_of(name, route) for route in routes),
        rules=tuple(map(rule_of, rules)),
        carries=tuple(carries),
        primary=primary,
    )


def _made(one: dict[str, dict[str, str]]) -> FileStatements:
    """Return the bond or VLAN that a .netdev file creates."""
    own = one.pop("NetDev")
    name, kind, mtu = own.pop("Name"), own.pop("Kind"), int(own.pop("MTUBytes"))
    words: dict[str, object] = {"mtu": mtu}
    if kind == "vlan":
        words["vlan"] = int(one["VLAN"].pop("Id"))
        left(one.pop("VLAN"))
    elif kind == "bond":
        options = bond_options(one.pop("Bond"), _OPTIONS)
        words["options"] = options | {"miimon": options["miimon"].removesuffix("ms")}
    else:
        raise ValueError(f"unknown kind of interface {kind}")
    left({**one, **own})
    return FileStatements(name=name, words=words)


def _renamed(pairs: Iterable[tuple[str, str]], names: dict[str, str]) -> dict[str, str]:
    """Return the words of a route or rule as in netplan and `ip`."""
    return {names[key]: value for key, value in pairs if key not in _PASSED}


def sections(text: str) -> list[Section]:
    """Return the sections of an INI file in order; a name may occur more than once."""
    found: list[Section] = []
    for line in text.splitlines():
        word = line.strip()
        if word.startswith("["):
            found.append((word.strip("[]"), []))
        elif word and word[0] not in "#;" and found:
            key, _, value = word.partition("=")
            found[-1][1].append((key.strip(), value.strip()))
    return found
