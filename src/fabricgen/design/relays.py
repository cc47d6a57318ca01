"""What a VRF says of DHCP in; the relay of its VLANs out, or why it cannot be."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.design.addressing import pool
from fabricgen.diagnostics import Code, IntentPath
from fabricgen.fabric.because import Because
from fabricgen.fabric.relay import Relay

if TYPE_CHECKING:
    from fabricgen.design.findings import Findings
    from fabricgen.fabric.topology import Topology
    from fabricgen.intent.model.tenants import Vrf


def relay_of(
    name: str, vrf: Vrf, path: IntentPath, topology: Topology, findings: Findings
) -> Relay | None:
    """Return the relay of a VRF; None where it has none. path: of the VRF."""
    told = vrf.unless_refused("dhcp_relay")
    if told is None:
        return None
    here, net = (*path, "dhcp_relay"), told.sources
    last = max((leaf.ordinal for leaf in topology.switches if leaf.is_leaf), default=0) + 1
    if net.version != 4 or any(server.version != 4 for server in told.servers):
        findings.error(
            Code.UNSUPPORTED,
            "requests are relayed by IPv4: no switch announces itself as an IPv6 router, so no "
            "server would ask by DHCPv6",
            here,
            "use `addresses6: static`",
        )
        return None
    if last >= net.size - 1:
        findings.error(
            Code.POOL_TOO_SMALL,
            f"{net} has no address for leaf {last}",
            (*here, "sources"),
            f"this fits: a /{32 - (last + 1).bit_length()}",
        )
        return None
    return Relay(
        vrf=name,
        number=vrf.id,
        servers=tuple(map(str, told.servers)),
        sources=pool("sources", net),
        because=Because(
            (here,), "each leaf asks from an address of its own: the n-th of `sources`"
        ),
    )
