"""Defines routed server ports on an EVPN fabric: VRF, links and BGP with the server."""

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.classes import Mark
from fabricgen.model.fabric.external import Border, ExternalPeer, PrefixRule
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.leaks import joinable
from fabricgen.model.fabric.topology import Nic, Server
from fabricgen.model.fabric.vips import Vip

_DEFAULT = (PrefixRule(10, Ip(0, 0)),)


@record(eq=False, kw_only=True)
class HostBgp:
    """BGP with servers of a VRF. `name`: of the policy. `accept`: permitted prefixes.

    `speaker`: frr, cilium or calico. `border`: its limit is on the prefixes of one server. `vips`:
    addresses that each server has on its loopback.
    """

    name: str
    asn: int
    speaker: str
    accept: tuple[PrefixRule, ...]
    border: Border
    bfd: bool
    because: Provenance
    vips: tuple[Vip, ...] = ()


@record(eq=False, kw_only=True)
class HostPorts:
    """Server ports that are routed in a VRF; each has a /31 of `pool`, by its numbers.

    `ports`: of one server. `bgp`: None if servers advertise nothing. `mark`: DSCP for all packets
    of servers; None if their DSCPs are trusted.
    """

    vrf: str
    pool: Ip
    ports: int
    bgp: HostBgp | None
    because: Provenance
    mark: Mark | None = None

    @property
    def label(self) -> str:
        """Return the label of all its sessions; empty without BGP."""
        return f"{joinable(self.vrf)}_{self.bgp.name}" if self.bgp is not None else ""

    def link(self, server: int, port: int) -> tuple[Ip, Ip]:
        """Return (leaf, server) of one port; both numbers count from 1."""
        first = self.pool.value + 2 * ((server - 1) * self.ports + port - 1)
        return Ip(first, 31), Ip(first + 1, 31)

    def session(self, item: Interface, server: Server, nic: Nic) -> ExternalPeer | None:
        """Return the session over one port of a server; None where it announces nothing."""
        if self.bgp is None or item.address is None:
            return None
        return ExternalPeer(
            vrf=self.vrf,
            name=f"{server.name}:{nic.label}",
            interface=item,
            local=item.address,
            remote=self.link(server.number, nic.port)[1],
            peer_asn=self.bgp.asn,
            accept=self.bgp.accept,
            announce=_DEFAULT,
            bfd=self.bgp.bfd,
            because=self.bgp.because,
            policy=self.bgp.name,
            border=self.bgp.border,
            default=True,
            inside=True,
        )
