"""Find the ports of external links and the port that carries each tunnel."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.access import WiredAccess
from fabricgen.compile.design.wiring.frontend import Wired
from fabricgen.core.diagnostics import Code, IntentPath, dotted
from fabricgen.core.provenance import Provenance
from fabricgen.core.units import BitsPerSecond, spans
from fabricgen.intent.model import edge
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import EdgeLink
from fabricgen.model.fabric.interface import Interface, Tunnel, Use
from fabricgen.model.fabric.topology import Port, Switch

if TYPE_CHECKING:
    from fabricgen.intent.model.dci import TunnelPeer


@dataclass(kw_only=True)
class Cages:
    """Cages of a fabric's leafs. `taken` has the intent key that uses each leaf and cage."""

    wired: Wired | WiredAccess
    findings: Findings
    taken: dict[tuple[str, int], str] = field(default_factory=dict)

    @cached_property
    def leafs(self) -> dict[int, Switch]:
        """Leafs by their number in the intent."""
        return {leaf.index: leaf for leaf in self.wired.topology.switches if leaf.is_leaf}

    def leaf(self, number: int, path: IntentPath) -> Switch | None:
        """Return a leaf by its number, or say that there is none."""
        if number not in self.leafs:
            self.findings.unknown(
                f"the {self.wired.topology.fabric} has no leaf {number}",
                path,
                str(number),
                map(str, self.leafs),
            )
        return self.leafs.get(number)

    def port(self, leaf: Switch, cage: int, path: IntentPath, where: IntentPath) -> Port | None:
        """Return the native port of a cage, or report its other use."""
        ports = {port.cage: port for port in leaf.ports}
        if cage not in ports:
            self.findings.error(
                Code.PORTS_EXHAUSTED,
                f"leaf {leaf.index} has no cage {cage}: a {leaf.model} has {max(ports)}",
                where,
                self.free(leaf),
            )
            return None
        other = self.taken.get((leaf.name, cage))
        use = f"for the external peer {other}" if other else self.use(leaf, ports[cage])
        if use:
            self.findings.error(
                Code.PORT_USED_TWICE,
                f"cage {cage} of leaf {leaf.index} is already {use}",
                where,
                self.free(leaf),
            )
            return None
        self.taken[leaf.name, cage] = dotted(path)
        return ports[cage]

    def use(self, leaf: Switch, port: Port) -> str | None:
        """Return the use of a cage; None when it is free."""
        face = self.wired.faces[leaf.group]
        if port.service:
            return f"a service port of {port.speed}"
        if any(kept.cage == port.cage for kept in face.down):
            return f"for the servers of group {leaf.group}"
        if any(kept.cage == port.cage for kept in face.managed):
            return "for management ports"
        if any(kept.cage == port.cage for kept in face.up):
            return "reserved for uplinks (spines, and those that growth reserves)"
        if any(kept.cage == port.cage for kept in face.peer):
            return "for links to the other leaf of its pair"
        return self.pinned(leaf, port)

    def pinned(self, leaf: Switch, port: Port) -> str | None:
        """Return the pinned state of a cage that is otherwise free; None without a pin."""
        topology = self.wired.topology
        notes = (topology.notes.get((leaf.name, own)) for own in (port.label, str(port.cage)))
        state = next((note.state for note in notes if note is not None), "")
        if state:
            return f"pinned as {state}"
        ends = (
            link.upper_port if link.upper.name == leaf.name else link.lower_port
            for link in topology.links_at.get(leaf.name, ())
        )
        if any(isinstance(end, Port) and end.cage == port.cage for end in ends):
            return "taken by a link whose own port is pinned"
        return None

    def free(self, leaf: Switch) -> str:
        cages = [
            port.cage
            for port in leaf.ports
            if (leaf.name, port.cage) not in self.taken and not self.use(leaf, port)
        ]
        return f"free cages: {spans(cages)}" if cages else "this leaf has no free cage"


OUTSIDE_MTU = 1500  # default MTU of external routers (RFC 894)
BUNDLES = 1000  # of servers are numbered from 1 by their places in a rack; this plus the first cage
KBIT = 1000
_SHARED = "one cable or LAG to an external router, which VRFs share by tags"


