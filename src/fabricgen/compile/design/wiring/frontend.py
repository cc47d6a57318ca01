"""Wire a leaf-spine fabric with tenants.

Leafs are named by number, so a new one moves nothing.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.faceplate import Faceplate
from fabricgen.compile.design.wiring.frontend_size import FrontendSize, size_frontend
from fabricgen.compile.design.wiring.leaf_ports import Laid
from fabricgen.compile.design.wiring.mlag import domains_of
from fabricgen.compile.design.wiring.racks import cabled
from fabricgen.compile.design.wiring.tiers import Cabling, Row, Seat, Tier
from fabricgen.compile.design.wiring.upgrading import upgraded
from fabricgen.core.diagnostics import Code, IntentPath, Stop
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model.frontend import Frontend
from fabricgen.intent.paths import at
from fabricgen.model.fabric.topology import Link, Place, Port, Role, Server, Switch, Topology


class Wired(NamedTuple):
    """The topology, and the sizes that it was wired from."""

    topology: Topology
    size: FrontendSize

    @property
    def faces(self) -> Mapping[str, Faceplate]:
        """Return by leaf group which ports are kept for servers and for uplinks."""
        return {key: own.face for key, own in self.size.groups.items()}


def wire_frontend(intent: Frontend, site: str, findings: Findings) -> Wired:
    """Build the fabric's topology, or stop."""
    size = upgraded(intent, size_frontend(intent, findings), site, findings)
    topology = _Wiring(intent=intent, size=size, site=site, findings=findings).topology()
    return Wired(topology, size)


