"""Translate an old snapshot of a switch to the current names, without removed neighbors.

A neighbor that the push renames is the same neighbor. A VLAN that no longer reaches a switch which
the intent removed lost nothing.
"""

from dataclasses import dataclass, replace

from fabricgen.model.fabric.switch import Site
from fabricgen.nos.health import Health
from fabricgen.nos.traffic import Bridged, Routed


@dataclass(frozen=True, slots=True)
class Present:
    """Names of a design. names: current name by previous name. vteps: addresses of tunnel ends."""

    names: dict[str, str]
    vteps: frozenset[str]

    @classmethod
    def of(cls, site: Site) -> "Present":
        """Return the names of a site."""
        names = {
            identity.previous_name: name
            for fabric in site.fabrics
            for name, identity in fabric.identities.items()
            if identity.previous_name
        }
        ends = (
            fabric.addresses.vtep(switch)
            for fabric in site.fabrics
            for switch in fabric.topology.switches
        )
        return cls(names, frozenset(end.host for end in ends if end is not None))

    def seen(self, health: Health) -> Health:
        """Return a snapshot with current names."""
        traffic = health.traffic
        return replace(
            health,
            cables=frozenset(map(self._cable, health.cables)) if self.names else health.cables,
            traffic=replace(
                traffic,
                vlans={number: self._bridged(it) for number, it in traffic.vlans.items()},
                vrfs={name: self._routed(it) for name, it in traffic.vrfs.items()},
            ),
        )

    def _cable(self, cable: str) -> str:
        port, _, far = cable.partition(" ")
        host, _, its = far.partition(" ")
        return " ".join((port, self.names.get(host.partition(".")[0], host), its))

    def _bridged(self, vlan: Bridged) -> Bridged:
        return replace(vlan, far=vlan.far & self.vteps)

    def _routed(self, vrf: Routed) -> Routed:
        hops = {hop: mac for hop, mac in vrf.hops.items() if hop in self.vteps}
        prefixes = {hop: count for hop, count in vrf.prefixes.items() if hop in self.vteps}
        return replace(vrf, hops=hops, prefixes=prefixes)
