"""Computes the routes that switches exchange, from their tables and cables.

Speakers advertise their best route until no route changes. Prefixes from the same switches that no
policy distinguishes are one class and take the same paths. So do EVPN routes of one switch.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from ipaddress import IPv4Network, IPv6Network, ip_address
from typing import NamedTuple

from fabricgen.core.record import record
from fabricgen.core.tree.facts import GLOBAL
from fabricgen.prove.walk.packet import Address, End, Prefix
from fabricgen.prove.walk.pairs import agree, partners
from fabricgen.prove.walk.policies import Clause, Policy, Unreadable
from fabricgen.prove.walk.ports import Port
from fabricgen.prove.walk.tables import Session, Tables

Cables = Mapping[End, End]
MOST = 60
"""Maximum updates per switch until a class is settled; a fabric needs its number of tiers."""


@record(kw_only=True)
class Peering:
    """A session that is up, from sender to receiver. `port`: of the receiver towards the sender."""

    teller: Tables
    telling: Session
    hearer: Tables
    hearing: Session
    port: str


class Route(NamedTuple):
    """A best route: AS path, communities, tunnel endpoint, and ports to the next hop.

    By OSPF, the path has the router IDs of the switches, and `cost` is the sum of its links.
    """

    path: tuple[int, ...]
    marks: frozenset[str]
    endpoint: str = ""
    hops: tuple[tuple[str, str], ...] = ()
    cost: int = 0

    @property
    def length(self) -> int:
        """Return what decides between two routes of one protocol."""
        return self.cost or len(self.path)


Matches = Callable[[Clause], bool]
Heard = Mapping[str, Route]
"""By the name of a switch, its best route to the target."""


class Unsettled(ValueError):  # noqa: N818 - it says which routes
    """Routes do not converge."""


class Exchange:
    """Learned routes of every switch."""

    def __init__(
        self, switches: Mapping[str, Tables], cables: Cables, crossings: Cables | None = None
    ) -> None:
        """Let all sessions come up, and routes converge. `crossings`: links between sites."""
        self.switches, self.cables, self.crossings = switches, cables, crossings or {}
        self._odd: dict[str, str] = {}
        self.partners = partners(switches, cables)
        self._peerings = {family: self._up(family) for family in ("ipv4", "ipv6")}
        self._addresses: dict[str, set[str]] = {}
        self._sizes: dict[tuple[str, str], Mapping[int, list[int]]] = {}
        self._near: dict[tuple[str, str, Address], tuple[Prefix, Port] | None] = {}
        self._classes: dict[Prefix, Heard] = {}
        self._settle()
        self._lengths = {
            version: sorted(
                {p.prefixlen for p in self._classes if p.version == version}, reverse=True
            )
            for version in (4, 6)
        }
        self.evpn, self.across = self._evpn()
        self.unsure = self._unsure()

    def learned(self, name: str, target: Address) -> tuple[Prefix, Route] | None:
        """Return the longest learned prefix of a switch to an address outside all VRFs."""
        for length in self._lengths[target.version]:
            prefix = network(target, length)
            route = self._classes.get(prefix, {}).get(name)
            if route is not None and route.hops:
                return prefix, route
        return None

    def connected(self, name: str, vrf: str, target: Address) -> tuple[Prefix, Port] | None:
        """Return the longest local subnet in a VRF that contains an address."""
        key = (name, vrf, target)
        if key not in self._near:
            every = self.switches[name].subnets.get(vrf, {})
            able = (network(target, length) for length in self._spans(name, vrf)[target.version])
            self._near[key] = next(((each, every[each]) for each in able if each in every), None)
        return self._near[key]

    def has_address(self, name: str, address: str) -> bool:
        """Return whether a port of a switch has an address."""
        if name not in self._addresses:
            ports = self.switches[name].ports.values()
            self._addresses[name] = {str(each.ip) for port in ports for each in port.addresses}
        return address in self._addresses[name]

    def _spans(self, name: str, vrf: str) -> Mapping[int, list[int]]:
        """Return the prefix lengths of a switch's local subnets in a VRF, the longest first."""
        if (name, vrf) not in self._sizes:
            every = self.switches[name].subnets.get(vrf, {})
            self._sizes[name, vrf] = {
                version: sorted({p.prefixlen for p in every if p.version == version}, reverse=True)
                for version in (4, 6)
            }
        return self._sizes[name, vrf]

    def _up(self, family: str) -> dict[str, list[Peering]]:
        """Return the sessions that come up, by sender."""
        up: dict[str, list[Peering]] = defaultdict(list)
        for hearer in self.switches.values():
            for session in hearer.sessions:
                if session.vrf == GLOBAL and family in session.families and not session.multihop:
                    for each in self._direct(hearer, session, family):
                        up[each.teller.name].append(each)
        return up

    def _direct(self, hearer: Tables, hearing: Session, family: str) -> Iterator[Peering]:
        """Yield a session on a cable, if both ends have it."""
        for port in _towards(hearer, hearing.peer):
            far = self.cables.get(End(hearer.name, port.name))
            teller = self.switches.get(far.switch) if far is not None else None
            there = teller.ports.get(far.port) if far is not None and teller is not None else None
            if teller is None or there is None or not (port.up and there.up):
                continue
            if port.vrf != GLOBAL or there.vrf != GLOBAL:
                continue
            named = there.name if hearing.peer == port.name else hearing.peer
            mine = [str(each.ip) for each in port.addresses] + [port.name]
            theirs = {str(each.ip) for each in there.addresses} | {there.name}
            for telling in teller.sessions if named in theirs else ():
                back = there.name if telling.peer == there.name else telling.peer
                ends = back in (there.name, *mine)
                if not ends or telling.vrf != GLOBAL or telling.multihop:
                    continue
                if self._agree(hearer, hearing, teller, telling, family):
                    yield Peering(
                        teller=teller,
                        telling=telling,
                        hearer=hearer,
                        hearing=hearing,
                        port=port.name,
                    )

    def _settle(self) -> None:
        """Distribute the connected prefixes of every switch."""
        origins: dict[Prefix, set[str]] = defaultdict(set)
        for each in self.switches.values():
            for prefix in each.subnets.get(GLOBAL, {}):
                if each.connected is None or applied(
                    each.connected, Route((), frozenset()), covers(prefix)
                ):
                    origins[prefix].add(each.name)
        clauses = self._clauses()
        alike: dict[tuple[object, ...], list[Prefix]] = defaultdict(list)
        for prefix, names in origins.items():
            listed = covers(prefix)
            key = (prefix.version, frozenset(names), *(listed(clause) for clause in clauses))
            alike[key].append(prefix)
        for prefixes in alike.values():
            first = prefixes[0]
            peerings = self._peerings[f"ipv{first.version}"]
            heard = self._spread(
                {name: Route((), frozenset()) for name in origins[first]},
                peerings,
                ("in", "out"),
                covers(first),
            )
            self._classes |= dict.fromkeys(prefixes, heard)

    def _clauses(self) -> list[Clause]:
        """Return one clause for each prefix list that sessions name."""
        every = {
            clause.prefixes: clause
            for each in self.switches.values()
            for session in each.sessions
            for policy in session.policies.values()
            for clause in policy or ()
            if clause.prefixes is not None
        }
        return list(every.values())

    def _evpn(self) -> tuple[Mapping[str, Heard], Mapping[str, list[Peering]]]:
        """Return the receivers of each endpoint's EVPN routes, and receivers of other domains.

        Routes of an endpoint end at its domain; the latter are by receiver.
        """
        peerings: dict[str, list[Peering]] = defaultdict(list)
        across: dict[str, list[Peering]] = defaultdict(list)
        owners = {
            str(address.ip): each
            for each in self.switches.values()
            for port in each.ports.values()
            if port.vrf == GLOBAL
            for address in port.addresses
        }
        for hearer in self.switches.values():
            for hearing in hearer.sessions:
                teller = owners.get(hearing.peer)
                if "evpn" in hearing.families and teller is not None and hearing.vrf == GLOBAL:
                    for each in self._far(hearer, hearing, teller):
                        if hearing.remote or each.telling.remote:
                            across[hearer.name].append(each)
                        else:
                            peerings[teller.name].append(each)
        return {
            each.name: self._spread(
                {each.name: Route((), frozenset(), each.vtep)},
                peerings,
                ("evpn-in", "evpn-out"),
                _no_list,
            )
            for each in self.switches.values()
            if each.vtep
        }, across

    def _far(self, hearer: Tables, hearing: Session, teller: Tables) -> Iterator[Peering]:
        """Yield a session between loopbacks, if both ends have it and reach each other."""
        ours = _sources(hearer, hearing)
        for telling in teller.sessions:
            if telling.peer not in ours or telling.vrf != GLOBAL:
                continue
            if hearing.peer not in _sources(teller, telling):
                continue
            ways = self._knows(hearer, hearing.peer) and self._knows(teller, telling.peer)
            if ways and self._agree(hearer, hearing, teller, telling, "evpn"):
                yield Peering(
                    teller=teller, telling=telling, hearer=hearer, hearing=hearing, port=""
                )

    def _agree(
        self, one: Tables, ours: Session, other: Tables, theirs: Session, family: str
    ) -> bool:
        """Return whether both ends name each other's ASN, the password and the family."""
        odd = ours.strange or theirs.strange
        if ours.area or theirs.area:
            return not odd and ours.area == theirs.area and family in theirs.families
        if ours.remote is not theirs.remote:
            odd = f"only one of {one.name} and {other.name} has a domain boundary between them"
        if one.asn == other.asn:
            odd = f"{one.name} and {other.name} are in one AS"
        if odd:
            self._odd[one.name] = odd
        if odd or family not in theirs.families or not agree(one, ours, other, theirs):
            return False
        return family != "ipv4" or (_over_ipv6(one, ours) and _over_ipv6(other, theirs))

    def _unsure(self) -> Mapping[str, str]:
        """Return the switches with possibly wrong routes, each with the reason.

        Switches that cables join with an unknown session may receive other routes.
        """
        unsure, waiting = dict(self._odd), list(self._odd)
        beside: dict[str, set[str]] = defaultdict(set)
        for near, far in self.cables.items():
            beside[near.switch].add(far.switch)
        while waiting:
            here = waiting.pop()
            for there in beside[here] - unsure.keys():
                unsure[there] = unsure[here]
                waiting.append(there)
        return unsure

    def _spread(
        self,
        first: Mapping[str, Route],
        peerings: Mapping[str, list[Peering]],
        names: tuple[str, str],
        matches: Matches,
    ) -> Heard:
        """Distribute a route; without convergence no switch has it and all are uncertain."""
        try:
            return _spread(first, self.switches, peerings, names, matches)
        except (Unreadable, Unsettled) as fault:
            self._odd |= dict.fromkeys(first, str(fault))
            return {}

    def _knows(self, switch: Tables, address: str) -> bool:
        target = ip_address(address)
        return (
            self.learned(switch.name, target) is not None
            or self.connected(switch.name, GLOBAL, target) is not None
        )


