"""Assigns addresses to management ports by the place of their cable."""

from collections.abc import Iterator, Mapping

from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.topology import Place
from fabricgen.model.fabric.vlans import Vlan

SHARED_BLOCK = 64
"""Addresses of each leaf that has management ports next to server ports. Ports of 1G are on
switches with fewer cages, and one block for all models keeps addresses when other leafs are added.
"""
BEYOND = 1024
"""Management ports on such a leaf start after this number of places, which servers have."""


def management_port(switch: str) -> str:
    """Return the name of a switch's management port in the cabling."""
    return f"{switch}-mgmt"


@record(kw_only=True)
class ManagedPort:
    """One management port: owner, port name, VLAN, address, and MAC if known."""

    server: str
    network: str
    vlan: Vlan
    address: Ip
    mac: str


@record(kw_only=True)
class ManagedPorts:
    """The management ports whose addresses follow from their cabling.

    `block`: addresses of each access switch, a power of two above its ports. `ports`: owner and
    port name, to the VLAN. `macs`: given MACs by owner. `vrf`: the VRF of all. `ends`: every
    management port, including ports with an address of their own. `beyond`: places of a leaf before
    the place of port 0.
    """

    block: int
    ports: Mapping[tuple[str, str], Vlan]
    macs: Mapping[str, str]
    vrf: str
    ends: frozenset[tuple[str, str]]
    beyond: int = 0

    def address(self, vlan: Vlan, place: Place) -> Ip:
        """Return the address of port p of access switch s: p + s blocks above the subnet's first.

        The first block stays free for gateways and for manual addresses.
        """
        (gateway,) = vlan.gateways
        first = gateway.network[0] + place.unit * self.block
        return gateway._replace(value=first + place.index - self.beyond)

    def each(self, places: Mapping[tuple[str, str], Place]) -> Iterator[ManagedPort]:
        """Yield every port with its address. `places`: of the fabric's topology."""
        for (server, network), vlan in self.ports.items():
            address = self.address(vlan, places[server, network])
            yield ManagedPort(
                server=server,
                network=network,
                vlan=vlan,
                address=address,
                mac=self.macs.get(server, ""),
            )
