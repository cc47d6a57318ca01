"""Read management.nft, zones.nft and marks.nft of a Linux switch line by line.

A line that differs from every line that the platform writes is unclaimed.
"""

import re
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from fabricgen.core.tree.facts import TRUE, Attributes, Facts, Key, Reading, Span, Topic, Value, add
from fabricgen.core.tree.table import ALWAYS


@dataclass(slots=True, kw_only=True)
class Pass(ABC):
    """One pass over a text."""

    reading: Reading = field(default_factory=Reading)

    @abstractmethod
    def takes(self, number: int, line: str) -> bool:
        """Read a line; return False for an unknown line."""

    def says(self, number: int, key: Key, attributes: Attributes) -> bool:
        """Keep the facts of a line."""
        add(self.reading.facts, key, attributes)
        for word in attributes:
            self.reading.lines.setdefault((key, word), []).append(number)
        return True

    def stands(self, number: int, line: str) -> bool:
        """Note that a required line exists."""
        return self.says(number, (ALWAYS, line), {"stands": TRUE})


class NftablesFile:
    """Reads a file line by line.

    `about`: its topics. `head`: required lines. `begin`: starts a new pass over a text.
    """

    def __init__(self, about: Iterable[Topic], head: Iterable[str], begin: type[Pass]) -> None:
        """Set the topics, and the required lines."""
        self.about: frozenset[Topic] = frozenset(about)
        self.always: Facts = {(ALWAYS, line): {"stands": TRUE} for line in head}
        self._begin = begin

    def read(self, text: str) -> Reading:
        """Return the facts of a text, and its unclaimed lines."""
        pass_ = self._begin()
        for number, raw in enumerate(text.splitlines(), 1):
            line = raw.strip()
            if line and not line.startswith("#") and not pass_.takes(number, line):
                pass_.reading.unclaimed.append((number, raw))
        if text.count("{") != text.count("}"):  # nft(8) refuses the complete file
            pass_.reading.unclaimed.append((len(text.splitlines()), "unmatched braces"))
        return pass_.reading

    trace = read

    def spans(self, text: str, values: frozenset[str]) -> Iterable[Span]:
        """Return no spans: the text is the same on all switches with the same ports."""
        del text, values
        return ()


# A rule counts only if both families have it, in its place. A missing line is unclaimed, and so is
# a line after another one that already accepted the packet.

_MARKS_HEAD = ("table netdev marks", "delete table netdev marks", "table netdev marks {")
_MARKS_CHAIN = re.compile(r"chain (?P<port>[\w.]+) \{")
_HOOK = 'type filter hook ingress device "{}" priority filter; policy accept;'
_KEPT = re.compile(r"ip6? dscp \{ (?P<kept>\d+(?:, \d+)*) \} accept")
_VLAN = re.compile(r"vlan id (?P<vlan>\d+) ip6? dscp set (?P<dscp>\d+) accept")
_REST = re.compile(r"ip6? dscp set (?P<dscp>\d+)")


class MarksFile(NftablesFile):
    """Reads the DSCPs that each port keeps and writes."""

    def __init__(self) -> None:
        """Set the topics, and the required lines."""
        super().__init__({("interface", "marks"), ("interface", "kept")}, _MARKS_HEAD, _MarksPass)


@dataclass(slots=True, kw_only=True)
class _MarksPass(Pass):
    """One pass over a text. `port`: its current chain. `before`: the line that IPv6 must repeat."""

    port: str = ""
    before: str = ""
    hooked: bool = False
    ended: bool = False

    def takes(self, number: int, line: str) -> bool:
        if not self.port:
            return line == "}" or self.outside(number, line)
        if line == "}":
            whole, self.port = self.ended and not self.before, ""
            return whole
        if not self.hooked:
            self.hooked = line == _HOOK.format(self.port)
            return self.hooked
        return not self.ended and self.rule(number, line)

    def outside(self, number: int, line: str) -> bool:
        if match := _MARKS_CHAIN.fullmatch(line):
            self.port, self.before, self.hooked, self.ended = match["port"], "", False, False
            return True
        return line in _MARKS_HEAD and self.stands(number, line)

    def rule(self, number: int, line: str) -> bool:
        """Read a rule of IPv4, and the rule of IPv6 if both are equal."""
        if not self.before:
            self.before = line
            return line.replace("ip6 dscp", "ip dscp") == line and any(_said(line))
        same, self.before = line == self.before.replace("ip dscp", "ip6 dscp"), ""
        told = dict(_said(line))
        self.ended = _REST.fullmatch(line) is not None
        return same and self.says(number, ("interface", self.port), told)


def _said(line: str) -> Iterator[tuple[str, Value]]:
    if match := _KEPT.fullmatch(line):
        yield "kept", tuple(sorted(match["kept"].split(", ")))
    elif match := _VLAN.fullmatch(line):
        yield "marks", (f"{match['vlan']}:{match['dscp']}",)
    elif match := _REST.fullmatch(line):
        yield "marks", (match["dscp"],)


# The rules of a chain have no numbers: their order is their meaning, so they are counted in order.
# A line that differs from every line of the platform is unclaimed.

