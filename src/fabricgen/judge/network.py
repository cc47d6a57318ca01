"""The switches of a folder in; who holds which address, and which ports are one link, out."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from fabricgen.judge.switch import Judged, plain
from fabricgen.output.changes import natural
from fabricgen.reach.written.values import text
from fabricgen.record import record
from fabricgen.tree.facts import TRUE, Key

if TYPE_CHECKING:
    from fabricgen.reach.packet import Address, Interface, Prefix
    from fabricgen.reach.written.tables import Port

_WORD = re.compile(r"[A-Za-z0-9./-]+")
_MOST_WORDS = 4
"""Of a name of a switch in a description, with anything between them."""


@record(eq=False, kw_only=True)
class Held:
    """An address on a port of a switch, and the VRF it is in, without what a platform adds."""

    switch: Judged
    port: Port
    address: Interface
    vrf: str

    @property
    def key(self) -> Key:
        """The object of its port."""
        return "interface", self.port.name

    @property
    def end(self) -> str:
        """The port as people say it."""
        return f"{self.switch.name}:{self.port.name}"

    @property
    def vlan(self) -> int:
        """The VLAN that it is the gateway of, 0 for none."""
        gateways = self.switch.tables.gateways
        return next((v for v, port in gateways.items() if port is self.port), 0)

    @property
    def shared(self) -> bool:
        """Tell whether several switches may have it, as one gateway."""
        own = self.switch.own(self.key)
        return self.vlan > 0 and (own.get("anycast") == TRUE or "mac" in own)

    @property
    def pair(self) -> str:
        """The MLAG pair that it is spoken in only; empty where it is anyone's."""
        pair = self.switch.tables.pair
        bridge = self.switch.tables.bridges.get(self.vlan)
        inner = self.port.name == (pair.over if pair else None) or (bridge and bridge.group)
        return pair_of(self.switch) if inner else ""


def pair_of(switch: Judged) -> str:
    """Return what tells the MLAG pair of a switch from others; empty where it has none.

    Pairs often share one domain, as it is told to the other leaf alone: their tunnels differ.
    """
    pair = switch.tables.pair
    return "" if pair is None else f"{pair.domain} {switch.tables.vtep or switch.asn}"


End = tuple[Judged, str]
"""A switch and a port of it."""


