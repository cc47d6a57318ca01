"""Groups the server ports of a fabric whose bandwidth the failure analysis reports.

A group is the whole fabric, the NICs of one rail, or the ports that carry one VRF or bridged VLAN.
"""

from collections.abc import Iterable, Iterator

from fabricgen.core.record import record
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Nic, Server
from fabricgen.model.fabric.vlans import Carries

FABRIC, RAIL, TENANT = "fabric", "rail", "tenant"
KINDS = frozenset({FABRIC, RAIL, TENANT})


@record(eq=False, kw_only=True)
class Group:
    """Links to servers that form one network. `kind`: fabric, rail or tenant.

    `name`: of the fabric, number of the rail, name of the tenant. `within`: its VRF or VLAN, for a
    tenant. `beside`: links outside the group that send at the same time: of other rails on its
    leafs. `joined`: false if no leaf has a path to another one for it. `exits`: the leafs by which
    a VRF leaves the site.
    """

    kind: str
    name: str
    within: str
    links: tuple[Link, ...]
    beside: tuple[Link, ...] = ()
    joined: bool = True
    exits: frozenset[str] = frozenset()

    @property
    def label(self) -> str:
        """Return its name for people."""
        named = f"{self.kind} {self.name}" if self.kind != FABRIC else self.name
        return named if self.within in ("", self.name) else f"{named} ({self.within})"


def groups_of(fabric: Fabric) -> list[Group]:
    """Return the groups of a fabric: the fabric, then rails by number, then tenants by name."""
    links = tuple(
        link
        for link in fabric.topology.links
        if isinstance(link.lower, Server) and link.lower.standing is None
    )
    if not links:
        return []
    whole = Group(kind=FABRIC, name=fabric.name, within="", links=links)
    rails = _rails(links) if fabric.gpus else ()
    return [whole, *rails, *_tenants(fabric, links)]


def _rails(links: Iterable[Link]) -> Iterator[Group]:
    rails: dict[int, list[Link]] = {}
    on: dict[str, list[Link]] = {}
    for link in links:
        if isinstance(link.lower_port, Nic) and link.lower_port.rail:
            rails.setdefault(link.lower_port.rail, []).append(link)
            on.setdefault(link.upper.name, []).append(link)
    for number, mine in sorted(rails.items()):
        leafs = dict.fromkeys(link.upper.name for link in mine)
        own = set(map(id, mine))
        beside = tuple(link for leaf in leafs for link in on[leaf] if id(link) not in own)
        yield Group(kind=RAIL, name=str(number), within="", links=tuple(mine), beside=beside)


def _tenants(fabric: Fabric, links: Iterable[Link]) -> Iterator[Group]:
    overlay = fabric.overlay
    if overlay is None:
        return
    ports: dict[tuple[str, str, bool], list[Link]] = {}
    for link in links:
        for key in networks_of(fabric, overlay, link):
            ports.setdefault(key, []).append(link)
    for (tenant, within, joined), mine in sorted(ports.items()):
        exits = frozenset(
            leaf
            for leaf, peers in overlay.external.items()
            if any(peer.vrf == within for peer in peers)
        )
        yield Group(
            kind=TENANT,
            name=tenant,
            within=within,
            links=tuple(mine),
            joined=joined,
            exits=exits,
        )


def networks_of(fabric: Fabric, overlay: Overlay, link: Link) -> set[tuple[str, str, bool]]:
    """Return tenant, VRF or VLAN, and whether tunnels join it, for all networks of a port."""
    member = overlay.members.get(link.lower.name)
    if member is not None:
        vrf = overlay.vrfs[member.vrf]
        return {(vrf.tenant, vrf.name, not vrf.local)}
    carries = carried(fabric, overlay, link)
    return {
        (vlan.tenant, vlan.vrf or vlan.name, vlan.vni is not None)
        for vlan in (carries.vlans if carries is not None else ())
    }


def carried(fabric: Fabric, overlay: Overlay, link: Link) -> Carries | None:
    nic = link.lower_port
    place = fabric.topology.places.get(
        (link.lower.name, nic.network if isinstance(nic, Nic) else "")
    )
    ports = overlay.ports.get(link.upper.name, {})
    return ports.get(place.index) if place is not None else None
