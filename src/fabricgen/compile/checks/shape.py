"""Check the shape of a fabric: oversubscription, rails and mesh."""

from collections import Counter, defaultdict
from math import ceil

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.tally import Tallied, listing
from fabricgen.core.diagnostics import Code, Examined, Severity
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Link, Nic, Role, Server, Switch

# Too few uplinks show only under load, as pause frames or drops that no link counter explains. The
# check sums the bandwidth of the ports in use. A switch without uplinks is the top of its fabric
# and counts as examined. In a backend the ratio holds at every tier. In an evpn fabric it holds for
# each leaf, and for spines that have a ratio (`ratio` of the tier above).

TOLERANCE = 1e-9  # the ratio is a float


class Oversubscription(Tallied):
    """Bandwidth of each switch's ports, down and up."""

    name, code, noun = "oversubscription", Code.OVERSUBSCRIBED, "switches"

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        self.tally.objects += 1
        role = switch_slice.switch.role
        free = fabric.overlay is not None and fabric.addresses.nics is None
        if free and not switch_slice.switch.is_leaf and role not in fabric.ratios:
            return
        tier, down, up = role.tier, 0, 0
        for interface in switch_slice.interfaces:
            peer = interface.peer
            if peer is None:
                continue
            if isinstance(peer, Switch) and peer.role.tier > tier:
                up += interface.port.speed
            else:
                down += interface.port.speed
        allowed = fabric.allowed(switch_slice.switch)
        if up and down / up > allowed * (1 + TOLERANCE):
            self.tally.add(
                f"switches of tier {tier} that are oversubscribed",
                f"{switch_slice.switch.name} has {BitsPerSecond(down)} down and "
                f"{BitsPerSecond(up)} up: {down / up:.3g} to 1, but the intent allows {allowed:g}",
                (*fabric.place, *_said(switch_slice.switch, fabric)),
                f"{BitsPerSecond(ceil(down / allowed))} up are needed for {BitsPerSecond(down)} "
                f"down; {BitsPerSecond(up)} up allow {BitsPerSecond(int(up * allowed))} down: add "
                "or upgrade uplinks (buy all spines that growth reserves), or reduce servers",
            )


def _said(switch: Switch, fabric: Fabric) -> tuple[str, ...]:
    """Return the key that allows the ratio of a switch."""
    role = switch.role
    if switch.group in fabric.sides:
        return "sides", switch.group, "ratio"
    if role not in fabric.ratios:
        return ("oversubscription",)
    return next(upper.value for upper in Role if upper.tier == role.tier + 1), "ratio"


# With one swapped line of the cable plan, collectives cross the spines for that server alone: no
# error, less bandwidth. Per server and plane, the rails on the leafs are a permutation of the
# fabric's rails (times the NIC's ports per plane), so within a unit each rail's leaf serves each
# server equally. A leaf without rails counts as examined, too: it must have no routed NIC.

_Landing = tuple[int, str, int]  # rail, NIC port, plane


