"""What VLANs say of groups of IPv4 in; where packets to a group go out."""

from collections.abc import Mapping

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model import tenants as words
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.vlans import Multicast


def multicast_of(
    vlan: words.Vlan, gateways: tuple[Ip, ...], path: IntentPath, findings: Findings
) -> Multicast | None:
    """Return where its groups go; None where they are flooded.

    Some hosts ignore queries from outside their subnet (aristanetworks/avd issue 6162).
    """
    said = vlan.unless_refused("multicast")
    if said is None:
        return None
    if not any(gateway.version == 4 for gateway in gateways):
        findings.error(
            Code.BAD_VALUE,
            "servers are asked for their groups from the gateway's IPv4 address, and it has none",
            (*path, "multicast"),
            "give it a `subnet` of IPv4, in a VRF",
        )
        return None
    return Multicast(said)


def alike(vlans: Mapping[str, words.Vlan], path: IntentPath, findings: Findings) -> None:
    """Refuse VLANs of one EVPN instance that differ: it tells of groups in all or in none.

    RFC 9251, 4: a leaf that tells of groups gets those alone, also in a VLAN where nobody asks.
    """
    said = {name: vlan.unless_refused("multicast") for name, vlan in vlans.items()}
    if len(set(said.values())) > 1:
        name = next(name for name, each in said.items() if each is not None)
        findings.error(
            Code.BAD_VALUE,
            "the VLANs of a VRF are one EVPN instance, which tells of groups in all or in none",
            (*path, "vlans", name, "multicast"),
            "say the same in every VLAN of the VRF, or leave `overlay.service` out",
        )
