"""Describes the tenant networks of a server's ports, and whether they continue in another side."""

from collections.abc import Iterable

from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Link, Nic
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.prove.failures.groups import carried

Network = tuple[str, str, int, str, tuple[Ip, ...], str]
"""Set of ports, tenant, VLAN, VRF, gateways or pool, and tag of one network of a server."""


@record(kw_only=True)
class Attached:
    """Networks of a server in one fabric."""

    networks: frozenset[Network]

    @property
    def tenants(self) -> frozenset[str]:
        """Return the names of the tenants."""
        return frozenset(tenant for _, tenant, *_ in self.networks)

    @property
    def label(self) -> str:
        """Return the networks as text."""
        names = {
            f"{tenant} VLAN {vlan}" if vlan else f"{tenant} VRF {vrf}"
            for _, tenant, vlan, vrf, *_ in self.networks
        }
        return ", ".join(sorted(names)) or "no tenant"

    def continues_in(self, later: "Attached") -> bool:
        """Return whether all networks remain as they are; others may be new."""
        return self.networks <= later.networks


def attached(fabric: Fabric, links: Iterable[Link]) -> Attached:
    """Return the networks of some links of one server."""
    overlay = fabric.overlay
    if overlay is None:
        return Attached(networks=frozenset())
    return Attached(networks=frozenset(it for link in links for it in _of(fabric, overlay, link)))


def tenants_of(fabric: Fabric, links: Iterable[Link]) -> frozenset[str]:
    """Return the names of the tenants of some links of one server."""
    return attached(fabric, links).tenants


def _of(fabric: Fabric, overlay: Overlay, link: Link) -> Iterable[Network]:
    nic = link.lower_port
    network = nic.network if isinstance(nic, Nic) else ""
    member = overlay.members.get(link.lower.name)
    if member is not None:
        vrf = overlay.vrfs[member.vrf]
        yield network, vrf.tenant, 0, vrf.name, (), ""
        return
    routed = overlay.routed.get((link.lower.name, network))
    if routed is not None:
        vrf = overlay.vrfs[routed.vrf]
        yield network, vrf.tenant, 0, vrf.name, (routed.pool,), ""
    carries = carried(fabric, overlay, link)
    for vlan in carries.vlans if carries is not None else ():
        tag = "" if carries is not None and vlan is carries.untagged else "tagged"
        yield _network(network, vlan, tag)


def _network(network: str, vlan: Vlan, tag: str) -> Network:
    return network, vlan.tenant, vlan.id, vlan.vrf or "", vlan.gateways, tag
