"""The words of a backend in; how many servers, rails and planes there are and are reserved, out."""

from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.tiers import reserved
from fabricgen.core.diagnostics import Code, Stop
from fabricgen.core.record import record
from fabricgen.intent.model.backend import Backend


@record(kw_only=True)
class Servers:
    """How servers, rails and planes are counted; `reserved_` is what growth asks for."""

    count: int
    rails: int
    planes: int
    rails_per_leaf: int
    ports_per_plane: int
    leafs_per_nic: int
    reserved: int
    reserved_rails: int
    reserved_planes: int

    @property
    def ports_per_leaf(self) -> int:
        """Ports of one NIC on one leaf."""
        return self.ports_per_plane // self.leafs_per_nic

    @property
    def reserved_groups(self) -> int:
        """Leafs of one unit in one plane, with the rails that are reserved."""
        return ceil(self.reserved_rails / self.rails_per_leaf) * self.leafs_per_nic


def counted_servers(intent: Backend, findings: Findings) -> Servers:
    """Count them, or stop where NICs, rails and planes do not go together."""
    asked = intent.servers
    nics = asked.nics or asked.gpus
    rails = intent.rails or nics
    if rails != nics:
        findings.error(
            Code.BAD_VALUE,
            f"{nics} NICs per server do not make {rails} rails: NIC k is "
            "rail k, so there are as many rails as NICs",
            intent.at("rails"),
        )
    ports = findings.attempt(lambda: ports_per_plane(intent, findings))
    have = {"servers": asked.count, "rails": rails, "planes": intent.planes}
    kept = {
        name: max(reserved(intent, name, count, findings) or count, count)
        for name, count in have.items()
    }
    if intent.sites is not None and len(intent.sites) > 1:
        findings.error(
            Code.BACKEND_SPANS_SITES,
            f"the backend names {len(intent.sites)} sites; lossless Ethernet ends at the site: "
            "headroom grows with distance",
            intent.at("sites"),
            "give each site its own backend",
        )
    if intent.rails not in (None, nics) or ports is None:
        raise Stop
    return Servers(
        count=asked.count,
        rails=rails,
        planes=intent.planes,
        rails_per_leaf=intent.rails_per_leaf,
        ports_per_plane=ports,
        leafs_per_nic=intent.leafs_per_nic,
        reserved=kept["servers"],
        reserved_rails=kept["rails"],
        reserved_planes=kept["planes"],
    )


def ports_per_plane(intent: Backend, findings: Findings) -> int:
    """Return the ports of a NIC in one plane; stop where they cannot be on its planes and leafs."""
    nic_ports, leafs = intent.servers.nic_ports, intent.leafs_per_nic
    path = intent.at("leafs_per_nic")
    if nic_ports % intent.planes:
        raise findings.stop(
            Code.BAD_VALUE,
            f"{nic_ports} ports per NIC do not divide over {intent.planes} planes",
            intent.at("servers", "nic_ports"),
            f"give each NIC {intent.planes} ports, one per plane",
        )
    ports = nic_ports // intent.planes
    if ports % leafs:
        raise findings.stop(
            Code.BAD_VALUE,
            f"{ports} port(s) of a NIC in one plane do not divide over {leafs} leafs",
            path,
            f"give each NIC {leafs * intent.planes} ports",
        )
    if leafs > 1 and intent.nic_addressing.mode == "subnet":
        raise findings.stop(
            Code.BAD_VALUE,
            f"{leafs} leafs would be the gateway of one subnet: it is of a rail and a unit",
            path,
            "use `nic_addressing: {mode: p2p}`",
        )
    return ports
