"""Read the kernel state that is not designed: routes, rules, settings and entries.

On a switch as designed nearly all answers are empty. The commands omit what the design always has,
what protocols own, and the defaults of a device. So a leaf with thousands of servers answers in a
few lines.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from ipaddress import ip_interface
from typing import Any

from fabricgen.core.tree.facts import GLOBAL, Attributes, Facts, Key, add
from fabricgen.nos.linux.names import BRIDGE, MANAGEMENT_PORT, tunnel_name
from fabricgen.nos.questions import Answer, UnreadableError
from fabricgen.nos.show import UP

# Protocols of routing daemons, whose routes come and go: /etc/iproute2/rt_protos of iproute2 6.1.
PROTOCOLS = ("bgp", "ospf", "isis", "rip", "eigrp", "babel", "bird", "zebra", "ra")
STATIC = "static"
MOST = 256
"""Maximum number of listed routes without a protocol."""
# The default route that keeps a VRF from the main table (docs.kernel.org/networking/vrf.html), and
# the kernel's IPv6 default.
_ENDS = ("metric 4278198272", "metric 4294967295")
_ROUTES = rf"""
{{ line = $0; family = $1; sub(/^[46] /, "", line); $0 = line
  if ($1 ~ /^(local|broadcast|anycast|multicast)$/ || /{"|".join(_ENDS)}/) next
  odd = $1 ~ /^(blackhole|unreachable|prohibit|throw)$/
  table = "main"; proto = "boot"; dev = ""; via = 0
  for (i = 2; i < NF; i++) {{
    if ($i == "table") table = $(i + 1)
    if ($i == "proto") proto = $(i + 1)
    if ($i == "dev") dev = $(i + 1)
    if ($i == "via") via = 1 }}
  if (table == "local" || $1 ~ /^(fe80::\/64|ff00::\/8)$/) next
  if (!odd && proto == "kernel" && !via) {{ print "connected", table, $1, dev; next }}
  if (!odd && proto ~ /^({"|".join(PROTOCOLS)})$/) {{
    if (!seen[table " " proto]++) print "protocol", table, proto
    next }}
  if (n++ < {MOST}) print "route", table, family, proto, line }}
"""
# A device's own MAC, groups, and EVPN entries are not manual entries. A neighbor that replaces one
# of zebra keeps `proto zebra` and loses `extern_learn`; MACs of servers on two leafs have `proto
# zebra` alone (both seen in the lab).
_ENTRIES = rf"""
/ extern_learn( |$)/ {{ next }}
/ lladdr / && / PERMANENT/ {{ print "neighbor", $3, $1, $5; next }}
/ proto zebra/ {{ next }}
$1 ~ /^.[13579bdfBDF]:/ || $1 == "00:00:00:00:00:00" || $3 == "{BRIDGE}" {{ next }}
/ (static|permanent)/ {{
  to = ""; for (i = 2; i < NF; i++) if ($i == "dst") to = $(i + 1)
  if (/ self / && to == "") next
  own = ""; file = "/sys/class/net/" $3 "/address"; getline own < file; close(file)
  if ($1 != own && !seen[$3 " " $1 " " to]++) print "mac", $3, $1, to }}