class Network:
    """All switches of a folder."""

    def __init__(self, switches: list[Judged]) -> None:
        """Take them; of two with one name the first is meant by it."""
        self.switches = switches
        self.named: dict[str, Judged] = {}
        for each in switches:
            self.named.setdefault(each.name.lower(), each)
        for each in switches:
            self.named.setdefault(_called(each.name), each)

    @cached_property
    def held(self) -> list[Held]:
        """Every address of a port that is up."""
        return [
            Held(switch=each, port=port, address=address, vrf=plain(port.vrf))
            for each in self.switches
            for port in each.tables.ports.values()
            if port.up
            for address in port.addresses
        ]

    @cached_property
    def holders(self) -> dict[Address, list[Held]]:
        """Who holds an address, in whichever VRF."""
        every: dict[Address, list[Held]] = defaultdict(list)
        for each in self.held:
            every[each.address.ip].append(each)
        return every

    @cached_property
    def subnets(self) -> dict[tuple[str, Prefix], list[Held]]:
        """The holders of a subnet in a VRF; single addresses have none, nor have link-locals."""
        every: dict[tuple[str, Prefix], list[Held]] = defaultdict(list)
        for each in self.held:
            alone = each.address.network.prefixlen == each.address.max_prefixlen
            if not alone and not each.address.is_link_local:
                every[each.vrf, each.address.network].append(each)
        return every

    @cached_property
    def links(self) -> dict[End, End]:
        """The known links, from both ends: by a subnet of two, by LLDP, by descriptions.

        Those of descriptions name a port, else the switch alone.
        """
        ends: dict[End, End] = {}
        for (_, subnet), held in self.subnets.items():
            if subnet.num_addresses <= 4 and len({each.switch for each in held}) == len(held) == 2:
                one, other = ((each.switch, each.port.name) for each in held)
                ends |= {one: other, other: one}
        for near, far in self.told():
            if near not in ends and far not in ends:
                ends |= {near: far, far: near}
        for near, far in self._facing(ends):
            ends |= {near: far, far: near}
        return ends

    def _facing(self, known: Mapping[End, End]) -> Iterator[tuple[End, End]]:
        """Yield ports whose texts name each other's switch alone, in order, where as many do."""
        towards: dict[tuple[Judged, Judged], list[str]] = defaultdict(list)
        for switch in self.switches:
            inner = {port.name for port in switch.tables.gateways.values()}
            for name in switch.tables.ports.keys() - inner:
                told = text(switch.own(("interface", name)).get("description"))
                peer = self.mentioned(switch, told)
                if peer is not None and (switch, name) not in known:
                    towards[switch, peer].append(name)
        for (near, far), own in towards.items():
            there = towards.get((far, near), [])
            if len(own) == len(there):
                pairs = zip(natural(own), natural(there), strict=True)
                yield from (((near, one), (far, other)) for one, other in pairs)

    @cached_property
    def parts(self) -> dict[Judged, int]:
        """The number of the network that a switch is in: what links and sessions join is one."""
        joined: dict[object, object] = {}

        def top(each: object) -> object:
            while (above := joined.setdefault(each, each)) is not each:
                joined[each] = each = joined[above]
            return each

        for (one, _), (other, _) in self.links.items():
            joined[top(one)] = top(other)
        for switch in self.switches:
            for session in switch.tables.sessions if switch.tables.vtep else ():
                if "evpn" in session.families:  # whoever asks the same reflector
                    joined[top(switch)] = top((session.peer, session.asn))
        numbers: dict[object, int] = {}
        return {each: numbers.setdefault(top(each), len(numbers)) for each in self.switches}

    def told(self) -> Iterator[tuple[End, End]]:
        """Yield the ends of cables that are said: of each port the one that its text names."""
        for switch in self.switches:
            for name in switch.tables.ports:
                far = self.far(switch, name)
                if far is not None:
                    yield (switch, name), far

    def far(self, switch: Judged, port: str) -> End | None:
        """Return the other end of a port's cable as its neighbour or description has it."""
        own = switch.own(("neighbour", port))
        peer = self.named.get(_called(text(own.get("name"))))
        if peer is not None:
            there = _port_named(peer, text(own.get("port")))
            return (peer, there) if there else None
        return self.read(switch, text(switch.own(("interface", port)).get("description")))

    def read(self, switch: Judged, words: str) -> End | None:
        """Find the name of another switch, and behind it that of one of its ports, in a text."""
        parts = list(_WORD.finditer(words[:256]))
        for first, part in enumerate(parts):
            for last in range(min(len(parts), first + _MOST_WORDS) - 1, first - 1, -1):
                peer = self.named.get(_called(words[part.start() : parts[last].end()]))
                if peer is not None and peer is not switch:
                    names = (_port_named(peer, each[0]) for each in parts[last + 1 :])
                    there = next(filter(None, names), "")
                    return (peer, there) if there else None
        return None

    def mentioned(self, switch: Judged, words: str) -> Judged | None:
        """Return another switch whose name stands in a text."""
        parts = list(_WORD.finditer(words[:256]))
        for first, part in enumerate(parts):
            for last in range(first, min(len(parts), first + _MOST_WORDS)):
                peer = self.named.get(_called(words[part.start() : parts[last].end()]))
                if peer is not None and peer is not switch:
                    return peer
        return None


def _called(name: str) -> str:
    """Return a name as it is compared: one may be spelled with `_` or dots in one place alone."""
    return re.sub("[_.]", "-", name.lower())


def _port_named(switch: Judged, word: str) -> str:
    """Return the port of that name or alias, as it is spelled there; case does not count."""
    return switch.spelled.get(word.lower(), "")
