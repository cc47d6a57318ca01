"""Finds the routes of a switch to an address in a VRF."""

from collections.abc import Iterator
from ipaddress import ip_address
from typing import NamedTuple

from fabricgen.core.record import record
from fabricgen.core.tree.facts import GLOBAL
from fabricgen.prove.walk.borders import Far, Sessions, announced, far_ends, outside, share
from fabricgen.prove.walk.domains import Domains, one_vlan, passes
from fabricgen.prove.walk.exchange import Exchange, Peering, Route, applied, covers, network
from fabricgen.prove.walk.packet import Address, Prefix, Station
from fabricgen.prove.walk.pairs import joined
from fabricgen.prove.walk.policies import Policy
from fabricgen.prove.walk.ports import Port
from fabricgen.prove.walk.tables import Session, Static, Table, Tables

Path = tuple[int, ...]
STATIC = 1000
"""The rank of a static route, behind local subnets."""
LEARNED = 100_000
"""The rank of BGP routes, behind local subnets for every preference."""
INSIDE = 0.5
"""Extra rank of routes from the local AS among equal ones (RFC 4271, section 9.1.2.2)."""


@record(kw_only=True)
class Entry:
    """One path in a VRF's table. `rank`: the lower one of two paths to one prefix counts.

    `port`: a local subnet, or, outside, the port to an external router. `tunnel`: the leaf that
    advertised it. `beside`: the other leaf of an MLAG pair, which advertised it. `vrf`: another VRF
    of the switch that has the route. `via`: the next hop of a static route. `far`: the other end of
    a link between sites. `strange`: reason why its next hop is unknown.
    """

    length: int
    rank: float
    port: str = ""
    beside: str = ""
    outside: bool = False
    tunnel: str = ""
    vrf: str = ""
    via: str = ""
    far: Far | None = None
    strange: str = ""


class _Heard(NamedTuple):
    """An EVPN prefix: its origin, and the AS path with all ASNs that the origin received."""

    teller: str
    length: int
    path: Path
    marks: frozenset[str] = frozenset()


class _Offer(NamedTuple):
    """A prefix that a switch could advertise in a VRF: its path, communities and rank.

    `own`: it did not come from EVPN, so the switch also advertises it there.
    """

    prefix: Prefix
    path: Path
    marks: frozenset[str] = frozenset()
    behind: int = 0
    own: bool = True


_Teller = tuple[Tables, str, Table, Route]
"""A switch, its VRF with this name and table, and its route to the switch that imports them."""


