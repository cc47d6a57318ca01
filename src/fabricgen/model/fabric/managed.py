"""Assigns addresses to management ports by the place of their cable."""

from collections.abc import Iterator, Mapping

from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.topology import Place
from fabricgen.model.fabric.vlans import Vlan

SHARED_BLOCK = 64
"""Addresses of each leaf that has management ports beside servers: ports of 1G are on switches of
fewer cages, and one block for all models keeps addresses when leafs of another come."""
BEYOND = 1024
"""Places of management ports on such a leaf begin after this: servers have those before it."""


def management_port(switch: str) -> str:
    """Return what the management port of a switch is called among what is cabled."""
    return f"{switch}-mgmt"


@record(kw_only=True)
class ManagedPort:
    """One management port: whose it is, its own name, VLAN and address, and its MAC if known."""

    server: str
    network: str
    vlan: Vlan
    address: Ip
    mac: str


@record(kw_only=True)
class ManagedPorts:
    """The management ports that get their addresses by where they are cabled to.

    block: addresses of each access switch, a power of two above its ports. ports: owner and its own
    name of the port, to the VLAN. macs: by owner, what is given. vrf: the routing table of all.
    ends: every management port, also those that have an address without it. beyond: places of a
    leaf before that of port 0.
    """

    block: int
    ports: Mapping[tuple[str, str], Vlan]
    macs: Mapping[str, str]
    vrf: str
    ends: frozenset[tuple[str, str]]
    beyond: int = 0

    def address(self, vlan: Vlan, place: Place) -> Ip:
        """Return the address of port p of access switch s: p + s blocks above the subnet's first.

        The first block stays for gateways and for what people number themselves.
        """
        (gateway,) = vlan.gateways
        first = gateway.network[0] + place.unit * self.block
        return gateway._replace(value=first + place.index - self.beyond)

    def each(self, places: Mapping[tuple[str, str], Place]) -> Iterator[ManagedPort]:
        """Yield every port with its address. places: of the fabric's topology."""
        for (server, network), vlan in self.ports.items():
            address = self.address(vlan, places[server, network])
            yield ManagedPort(
                server=server,
                network=network,
                vlan=vlan,
                address=address,
                mac=self.macs.get(server, ""),
            )