_ZONES_HEAD = (
    "table inet zones",
    "delete table inet zones",
    "table inet zones {",
    "chain enter {",
    "type filter hook prerouting priority filter; policy accept;",
)
_WAY = re.compile(r'iifname "(?P<port>[\w.]+)" meta nfproto ipv[46] goto (?P<chain>[\w-]+)')
_ZONES_CHAIN = re.compile(r"chain (?P<chain>[\w-]+) \{")
_RULE = re.compile(
    r"(?:ip6? saddr (?P<source>\S+) )?(?:ip6? daddr (?P<target>\S+) )?"
    r"(?:icmp(?:v6)? type (?P<message>[a-z-]+) |meta l4proto (?P<protocol>[a-z0-9-]+) )?"
    r"(?:(?P<sent>tcp|udp) sport (?P<from>[\d-]+) )?(?:(?P<meant>tcp|udp) dport (?P<to>[\d-]+) )?"
    r"(?P<established>tcp flags & \(ack \| rst\) != 0x0 )?(?P<action>accept|drop)"
)
_WORDS = {  # nft(8): types of ICMP and ICMPv6
    "destination-unreachable": "unreachable",
    "nd-router-solicit": "router-solicitation",
    "nd-neighbor-solicit": "neighbor-solicitation",
    "nd-neighbor-advert": "neighbor-advertisement",
}
_ACTIONS = {"accept": "permit", "drop": "deny"}


class ZonesFile(NftablesFile):
    """Reads the chain of each ingress interface, and every rule."""

    def __init__(self) -> None:
        """Set the topics, and the required lines."""
        words = ("action", "protocol", "source", "target", "from", "to", "only")
        rules = (("rule", word) for word in words)
        super().__init__({("interface", "guarded"), *rules}, _ZONES_HEAD, _ZonesPass)


@dataclass(slots=True, kw_only=True)
class _ZonesPass(Pass):
    """One pass over a text. `chain`: the current one. `ended`: its last line, a drop, was read."""

    chain: str = ""
    count: int = 0
    ended: bool = True

    def takes(self, number: int, line: str) -> bool:
        if match := _ZONES_CHAIN.fullmatch(line):
            self.chain, self.count, self.ended = match["chain"], 0, match["chain"] == "enter"
            return self.chain != "enter" or self.stands(number, line)
        if line in _ZONES_HEAD:
            return self.stands(number, line)
        if self.chain == "enter" and (match := _WAY.fullmatch(line)):
            way: Attributes = {"guarded": (match["chain"],)}
            return self.says(number, ("interface", match["port"]), way)
        last, self.ended = self.ended, self.ended or line == "drop"
        if last != (line == "drop"):  # the first drop of a chain, or a line after one
            return line in ("drop", "}")
        match = _RULE.fullmatch(line)  # a second drop: the first one is a rule, for all packets
        if match is None:
            return False
        self.count += 10
        return self.says(number, ("rule", self.chain, str(self.count)), _rule(match))


def _rule(match: re.Match[str]) -> Attributes:
    protocol = match["protocol"] or match["sent"] or match["meant"] or "ip"
    own: Attributes = {
        "action": _ACTIONS[match["action"]],
        "protocol": "icmp" if match["message"] or protocol == "ipv6-icmp" else protocol,
        "source": match["source"] or "any",
        "target": match["target"] or "any",
    }
    message = match["message"]
    only = "established" if match["established"] else message and _WORDS.get(message, message)
    more = {"from": match["from"], "to": match["to"], "only": only}
    return own | {word: value for word, value in more.items() if value}


# The lines have one order: services first, then the sources, then the drop.

_MANAGEMENT_HEAD = (
    "table inet management",
    "delete table inet management",
    "table inet management {",
    "chain enter {",
    "type filter hook input priority filter; policy accept;",
    'iifname "lo" accept',
)
_DOORS = {"tcp dport 22 goto admitted": "ssh", "udp dport 161 goto admitted": "snmp"}
_SOURCE = re.compile(r"ip saddr (?P<prefix>[\d./]+) accept")


class ManagementFile(NftablesFile):
    """Reads the restricted services, and the sources that may use them."""

    def __init__(self) -> None:
        """Set the topics, and the required lines."""
        topics = {
            ("admitted", "prefix"),
            ("switch", "ssh-restricted"),
            ("switch", "snmp-restricted"),
        }
        super().__init__(topics, _MANAGEMENT_HEAD, _ManagementPass)


@dataclass(slots=True, kw_only=True)
class _ManagementPass(Pass):
    """One pass over a text. `place`: number of read lines. `sources`: number of read sources."""

    place: int = 0
    sources: int = 0
    chain: str = "enter"

    def takes(self, number: int, line: str) -> bool:
        self.place += 1
        if self.place <= len(_MANAGEMENT_HEAD):
            return line == _MANAGEMENT_HEAD[self.place - 1] and self.stands(number, line)
        if self.chain == "enter" and line in _DOORS:
            return self.says(number, ("switch",), {f"{_DOORS[line]}-restricted": TRUE})
        if (self.chain, line) in _NEXT:
            self.chain = _NEXT[self.chain, line]
            return True
        if self.chain == "admitted" and (match := _SOURCE.fullmatch(line)):
            self.sources += 1
            prefix = match["prefix"]
            return self.says(number, ("admitted", f"{10 * self.sources}"), {"prefix": prefix})
        return False


_NEXT = {
    ("enter", "}"): "between",
    ("between", "chain admitted {"): "admitted",
    ("admitted", "drop"): "dropped",
    ("dropped", "}"): "after",
    ("after", "}"): "end",
}
"""The part of the file after a part and its last line."""
