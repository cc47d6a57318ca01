"""Reads the OSPF neighbors from the facts of files: other switches, and external routers.

Routes pass as over a session with two policies if all statements about them agree. If they
disagree, the passing routes are unknown.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from fabricgen.core.tree.facts import GLOBAL, TRUE, Attributes, Facts
from fabricgen.prove.walk.policies import Policy, Unreadable, exactly, policy
from fabricgen.prove.walk.ports import Port
from fabricgen.prove.walk.values import text

BEFORE = 20
"""The distance of eBGP routes in FRR: a leaf prefers its own port if OSPF's is shorter."""
USUAL_COST = 10
"""The cost of a port without one in its file. All such ports are taken as equal."""
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
        if key[0] != "ospf" or key[1] == GLOBAL or not runs:
            continue
        taken = facts.get(("vrf", key[1]), {})
        strange = _odd(own, taken, frr=frr)
        for port in ports.values():
            said = facts.get(("interface", port.name), {})
            joins = "area" in said and said.get("two-ended") == TRUE
            if joins and port.vrf == key[1] and port.addresses:
                yield _neighbor(port, own, strange)


class Adjacency(NamedTuple):
    """One OSPF neighbor outside all VRFs.

    `area`: with the MTU. Both ends must agree (RFC 2328 sections 10.5 and 10.6).
    """

    peer: str
    area: str
    cost: int


def adjacencies(facts: Facts, ports: Mapping[str, Port]) -> Iterator[Adjacency]:
    """Yield the neighbors on links between switches; none without a daemon or an instance."""
    runs = facts.get(("switch",), {}).get("ospfd") != "no"
    if ("ospf", GLOBAL) not in facts or not runs:
        return
    for port in ports.values():
        said = facts.get(("interface", port.name), {})
        if "area" in said and said.get("two-ended") == TRUE and port.vrf == GLOBAL:
            for near in port.addresses:
                far = next((each for each in near.network if each != near.ip), None)
                if far is not None and near.version == 4:
                    cost = int(text(said.get("cost")) or USUAL_COST)
                    area = f"{text(said['area'])}, MTU {text(said.get('mtu'))}"
                    yield Adjacency(str(far), area, cost)


def advertised(facts: Facts, ports: Mapping[str, Port]) -> Policy | None:
    """Return the prefixes that OSPF advertises outside all VRFs; None without OSPF there."""
    if ("ospf", GLOBAL) not in facts:
        return None
    networks = [
        each
        for port in ports.values()
        if "area" in facts.get(("interface", port.name), {}) and port.vrf == GLOBAL
        for each in port.addresses
    ]
    return (exactly(networks),)


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
