"""Read objects of a Linux switch that may stop packets and are not designed: queues, tc, nft, XDP.

Rules for packets to and from the switch itself (hooks input and output) are left out, because
sessions, LLDP and probes show their effect. Rules for devices that no design has, such as devices
of containers, are left out, too.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fabricgen.core.tree.facts import Facts, add
from fabricgen.nos.linux.names import BRIDGE, MANAGEMENT_PORT
from fabricgen.nos.questions import Answer, UnreadableError

_OURS = '"inet management" | "inet zones" | "netdev marks"'
# nos/linux/nftables.py; these are compared by file.
_ASK_TC = (
    'tc qdisc show | awk \'$2 ~ /^(clsact|ingress)$/ { print $5, "ingress" } '
    '$2 == "clsact" { print $5, "egress" }\' | while read -r dev way; do '
    'echo "$dev $way"; tc -j filter show dev "$dev" "$way"; echo; done'
)
_ASK_TABLES = (
    "if command -v nft > /dev/null; then nft list tables | while read -r _ family name; do "
    f'case "$family $name" in {_OURS}) ;; *) nft -j list table "$family" "$name"; echo;; esac; '
    'done; elif [ -e /sys/module/nf_tables ]; then echo "nft is not installed"; fi; '
    'for v in "" 6; do [ ! -s /proc/net/ip${v}_tables_names ] || "ip${v}tables-legacy-save"; done'
)
COMMANDS = (("tc", _ASK_TC), ("nft", _ASK_TABLES))
_NONE = ("Protocol not supported", "cache initialization failed: Invalid argument")
"""Answers of a kernel without nftables, which has no rules. The second one has nfnetlink alone
(linux net/netfilter/nfnetlink.c, nfnetlink_rcv_msg: EINVAL without a subsystem; seen on 7.2)."""
_HARMLESS = frozenset({"sample", "skbedit", "connmark"})
_PASSES = frozenset({"pass", "continue", "pipe", "ok"})
_STOPS = frozenset({"drop", "reject", "queue"})
_TARGETS = frozenset({"DROP", "REJECT", "NFQUEUE", "QUEUE"})
_ITS_OWN = frozenset({"input", "output"})
_DEVICE = re.compile(r"(swp|bond|vlan|vni|gre)\d|br0\Z")
_LEARNS = re.compile(r"vlan\d")
_BRIDGE = {"vlan_filtering": 1, "stp_state": 0}
_WAYS = frozenset({"iif", "oif", "iifname", "oifname"})
_CHAIN = re.compile(r"(?m)^:(\S+) (DROP|ACCEPT|-)")
_RULE = re.compile(r"(?m)^-A (\S+)(.*) -[jg] (\S+)")
_BUILT_IN = frozenset({"INPUT", "OUTPUT"})


def qdiscs(shown: Sequence[Mapping[str, Any]]) -> Facts:
    """Return queues that are neither the kernel's default nor part of a port's design.

    The kernel's defaults have the handle 0:. A port has the root 1:, with FIFOs and RED below it.
    """
    found: Facts = {}
    for item in shown:
        device, handle = item["dev"], item.get("handle", "")
        if device == MANAGEMENT_PORT or handle == "0:" or item["kind"] in {"clsact", "ingress"}:
            continue
        place = str(item.get("parent", "root"))
        port = device.startswith("swp")
        kinds = {"htb", "ets"} if place == "root" else {"pfifo", "red"}
        if not port or item["kind"] not in kinds:
            found["qdisc", device, place] = {"kind": item["kind"]}
    return found


def devices(shown: Sequence[Mapping[str, Any]]) -> Facts:
    """Return devices that stop packets themselves: programs before the kernel, no ARP, a bridge.

    Keys of iproute2 6.1: ip/iplink_xdp.c xdp_dump_json, ip/iplink_bridge.c bridge_print_opt.
    """
    found: Facts = {}
    for item in shown:
        name, own = item["ifname"], item.get("linkinfo", {}).get("info_data", {})
        if item.get("xdp", {}).get("attached"):
            found["filter", name, "XDP"] = {"does": ("it runs a program",)}
        if {"NOARP", "UP"} <= {*item.get("flags", ())} and _LEARNS.match(name):
            found["setting", name, f"ARP of {name}"] = {"value": "off"}
        for flag, right in _BRIDGE.items() if name == BRIDGE else ():
            if own.get(flag, right) != right:
                found["setting", name, f"{flag} of {name}"] = {"value": str(own[flag])}
    return found


def queued(ports: Mapping[str, tuple[str, Sequence[Any]]]) -> Facts:
    """Return other actions of filters in the design's queues."""
    acts = {
        port: {does for rule in rules for does in _acts(rule)} for port, (_, rules) in ports.items()
    }
    return {
        ("filter", port, "tc at the queues"): {"does": tuple(sorted(does))}
        for port, does in acts.items()
        if does
    }