def _spread(
    first: Mapping[str, Route],
    switches: Mapping[str, Tables],
    peerings: Mapping[str, list[Peering]],
    names: tuple[str, str],
    matches: Matches,
) -> Heard:
    """Distribute a route from its origin until no switch has news."""
    best: dict[str, Route] = dict(first)
    offers: dict[str, dict[int, tuple[Route, Peering]]] = defaultdict(dict)
    waiting, turns = dict.fromkeys(first), 0
    while waiting:
        name, turns = next(iter(waiting)), turns + 1
        del waiting[name]
        if turns > MOST * len(switches):
            raise Unsettled(f"the routes of {', '.join(first)} do not converge")
        if name not in first:
            new = _best(switches[name], offers[name].values())
            if new == best.get(name):
                continue
            best.pop(name, None)
            if new is not None:
                best[name] = new
        for peering in peerings.get(name, ()):
            there, mine = peering.hearer.name, offers[peering.hearer.name]
            told = _told(best[name], peering, names, matches) if name in best else None
            before = mine.pop(id(peering), None)
            if told is not None:
                mine[id(peering)] = (told, peering)
            if (before[0] if before else None) != told and there not in first:
                waiting[there] = None
    return best


def _told(route: Route, peering: Peering, names: tuple[str, str], matches: Matches) -> Route | None:
    """Return a route as the receiver accepts it; None if a policy or its own ASN refuses it."""
    if peering.hearing.area:
        return _flooded(route, peering)
    inward, outward = names
    own = int(peering.teller.asn)
    if not peering.telling.communities:
        if route.endpoint:
            return None  # route targets are communities: without them no switch imports the route
        route = route._replace(marks=frozenset())
    sent = applied(peering.telling.policies[outward], route, matches)
    if sent is None or int(peering.hearer.asn) in (own, *sent.path):
        return None
    endpoint = sent.endpoint
    if endpoint and not peering.telling.keeps_next_hop and route.path:
        endpoint = peering.hearing.peer
    heard = Route((own, *sent.path), sent.marks, endpoint)
    return applied(peering.hearing.policies[inward], heard, matches)