class Rails(Tallied):
    """Rails of each server's NICs according to the leafs."""

    name, code, noun = "rails", Code.NIC_OFF_ITS_RAIL, "leafs and NICs"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.landed: dict[str, dict[str, list[_Landing]]] = {
            fabric.name: defaultdict(list) for fabric in site.fabrics
        }

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Compare the NICs of one leaf with its rails and its unit."""
        switch, landed = switch_slice.switch, self.landed[fabric.name]
        self.tally.objects += switch.is_leaf
        for interface in switch_slice.interfaces:
            if interface.use is not Use.NIC or not switch.rails:
                continue
            self.tally.objects += 1
            server, nic = interface.peer, interface.peer_port
            if isinstance(server, Server) and isinstance(nic, Nic):
                place = fabric.topology.places.get((server.name, nic.network))
                there = (place.group, place.unit) if place is not None else ("", 0)
                if nic.rail not in switch.rails or there != (switch.group, switch.unit):
                    text = f"{ends.text(server, nic)} is rail {nic.rail}"
                    self.astray(switch, text, there[1], interface)
                landed[server.name].append((nic.rail, nic.name, switch.plane))

    def astray(self, switch: Switch, nic: str, unit: int, interface: Interface) -> None:
        """Report the leaf to which a misplaced NIC is cabled."""
        self.tally.add(
            "NICs off their rail",
            f"{nic} of unit {unit}, but its cable goes to {ends.text(switch, interface.port)}, "
            f"which has rails {', '.join(map(str, switch.rails)) or 'none'} of unit {switch.unit}",
            interface.because,
        )

    def result(self) -> Examined:
        """Compare the cables of each server with the rails of each plane."""
        for fabric in self.site.fabrics:
            planes: dict[str, dict[int, set[int]]] = defaultdict(lambda: defaultdict(set))
            for switch in fabric.topology.switches:
                if switch.rails:
                    planes[switch.group][switch.plane].update(switch.rails)
            groups = {name: place.group for (name, _), place in fabric.topology.places.items()}
            for server in fabric.topology.servers if planes else ():
                landed = self.landed[fabric.name].get(server.name, [])
                self.server(server, landed, planes[groups.get(server.name, "")])
        return self.tally.result()

    def server(self, server: Server, landed: list[_Landing], planes: dict[int, set[int]]) -> None:
        """Require the same number of cables to each rail in each plane, on different NIC ports."""
        for plane, rails in planes.items():
            times = Counter(rail for rail, _, where in landed if where == plane)
            if set(times) != rails or len(set(times.values())) != 1:
                self.tally.add(
                    "servers that miss a rail",
                    f"{server.name} in plane {plane} has cables to rails {_told(times)}; each of "
                    f"{min(rails)} to {max(rails)} needs the same number",
                    server.because,
                )
        names = {name for _, name, _ in landed}
        if len(names) != len(landed):
            text = f"{server.name} has {len(landed)} cables on {len(names)} NIC ports"
            self.tally.add("NIC ports used twice", text, server.because)


def _told(counts: Counter[int]) -> str:
    return ", ".join(f"{rail} x{times}" for rail, times in sorted(counts.items())) or "none"


# A missing or extra link makes equal-cost paths unequal: one uplink fills while others idle. Fix
# the counts of spines or links per pair, or the wiring. A leaf must reach every spine of its plane
# and pod (that of its rails, where rails have their own), a spine every superspine of its plane
# (of group s for spine s, where there are groups). The leafs of two sides may have different
# numbers, each with its own ratio. No link joins two planes, two switches of one tier, or skips a
# tier; rail-only has none at all. The leafs of a collapsed pair are joined to one another alone,
# those of an MLAG pair to one another as well.


class Mesh(Tallied):
    """Comparison of each switch's uplinks with the switches that must be above it."""

    name, code, noun = "mesh", Code.MESH_INCOMPLETE, "switches and links"

    def __init__(self, site: Site) -> None:
        """Sort the upper switches by the switches that they serve."""
        super().__init__(site)
        self.above: dict[tuple[str, Role, int, int], set[str]] = defaultdict(set)
        self.apart: dict[str, tuple[int, ...]] = {}
        self.each: dict[tuple[str, Role, str], tuple[int, str]] = {}
        for fabric in site.fabrics:
            for switch in fabric.topology.switches:
                group = switch.pod if switch.role is Role.SPINE else switch.unit
                self.above[fabric.name, switch.role, switch.plane, group].add(switch.name)
                if switch.rails and switch.role is Role.SPINE:
                    self.apart[switch.name] = switch.rails

    def see(self, fabric: Fabric, switch_slice: SwitchSlice) -> None:
        """Count the uplinks of one switch."""
        switch = switch_slice.switch
        self.tally.objects += 1
        links: Counter[str] = Counter()
        for link in fabric.topology.links_at.get(switch.name, ()):
            own = link.lower.name == switch.name and not link.of_pair
            if own and isinstance(link.lower, Switch):
                self.tally.objects += 1
                if self.straight(fabric, link, link.lower):
                    links[link.upper.name] += 1
        wanted = self.uppers(switch) if not fabric.is_pair else _partner(fabric, switch)
        if not (wanted or fabric.is_pair or fabric.design == "rail-only") and switch.is_leaf:
            self.say("leafs below nothing", switch, "has no spine above it")
        every = fabric.topology.odd.items()
        odd = {upper: path for (lower, upper), path in every if lower == switch.name}
        missing = sorted(wanted - links.keys() - odd.keys())
        if missing:
            self.say("switches that miss some above", switch, f"has no link to {listing(missing)}")
        foreign = sorted(links.keys() - wanted)
        if foreign:
            self.say(
                "switches linked to others' spines",
                switch,
                f"has links to {listing(foreign)}, which serve other switches",
            )
        if odd:
            told = ", ".join(f"{links[upper]} to {upper}" for upper in sorted(odd))
            end = "its paths are unequal" if links else "it has no uplink, so it is isolated"
            self.tally.add(
                "switches with links of their own",
                f"{switch.name} has pinned links that differ from the design: {told}; {end}",
                next(iter(odd.values())),
                severity=Severity.WARNING,
            )
        links = Counter({upper: count for upper, count in links.items() if upper not in odd})
        self.equal(fabric, switch, links)

    def straight(self, fabric: Fabric, link: Link, lower: Switch) -> bool:
        """Return the fault of a link that does not go one tier up in its plane; None otherwise."""
        wrong = ""
        if fabric.design == "rail-only":
            wrong = "rail-only has no links between switches"
        elif link.upper.role.tier != lower.role.tier + (not fabric.is_pair):
            wrong = f"it connects a {lower.role} to a {link.upper.role}"
        elif link.upper.plane != lower.plane:
            wrong = f"it connects plane {lower.plane} to plane {link.upper.plane}"
        if wrong:
            text = f"cable {ends.cable(link)}: {wrong}"
            self.tally.add("links that are not straight up", text, link.because)
        return not wrong

    def uppers(self, switch: Switch) -> set[str]:
        """Return the names of the switches that must be above this one."""
        if switch.role is Role.LEAF:
            spines = self.above.get((switch.fabric, Role.SPINE, switch.plane, switch.pod), set())
            return {name for name in spines if self.apart.get(name, switch.rails) == switch.rails}
        if switch.role is Role.SUPERSPINE:
            return set()
        all_of = (switch.fabric, Role.SUPERSPINE, switch.plane)
        return self.above.get((*all_of, 0), set()) | self.above.get((*all_of, switch.index), set())

    def equal(self, fabric: Fabric, switch: Switch, counts: Counter[str]) -> None:
        """Compare links per pair within the switch and within its tier or its side."""
        group = switch.group if switch.group in fabric.sides else ""
        for upper, links in counts.items():
            first, example = self.each.setdefault(
                (fabric.name, switch.role, group), (links, f"{switch.name} to {upper}")
            )
            if links != first:
                self.say(
                    "pairs with another number of links",
                    switch,
                    f"has {links} link(s) to {upper}, but {example} has {first}",
                )

    def say(self, kind: str, switch: Switch, what: str) -> None:
        """Add a finding about one switch."""
        self.tally.add(kind, f"{switch.name} {what}", switch.because)


def _partner(fabric: Fabric, switch: Switch) -> set[str]:
    """Return the other leaf of a pair, for the one whose links go up to it."""
    return {other.name for other in fabric.topology.switches if fabric.above(other, switch)}
