"""Defines virtual service addresses (VIPs) that balancers advertise."""

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip


@record(eq=False, kw_only=True)
class Vip:
    """One address that every balancer of a `hosts` entry has and advertises to its leafs.

    `entry`: label of the balancers' sessions. `vlans`: ids of the VLANs with the servers behind the
    balancers. Only the balancers may open connections to these VLANs.
    """

    name: str
    vrf: str
    entry: str
    address: Ip
    vlans: tuple[int, ...]
    because: Provenance
