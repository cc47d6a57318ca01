"""Design the rules by which prefixes pass the border of a VRF."""

from netaddr import IPNetwork

from fabricgen.compile.design.addressing import prefix_of
from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model.edge import ExternalPeer, OutsideRouter, PrefixRange
from fabricgen.intent.model.managed import OutOfBand
from fabricgen.intent.model.tenants import Vrf
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.external import PrefixRule
from fabricgen.model.fabric.vlans import Vlan

_DEFAULT = {4: Ip(0, 0), 6: Ip(0, 0, 6)}


def announced(
    vrf: str, vlans: list[Vlan], words: Vrf | OutOfBand, here: IntentPath, findings: Findings
) -> tuple[PrefixRule, ...]:
    """Return the subnets of a VRF; a subnet keeps the number of its VLAN for ever."""
    rules = tuple(PrefixRule(vlan.id, gateway) for vlan in vlans for gateway in vlan.gateways)
    for name, peer in words.external.items():
        spoken = _spoken(peer)
        if vlans and not any(rule.prefix.version in spoken for rule in rules):
            which = " and ".join(f"IPv{version}" for version in sorted(spoken))
            findings.error(
                Code.BAD_VALUE,
                f"the VRF {vrf} has no {which} subnet to advertise",
                (*here, name),
                "set `address` for an IPv4 session, `address6` for an IPv6 session",
            )
    heard = {version for peer in words.external.values() for version in _spoken(peer)}
    mute = [
        (vlan.name, gateway.version)
        for vlan in vlans
        for gateway in vlan.gateways
        if gateway.version not in heard
    ]
    if mute and len(mute) < len(rules):
        findings.warn(
            Code.UNSUPPORTED,
            f"no external session carries IPv{mute[0][1]}, so external routers do not learn the "
            f"subnet of {mute[0][0]}" + (f" and of {len(mute) - 1} more" if mute[1:] else ""),
            here,
        )
    return rules


def _spoken(peer: ExternalPeer | OutsideRouter) -> set[int]:
    ends = ((4, peer.address), (6, peer.address6))
    return {version for version, net in ends if net is not None}


def accepted(
    peer: ExternalPeer | OutsideRouter, vlans: list[Vlan], path: IntentPath, findings: Findings
) -> tuple[PrefixRule, ...]:
    """Return the accepted prefixes, each with its position times ten as sequence number."""
    spoken, rules = _spoken(peer), list[PrefixRule]()
    if peer.accept is None:
        return tuple(PrefixRule(10, _DEFAULT[version]) for version in sorted(spoken))
    for place, wanted in enumerate(peer.accept):
        where = (*path, place)
        rule = _rule(10 * (place + 1), wanted, where, findings)
        if rule.prefix.version not in spoken:
            what = f"{rule.prefix.prefix} is not IPv{min(spoken)}, but the session is"
            findings.error(Code.BAD_VALUE, what, where)
        if any(rule[1:] == other[1:] for other in rules):
            findings.error(Code.DUPLICATE_ID, f"{rule.prefix.prefix} is accepted twice", where)
        inside = [
            vlan.name
            for vlan in vlans
            if any(_attracts(gateway, rule) for gateway in vlan.gateways)
        ]
        if inside:
            findings.error(
                Code.ADDRESS_OVERLAP,
                f"{rule.prefix.prefix} is inside the subnet of VLAN {inside[0]}, or permits "
                "prefixes that are: external routers would attract traffic of its servers",
                where,
            )
        rules.append(rule)
    heard = {rule.prefix.version for rule in rules}
    for version in sorted(spoken - heard) if heard <= spoken else ():
        message = f"no IPv{version} prefix is accepted, so its session learns nothing"
        findings.error(Code.BAD_VALUE, message, path, "remove its address")
    return tuple(rules)


def _rule(
    number: int, wanted: IPNetwork | PrefixRange, where: IntentPath, findings: Findings
) -> PrefixRule:
    net = wanted.prefix if isinstance(wanted, PrefixRange) else wanted
    prefix = prefix_of(net)
    ge, le = getattr(wanted, "ge", None), getattr(wanted, "le", None)
    if ge is None and le is None:
        return PrefixRule(number, prefix)
    widest = 32 if prefix.version == 4 else 128
    least, most = ge or prefix.length, le or widest
    if not prefix.length <= least <= most <= widest:
        message = f"{net} has no lengths from {least} to {most}"
        findings.error(Code.BAD_VALUE, message, where)
    return PrefixRule(number, prefix, least, most)


def _attracts(subnet: Ip, rule: PrefixRule) -> bool:
    """Return whether an accepted prefix may be a part of a subnet, or the whole subnet."""
    if subnet.holds(rule.prefix):
        return True
    return rule.prefix.holds(subnet) and rule.allowed.longest >= subnet.length
