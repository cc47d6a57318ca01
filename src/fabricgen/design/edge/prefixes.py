"""Prefixes of a VRF in; the rules by which they pass its border, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code, IntentPath
from fabricgen.fabric.addressing import Ip
from fabricgen.fabric.external import PrefixRule

if TYPE_CHECKING:
    from netaddr import IPNetwork

    from fabricgen.design.findings import Findings
    from fabricgen.fabric.overlay import Vlan


def announced(
    vrf: str, vlans: list[Vlan], here: IntentPath, findings: Findings
) -> tuple[PrefixRule, ...]:
    """Return the IPv4 subnets of a VRF; a subnet keeps the number of its VLAN for ever."""
    rules = tuple(
        PrefixRule(vlan.id, gateway) for vlan in vlans if (gateway := vlan.gateway(4)) is not None
    )
    six = [vlan.name for vlan in vlans if vlan.gateway(6)]
    if vlans and not rules:
        findings.error(
            Code.BAD_VALUE,
            f"the VRF {vrf} has no IPv4 subnet that it could announce",
            here,
            "external sessions carry IPv4",
        )
    elif six:
        findings.warn(
            Code.UNSUPPORTED,
            f"external sessions carry IPv4, so the outside is not told the subnet of {six[0]}"
            + (f" and of {len(six) - 1} more" if six[1:] else ""),
            here,
        )
    return rules


def accepted(
    prefixes: list[IPNetwork], vlans: list[Vlan], path: IntentPath, findings: Findings
) -> tuple[PrefixRule, ...]:
    """Return what may come in, each prefix with ten times its place as its number."""
    rules: list[PrefixRule] = []
    for place, net in enumerate(prefixes):
        prefix = Ip(int(net.first), int(net.prefixlen), int(net.version))
        where = (*path, place)
        if prefix.version != 4:
            findings.error(Code.BAD_VALUE, f"{net} is not IPv4, the session is", where)
        if any(prefix == rule.prefix for rule in rules):
            findings.error(Code.DUPLICATE_ID, f"{net} is accepted twice", where)
        inside = [v.name for v in vlans if any(_holds(own, prefix) for own in v.gateways)]
        if inside:
            findings.error(
                Code.ADDRESS_OVERLAP,
                f"{net} lies in the subnet of VLAN {inside[0]}: the outside would attract "
                "traffic of its servers",
                where,
            )
        rules.append(PrefixRule(10 * (place + 1), prefix))
    return tuple(rules)


def _holds(subnet: Ip, prefix: Ip) -> bool:
    first, last = subnet.network
    low, high = prefix.network
    return subnet.version == prefix.version and first <= low and high <= last
