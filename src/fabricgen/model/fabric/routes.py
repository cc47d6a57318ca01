"""Routes of a VRF that people say: the network behind a host, on the leafs that reach the host."""

from fabricgen.core.because import Because
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface

FIRST = 4100
"""Their numbers in prefix lists begin above every VLAN id, and end below what is from outside."""
MOST = 800


@record(eq=False, kw_only=True)
class VrfRoute:
    """One route. near: the subnet of its next hop, which a leaf is in that has the route.

    number: from its place in the intent. announce: routers outside are told. port: the port to a
    router outside that it leaves by; it goes with the port.
    """

    vrf: str
    number: int
    prefix: Ip
    by: Ip
    near: Ip
    announce: bool
    because: Because
    port: Interface | None = None