@dataclass(kw_only=True)
class Links:
    """Links of a fabric. `tags` has the intent key of each tag on a link."""

    cages: Cages
    most: int
    findings: Findings
    made: dict[str, EdgeLink]
    tags: dict[tuple[str, int], str] = field(default_factory=dict)

    def add(self, words: Mapping[str, edge.EdgeLink], here: IntentPath) -> None:
        """Design every link of the intent."""
        for name, link in words.items():
            with self.findings.going_on():
                self._link(name, link, link.place((*here, name)))

    def _link(self, name: str, link: edge.EdgeLink, path: IntentPath) -> None:
        leaf = self.cages.leaf(link.leaf, (*path, "leaf"))
        if leaf is None:
            return
        where = (*path, "cages")
        ports = [self.cages.port(leaf, cage, path, where) for cage in link.cages]
        whole = [port for port in ports if port is not None]
        if len(whole) != len(ports):
            return
        if len({port.speed for port in whole}) > 1:
            message = f"the cages of {name} have several speeds, but a LAG has one"
            self.findings.error(Code.BAD_VALUE, message, where)
        because = Provenance((path,), _SHARED)
        rate = self.rate(name, link, whole, path)
        lag = BUNDLES + link.cages[0] if link.lacp or whole[1:] else None
        mtu = self.mtu(link.mtu, (*path, "mtu"))
        self.made[name] = EdgeLink(
            name=name,
            leaf=leaf.name,
            ports=tuple(
                Interface(
                    port=port,
                    use=Use.EXTERNAL,
                    mtu=mtu,
                    because=because,
                    outside=name,
                    lag=lag,
                    rate=rate,
                )
                for port in whole
            ),
            lag=lag,
            because=because,
        )

    def rate(
        self, name: str, link: edge.EdgeLink, ports: list[Port], path: IntentPath
    ) -> BitsPerSecond | None:
        """Return the rate limit of each port in kbit/s; None if the path carries the full speed."""
        if link.rate is None:
            return None
        speed, count = ports[0].speed, len(ports)
        if link.rate > speed * count:
            self.findings.error(
                Code.BAD_VALUE,
                f"{name} cannot be limited to {link.rate}: its cages carry {count} x {speed}",
                (*path, "cages"),
                "add cages, or set the `rate` that they carry",
            )
        if link.rate >= speed * count:
            return None
        return BitsPerSecond(link.rate // count // KBIT * KBIT)

    def share(
        self, peer: edge.ExternalPeer | edge.OutsideRouter, path: IntentPath
    ) -> EdgeLink | None:
        """Return the link of a peer, on which its tag is its own; None where there is none."""
        assert peer.link is not None
        assert peer.vlan is not None
        link = self.made.get(peer.link)
        if link is None:
            self.findings.unknown(
                f"no link of the edge is named {peer.link}", (*path, "link"), peer.link, self.made
            )
            return None
        other = self.tags.setdefault((peer.link, peer.vlan), dotted(path))
        if other != dotted(path):
            self.findings.error(
                Code.TAG_CLASH,
                f"the tag {peer.vlan} of the link {peer.link} is already used by {other}: frames "
                "of both would arrive in one VRF",
                (*path, "vlan"),
            )
            return None
        return link

    def mtu(self, wished: int | None, path: IntentPath) -> int:
        """Return the MTU of a port to the outside, which a tunnel must hold."""
        if wished is not None and wished > self.most:
            message = f"an MTU of {wished} does not fit into a tunnel: servers have {self.most}"
            self.findings.error(Code.BAD_VALUE, message, path)
        return wished or min(OUTSIDE_MTU, self.most)


class Carrier(NamedTuple):
    """The leaf and port by which packets of a tunnel leave, and the bundle of that port."""

    leaf: str
    port: Port
    lag: int | None


def tunnel_of(peer: "TunnelPeer") -> Tunnel:
    """Return the end of a tunnel here."""
    near = peer.outer.address
    assert near is not None
    return Tunnel(
        vrf=peer.below,
        local=Ip(int(near.ip), int(near.prefixlen), 4),
        remote=Ip(int(peer.beyond), 32, 4),
        below=peer.outer.vlan,
    )


def carrier(peer: "TunnelPeer", links: Mapping[str, EdgeLink], cages: Cages) -> Carrier | None:
    """Return the interface of its packets, or None if a finding reports a missing port."""
    outer = peer.outer
    if outer.link is not None:
        link = links.get(outer.link)
        return Carrier(link.leaf, link.ports[0].port, link.lag) if link is not None else None
    leaf = cages.leafs.get(outer.leaf or 0)
    every = leaf.ports if leaf is not None else ()
    port = next((each for each in every if each.cage == outer.cage), None)
    return Carrier(leaf.name, port, None) if leaf is not None and port is not None else None
