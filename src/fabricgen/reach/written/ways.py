"""The routes of all switches in; the ways that one switch has to an address in a VRF out."""

from __future__ import annotations

from ipaddress import ip_address
from typing import TYPE_CHECKING

from fabricgen.reach.written.exchange import Exchange, Route, applied, covers, network
from fabricgen.record import record
from fabricgen.tree.facts import GLOBAL

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.reach.packet import Address, End, Prefix, Station
    from fabricgen.reach.written.policies import Policy
    from fabricgen.reach.written.tables import Port, Session, Table, Tables


LEARNT = 100_000
"""The rank of what BGP tells, behind own subnets however much it is preferred."""


@record(kw_only=True)
class Entry:
    """One way of a VRF's table. rank: of two to one prefix the lower counts.

    port: an own subnet, or, outside, that to a router outside. tunnel: the leaf that announced it.
    vrf: another one of the switch, whose route it is. strange: why nobody knows where it leads.
    """

    length: int
    rank: int
    port: str = ""
    outside: bool = False
    tunnel: str = ""
    vrf: str = ""
    strange: str = ""


class Ways:
    """The tables of all VRFs."""

    def __init__(self, exchange: Exchange) -> None:
        """Take the routes."""
        self._exchange, self._switches = exchange, exchange.switches
        self._owners = {
            str(address.ip): each.name
            for each in exchange.switches.values()
            for port in each.ports.values()
            if port.tag and port.vrf != GLOBAL
            for address in port.addresses
        }

    def entries(
        self, switch: Tables, vrf: str, table: Table, target: Address, other: Station
    ) -> list[Entry]:
        """Return every way that a switch has to an address in a VRF."""
        own = self._own(switch, vrf, table, target, other)
        if vrf == GLOBAL or (own and own[0].length == target.max_prefixlen and not own[0].rank):
            return own
        doubts = [
            Entry(length=target.max_prefixlen, rank=-1, strange=theirs.strange)
            for far in self._switches.values()
            if switch.name in self._exchange.evpn.get(far.name, {})
            for theirs in far.tables.values()
            if theirs.strange and theirs.exports & table.imports
        ]
        return [*own, *doubts, *self._of_others(switch, vrf, table, target, other)]

    def _own(
        self, switch: Tables, vrf: str, table: Table, target: Address, other: Station
    ) -> list[Entry]:
        """Return the ways of a VRF's own routes."""
        own = self._exchange.connected(switch.name, vrf, target)
        if own is not None and vrf != GLOBAL and self._near(switch, vrf, other, target):
            # A leaf keeps what it learnt itself over what another tells of the same segment.
            return [Entry(length=target.max_prefixlen, rank=0, port=own[1].name)]
        entries = []
        if own is not None:
            entries.append(Entry(length=own[0].prefixlen, rank=0, port=own[1].name))
        if vrf == GLOBAL:
            learnt = self._exchange.learnt(switch.name, target)
            for _, name in learnt[1].hops if learnt is not None else ():
                assert learnt is not None
                entries.append(Entry(length=learnt[0].prefixlen, rank=LEARNT, tunnel=name))
            return entries
        for session, port in self.outside(switch, vrf):
            length = self._taken_from(switch, port, session, target, other)
            if length is not None:
                rank, far = LEARNT + session.preference, self._owners.get(session.peer, "")
                why = f"{port.name} of {switch.name} leads to {far}, at another site" if far else ""
                entries.append(
                    Entry(length=length, rank=rank, port=port.name, outside=True, strange=why)
                )
        for name, length, path in self._heard(switch, table, target, other):
            entries.append(Entry(length=length, rank=LEARNT + path, tunnel=name))
        return entries

    def _of_others(
        self, switch: Tables, vrf: str, table: Table, target: Address, other: Station
    ) -> Iterator[Entry]:
        """Yield the ways of routes that a VRF takes from others: FRR by name, EOS by their targets.

        What it takes is what a source has itself, never what that took in turn.
        """
        for name, source in switch.tables.items():
            by_targets = not switch.frr and source.exports & table.imports
            if name in (vrf, GLOBAL) or not (by_targets or name in table.takes):
                continue
            for entry in self._own(switch, name, source, target, other):
                prefix = network(target, entry.length)
                if _takes(table, prefix, name, source.exports):
                    yield Entry(length=entry.length, rank=entry.rank + 1, vrf=name)
        for far in self._switches.values() if table.imports else ():
            heard = far is not switch and switch.name in self._exchange.evpn.get(far.name, {})
            for name, theirs in far.tables.items() if heard else ():
                known = theirs.vni in switch.vrf_of and not switch.frr
                if theirs.vni == table.vni or not theirs.exports & table.imports or known:
                    continue
                why = f"{switch.name} takes routes of VNI {theirs.vni} into VRF {vrf}"
                for length, _ in self._announced(far, name, theirs, target, other):
                    yield Entry(length=length, rank=-1, strange=why)

    def _heard(
        self, switch: Tables, table: Table, target: Address, other: Station
    ) -> Iterator[tuple[str, int, int]]:
        """Yield who announces an address to a VRF by EVPN, how long a prefix, how far away."""
        for far in self._switches.values() if table.imports else ():
            heard = self._exchange.evpn.get(far.name, {}).get(switch.name)
            if heard is None or far is switch:
                continue
            vrf = far.vrf_of.get(table.vni, "")
            theirs = far.tables.get(vrf)
            if theirs is None or not theirs.exports & table.imports:
                continue
            for length, more in self._announced(far, vrf, theirs, target, other):
                if switch.frr or _takes(table, network(target, length), "", theirs.exports):
                    yield far.name, length, len(heard.path) + more

    def _announced(
        self, far: Tables, vrf: str, theirs: Table, target: Address, other: Station
    ) -> Iterator[tuple[int, int]]:
        """Yield the prefixes to an address that a leaf tells by EVPN, and how much farther it is.

        Those are its own: FRR is told by a map which, and EOS does not tell what it took.
        """
        if self.has(far, vrf, other, target):
            yield target.max_prefixlen, 0
        if target.version not in theirs.announced:
            return
        own = self._exchange.connected(far.name, vrf, target)
        if own is not None and _permits(theirs.told, own[0], "", frozenset()):
            yield own[0].prefixlen, 0
        for session, port in self.outside(far, vrf):
            length = self._taken_from(far, port, session, target, other)
            if length is not None and _permits(
                theirs.told, network(target, length), "", frozenset()
            ):
                yield length, 1 + session.preference % 100

    def _near(self, switch: Tables, vrf: str, other: Station, target: Address) -> bool:
        """Tell whether a leaf, or the other of its MLAG pair, has a station."""
        beside = self._switches.get(self._exchange.partners.get(switch.name, ""))
        leafs = [switch] if beside is None else [switch, beside]
        return any(self.has(each, vrf, other, target) for each in leafs)

    def has(self, far: Tables, vrf: str, other: Station, target: Address) -> bool:
        """Tell whether a leaf has a station in a VLAN with a gateway in a VRF: a host route."""
        theirs = other.address(target.version)
        if theirs is None or theirs.ip != target:
            return False
        for end in other.ends:
            port = far.ports.get(end.port) if end.switch == far.name else None
            vlan = other.tag or (port.untagged if port is not None else 0)
            gateway = far.gateways.get(vlan)
            if port is None or gateway is None or not carries(port, vlan, other.tag):
                continue
            if port.up and gateway.vrf == vrf and is_in(gateway, theirs.network):
                return bool(far.bridges[vlan].vni)
        return False

    def outside(self, switch: Tables, vrf: str) -> Iterator[tuple[Session, Port]]:
        """Yield the sessions of a VRF with routers outside, and the port of each."""
        for session in switch.sessions:
            for port in switch.ports.values() if session.vrf == vrf != GLOBAL else ():
                near = any(
                    session.peer != str(a.ip) and _holds(a.network, session.peer)
                    for a in port.addresses
                )
                if near and port.up and port.vrf == vrf:
                    yield session, port

    def _taken_from(
        self, switch: Tables, port: Port, session: Session, target: Address, other: Station
    ) -> int | None:
        """Return the length of the prefix to an address that a router outside may announce."""
        if f"ipv{target.version}" not in session.families:
            return None
        asns = {asn for end, asn in other.also if share(switch, end) is port}
        if asns and session.asn != "external" and session.asn not in asns:
            return None
        policy = session.policies["in"]
        if policy is None:
            return 0
        lists = [each for clause in policy for each in clause.prefixes or ()]
        able = [n for base, *lengths in lists for n in lengths if target in base.network]
        marks = frozenset(mark for clause in policy for mark in clause.communities or ())
        route = Route((), marks)  # it marks its routes as it is asked to
        told = [n for n in able if applied(policy, route, covers(network(target, n)))]
        return max(told, default=None)

    def prefixes(self, switch: Tables, vrf: str, target: Address, other: Station) -> list[Prefix]:
        """Return the prefixes to an address that a switch could tell a router outside."""
        table = switch.tables.get(vrf)
        if table is None:
            return []
        own = self._exchange.connected(switch.name, vrf, target) if table.redistributes else None
        heard = self._heard(switch, table, target, other)
        lengths = {length for _, length, _ in heard} | ({own[0].prefixlen} if own else set())
        return [network(target, length) for length in sorted(lengths)]