def tc(answer: Answer) -> Facts:
    """Return the actions of tc filters on packets that enter or leave by a device."""
    found: Facts = {}
    for place, document in _documents(answer.text):
        device, way = place.split()
        does = sorted({does for rule in document for does in _acts(rule)})
        if does and device != MANAGEMENT_PORT:
            add(found, ("filter", device, f"tc {way}"), {"does": tuple(does)})
    return found


def _documents(text: str) -> Iterator[tuple[str, Any]]:
    """Yield each line that is no JSON, with the JSON after it."""
    place = ""
    for line in filter(str.strip, text.splitlines()):
        if not line.startswith(("[", "{")):
            if place or len(line.split()) != 2:
                raise UnreadableError(line.strip())
            place = line
        elif place:
            yield place, json.loads(line)
            place = ""
        else:
            raise UnreadableError(line.strip()[:60])
    if place:
        raise UnreadableError(f"no output about {place}")


def _acts(rule: Mapping[str, Any]) -> Iterator[str]:
    """Yield the actions of a filter, without passing and copying packets."""
    options = rule.get("options", {})
    about = f"{rule['protocol']} packets"
    if rule["kind"] == "bpf":
        yield f"a program decides on {about}"
    for action in options.get("actions", ()):
        kind, control = action["kind"], action.get("control_action", {}).get("type", "")
        mirrors = kind == "mirred" and "mirror" in action.get("mirred_action", "")
        if kind == "gact" and control not in _PASSES:
            yield f"{control or 'an action'} of {about}"
        elif kind != "gact" and kind not in _HARMLESS and not mirrors:
            yield f"{kind} of {about}"


def tables(answer: Answer, vrfs: Iterable[str]) -> Facts:
    """Return the tables of nft and iptables that stop bridged or routed packets."""
    found: Facts = {}
    ours = frozenset(vrfs)
    saved = []
    for line in filter(str.strip, answer.text.splitlines()):
        if line.startswith('{"nftables"'):
            for name, does in _nft(json.loads(line)["nftables"], ours):
                add(found, ("table", "", f"nft table {name}"), {"does": (does,)})
        elif line[0] in "*:-#C":
            saved.append(line)
        elif not any(each in line for each in _NONE):
            raise UnreadableError(line.strip())
    for does in _legacy("\n".join(saved)):
        add(found, ("table", "", "iptables"), {"does": (does,)})
    return found


def _nft(items: Sequence[Mapping[str, Any]], vrfs: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Yield the table and the stopping rule, from chains that such packets reach."""
    chains = {it["chain"]["name"]: it["chain"] for it in items if "chain" in it}
    rules = [it["rule"] for it in items if "rule" in it]
    met = {name for name, own in chains.items() if "hook" in own and own["hook"] not in _ITS_OWN}
    new = met
    while new:
        new = {to for rule in rules if rule["chain"] in new for to in _jumps(rule["expr"])} - met
        met = met | new
    for name in sorted(met):
        own = chains.get(name, {})
        if own.get("policy") == "drop":
            yield f"{own['family']} {own['table']}", f"chain {name} drops by default"
    for rule in rules:
        stops = next(filter(None, map(_stops, rule["expr"])), "")
        if rule["chain"] in met and stops and not _elsewhere(rule["expr"], vrfs):
            yield f"{rule['family']} {rule['table']}", f"chain {rule['chain']} has a {stops}"


def _jumps(expr: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    for each in expr:
        for word in ("jump", "goto"):
            if word in each:
                yield each[word]["target"]


def _stops(each: Mapping[str, Any]) -> str:
    target = each.get("xt") or {}
    if isinstance(target, dict) and target.get("name") in _TARGETS:
        return str(target["name"]).lower()
    return next((word for word in _STOPS if word in each), "")


def _elsewhere(expr: Iterable[Mapping[str, Any]], vrfs: frozenset[str]) -> bool:
    """Return whether a rule is about devices that no design has."""
    for each in expr:
        match = each.get("match", {})
        left = match.get("left", {})
        key = left.get("meta", {}).get("key") if isinstance(left, dict) else None
        if key in _WAYS and match.get("op") == "==":
            right = match.get("right")
            names = right.get("set", ()) if isinstance(right, dict) else (right,)
            if not any(name in vrfs or _DEVICE.match(str(name)) for name in names):
                return True
    return False


def _legacy(saved: str) -> Iterator[str]:
    """Yield stopping rules in the words of iptables-save, without the switch's own traffic."""
    for chain, policy in _CHAIN.findall(saved):
        if policy == "DROP" and chain not in _BUILT_IN:
            yield f"chain {chain} drops by default"
    for chain, match, target in _RULE.findall(saved):
        named = re.findall(r"(?<!! )-[io] (\S+)", match)
        away = named and not any(_DEVICE.match(name) for name in named)
        if target in _TARGETS and chain not in _BUILT_IN and not away:
            yield f"chain {chain} has a {target.lower()}"
