"""Defines DHCP relay: the servers of a VRF and the source address of each leaf."""

from fabricgen.core.provenance import Provenance
from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip, Pool
from fabricgen.model.fabric.topology import Switch


@record(eq=False, kw_only=True)
class Relay:
    """The relay of one VRF and IP version, which is the version of its servers.

    `number`: the VRF's id, by which platforms name its interface.

    `sources`: the anycast gateway is an address of every leaf, so an answer to it could reach
    another leaf; each leaf asks from its own address.
    """

    vrf: str
    number: int
    servers: tuple[str, ...]
    sources: Pool
    because: Provenance

    def source(self, leaf: Switch) -> Ip:
        """Return the source address of a leaf."""
        version = self.sources.version
        return Ip(self.sources.low(leaf.ordinal + 1), 32 if version == 4 else 128, version)

    @property
    def version(self) -> int:
        """Return the IP version of the DHCP servers."""
        return self.sources.version