"""
_BOTH = 'for v in 4 6; do {} | sed "s/^/$v /"; done'
_SETTINGS = (
    'cd /proc/sys/net && { grep -H -v "^1$" ipv4/conf/*/forwarding ipv6/conf/*/forwarding; '
    'grep -H "^1$" ipv4/conf/*/rp_filter; '
    'grep -H -v "^0$" ipv4/conf/*/proxy_arp ipv4/conf/*/arp_ignore; test $? -lt 2; }'
)
_HELD = "{ ip -4 neigh show nud permanent; ip -6 neigh show nud permanent; bridge fdb show; }"
COMMANDS = (
    ("ways", f"{_BOTH.format('ip -$v -o route show table all')} | awk '{_ROUTES}'"),
    ("rules", _BOTH.format("ip -$v rule show")),
    ("settings", _SETTINGS),
    ("flags", "bridge -j -d link show"),
    ("entries", f"{_HELD} | awk '{_ENTRIES}'"),
)
_VIA = re.compile(r"\bvia (?:inet6 )?(\S+)")
_DEVICE = re.compile(r"\bdev (\S+)")
_RULE = re.compile(r"([46]) (\d+):\t(.*)\Z")
_SETTING = re.compile(r"(ipv[46])/conf/(.+)/(\w+):(-?\d+)\Z")
_OWN_RULES = frozenset({"from all lookup local", "from all lookup main", "from all lookup default"})
_VRFS = "from all lookup [l3mdev-table]"
_FLAGS = {"isolated": False, "locked": False, "hairpin": False, "guard": False}
_TUNNEL = tunnel_name(0).rstrip("0")
_FLOODS = {"flood": True, "mcast_flood": True, "bcast_flood": True}


def routes(answer: Answer, facts: Facts) -> Facts:
    """Return routes without a protocol, the protocols of each VRF, and missing connected routes.

    `facts`: interfaces and VRFs, which give names to tables.
    """
    names = _tables(facts)
    found: Facts = {}
    owners: dict[str, set[str]] = {}
    connected: set[tuple[str, str]] = set()
    for kind, table, rest in _rows(answer, ("connected", "protocol", "route")):
        vrf = names.get(table)
        if kind == "connected":
            prefix, device = rest.split()
            connected.add((_whole(prefix, "6" if ":" in prefix else "4"), device))
        elif vrf is None:
            continue
        elif kind == "protocol":
            owners.setdefault(vrf, set()).add(rest)
        else:
            family, proto, line = rest.split(maxsplit=2)
            add(found, ("kernel-route", vrf, _prefix(line, family)), {"way": (_way(line, proto),)})
    for vrf, protocols in owners.items():
        found["fib", vrf] = {"protocols": tuple(sorted(protocols))}
    return found | dict(_unconnected(facts, connected))


def _rows(answer: Answer, kinds: Iterable[str]) -> Iterator[tuple[str, str, str]]:
    """Yield the kind of each line, its second word and the rest; UnreadableError for others."""
    for line in filter(str.strip, answer.text.splitlines()):
        kind, _, rest = line.partition(" ")
        if kind not in kinds:
            raise UnreadableError(line.strip())
        second, _, more = rest.partition(" ")
        yield kind, second, more
    if answer.status:
        raise UnreadableError(f"exit status {answer.status}")


def _tables(facts: Facts) -> dict[str, str]:
    """Return the VRF of each table, by number and by name; management is not compared."""
    names, management = {"main": GLOBAL}, _management(facts)
    for (kind, *rest), own in facts.items():
        if kind == "vrf" and rest[0] != management:
            names |= {rest[0]: rest[0], str(own.get("table")): rest[0]}
    return names


def _prefix(line: str, family: str) -> str:
    words = line.split()
    return _whole(words[1] if words[0] in _TYPES else words[0], family)


_TYPES = frozenset({"blackhole", "unreachable", "prohibit", "throw"})


def _whole(prefix: str, family: str) -> str:
    if prefix == "default":
        return "0.0.0.0/0" if family == "4" else "::/0"
    return prefix if "/" in prefix else f"{prefix}/{32 if family == '4' else 128}"


def _way(line: str, proto: str) -> str:
    """Spell the exit of a route, and its protocol.

    zebra chooses the next hop of a static route from the host route that it leads over.
    """
    words = line.split()
    via = sorted(_VIA.findall(line))
    if words[0] in _TYPES:
        way = words[0]
    elif proto == "static":
        return STATIC
    elif via:
        way = f"via {' and '.join(via)}"
    else:
        device = _DEVICE.search(line)
        way = f"by {device[1]}" if device else "nowhere"
    return f"{way}, of protocol {proto}"


def _unconnected(facts: Facts, connected: set[tuple[str, str]]) -> Iterator[tuple[Key, Attributes]]:
    """Yield subnets of active interfaces without a kernel route."""
    for (kind, *rest), own in facts.items():
        if kind != "interface" or own.get("link") != UP or rest[0] in {MANAGEMENT_PORT, "lo"}:
            continue
        for address in own.get("address", ()):
            subnet = ip_interface(str(address)).network
            single = subnet.prefixlen == subnet.max_prefixlen
            if not (single or subnet.is_loopback or (str(subnet), rest[0]) in connected):
                route = f"the route to {subnet} by {rest[0]}"
                yield ("setting", rest[0], route), {"value": "missing"}


def rules(answer: Answer, facts: Facts) -> Facts:
    """Return routing rules that are not the kernel's, and the rule of VRFs if it is missing.

    A rule for a single host that leads to the management VRF affects no tenant.
    """
    found: Facts = {}
    families: dict[str, set[str]] = {}
    for line in filter(str.strip, answer.text.splitlines()):
        rule = _RULE.match(line)
        if rule is None:
            raise UnreadableError(line.strip())
        family, priority, does = rule[1], rule[2], rule[3].strip()
        families.setdefault(family, set()).add(does)
        if does not in {*_OWN_RULES, _VRFS} and not _of_management(does, facts):
            add(found, ("kernel-rule", f"IPv{family}", priority), {"does": (does,)})
    vrfs = any(key[0] == "vrf" for key in facts)
    for family, every in families.items() if vrfs else ():
        if _VRFS not in every:
            missing = ("no rule sends packets of VRFs to their tables",)
            add(found, ("kernel-rule", f"IPv{family}", "1000"), {"does": missing})
    return found


def _of_management(does: str, facts: Facts) -> bool:
    words = does.split()
    if words[:3] != ["from", "all", "to"] or words[4:5] != ["lookup"] or len(words) != 6:
        return False
    name = _management(facts)
    table = facts.get(("vrf", name), {}).get("table")
    return "/" not in words[3] and words[5] in (name, table)


def _management(facts: Facts) -> str:
    """Return the VRF of the management port."""
    return str(facts.get(("interface", MANAGEMENT_PORT), {}).get("vrf", ""))


def settings(answer: Answer) -> Facts:
    """Return interface settings that differ from every switch of the design."""
    found: Facts = {}
    for line in filter(str.strip, answer.text.splitlines()):
        setting = _SETTING.match(line.strip())
        if setting is None:
            raise UnreadableError(line.strip())
        family, device, name, value = setting.groups()
        if device != MANAGEMENT_PORT:
            found["setting", device, f"net.{family}.conf.{device}.{name}"] = {"value": value}
    return found


def flags(ports: Sequence[Mapping[str, Any]]) -> Facts:
    """Return flags of bridge ports that differ from every switch of the design.

    A VXLAN device does not learn MACs, because EVPN does.
    """
    found: Facts = {}
    for port in ports:
        if port.get("master") != BRIDGE:
            continue
        name = port["ifname"]
        right = {"learning": not name.startswith(_TUNNEL), **_FLAGS, **_FLOODS}
        for flag, value in right.items():
            if port.get(flag, value) != value:
                shown = "off" if value else "on"
                found["flag", name, flag] = {"value": shown}
    return found


def entries(answer: Answer) -> Facts:
    """Return neighbors and MACs that were added manually."""
    found: Facts = {}
    for kind, device, rest in _rows(answer, ("neighbor", "mac")):
        what, _, to = rest.partition(" ")
        if device == MANAGEMENT_PORT:
            continue
        if kind == "neighbor":
            found["neighbor", device, what] = {"mac": to}
        else:
            found["mac", device, what] = {"to": to or device}
    return found