AVOIDED = 65_535
"""The metric of the links of a switch that others are to pass by (RFC 6987 section 2)."""


def _flooded(route: Route, peering: Peering) -> Route | None:
    """Return a route as an OSPF neighbor computes it: with the cost of its port to the sender."""
    own, cost = peering.teller.rank, peering.hearing.cost
    if peering.hearer.rank in route.path:
        return None
    if route.path and peering.teller.avoided:
        cost += AVOIDED
    return Route((own, *route.path), frozenset(), cost=route.cost + cost)


def applied(policy: Policy | None, route: Route, matches: Matches) -> Route | None:
    """Return the result of a policy for a route: the first matching clause decides."""
    if policy is None:
        return route
    for clause in policy:
        if clause.prefixes is not None and not matches(clause):
            continue
        if clause.communities is not None and not clause.communities & route.marks:
            continue
        if not clause.permit:
            return None
        marks = (frozenset() if clause.strips else route.marks) | clause.adds
        return route._replace(path=(*clause.prepends, *route.path), marks=marks)
    return None


def _best(hearer: Tables, offers: Iterable[tuple[Route, Peering]]) -> Route | None:
    """Return the route of the shortest path, with all equally short paths."""
    every = list(offers)
    if not every:
        return None
    first, _ = min(every, key=_rank)
    shortest = first.length
    equal = [peering for route, peering in every if route.length == shortest]
    hops = sorted({(each.port, each.teller.name) for each in equal if each.port})
    ends = {route.endpoint for route, _ in every if route.length == shortest}
    endpoint = " or ".join(sorted(ends))  # two count as none: half of the packets would be lost
    return first._replace(endpoint=endpoint, hops=tuple(hops[: hearer.paths]))


