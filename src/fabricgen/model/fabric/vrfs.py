"""Defines the services of a VRF: diagnostic addresses, firewalls and static routes."""

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip, Pool
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.topology import Switch

NUMBER = 4095
"""Sequence number of the subnet in prefix lists: the ids of VLANs end below it."""


@record(eq=False, kw_only=True)
class Diagnostics:
    """The diagnostic addresses of one VRF, one per leaf.

    Attributes:
        sources: The pool of the addresses.
        because: The place in the intent.
    """

    sources: Pool
    because: Provenance

    def address(self, leaf: Switch) -> Ip:
        """Return the address of a leaf, by its ordinal."""
        return Ip(self.sources.low(leaf.ordinal + 1), 32)


@record(eq=False, kw_only=True)
class Firewall:
    """A pair of units. `units`: the links of each unit; with standby the active unit first."""

    name: str
    asn: int
    both_active: bool
    units: tuple[tuple[str, ...], ...]
    because: Provenance


FIRST = 4100
"""Their numbers in prefix lists begin above every VLAN id, and end below external prefixes."""
MOST = 800


@record(eq=False, kw_only=True)
class VrfRoute:
    """One static route. `near`: the subnet of its next hop, which each leaf with the route has.

    `number`: from its position in the intent. `announce`: advertised to external routers. `port`:
    the port to an external router that it uses; it exists only with that port.
    """

    vrf: str
    number: int
    prefix: Ip
    by: Ip
    near: Ip
    announce: bool
    because: Provenance
    port: Interface | None = None
