"""The routing design of a fabric: ASNs, ECMP width, and the prefixes that may be announced."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code, IntentPath
from fabricgen.fabric.addressing import Addresses
from fabricgen.fabric.routing import AllowedPrefix, AsnPlan, Bfd, Routing
from fabricgen.fabric.topology import Role, Topology
from fabricgen.intent.paths import at
from fabricgen.units import Milliseconds

if TYPE_CHECKING:
    from fabricgen.design.findings import Findings
    from fabricgen.intent.model.underlay import Underlay

LEAST_ECMP = 64  # maximum-paths is never set lower: adding a spine must not change other lines


def route(
    topology: Topology,
    addresses: Addresses,
    underlay: Underlay,
    here: IntentPath,
    width: int,
    findings: Findings,
    *,
    overlay: bool,
) -> Routing:
    """Design the routing of one fabric; `width` is the most equal paths a switch can have."""
    path = at(*here, "underlay")
    plan = AsnPlan(underlay.asn.first, underlay.asn.last, underlay.asn.scheme == "rfc7938")
    leafs = [s.ordinal for s in topology.switches if s.role is Role.LEAF]
    uppers = [plan.asn(s) for s in topology.switches if s.role is not Role.LEAF]
    need = max(leafs, default=0) + 1 + (plan.last - min(uppers) + 1 if uppers else 0)
    have = plan.last - plan.first + 1
    if need > have:
        findings.spoil(
            Code.ASN_RANGE_TOO_SMALL,
            f"{need:,} ASNs are needed; {plan.first}-{plan.last} holds {have:,}",
            (*path, "asn"),
            "use the 4-byte private range 4200000000-4294967294, or scheme: rfc7938",
        )
    bfd = underlay.bfd
    ecmp = max(LEAST_ECMP, 1 << (max(width, 1) - 1).bit_length())
    return Routing(
        path=path,
        links=underlay.links,
        asns=plan,
        bfd=Bfd(Milliseconds(bfd.interval), bfd.multiplier) if bfd.enabled else None,
        mtu=underlay.mtu,
        ecmp=ecmp,
        allowed=_allowed(addresses, tenants=overlay),
        overlay=overlay,
        password=underlay.password,
    )


def _allowed(addresses: Addresses, *, tenants: bool) -> tuple[AllowedPrefix, ...]:
    """Return what the underlay announces: with tenants, NICs are in their VRFs alone."""
    allowed = [AllowedPrefix(addresses.loopbacks.whole, 32, 32)]
    if addresses.vteps is not None:
        allowed.append(AllowedPrefix(addresses.vteps.whole, 32, 32))
    if addresses.nics is not None and not tenants:
        length = addresses.nics.subnet_length or 31
        allowed.append(AllowedPrefix(addresses.nics.pool.whole, length, length))
    return tuple(allowed)
