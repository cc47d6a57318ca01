"""Each tier reaches the one above completely: every pair has the same number of links.

A missing or extra link makes equal-cost paths unequal: one uplink fills while others idle. Fix the
counts of spines or links per pair, or the wiring. A leaf must reach every spine of its plane and
pod (that of its rails, where rails have their own), a spine every superspine of its plane (of group
s for spine s, where there are groups). The leafs of two sides may have different numbers, each with
its own ratio. No link joins two planes, two switches of one tier, or skips a tier; rail-only has
none at all. The leafs of a collapsed pair are joined to one another alone,
those of an MLAG pair to one another as well.
"""

from collections import Counter, defaultdict

from fabricgen.compile.checks import ends
from fabricgen.compile.checks.tally import Tallied, listing
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.model.fabric.switch import Fabric, Site, SwitchSlice
from fabricgen.model.fabric.topology import Link, Role, Switch


class Mesh(Tallied):
    """Compares each switch's uplinks with the switches that must be above it."""

    name, code, noun = "mesh", Code.MESH_INCOMPLETE, "switches and links"

    def __init__(self, site: Site) -> None:
        """Sort the upper switches by whom they serve."""
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

    def see(self, fabric: Fabric, piece: SwitchSlice) -> None:
        """Count the uplinks of one switch."""
        switch = piece.switch
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
                f"has links to {listing(foreign)}, which serve others",
            )
        if odd:
            told = ", ".join(f"{links[upper]} to {upper}" for upper in sorted(odd))
            end = "its paths are unequal" if links else "no way up is left, so it stands alone"
            self.tally.add(
                "switches with links of their own",
                f"{switch.name} has other links than by design, as pinned: {told}; {end}",
                next(iter(odd.values())),
                severity=Severity.WARNING,
            )
        links = Counter({upper: count for upper, count in links.items() if upper not in odd})
        self.equal(fabric, switch, links)

    def straight(self, fabric: Fabric, link: Link, lower: Switch) -> bool:
        """Tell whether a link goes one tier up in its own plane; say what it does otherwise."""
        wrong = ""
        if fabric.design == "rail-only":
            wrong = "rail-only has no links between switches"
        elif link.upper.role.tier != lower.role.tier + (not fabric.is_pair):
            wrong = f"it joins a {lower.role} to a {link.upper.role}"
        elif link.upper.plane != lower.plane:
            wrong = f"it joins plane {lower.plane} to plane {link.upper.plane}"
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
        """Compare links per pair within the switch and within its tier, or its side of that."""
        group = switch.group if switch.group in fabric.sides else ""
        for upper, links in counts.items():
            first, example = self.each.setdefault(
                (fabric.name, switch.role, group), (links, f"{switch.name} to {upper}")
            )
            if links != first:
                self.say(
                    "pairs with another number of links",
                    switch,
                    f"has {links} link(s) to {upper}; {example} has {first}",
                )

    def say(self, kind: str, switch: Switch, what: str) -> None:
        """Add a finding about one switch."""
        self.tally.add(kind, f"{switch.name} {what}", switch.because)


def _partner(fabric: Fabric, switch: Switch) -> set[str]:
    """Return the other leaf of a pair, for the one whose links go up to it."""
    return {other.name for other in fabric.topology.switches if fabric.above(other, switch)}
