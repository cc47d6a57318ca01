"""Reads the external OSPF neighbors from the facts of files.

Routes pass as over a session with two policies if all statements about them agree. If they
disagree, the passing routes are unknown.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.core.tree.facts import TRUE, Attributes, Facts
from fabricgen.prove.walk.policies import Policy, Unreadable, policy
from fabricgen.prove.walk.ports import Port
from fabricgen.prove.walk.values import text

BEFORE = 20
"""The distance of eBGP routes in FRR: a leaf prefers its own port if OSPF's is shorter."""
_TOLD = ("connected", "static", "bgp")


class Neighbor(NamedTuple):
    """One neighbor: its VRF, its address, accepted and advertised routes, by `in` and `out`."""

    vrf: str
    peer: str
    policies: dict[str, Policy | None]
    strange: str


def neighbors(facts: Facts, ports: Mapping[str, Port], *, frr: bool) -> Iterator[Neighbor]:
    """Yield the neighbors: one on each port of an area; none without a daemon."""
    for key, own in facts.items():
        runs = facts.get(("switch",), {}).get("ospfd") != "no"
        if key[0] != "ospf" or not runs:
            continue
        taken = facts.get(("vrf", key[1]), {})
        strange = _odd(own, taken, frr=frr)
        for port in ports.values():
            said = facts.get(("interface", port.name), {})
            joins = "area" in said and said.get("two-ended") == TRUE
            if joins and port.vrf == key[1] and port.addresses:
                yield _neighbor(port, own, strange)


def _odd(own: Attributes, taken: Attributes, *, frr: bool) -> str:
    """Return a disagreement about advertised routes, or about BGP's import of OSPF routes."""
    words = ("ospf",) if frr else ("ospf-internal", "ospf-external")
    if len({own.get(word) for word in _TOLD}) > 1 or "bgp" not in own:
        return "OSPF advertises by different lists"
    if any(taken.get(word) != own.get("in") for word in words) or "in" not in own:
        return "BGP and the routing table import different lists from OSPF"
    if frr and not int(text(own.get("distance")) or BEFORE) < BEFORE:
        return "BGP of another leaf precedes OSPF"
    return ""


def _neighbor(port: Port, own: Attributes, strange: str) -> Neighbor:
    policies: dict[str, Policy | None] = {}
    for name, word in (("in", "in"), ("out", "bgp")):
        try:
            policies[name] = policy(own[word]) if word in own else None
        except Unreadable as fault:
            policies[name], strange = None, str(fault)
    near = port.addresses[0]
    far = next(each for each in near.network if each != near.ip)
    return Neighbor(vrf=port.vrf, peer=str(far), policies=policies, strange=strange)
