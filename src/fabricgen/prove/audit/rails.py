"""Finds NICs that are on another leaf than the NICs with the same index.

No file names the leaf of a rail. But NIC 3 of most servers is on the leaf that matches their other
NICs. A server whose NIC 3 is elsewhere has a wrong cable or a wrong line.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Diagnostic, Examined, shortened
from fabricgen.prove.foreign.network import End, Network
from fabricgen.prove.foreign.switch import finding
from fabricgen.prove.walk.values import text

NAME, NOUN = "rails", "NICs"
_NIC = re.compile(
    r"(?i)(?P<server>[a-z][\w.-]*?\d)[ :/_-]+(?P<nic>(?:rdma|rail|gpu|nic|mlx5_|hca|ib|roce)[_-]?)"
    r"(?P<index>\d{1,3})\b"
)
_ENOUGH, _MOST = 3, 0.75
"""For a finding: minimum similar servers, and the share of similar servers that must agree."""

Nic = tuple[str, int]
"""The word before the number of a NIC, in lower case, and the number."""


def judge(network: Network) -> Examined:
    """Check the leafs of server NICs."""
    servers: dict[str, dict[Nic, End]] = defaultdict(dict)
    for switch in network.switches:
        for name in switch.tables.ports:
            words = text(switch.own(("interface", name)).get("description"))
            match = _NIC.search(words[:256])
            if match is not None and (switch, name) not in network.links:
                nic = match["nic"].lower().rstrip("_-"), int(match["index"])
                servers[match["server"].lower()][nic] = switch, name
    several = {name: nics for name, nics in servers.items() if len(nics) > 1}
    return Examined(
        check=NAME,
        objects=sum(map(len, several.values())),
        noun=NOUN,
        findings=shortened(list(_astray(several)), "NICs on wrong rails"),
    )


def _astray(servers: dict[str, dict[Nic, End]]) -> Iterator[Diagnostic]:
    """Yield NICs whose leaf differs from their type's, as seen from each other NIC's leaf."""
    seen: dict[tuple[Nic, int, Nic], Counter[int]] = defaultdict(Counter)
    first: dict[tuple[Nic, int], End] = {}
    for nics in servers.values():
        for nic, (leaf, port) in nics.items():
            first.setdefault((nic, id(leaf)), (leaf, port))
            for other, (place, _) in nics.items():
                if other != nic and other[0] == nic[0]:
                    seen[other, id(place), nic][id(leaf)] += 1
    for server, nics in servers.items():
        for nic, (leaf, port) in nics.items():
            votes: Counter[int] = Counter()
            for other, (place, _) in nics.items():
                if other != nic:
                    votes += seen.get((other, id(place), nic), Counter())
            votes[id(leaf)] -= len(nics) - 1  # its own word
            known = sum(votes.values())
            best, count = votes.most_common(1)[0] if votes else (id(leaf), 0)
            enough = count >= _ENOUGH * (len(nics) // 2) and count >= _MOST * known
            if best != id(leaf) and enough:
                usual = first[nic, best]
                said = (
                    f"{leaf.name}:{port} is NIC {nic[0]}{nic[1]} of {server}; similar servers have "
                    f"that NIC on {usual[0].name}"
                )
                places = (
                    s.place(("interface", p), "description") for s, p in ((leaf, port), usual)
                )
                yield finding(Code.JUDGED_RAIL, said, *places)