@dataclass(slots=True, kw_only=True)
class _Wiring:
    intent: Frontend
    size: FrontendSize
    site: str
    findings: Findings
    servers: dict[int, Server] = field(default_factory=dict)
    places: dict[tuple[str, str], Place] = field(default_factory=dict)

    def topology(self) -> Topology:
        leafs, spines, tops = self.leafs(), self.spines(), self.superspines()
        links = self.server_links(leafs)
        below = self.findings.attempt(
            lambda: self.leaf_links(leafs, spines) if spines else self.pair_links(*leafs)
        )
        above = self.findings.attempt(lambda: self.top_links(spines, tops))
        if below is None or above is None:
            raise Stop
        return Topology(
            fabric=self.intent.name,
            switches=(*tops, *spines.values(), *leafs),
            servers=tuple(self.servers.values()),
            links=(*links, *below, *above, *self.peer_links(leafs)),
            places=self.places,
        )

    def leafs(self) -> list[Switch]:
        row, leafs = self.row(Role.LEAF, "leaf{index:02}"), list[Switch]()
        domains = domains_of(self.intent, self.size, row.namer, self.findings)
        for number, group in self.size.leafs.items():
            own, pod = self.size.groups[group], self.size.pod(number)
            seat = Seat(
                ordinal=number - 1,
                pod=pod,
                index=number,
                group=group,
                domain=domains.get(number),
            )
            leafs.append(
                row.switch(own.role, own.face.ports, seat, self.because(row, own.path, seat))
            )
        return leafs

    def row(self, role: Role, default: str) -> Row:
        return Row(words=self.intent, role=role, default=default, site=self.site)

    def because(self, row: Row, path: IntentPath, seat: Seat) -> Provenance:
        paths = (path, at(*self.intent.at("leaf_groups", seat.group))) if seat.group else (path,)
        return Provenance(paths, f"{row.role} {seat.index} of the {self.intent.name}")

    def server_links(self, leafs: list[Switch]) -> list[Link]:
        """Place the servers and cable them, leaf by leaf."""
        before: dict[str, list[int]] = defaultdict(list)
        links: list[Link] = []
        for leaf in leafs:
            own, group = self.size.groups[leaf.group], before[leaf.group]
            group.append(leaf.index)
            for rack, ports in zip(own.racks, own.face.banks, strict=True):
                links += self.rack(rack, leaf, group, ports)
        return links

    def rack(
        self, rack: Laid, leaf: Switch, group: Sequence[int], ports: Sequence[Port]
    ) -> Iterator[Link]:
        """Cable one set of ports to the last one of some leafs of its group."""
        for server, place, links in cabled(rack, leaf, group, ports, self.site):
            self.servers.setdefault(id(server), server)
            self.places.setdefault((server.name, rack.rack.network), place)
            yield from links

    def spines(self) -> dict[tuple[int, int], Switch]:
        """Spines by (pod, slot), for the pods that have leafs."""
        tier, role, path = self.size.spines, self.intent.spine, self.intent.at("spine")
        if tier is None or role is None:
            return {}
        default = "pod{pod:02}-spine{index}" if self.size.superspines else "spine{index}"
        row, spines = self.row(Role.SPINE, default), dict[tuple[int, int], Switch]()
        for pod in sorted({self.size.pod(number) for number in self.size.leafs}):
            for s in range(tier.count):
                seat = Seat(ordinal=(pod - 1) * tier.slots + s, pod=pod, index=s + 1)
                ports = self.size.own.get(s, tier).face.ports
                spines[pod, s] = row.switch(role, ports, seat, self.because(row, path, seat))
        return spines

    def superspines(self) -> list[Switch]:
        tier, role = self.size.superspines, self.intent.superspine
        if role is None or tier is None:
            return []
        row = self.row(Role.SUPERSPINE, "superspine{index}")
        seats = [Seat(ordinal=s, pod=0, index=s + 1) for s in range(tier.count)]
        ports, path = tier.face.ports, self.intent.at("superspine")
        return [row.switch(role, ports, seat, self.because(row, path, seat)) for seat in seats]

    def leaf_links(self, leafs: list[Switch], spines: dict[tuple[int, int], Switch]) -> list[Link]:
        tier, here = self.size.spines, self.intent.here
        assert tier is not None  # there are spines
        paths = at(*here, "spine"), at(*here, "links_per_spine")
        rule = "every leaf reaches every spine of its pod with the same number of links"
        because, links = Provenance(paths, rule), list[Link]()
        for leaf in leafs:
            place = self.size.place(leaf.index)
            self.judge_radix(leaf, (place + 1) * tier.per_pair, tier)
            up = self.size.groups[leaf.group].face.up
            for s in range(tier.count):
                spine = spines[leaf.pod, s]
                cabling = self.cabling(self.size.own.get(s, tier), because)
                links += cabling.pair(leaf, up, spine, s, place)
        return links

    def judge_radix(self, leaf: Switch, need: int, tier: Tier) -> None:
        """Stop where a leaf needs a port of its spines that they do not have."""
        have = len(tier.face.down)
        if need <= have:
            return
        dense = len(self.size.leafs) * tier.per_pair <= have
        flat = "number leafs from 1 without gaps" if dense else "use the superspine design"
        raise self.findings.stop(
            Code.RADIX_EXCEEDED,
            f"leaf {leaf.index} needs spine ports up to {need}, but a spine has {have} of "
            f"{tier.speed}",
            self.intent.at("leaf_groups", leaf.group, "leafs"),
            "use a smaller `leafs_per_pod`" if self.size.superspines else flat,
        )

    def pair_links(self, first: Switch, second: Switch) -> list[Link]:
        """Join the leafs of a collapsed pair: the second is in the place of a spine."""
        lower, upper = (self.size.groups[leaf.group].face for leaf in (first, second))
        paths = at(*self.intent.at("pair")), at(*self.intent.at("links"))
        because = Provenance(paths, "the leafs of a collapsed pair are connected")
        cabling = self.joint(replace(upper, down=upper.up), self.size.between, because)
        return cabling.pair(first, lower.up, second, 0, 0)

    def peer_links(self, leafs: list[Switch]) -> Iterator[Link]:
        """Join the leafs of each MLAG pair, cage for cage."""
        firsts: dict[int, Switch] = {}
        for leaf in leafs:
            first = firsts.setdefault(leaf.shared, leaf)
            if first is not leaf:
                path = at(*self.intent.at("leaf_groups", leaf.group, "multihoming"))
                because = Provenance((path,), "the leafs of an MLAG pair are connected")
                face = self.size.groups[leaf.group].face
                links = self.intent.leaf_groups[leaf.group].peer_links
                cabling = self.joint(replace(face, down=face.peer), links, because)
                yield from cabling.pair(first, face.peer, leaf, 0, 0)

    def joint(self, face: Faceplate, links: int, because: Provenance) -> Cabling:
        """Return the cabling between the two leafs of a pair."""
        tier = Tier(face=face, speed=self.size.speed, count=1, slots=1, per_pair=links)
        return self.cabling(tier, because)

    def top_links(self, spines: dict[tuple[int, int], Switch], tops: list[Switch]) -> list[Link]:
        tier, path, links = self.size.superspines, at(*self.intent.at("superspine")), []
        if tier is None or self.size.spines is None:
            return []
        cabling = self.cabling(tier, Provenance((path,), "every spine reaches every superspine"))
        for lower in spines.values():
            need, have = (lower.ordinal + 1) * tier.per_pair, len(tier.face.down)
            if need > have:
                raise self.findings.stop(
                    Code.RADIX_EXCEEDED,
                    f"spine {lower.name} needs superspine port {need}, but {tops[0].model.name} "
                    f"has {have}",
                    path,
                )
            links += cabling.fan(lower, self.size.spines.face.up, tops, lower.ordinal)
        return links

    def cabling(self, tier: Tier, because: Provenance) -> Cabling:
        pool = self.intent.addressing.unless_refused("links")
        places = self.size.link_places(tier, pool)
        return Cabling(words=self.intent, tier=tier, uplinks=places, because=because)