def _rank(offer: tuple[Route, Peering]) -> tuple[int, int, str]:
    route, peering = offer
    return route.length, peering.teller.rank, peering.port


def _over_ipv6(switch: Tables, session: Session) -> bool:
    """Return whether a session carries IPv4: over IPv6 if the file says so.

    FRR does so by default for a session at a port (bgpd/bgp_vty.c, peer_conf_interface_get).
    """
    bare = session.peer in switch.ports
    return session.over_ipv6 or (switch.frr and bare) or not (bare or ":" in session.peer)


def _towards(switch: Tables, peer: str) -> list[Port]:
    """Return the ports whose cable leads to a session's peer."""
    if peer in switch.ports:
        return [switch.ports[peer]]
    try:
        target = ip_address(peer)
    except ValueError:
        return []
    every = switch.subnets.get(GLOBAL, {}).items()
    return [port for prefix, port in every if prefix.version == target.version and target in prefix]


def _sources(switch: Tables, session: Session) -> set[str]:
    """Return the possible source addresses of a session."""
    port = switch.ports.get(session.source)
    return {str(each.ip) for each in port.addresses} if port is not None else {session.source}


@lru_cache(maxsize=4096)
def network(target: Address, length: int) -> Prefix:
    """Return the prefix of a length that contains an address."""
    kind = IPv4Network if target.version == 4 else IPv6Network
    shift = target.max_prefixlen - length
    return kind((int(target) >> shift << shift, length))


def covers(prefix: Prefix) -> Matches:
    """Return whether the prefix list of a clause permits a prefix."""
    known: dict[int, bool] = {}

    def matches(clause: Clause) -> bool:
        if id(clause) not in known:
            known[id(clause)] = listed(clause)
        return known[id(clause)]

    def listed(clause: Clause) -> bool:
        return any(
            base.version == prefix.version
            and shortest <= prefix.prefixlen <= longest
            and prefix.network_address in base.network
            for base, shortest, longest in clause.prefixes or ()
        )

    return matches


def _no_list(clause: Clause) -> bool:
    raise Unreadable(f"an EVPN policy names {len(clause.prefixes or ())} prefixes")
