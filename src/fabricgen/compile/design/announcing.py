"""What a VLAN says of its IPv6 routers in; how its gateways announce themselves out."""

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model import tenants as words
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.vlans import Announce, Vlan

_HOST_PART = 64
"""Bits of an address that a server makes itself (RFC 4291, 2.5.1; RFC 4862, 5.5.3 d)."""


def announced(
    vlan: words.Vlan, gateways: tuple[Ip, ...], path: IntentPath, findings: Findings
) -> Announce | None:
    """Return how the gateways of a VLAN announce themselves; None where they do not."""
    said = vlan.unless_refused("announce")
    if said is None:
        return None
    six = next((each for each in gateways if each.version == 6), None)
    if six is None:
        findings.error(
            Code.BAD_VALUE,
            "routers announce themselves by IPv6, and the VLAN has no subnet of it",
            (*path, "announce"),
            "give it `subnet6`",
        )
        return None
    if said == "slaac" and six.length != _HOST_PART:
        findings.error(
            Code.BAD_VALUE,
            f"servers make addresses of a /64 alone, and {six.prefix} is none",
            (*path, "announce"),
            "use a /64, or `announce: dhcp`",
        )
    return Announce(said)


def takes(vlan: Vlan, path: IntentPath, findings: Findings, *, way_out: bool) -> None:
    """Refuse servers that are to take announcements by a default route on which none are sent."""
    if way_out and vlan.announce is None:
        findings.error(
            Code.BAD_VALUE,
            f"the servers' default route goes by VLAN {vlan.name}, whose gateways announce nothing",
            (*path, "addresses6"),
            "say `announce` in that VLAN, or name another one in `default_route`",
        )
