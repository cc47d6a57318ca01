"""A station of the model: what sends and takes packets, and where it is."""

from fabricgen.core.because import Because
from fabricgen.core.record import record
from fabricgen.model.fabric.external import ExternalPeer
from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.routes import VrfRoute
from fabricgen.model.fabric.switch import Fabric, SwitchSlice
from fabricgen.model.fabric.topology import Nic, Server
from fabricgen.model.fabric.vlans import Vlan
from fabricgen.nos.hosts.bridged import Member
from fabricgen.nos.hosts.slices import HostSlice
from fabricgen.prove.walk.packet import Station


@record(eq=False, kw_only=True)
class Touch:
    """A server's interface in one network, at one switch; a bundle over two has two."""

    piece: SwitchSlice
    interface: Interface
    server: Server
    nic: Nic
    vlan: Vlan | None


@record(eq=False, kw_only=True)
class Stand:
    """A station and what the model has of it. peer: of one outside; vlan: of one in a VLAN.

    route: the static route that it is behind. kind: of a server, its kind in `servers`.
    """

    station: Station
    fabric: Fabric
    piece: SwitchSlice
    leafs: tuple[str, ...]
    vrf: str | None
    because: Because
    nic: Nic | None = None
    vlan: Vlan | None = None
    host: HostSlice | None = None
    member: Member | None = None
    peer: ExternalPeer | None = None
    route: VrfRoute | None = None
    kind: str = ""
