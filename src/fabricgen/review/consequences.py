"""Decides which effects on devices only follow from effects on the model of the site.

An effect that nobody has to name in addition is a consequence: the ports and sessions of a new
cable, the interface of a new VLAN. It stays in the review, below the effects that cause it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from fabricgen.core.diagnostics import IntentPath
from fabricgen.model.fabric.switch import Site
from fabricgen.review.attribution import Attribution, Objects
from fabricgen.review.effect_text import PORT, SETTING
from fabricgen.review.inventory import PLACE, STATE
from fabricgen.review.model import INVERSE, Effect
from fabricgen.review.software import PLATFORM, RELEASE
from fabricgen.review.topology import CableChanges

_NETWORKS = ("vlan", "vrf")
_BORN = ("tenant", "vrf", "vlan", "job")
"""Kinds of the effects on the model whose place in the intent has all that belongs to them."""
_BY_MODEL = {
    "vni": ("VNI",),
    "export": ("VNI",),
    "import": ("VNI", "imported routes"),
    "taken": ("imported routes",),
    "name": ("name",),
}
"""Attributes of a VLAN or VRF on switches by their words in the effects on the whole fabric."""
_SERVED = ("server", "attachment")
"""Kinds of the effects on the model that change the files of servers and their ports."""
_OF_CABLE = frozenset(("", "address", "description", "far-end", "asn", "link-local"))
"""Attributes that another cable changes."""
_POLICIES = frozenset(("in", "out", "evpn-in", "evpn-out"))
_APART = frozenset(("mtu", "mtu:", "speed"))
"""Attributes that neither another network nor another neighbor changes."""
_RELAYED = frozenset((("relay", ""), ("interface", "relayed"), ("interface", "asks-from")))
_BRIDGING = frozenset(
    (
        *(("vni", ""), ("interface", ""), ("interface", "vlans")),
        *(("vtep", "devices"), ("switch", "vlans")),
    )
)
_SOFTWARE = (PLATFORM, RELEASE)
_FIRST_NETWORK = frozenset((("switch", "anycast-mac"), ("switch", "spanning-tree")))
"""Settings that a leaf has as soon as it has a VLAN."""
_Networks = Mapping[str, frozenset[object]]


@dataclass(frozen=True, kw_only=True)
class Consequences:
    """Effects on the model, by which effects on devices are consequences.

    Attributes:
        links: Remote ends and reasons of the objects.
        model: Effects on the model.
        moved: Switches and servers that come or go, and servers that get another leaf.
        cabled: The same, and those with a changed cable.
        renamed: Old and new names of renamed devices.
        pairs: Both ends of each changed cable.
        states: Switches, and ends of cables, with another state.
        born: Places in the intent of the networks that come or go.
        leafs: Leafs on which a VLAN or VRF comes or goes.
        firsts: Leafs without any on one side.
    """

    links: Attribution
    model: tuple[Effect, ...]
    moved: frozenset[str]
    cabled: frozenset[str]
    renamed: frozenset[str]
    pairs: frozenset[frozenset[str]]
    states: frozenset[str]
    born: frozenset[IntentPath]
    leafs: frozenset[str]
    firsts: frozenset[str]

    def include(self, each: Effect, objects: Objects) -> bool:
        """Return whether an effect on devices follows from one on the model."""
        if each.kind in _NETWORKS and (each.attribute or not self._comes_or_goes(each)):
            return self._is_of_network(each)
        return (
            each.derived
            or self._is_of_server(each, objects)
            or self._is_of_cable(each, objects)
            or self._is_of_state(each, objects)
            or self._is_plumbing(each)
            or (not each.attribute and self.links.within(objects, self.born))
        )

    def _comes_or_goes(self, each: Effect) -> bool:
        return not each.attribute and self.leafs.issuperset(each.on)

    def _is_of_network(self, each: Effect) -> bool:
        """Return whether a difference of a VLAN or VRF is one of the whole fabric."""
        words = _BY_MODEL.get(each.attribute, ()) if each.attribute else ("",)
        return any(
            (it.kind, it.name) == (each.kind, each.name) and it.attribute in words
            for it in self.model
        )

    def _is_of_server(self, each: Effect, objects: Objects) -> bool:
        if each.attribute in _APART:
            return False
        served = (it for it in self.model if it.kind in _SERVED and it.attribute != PLACE)
        touched = {name for it in served for name in it.on}
        if each.kind == SETTING:
            return touched.issuperset(each.on)
        return each.kind == "interface" and self.links.follows(objects, touched)

    def _is_of_cable(self, each: Effect, objects: Objects) -> bool:
        if self.links.follows(objects, self.cabled if each.kind == PORT else self.moved):
            return True
        return each.attribute in _OF_CABLE and (
            self.links.follows(objects, self.renamed)
            or self.links.between(objects, self.pairs, other=each.attribute == "asn")
        )

    def _is_of_state(self, each: Effect, objects: Objects) -> bool:
        policy = each.kind == "session" and each.attribute in _POLICIES
        return policy and self.links.follows(objects, self.states)

    def _is_plumbing(self, each: Effect) -> bool:
        topic = each.kind, each.attribute
        if topic in _FIRST_NETWORK:
            return self.firsts.issuperset(each.on)
        if topic == ("switch", "frr"):
            return any(it.attribute in _SOFTWARE and {*each.on} <= {*it.on} for it in self.model)
        if topic == ("interface", "members"):
            return (self.leafs | self.cabled).issuperset(each.on)
        if topic in _RELAYED:
            return any(it.attribute == "DHCP relay" for it in self.model)
        # An interface without a cable is one of a network: ports and links were decided before.
        return topic in _BRIDGING and self.leafs.issuperset(each.on)


def consequences(
    links: Attribution,
    model: Iterable[tuple[Effect, tuple[IntentPath, ...]]],
    cables: CableChanges,
    sites: tuple[Site, Site],
) -> Consequences:
    """Collect what decides about consequences.

    Args:
        links: Remote ends and reasons.
        model: Effects on the model, with the places of their objects in the intent.
        cables: Changes of devices and cables.
        sites: Both sides.
    """
    every = [*model]
    ends = {
        (side.lower.name, side.upper.name)
        for each in cables.cables
        for side in (each.before, each.after)
        if side is not None and not each.attribute
    }
    moved = {each.name for each in cables.devices if not each.attribute}
    moved |= {each.name for each in cables.server_moves}
    states = {each.name for each in cables.devices if each.attribute == STATE}
    for each in cables.changed:
        if each.attribute == STATE:
            states |= {each.ends.lower.name, each.ends.upper.name}
    before, after = (_networks(site) for site in sites)
    names = before.keys() | after.keys()
    nothing: frozenset[object] = frozenset()
    return Consequences(
        links=links,
        model=tuple(each for each, _ in every),
        moved=frozenset(moved),
        cabled=frozenset(moved) | {name for pair in ends for name in pair},
        renamed=frozenset(name for names in cables.names for name in names),
        pairs=frozenset(map(frozenset, ends)),
        states=frozenset(states),
        born=frozenset(
            paths[0]
            for each, paths in every
            if each.kind in _BORN and paths and each.act in INVERSE and not each.attribute
        ),
        leafs=frozenset(
            name for name in names if before.get(name, nothing) != after.get(name, nothing)
        ),
        firsts=frozenset(name for name in names if not (before.get(name) and after.get(name))),
    )


def _networks(site: Site) -> _Networks:
    """Return the VLANs and VRFs of each leaf with tenants."""
    found: dict[str, set[object]] = {}
    for fabric in site.fabrics:
        overlay = fabric.overlay
        if overlay is None:
            continue
        for leaf, ports in overlay.ports.items():
            own = found.setdefault(leaf, set())
            for carries in ports.values():
                own.update(vlan.id for vlan in carries.vlans)
                own.update(vlan.vrf for vlan in carries.vlans if vlan.vrf)
        for leaf, peers in overlay.external.items():
            found.setdefault(leaf, set()).update(peer.vrf for peer in peers)
    return {leaf: frozenset(own) for leaf, own in found.items()}
