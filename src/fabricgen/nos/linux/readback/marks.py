"""The text of marks.nft in; the DSCPs that each port writes into packets out.

A rule counts where both families have it, in its place: a line that is missing, or stands where
another has judged the packet before, is claimed by nobody.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from fabricgen.core.tree.facts import Value
from fabricgen.nos.linux.readback.nftables import NftablesFile, Pass

_HEAD = ("table netdev marks", "delete table netdev marks", "table netdev marks {")
_CHAIN = re.compile(r"chain (?P<port>[\w.]+) \{")
_HOOK = 'type filter hook ingress device "{}" priority filter; policy accept;'
_KEPT = re.compile(r"ip6? dscp \{ (?P<kept>\d+(?:, \d+)*) \} accept")
_VLAN = re.compile(r"vlan id (?P<vlan>\d+) ip6? dscp set (?P<dscp>\d+) accept")
_REST = re.compile(r"ip6? dscp set (?P<dscp>\d+)")


class MarksFile(NftablesFile):
    """Reads what each port keeps and writes."""

    def __init__(self) -> None:
        """Say what it can speak of, and which lines there must be."""
        super().__init__({("interface", "marks"), ("interface", "kept")}, _HEAD, _Pass)


@dataclass(slots=True, kw_only=True)
class _Pass(Pass):
    """One pass over a text. port: whose chain it is in. before: the line that IPv6 must repeat."""

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
        if match := _CHAIN.fullmatch(line):
            self.port, self.before, self.hooked, self.ended = match["port"], "", False, False
            return True
        return line in _HEAD and self.stands(number, line)

    def rule(self, number: int, line: str) -> bool:
        """Take a rule of IPv4 as it comes, and that of IPv6 where it says the same."""
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
