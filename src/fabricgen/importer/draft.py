"""Drafts the common part of the intent of a fabric of any kind.

A draft contains everything that was found, even if it follows from defaults. Its choices are keys
that may be omitted or that only a trial decides.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import field

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.importer.choices import Choice
from fabricgen.importer.kinds_of_servers import Ports
from fabricgen.importer.parts import Part
from fabricgen.importer.tree import Tree, said, usual
from fabricgen.nos.features import Feature
from fabricgen.nos.nos import Nos
from fabricgen.nos.registry import nos
from fabricgen.prove.foreign.switch import Judged

SHORT = {"frontend": "evpn", "backend": "rails"}
"""Names of fabrics with their own key, and their kind."""


@record(kw_only=True)
class Draft:
    """One fabric as a part of a tree.

    Attributes:
        ports: Keys of sets of ports, by kind of servers.
        seats: Kind and number of servers that the key of the fabric names, by server.
    """

    part: Part
    name: str
    kind: str
    words: Tree
    ports: Tree = field(default_factory=dict)
    choices: tuple[Choice, ...] = ()
    seats: Mapping[str, tuple[str, int]] = field(default_factory=dict)

    @property
    def path(self) -> tuple[str, ...]:
        """Return the path of the fabric in the tree."""
        return (self.name,) if SHORT.get(self.name) == self.kind else ("fabrics", self.name)

    def key(self, *keys: str) -> tuple[str, ...]:
        """Return the path of one of its keys."""
        return (*self.path, *keys)


def hardware(part: Part, switches: Iterable[Judged]) -> Tree:
    """Return the most frequent model and platform of some switches."""
    own = tuple(switches)
    model = usual(filter(None, (part.plugs.models[each] for each in own)))
    return said(model=model, platform=usual(each.platform for each in own))


def tiers(part: Part) -> Tree:
    """Return the hardware of each tier, with the number of switches in upper tiers."""
    words: Tree = {}
    for role, tier in part.roles:
        words[role] = hardware(part, tier)
        if role != "leaf":
            words[role]["count"] = len(tier)
    return words


def releases(draft: Draft) -> Iterator[Choice]:
    """Yield the possible releases of each tier, if its files show one."""
    for role, tier in draft.part.roles:
        runs = nos(tier[0].platform)
        if any("frr" in each.own(("switch",)) for each in tier):
            known = [each for each in runs.releases if each != runs.release]
            images = _images(runs, tier) if any(each.own(("pair",)) for each in tier) else []
            marked = [f"{each}+{image}" for each in runs.releases for image in images]
            yield Choice(draft.key(role, "release"), tuple(marked) or (None, *known))


def _images(runs: Nos, tier: Iterable[Judged]) -> list[str]:
    """Return the words of images with MLAG pairs, and with one MAC of gateways if files say it."""
    shared = any("anycast-mac" in each.own(("switch",)) for each in tier)
    return [
        word
        for word, told in runs.images.items()
        if Feature.MLAG in told and (Feature.ANYCAST_GATEWAY in told) == shared
    ]


def others(part: Part, tree_of_role: Tree) -> Tree:
    """Return the switches with another platform than their tier."""
    odd: Tree = {}
    for role, tier in part.roles:
        own = tree_of_role[role]["platform"]
        odd |= {each.name: {"platform": each.platform} for each in tier if each.platform != own}
    return odd


def uplinks(part: Part) -> tuple[str, int]:
    """Return the speed of links between switches, and their usual number per leaf and spine."""
    speeds: Counter[int] = Counter()
    pairs: Counter[tuple[Judged, Judged]] = Counter()
    for leaf in part.leafs:
        for plug in part.plugs.of[leaf]:
            if plug.to in part.switches and plug.to not in part.leafs:
                speeds[plug.speed] += 1
                pairs[leaf, plug.to] += 1
    if not speeds:
        return "", 1
    each = usual(sorted(pairs.values(), reverse=True)) or 1
    return str(BitsPerSecond(usual(speeds) or 0)), each


def routing(part: Part) -> Tree:
    """Return unusual addressing of links and sharing of ASNs."""
    words: Tree = {}
    links = [
        plug.switch.own(("interface", plug.port))
        for each in part.switches
        for plug in part.plugs.of[each]
        if plug.to in part.switches
    ]
    bare = [own for own in links if not own.get("address")]
    if links and len(bare) == len(links):
        words["links"] = "unnumbered"
    elif any(":" in str(each) for own in links for each in own.get("address", ())):
        words["links"] = "numbered-v6"
    upper = [each.asn for tier in part.tiers[1:] for each in tier]
    if len(part.tiers) > 1 and len(upper) > 1 and len(set(upper)) < len(upper):
        words["asn"] = {"scheme": "rfc7938"}
    return {"underlay": words} if words else {}


def of_servers(fabric: str, ports: Ports) -> Tree:
    """Return the keys of a set of ports that every kind of fabric has."""
    return {"fabric": fabric, "speed": ports.speed}
