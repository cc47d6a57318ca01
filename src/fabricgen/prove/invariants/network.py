"""Finds the links between switches, by addresses, LLDP neighbors and descriptions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Any, Generic, TypeVar

from fabricgen.core.units import natural
from fabricgen.prove.invariants.switch import Address, Port, Session, Switch, one

S = TypeVar("S", bound=Switch)
_WORD = re.compile(r"[A-Za-z0-9./-]+")
_MOST_WORDS = 4
"""Name of a switch in a description, with any separators."""
_TWO = 4
"""Maximum addresses of a link subnet: a /30, /31, /126 or /127."""

End = tuple[S, str]
"""A switch and a port of it."""


class Network(Generic[S]):
    """All switches of a comparison."""

    def __init__(self, switches: Sequence[S]) -> None:
        """Add the switches; a name of two switches means the first."""
        self.switches = list(switches)
        self.named: dict[str, S] = {}
        for each in switches:
            self.named.setdefault(each.name.lower(), each)
        for each in switches:
            self.named.setdefault(called(each.name), each)

    @cached_property
    def links(self) -> dict[End[S], End[S]]:
        """The known links, from both ends: by a subnet of two, by LLDP, by descriptions.

        A description names a port, or only the switch.
        """
        ends = dict(self.addressed)
        for near, far in self.told():
            if near not in ends and far not in ends:
                ends |= {near: far, far: near}
        for near, far in self._facing(ends):
            ends |= {near: far, far: near}
        return ends

    @cached_property
    def addressed(self) -> dict[End[S], End[S]]:
        """The links whose two ports share a subnet of two addresses, from both ends."""
        subnets: dict[object, list[End[S]]] = defaultdict(list)
        for switch in self.switches:
            for port in switch.ports.values():
                for each in port.addresses if port.up else ():
                    alone = each.network.prefixlen == each.max_prefixlen
                    if not alone and not each.is_link_local and each.network.num_addresses <= _TWO:
                        subnets[port.vrf, each.network].append((switch, port.name))
        ends: dict[End[S], End[S]] = {}
        for held in subnets.values():
            if len(held) == 2 and held[0][0] is not held[1][0]:
                ends |= {held[0]: held[1], held[1]: held[0]}
        return ends

    @cached_property
    def pairs(self) -> list[tuple[End[S], End[S]]]:
        """The links, each once."""

        def order(end: End[S]) -> tuple[str, str]:
            return end[0].name, end[1]

        return [(near, far) for near, far in self.links.items() if order(near) < order(far)]

    def _facing(self, known: Mapping[End[S], End[S]]) -> Iterator[tuple[End[S], End[S]]]:
        """Yield ports whose descriptions name only each other's switch, if their counts agree."""
        towards: dict[tuple[S, S], list[str]] = defaultdict(list)
        for switch in self.switches:
            for name in switch.ports.keys() - {port.name for port in switch.gateways.values()}:
                text = one(switch.own(("interface", name)).get("description"))
                peer = self.mentioned(switch, text)
                if peer is not None and (switch, name) not in known:
                    towards[switch, peer].append(name)
        for (near, far), own in towards.items():
            there = towards.get((far, near), [])
            if len(own) == len(there):
                pairs = zip(natural(own), natural(there), strict=True)
                yield from (((near, first), (far, other)) for first, other in pairs)

    @cached_property
    def parts(self) -> dict[S, int]:
        """The number of a switch's network: links and sessions join switches."""
        joined: dict[object, object] = {}

        def top(each: object) -> object:
            while (above := joined.setdefault(each, each)) is not each:
                joined[each] = each = joined[above]
            return each

        for (near, _), (far, _) in self.links.items():
            joined[top(near)] = top(far)
        for switch in self.switches:
            for session in switch.sessions if switch.vtep else ():
                if "evpn" in session.families:  # clients of one route reflector
                    joined[top(switch)] = top((session.peer, session.asn))
        numbers: dict[object, int] = {}
        return {each: numbers.setdefault(top(each), len(numbers)) for each in self.switches}

    @cached_property
    def holders(self) -> dict[IPv4Address | IPv6Address, list[tuple[S, Port]]]:
        """The ports with an address, in any VRF."""
        every: dict[IPv4Address | IPv6Address, list[tuple[S, Port]]] = defaultdict(list)
        for switch in self.switches:
            for port in switch.ports.values():
                for each in port.addresses if port.up else ():
                    every[each.ip].append((switch, port))
        return every

    def far_session(self, switch: S, session: Session) -> tuple[S, Session] | None:
        """Return the remote end of a session; None if it is unknown or ambiguous."""
        far = self.links.get((switch, session.peer))
        towards: S | str = switch if far is None else far[1]
        ends = [
            (peer, each)
            for peer in self._peers(switch, session)
            for each in self._sessions_to.get((peer, session.vrf, towards), ())
            if self._means(peer, each, switch, session)
        ]
        return ends[0] if len(ends) == 1 else None

    @cached_property
    def _sessions_to(self) -> dict[tuple[S, str, S | str], list[Session]]:
        """The sessions of a switch in a VRF, by the name of the remote end and by its holder."""
        found: dict[tuple[S, str, S | str], list[Session]] = defaultdict(list)
        for switch in self.switches:
            for each in switch.sessions:
                held = dict.fromkeys(holder for holder, _ in self._holders(parsed(each.peer)))
                found[switch, each.vrf, each.peer].append(each)
                for holder in held:
                    found[switch, each.vrf, holder].append(each)
        return found

    def _peers(self, switch: S, session: Session) -> list[S]:
        far = self.links.get((switch, session.peer))
        if far is not None:
            return [far[0]]
        held = self._holders(parsed(session.peer))
        return list(dict.fromkeys(each for each, _ in held if each is not switch))

    def _means(self, peer: S, other: Session, switch: S, session: Session) -> bool:
        """Return whether a peer's session is the other end: it names a port on the same subnet."""
        if (switch, session.peer) in self.links:
            return self.links[switch, session.peer] == (peer, other.peer)
        near = self._held(switch, parsed(other.peer))
        far = self._held(peer, parsed(session.peer))
        if near is None or far is None:
            return False
        return far.ip in near.network or (_is_single(near) and _is_single(far))

    def _held(self, switch: S, where: IPv4Address | IPv6Address | None) -> Address | None:
        """Return an address of a switch with its prefix length."""
        ports = (port for each, port in self._holders(where) if each is switch)
        return next((each for port in ports for each in port.addresses if each.ip == where), None)

    def _holders(self, where: IPv4Address | IPv6Address | None) -> list[tuple[S, Port]]:
        return self.holders.get(where, []) if where is not None else []

    def told(self) -> Iterator[tuple[End[S], End[S]]]:
        """Yield the cable ends in files: of each port its neighbor or its description."""
        for switch in self.switches:
            for name in switch.ports:
                far = self.far(switch, name)
                if far is not None:
                    yield (switch, name), far

    def far(self, switch: S, port: str) -> End[S] | None:
        """Return the remote end of a port's cable from its neighbor or description."""
        own = switch.own(("neighbor", port))
        peer = self.named.get(called(one(own.get("name"))))
        if peer is not None:
            there = _port_named(peer, one(own.get("port")))
            return (peer, there) if there else None
        return self.read(switch, one(switch.own(("interface", port)).get("description")))

    def read(self, switch: S, words: str) -> End[S] | None:
        """Find the name of another switch, and then of one of its ports, in a text."""
        parts = list(_WORD.finditer(words[:256]))
        for first, part in enumerate(parts):
            for last in range(min(len(parts), first + _MOST_WORDS) - 1, first - 1, -1):
                peer = self.named.get(called(words[part.start() : parts[last].end()]))
                if peer is not None and peer is not switch:
                    names = (_port_named(peer, each[0]) for each in parts[last + 1 :])
                    there = next(filter(None, names), "")
                    return (peer, there) if there else None
        return None

    def mentioned(self, switch: S, words: str) -> S | None:
        """Return another switch whose name is in a text."""
        parts = list(_WORD.finditer(words[:256]))
        for first, part in enumerate(parts):
            for last in range(first, min(len(parts), first + _MOST_WORDS)):
                peer = self.named.get(called(words[part.start() : parts[last].end()]))
                if peer is not None and peer is not switch:
                    return peer
        return None


AnyNetwork = Network[Any]


def called(name: str) -> str:
    """Return a normalized name: `_` and dots become hyphens."""
    return re.sub("[_.]", "-", name.lower())


def parsed(text: str) -> IPv4Address | IPv6Address | None:
    """Return an address; None for the name of a port."""
    try:
        return ip_address(text)
    except ValueError:
        return None


def _is_single(held: Address) -> bool:
    """Return whether an address is alone in its subnet, such as a loopback address."""
    return held.network.prefixlen == held.max_prefixlen


def _port_named(switch: Switch, word: str) -> str:
    """Return the port with that name or alias, in the local spelling; case does not count."""
    return switch.spelled.get(word.lower(), "")
