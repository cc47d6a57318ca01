"""Cables to the outside as people name them in; their ports, and a VRF's share of one, out."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from fabricgen.compile.design.edge.cages import Cages
from fabricgen.compile.design.findings import Findings
from fabricgen.core.because import Because
from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean, dotted
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model import edge
from fabricgen.model.fabric.external import EdgeLink
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.topology import Port

OUTSIDE_MTU = 1500  # what routers elsewhere have unless told otherwise (RFC 894)
BUNDLES = 1000  # of servers are numbered from 1 by their places in a rack; this plus the first cage
KBIT = 1000
_SHARED = "one cable or bundle to the outside, which VRFs share by tags"


@dataclass(kw_only=True)
class Links:
    """The links of a fabric. tags: by link and tag, the key of the intent that has it."""

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
            message = f"the cages of {name} have several speeds, and a bundle has one"
            self.findings.error(Code.BAD_VALUE, message, where)
        because = Because((path,), _SHARED)
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
        """Return what each port may send, in whole kbit/s; None where the way carries it all."""
        if link.rate is None:
            return None
        speed, count = ports[0].speed, len(ports)
        if link.rate > speed * count:
            self.findings.error(
                Code.BAD_VALUE,
                f"{name} cannot be held to {link.rate}: its cages carry {count} x {speed}",
                (*path, "cages"),
                "more cages, or the `rate` that they carry",
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
            self.findings.error(
                Code.UNKNOWN_REFERENCE,
                f"no link of the edge is called {peer.link}",
                (*path, "link"),
                did_you_mean(peer.link, self.made),
            )
            return None
        other = self.tags.setdefault((peer.link, peer.vlan), dotted(path))
        if other != dotted(path):
            self.findings.error(
                Code.TAG_CLASH,
                f"the tag {peer.vlan} of the link {peer.link} is already that of {other}: frames "
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
