"""The text of zones.nft in; which chain judges each way in, and every rule by its place, out.

The rules of a chain have no numbers: their order is their meaning, so they are counted as they
stand. What is not exactly a line that the platform writes is claimed by nobody.
"""

import re
from dataclasses import dataclass

from fabricgen.core.tree.facts import Attributes
from fabricgen.nos.linux.readback.nftables import NftablesFile, Pass

_HEAD = (
    "table inet zones",
    "delete table inet zones",
    "table inet zones {",
    "chain enter {",
    "type filter hook prerouting priority filter; policy accept;",
)
_WAY = re.compile(r'iifname "(?P<port>[\w.]+)" meta nfproto ipv[46] goto (?P<chain>[\w-]+)')
_CHAIN = re.compile(r"chain (?P<chain>[\w-]+) \{")
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
    """Reads which chain judges each way in, and every rule."""

    def __init__(self) -> None:
        """Say what it can speak of, and which lines there must be."""
        words = ("action", "protocol", "source", "target", "from", "to", "only")
        rules = (("rule", word) for word in words)
        super().__init__({("interface", "guarded"), *rules}, _HEAD, _Pass)


@dataclass(slots=True, kw_only=True)
class _Pass(Pass):
    """One pass over a text. chain: where it is; ended: its last line has been, a drop."""

    chain: str = ""
    count: int = 0
    ended: bool = True

    def takes(self, number: int, line: str) -> bool:
        if match := _CHAIN.fullmatch(line):
            self.chain, self.count, self.ended = match["chain"], 0, match["chain"] == "enter"
            return self.chain != "enter" or self.stands(number, line)
        if line in _HEAD:
            return self.stands(number, line)
        if self.chain == "enter" and (match := _WAY.fullmatch(line)):
            way: Attributes = {"guarded": (match["chain"],)}
            return self.says(number, ("interface", match["port"]), way)
        if self.ended or line == "drop":
            last, self.ended = self.ended, True
            return line == "}" if last else line == "drop"
        if not (match := _RULE.fullmatch(line)):
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
