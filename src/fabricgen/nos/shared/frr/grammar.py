"""Build the grammar of frr.conf and check the order of its lines."""

import re
from importlib.resources import files

from fabricgen.core.tree.grammar import Grammar
from fabricgen.nos.shared.frr.names import FrrNames

FRR_SIGN = re.compile(
    r"(?m)^(?:frr (?:version|defaults) \S+|service integrated-vtysh-config|\s*exit-address-family)$"
)
"""Lines of a frr.conf that no running-config of EOS has (docs.frrouting.org, Basic Commands)."""


def foreign_frr() -> Grammar:
    """Return the grammar of any frr.conf, where a VRF has its complete name."""
    return Grammar(_table("grammar.txt").replace("VRF-", "") + _table("foreign.txt"))


def _table(name: str) -> str:
    return (files(__package__) / name).read_text()


def frr_grammar(names: FrrNames) -> Grammar:
    """Return the grammar of one platform's frr.conf."""
    table = _table("grammar.txt").replace("VRF-", names.vrf(""))
    return Grammar(table + "".join(f"{line} -> always\n" for line in names.preamble))


# vtysh ignores indentation: a word opens a section, and an exit or another such word ends it. NVUE
# writes no margin at all, and people separate sections by `!` (docs.frrouting.org, VTY shell,
# configuration from a file).

_HEAD = re.compile(
    r"(?:router|interface|vrf|route-map|bfd|line|segment-routing|pseudowire|l2vpn|rpki|key|nexthop-group"
    r"|mpls|affinity-map)\b(?! import)"
)
_TOP = re.compile(
    r"(?:frr|hostname|domainname|service|log|username|password|enable|debug|no debug|access-list"
    r"|ip (?:prefix-list|nht|forwarding|router-id|as-path|community-list|extcommunity-list)"
    r"|ipv6 (?:prefix-list|nht|forwarding|access-list)|no ipv6 forwarding|no ip forwarding|agentx"
    r"|bgp (?:as-path|community-list|extcommunity-list|large-community-list)|router-id|zebra|fpm"
    r"|no zebra|no fpm|evpn mh (?:mac-holdtime|neigh-holdtime|startup-delay|redirect-off))\b"
)
_DEFAULT = re.compile(r"^(router bgp \d+(?:\.\d+)?) vrf default$")
"""NVUE writes the default VRF explicitly."""
_EXIT = re.compile(r"exit(?:-[\w-]+)?|end|quit")


def ordered(text: str) -> str:
    """Return as many lines; comments and the words that end a section become empty lines."""
    depth, vrf, srv6, lines = 0, False, False, []
    for raw in text.split("\n"):
        line = _DEFAULT.sub(r"\1", raw.strip())
        if not line or line[0] in "!#":
            lines.append("")
            continue
        if _EXIT.fullmatch(line):
            depth = 0 if line in ("end", "exit-vrf") else _left(line, depth)
            lines.append("")
            continue
        margin = len(raw) - len(raw.lstrip())
        static = line.startswith(("ip route", "ipv6 route")) and not (vrf and depth)
        if margin == 0 and (_HEAD.match(line) or _TOP.match(line) or static):
            depth, vrf = 0, line.startswith("vrf ")
            srv6 = line == "segment-routing"
        elif line.startswith("address-family "):
            depth = 1
        elif srv6 and (level := _srv6(line)):
            depth = level
        elif depth == 3 and not srv6 and not _OF_VNI.match(line):
            depth = 2
        lines.append(" " * depth + line)
        depth += 1 if srv6 and _srv6(line) else _opens(line, depth)
    return "\n".join(lines)


_SRV6 = ("srv6", "encapsulation locators explicit-sids static-sids formats", "locator sid")
"""Words that open a section below `segment-routing`, by level. People omit the exit of the previous
one (docs.frrouting.org, Zebra, Segment-Routing IPv6)."""


def _srv6(line: str) -> int:
    """Return the level of an SRv6 line; 0 for others."""
    word = line.partition(" ")[0]
    return next((level for level, words in enumerate(_SRV6, 1) if word in words.split()), 0)


_OF_VNI = re.compile(r"rd |route-target |advertise-(?:svi-ip|default-gw)\b")


def _left(line: str, depth: int) -> int:
    return {"exit-address-family": 1, "exit-vni": 2}.get(line, max(depth - 1, 0))


def _opens(line: str, depth: int) -> int:
    """Return 1 if a section begins after a line."""
    if depth == 0:
        return int(_HEAD.match(line) is not None)
    if depth == 1:
        heads = ("address-family ", "profile ", "peer ", "segment-routing srv6")
        return int(line.startswith(heads))
    return int(depth == 2 and line.startswith("vni "))