def _takes(table: Table, prefix: Prefix, source: str, targets: frozenset[str]) -> bool:
    """Tell whether the map of what a VRF takes lets a route of a source through."""
    return _permits(table.taken, prefix, source, targets)


def _permits(policy: Policy | None, prefix: Prefix, source: str, targets: frozenset[str]) -> bool:
    """Tell whether a policy lets a route pass; source: the VRF that it is copied from."""
    listed = covers(prefix)
    for clause in policy or ():
        fits = clause.prefixes is None or listed(clause)
        fits = fits and clause.source in (None, source)
        if fits and (clause.targets is None or clause.targets & targets):
            return clause.permit
    return policy is None


def share(switch: Tables, end: End) -> Port | None:
    """Return the port at an end, or the share of it or of its bundle that takes the end's tag."""
    port = switch.ports.get(end.port)
    if end.switch != switch.name or port is None or not (end.tag or port.bundle):
        return port if end.switch == switch.name else None
    whole = port.bundle or port.name
    if not end.tag:
        return switch.ports.get(whole)
    every = switch.ports.values()
    return next((each for each in every if (each.parent, each.tag) == (whole, end.tag)), None)


def carries(port: Port, vlan: int, tag: int | None) -> bool:
    """Tell whether a port has a VLAN, with that tag or without one."""
    if tag is None:
        return bool(port.untagged) and port.untagged == vlan
    return vlan in port.vlans and port.untagged != vlan and tag == vlan


def is_in(port: Port, subnet: Prefix) -> bool:
    """Tell whether a port has an address in a subnet."""
    return any(each.network == subnet for each in port.addresses)


def _holds(prefix: Prefix, address: str) -> bool:
    return ip_address(address) in prefix
