"""Finds the BGP sessions over the links between sites, from the tables of all switches.

A session of a VRF is on a port, or on a tagged subinterface. Its remote end has the same tag at the
other end of the link.
"""

from collections.abc import Iterator, Mapping
from ipaddress import ip_address

from fabricgen.core.record import record
from fabricgen.core.tree.facts import GLOBAL
from fabricgen.prove.walk.exchange import Route, applied, covers, network
from fabricgen.prove.walk.packet import Address, End
from fabricgen.prove.walk.pairs import agree, shown
from fabricgen.prove.walk.ports import Port
from fabricgen.prove.walk.tables import Session, Static, Tables


@record(kw_only=True)
class Far:
    """The other end of a session: its switch, its port, and its configuration of the session.

    `strange`: reason why the session is unknown; session is then None, as without a session.
    """

    switch: Tables
    port: Port | None = None
    session: Session | None = None
    strange: str = ""

    @property
    def asn(self) -> str:
        """Return the ASN that it uses on this session."""
        return shown(self.switch, self.session) if self.session is not None else ""


Sessions = tuple[str, str, str]
"""A session of a VRF: its switch, the VRF, the address of its peer."""


def share(switch: Tables, end: End) -> Port | None:
    """Return the port at an end, or the subinterface with the end's tag."""
    port = switch.ports.get(end.port)
    if end.switch != switch.name or port is None or not (end.tag or port.bundle):
        return port if end.switch == switch.name else None
    whole = port.bundle or port.name
    if not end.tag:
        return switch.ports.get(whole)
    every = switch.ports.values()
    return next((each for each in every if (each.parent, each.tag) == (whole, end.tag)), None)


def outside(switch: Tables, vrf: str) -> Iterator[tuple[Session, Port]]:
    """Yield the sessions of a VRF with external routers, and the port of each.

    A session inside the AS is with the other leaf of an MLAG pair.
    """
    for session in switch.sessions:
        if session.asn == switch.asn:
            continue
        for port in switch.ports.values() if session.vrf == vrf != GLOBAL else ():
            near = any(
                session.peer != str(a.ip) and ip_address(session.peer) in a.network
                for a in port.addresses
            )
            if near and port.up and port.vrf == vrf:
                yield session, port


def announced(session: Session, target: Address) -> int | None:
    """Return the length of the prefix to an address that an external router may advertise."""
    policy = session.policies["in"]
    if policy is None:
        return 0
    lists = [each for clause in policy for each in clause.prefixes or ()]
    able = [n for base, *lengths in lists for n in lengths if target in base.network]
    marks = frozenset(mark for clause in policy for mark in clause.communities or ())
    route = Route((), marks)  # it marks its routes as required
    told = (n for n in able if applied(policy, route, covers(network(target, n))))
    return max(told, default=None)


def far_ends(
    switches: Mapping[str, Tables], crossings: Mapping[End, End]
) -> Mapping[Sessions, Far]:
    """Return the remote end of each session on a link between sites, or in a tunnel."""
    found: dict[Sessions, Far] = {}
    for near, far in crossings.items():
        here, there = switches.get(near.switch), switches.get(far.switch)
        if here is None or there is None:
            continue
        for vrf in {each.vrf for each in here.sessions}:
            for session, port in outside(here, vrf):
                if share(here, near._replace(tag=port.tag)) is port:
                    end = share(there, far._replace(tag=port.tag))
                    found[here.name, vrf, session.peer] = _far(here, port, session, there, end)
    return found | _tunneled(switches)


def _tunneled(switches: Mapping[str, Tables]) -> dict[Sessions, Far]:
    """Return the remote end of each session in a tunnel, if its packets arrive."""
    ends = {
        port.through: (switch, port)
        for switch in switches.values()
        for port in switch.ports.values()
        if port.below
    }
    found: dict[Sessions, Far] = {}
    for (local, remote, key), (here, near) in ends.items():
        there, far = ends.get((remote, local, key), (None, None))
        for session, port in outside(here, near.vrf):
            if port is near:
                up = there is not None and far is not None and _gets_out(here, near)
                back = there is not None and far is not None and _gets_out(there, far)
                name = (here.name, near.vrf, session.peer)
                found[name] = _far(here, near, session, there or here, far if up and back else None)
    return found


def _gets_out(switch: Tables, tunnel: Port) -> bool:
    """Return whether a tunnel's packets leave by the port below it, with a local address."""
    local, remote, _ = tunnel.through
    port = switch.ports.get(tunnel.below)
    if port is None or local not in {str(each.ip) for each in port.addresses}:
        return False
    target = ip_address(remote)
    ways = (session for session, near in outside(switch, port.vrf) if near is port)
    told = any(announced(each, target) is not None for each in ways)
    return told or any(
        target.version == each.prefix.version and target in each.prefix.network
        for each in by_hand(switch, port)
    )


def by_hand(switch: Tables, port: Port) -> Iterator[Static]:
    """Yield the static routes by a router behind a port."""
    for each in switch.statics:
        near = any(ip_address(each.via) in own.network for own in port.addresses)
        if (each.vrf, each.port) == (port.vrf, port.name) and near:
            yield each


def _far(here: Tables, port: Port, session: Session, there: Tables, end: Port | None) -> Far:
    """Return a switch's end of the other's session; no session if they differ."""
    strange = there.strange or (end.strange if end is not None else "")
    if strange:
        return Far(switch=there, strange=f"{there.name}: {strange}")
    ours = {str(each.ip) for each in port.addresses if ip_address(session.peer) in each.network}
    theirs = {str(each.ip) for each in end.addresses} if end is not None and end.up else set()
    for each in there.sessions if session.peer in theirs else ():
        assert end is not None
        if each.vrf == end.vrf and each.peer in ours and agree(here, session, there, each):
            return Far(switch=there, port=end, session=each)
    return Far(switch=there)