class Ways:
    """The tables of all VRFs."""

    def __init__(self, exchange: Exchange) -> None:
        """Set the routes."""
        self._exchange, self._switches = exchange, exchange.switches
        self._asking: set[Sessions] = set()
        self._domains = Domains(exchange)
        self._tellers: dict[tuple[str, int], list[_Teller]] = {}
        self._others: dict[tuple[str, str], list[tuple[Tables, str, Table]]] = {}
        self._outer: dict[tuple[str, str], list[tuple[Session, Port]]] = {}
        self.far = far_ends(exchange.switches, exchange.crossings)
        self.judged = any(far.port and far.port.filters for far in self.far.values())

    def entries(
        self, switch: Tables, vrf: str, table: Table, target: Address, other: Station
    ) -> list[Entry]:
        """Return every path of a switch to an address in a VRF."""
        own = self._own(switch, vrf, table, target, other)
        if vrf == GLOBAL or (own and own[0].length == target.max_prefixlen and not own[0].rank):
            return own
        doubts = [
            Entry(length=target.max_prefixlen, rank=-1, strange=theirs.strange)
            for _, _, theirs in self._imported(switch, vrf, table)
            if theirs.strange
        ]
        return [*own, *doubts, *self._of_others(switch, vrf, table, target, other)]

    def _own(
        self, switch: Tables, vrf: str, table: Table, target: Address, other: Station
    ) -> list[Entry]:
        """Return the paths of a VRF's own routes."""
        own = self._exchange.connected(switch.name, vrf, target)
        if own is not None and vrf != GLOBAL and self._near(switch, vrf, other, target):
            # A leaf prefers its own learned address over another's route for the same segment.
            return [Entry(length=target.max_prefixlen, rank=0, port=own[1].name)]
        entries = []
        if own is not None:
            entries.append(Entry(length=own[0].prefixlen, rank=0, port=own[1].name))
        if vrf == GLOBAL:
            learned = self._exchange.learned(switch.name, target)
            for _, name in learned[1].hops if learned is not None else ():
                assert learned is not None
                entries.append(Entry(length=learned[0].prefixlen, rank=LEARNED, tunnel=name))
            return entries
        for prefix, port, told in self._statics(switch, vrf, target):
            entries.append(
                Entry(length=prefix.prefixlen, rank=STATIC, port=port.name, via=told.via)
            )
        entries += self._over_borders(switch, vrf, target, other)
        entries += [
            Entry(
                length=each.prefix.prefixlen,
                rank=LEARNED + each.behind + INSIDE,
                beside=self._exchange.partners[switch.name],
            )
            for each in self._of_pair(switch, vrf, target, other)
        ]
        for each in self._everywhere(switch, table, target, other):
            rank = LEARNED + len(each.path)
            entries.append(Entry(length=each.length, rank=rank, tunnel=each.teller))
        return entries

    def _statics(
        self, switch: Tables, vrf: str, target: Address
    ) -> Iterator[tuple[Prefix, Port, Static]]:
        """Yield the static routes to an address, with the port to a connected next hop."""
        for each in switch.statics:
            route = each.prefix
            if each.vrf == vrf and target.version == route.version and target in route.network:
                near = self._exchange.connected(switch.name, vrf, ip_address(each.via))
                if near is not None and each.port in ("", near[1].name):
                    yield route.network, near[1], each

    def subnets(self, switch: Tables, vrf: str, target: Address) -> Iterator[Prefix]:
        """Yield the VLAN subnet of an address in a VRF, for every leaf that has it.

        A router without a protocol must have static routes to these.
        """
        vni = switch.tables[vrf].vni
        for far in self._switches.values():
            own = self._exchange.connected(far.name, far.vrf_of.get(vni, ""), target)
            if own is not None and own[1] in far.gateways.values():
                yield own[0]

    def _over_borders(
        self, switch: Tables, vrf: str, target: Address, other: Station
    ) -> Iterator[Entry]:
        """Yield the paths that external routers and other sites advertise to a VRF."""
        for session, port in self._outside(switch, vrf):
            far = self.far.get((switch.name, vrf, session.peer))
            told = self._taken_from(switch, port, session, target, other)
            if told is not None or (far is not None and far.strange):
                length, path = told or (target.max_prefixlen, ())
                yield Entry(
                    length=length,
                    rank=LEARNED + _wish(session) + len(path),
                    port=port.name,
                    outside=True,
                    far=far,
                    strange=far.strange if far is not None else "",
                )

    def _of_others(
        self, switch: Tables, vrf: str, table: Table, target: Address, other: Station
    ) -> Iterator[Entry]:
        """Yield the imported routes of a VRF: FRR imports by name, EOS by targets.

        Only a source's own routes are imported, never its imported ones.
        """
        for name, source in switch.tables.items():
            by_targets = not switch.frr and source.exports & table.imports
            if name in (vrf, GLOBAL) or not (by_targets or (target.version, name) in table.takes):
                continue
            for entry in self._own(switch, name, source, target, other):
                prefix = network(target, entry.length)
                if _takes(table, prefix, name, source.exports):
                    yield Entry(length=entry.length, rank=entry.rank + 1, vrf=name)
        for far, name, theirs in self._imported(switch, vrf, table):
            known = theirs.vni in switch.vrf_of and not switch.frr
            if far is switch or theirs.vni == table.vni or known:
                continue
            why = f"{switch.name} imports routes of VNI {theirs.vni} into VRF {vrf}"
            for length, _ in self._announced(far, name, theirs, target, other):
                yield Entry(length=length, rank=-1, strange=why)

    def _imported(self, switch: Tables, vrf: str, table: Table) -> list[tuple[Tables, str, Table]]:
        """Return the VRFs of all switches whose EVPN routes a VRF of a switch imports."""
        if (switch.name, vrf) not in self._others:
            self._others[switch.name, vrf] = [
                (far, name, theirs)
                for far in self._switches.values()
                if switch.name in self._exchange.evpn.get(far.name, {})
                for name, theirs in far.tables.items()
                if theirs.exports & table.imports
            ]
        return self._others[switch.name, vrf]

    def _heard(
        self, switch: Tables, table: Table, target: Address, other: Station
    ) -> Iterator[_Heard]:
        """Yield the switches that advertise an address to a VRF by EVPN."""
        for far, vrf, theirs, heard in self._told_by(switch, table):
            for length, path in self._announced(far, vrf, theirs, target, other):
                if switch.frr or _takes(table, network(target, length), "", theirs.exports):
                    yield _Heard(far.name, length, (*heard.path, *path), heard.marks)

    def _told_by(self, switch: Tables, table: Table) -> list[_Teller]:
        """Return the VRFs of other switches with the VNI of a VRF, and their EVPN routes."""
        key = (switch.name, id(table))
        if key not in self._tellers:
            self._tellers[key] = [
                (far, vrf, theirs, heard)
                for far in self._switches.values()
                if (heard := self._exchange.evpn.get(far.name, {}).get(switch.name)) is not None
                and far is not switch
                and (theirs := far.tables.get(vrf := far.vrf_of.get(table.vni, ""))) is not None
                and theirs.exports & table.imports
            ]
        return self._tellers[key]

    def _everywhere(
        self, switch: Tables, table: Table, target: Address, other: Station
    ) -> Iterator[_Heard]:
        """Yield EVPN sources of an address: in this domain, and gateways for another."""
        yield from self._heard(switch, table, target, other)
        if not self._exchange.across:
            return
        yield from self._across(switch, table, target, other)
        for gate, heard in self._domains.gates(switch):
            theirs = gate.tables.get(gate.vrf_of.get(table.vni, ""))
            if gate.passes_on and theirs is not None and theirs.exports & table.imports:
                for each in self._across(gate, theirs, target, other):
                    yield _Heard(gate.name, each.length, (*heard.path, *each.path))

    def _across(
        self, gate: Tables, table: Table, target: Address, other: Station
    ) -> Iterator[_Heard]:
        """Yield the routes that gateways of another domain advertise: their own, and received ones.

        A host route belongs to its VLAN, if that is stretched here; a prefix to its VRF.
        """
        for peering in self._exchange.across.get(gate.name, ()):
            beyond = peering.teller
            vrf = beyond.vrf_of.get(table.vni, "")
            theirs = beyond.tables.get(vrf)
            if theirs is None or not theirs.exports & table.imports:
                continue
            if not passes(peering, theirs.exports):
                continue
            path = (int(beyond.asn),)
            for length, more in self._announced(beyond, vrf, theirs, target, other):
                if length < target.max_prefixlen or self._goes_on(peering, beyond, other):
                    yield _Heard(beyond.name, length, (*path, *more))
            for each in self._heard(beyond, theirs, target, other) if beyond.passes_on else ():
                teller = self._switches[each.teller]
                if each.length < target.max_prefixlen or self._goes_on(peering, teller, other):
                    yield _Heard(beyond.name, each.length, (*path, *each.path))

    def _goes_on(self, peering: Peering, leaf: Tables, other: Station) -> bool:
        """Return whether a station's VLAN at a leaf continues beyond the gateways of a session."""
        for end in other.ends:
            port = leaf.ports.get(end.port) if end.switch == leaf.name else None
            bridge = leaf.bridges.get(other.tag or (port.untagged if port is not None else 0))
            if port is not None and bridge is not None and one_vlan(peering, bridge.vni):
                return True
        return False

    def _announced(
        self, far: Tables, vrf: str, theirs: Table, target: Address, other: Station
    ) -> Iterator[tuple[int, Path]]:
        """Yield the prefixes to an address that a leaf advertises by EVPN, and their paths.

        These are its own: a map selects them in FRR, and EOS does not advertise imported ones.
        """
        if self.has(far, vrf, other, target):
            yield target.max_prefixlen, ()
        if target.version not in theirs.announced:
            return
        own, policy = self._redistributed(far, vrf, theirs, target), theirs.told.get(target.version)
        if own is not None and _permits(policy, own, "", frozenset()):
            yield own.prefixlen, ()
        for prefix, _, _ in self._statics(far, vrf, target):
            if target.version in theirs.statics and _permits(policy, prefix, "", frozenset()):
                yield prefix.prefixlen, ()
        for session, port in self._outside(far, vrf):
            told = self._taken_from(far, port, session, target, other)
            if told and _permits(policy, network(target, told[0]), "", frozenset()):
                yield told
        for each in self._of_pair(far, vrf, target, other):
            if each.own:
                yield each.prefix.prefixlen, each.path

    def _redistributed(
        self, switch: Tables, vrf: str, table: Table, target: Address
    ) -> Prefix | None:
        """Return the subnet of an address that a switch has and advertises in a VRF, or None."""
        own = self._exchange.connected(switch.name, vrf, target)
        if own is None or not _permits(
            table.connected.get(target.version), own[0], "", frozenset()
        ):
            return None
        return own[0]

    def _of_pair(
        self, switch: Tables, vrf: str, target: Address, other: Station
    ) -> Iterator[_Offer]:
        """Yield the routes of the other MLAG leaf to an address in a VRF, by iBGP."""
        beside = self._beside(switch)
        up = joined(switch, beside, vrf, f"ipv{target.version}") if beside is not None else None
        if beside is None or up is None:
            return
        policies = up[1].policies["out"], up[0].policies["in"]
        for each in self._known(beside, vrf, target, other):
            route: Route | None = Route(each.path, each.marks)
            for policy in policies:
                route = applied(policy, route, covers(each.prefix)) if route is not None else None
            if route is not None:
                yield each._replace(path=route.path, marks=route.marks)

    def _outside(self, switch: Tables, vrf: str) -> list[tuple[Session, Port]]:
        """Return the sessions of a VRF with external routers, and the port of each."""
        if (switch.name, vrf) not in self._outer:
            self._outer[switch.name, vrf] = list(outside(switch, vrf))
        return self._outer[switch.name, vrf]

    def _beside(self, switch: Tables) -> Tables | None:
        """Return the other leaf of an MLAG pair."""
        return self._switches.get(self._exchange.partners.get(switch.name, ""))

    def _near(self, switch: Tables, vrf: str, other: Station, target: Address) -> bool:
        """Return whether a leaf, or the other of its MLAG pair, has a station."""
        beside = self._beside(switch)
        leafs = [switch] if beside is None else [switch, beside]
        return any(self.has(each, vrf, other, target) for each in leafs)

    def has(self, far: Tables, vrf: str, other: Station, target: Address) -> bool:
        """Return whether a leaf has a station in a VLAN with a gateway in a VRF: a host route."""
        ends = [end for end in other.ends if end.switch == far.name]
        theirs = other.address(target.version) if ends else None
        if theirs is None or theirs.ip != target:
            return False
        for end in ends:
            port = far.ports.get(end.port)
            vlan = other.tag or (port.untagged if port is not None else 0)
            gateway = far.gateways.get(vlan)
            if port is None or gateway is None or not carries(port, vlan, other.tag):
                continue
            if port.up and gateway.vrf == vrf and is_in(gateway, theirs.network):
                return bool(far.bridges[vlan].vni)
        return False

    def _taken_from(
        self, switch: Tables, port: Port, session: Session, target: Address, other: Station
    ) -> tuple[int, Path] | None:
        """Return the length of the advertised prefix to an address, and its path.

        An external router advertises every permitted prefix as its own; another site its own
        routes.
        """
        if f"ipv{target.version}" not in session.families:
            return None
        far = self.far.get((switch.name, session.vrf, session.peer))
        if far is not None:
            return self._from_site(switch, session, far, target, other)
        asns = {asn for end, asn in other.also if share(switch, end) is port}
        if asns and session.asn != "external" and session.asn not in asns:
            return None
        length = announced(session, target)
        return (length, _path(session)) if length is not None else None

    def _from_site(
        self, switch: Tables, session: Session, far: Far, target: Address, other: Station
    ) -> tuple[int, Path] | None:
        """Return the longest prefix to an address from another site, with its path.

        A recursive lookup of a session would receive its own route: a loop.
        """
        key = (far.switch.name, session.vrf, session.peer)
        theirs = far.session
        if theirs is None or f"ipv{target.version}" not in theirs.families or key in self._asking:
            return None
        assert far.port is not None
        own = {int(switch.asn), int(session.local_asn or switch.asn)}
        self._asking.add(key)
        taken = []
        for prefix, path in self._told(far.switch, far.port.vrf, theirs, target, other):
            if own.isdisjoint(path):
                policy, listed = session.policies["in"], covers(prefix)
                route = applied(policy, Route((int(far.asn), *path), frozenset()), listed)
                taken += [(prefix.prefixlen, route.path)] if route is not None else []
        self._asking.discard(key)
        return max(taken, key=lambda each: (each[0], -len(each[1])), default=None)

    def _told(
        self, switch: Tables, vrf: str, session: Session, target: Address, other: Station
    ) -> Iterator[tuple[Prefix, Path]]:
        """Yield the prefixes to an address that a session advertises, and their paths."""
        known = self._known(switch, vrf, target, other)
        for each in (*known, *self._of_pair(switch, vrf, target, other)):
            route = Route(each.path, each.marks)
            sent = applied(session.policies["out"], route, covers(each.prefix))
            if sent is not None:
                yield each.prefix, sent.path
        if session.default:
            yield network(target, 0), ()

    def _known(self, switch: Tables, vrf: str, target: Address, other: Station) -> Iterator[_Offer]:
        """Yield the prefixes to an address that a switch could advertise, except its pair's."""
        table = switch.tables.get(vrf)
        if table is None:
            return
        own = self._redistributed(switch, vrf, table, target) if table.redistributes else None
        if own is not None:
            yield _Offer(own, ())
        for prefix, _, _ in self._statics(switch, vrf, target):
            if target.version in table.statics:
                yield _Offer(prefix, ())
        for each in self._everywhere(switch, table, target, other):
            prefix = network(target, each.length)
            yield _Offer(prefix, each.path, each.marks, len(each.path), own=False)
        for session, port in self._outside(switch, vrf):
            told = self._taken_from(switch, port, session, target, other)
            if told is not None:
                behind = _wish(session) + len(told[1])
                yield _Offer(network(target, told[0]), told[1], frozenset(), behind)

    def told(
        self, switch: Tables, vrf: str, session: Session, target: Address, other: Station
    ) -> list[Prefix]:
        """Return the prefixes to an address that an external router receives."""
        return [prefix for prefix, _ in self._told(switch, vrf, session, target, other)]


def _wish(session: Session) -> int:
    """Return how far its preference ranks routes behind the most preferred ones."""
    return session.preference - session.preference % 100


def _path(session: Session) -> Path:
    """Return the path of an external router: its ASN, 0 without one, after prepended ASNs."""
    first = next((each for each in session.policies["in"] or () if each.permit), None)
    asn = int(session.asn) if session.asn.isdigit() else 0
    return (*(first.prepends if first is not None else ()), asn)


def _takes(table: Table, prefix: Prefix, source: str, targets: frozenset[str]) -> bool:
    """Return whether the import map of a VRF permits a route of a source."""
    return _permits(table.taken.get(prefix.version), prefix, source, targets)


def _permits(policy: Policy | None, prefix: Prefix, source: str, targets: frozenset[str]) -> bool:
    """Return whether a policy permits a route; `source`: the VRF that it is imported from."""
    listed = covers(prefix)
    for clause in policy or ():
        fits = clause.prefixes is None or listed(clause)
        fits = fits and clause.source in (None, source)
        if fits and (clause.targets is None or clause.targets & targets):
            return clause.permit
    return policy is None


def carries(port: Port, vlan: int, tag: int | None) -> bool:
    """Return whether a port has a VLAN, with that tag or without one."""
    if tag is None:
        return bool(port.untagged) and port.untagged == vlan
    return vlan in port.vlans and port.untagged != vlan and tag == vlan


def is_in(port: Port, subnet: Prefix) -> bool:
    """Return whether a port has an address in a subnet."""
    return any(each.network == subnet for each in port.addresses)
