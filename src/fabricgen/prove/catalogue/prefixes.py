"""Check the routes of sessions and of tenants, and tables that became empty."""

from collections import defaultdict
from collections.abc import Iterator
from ipaddress import IPv4Network, IPv6Network, ip_network

from fabricgen.core.tree.facts import GLOBAL
from fabricgen.nos.show import ESTABLISHED
from fabricgen.prove.catalogue.growth import named
from fabricgen.prove.catalogue.model import Deviation, Subject

Network = IPv4Network | IPv6Network
_ROUTED = ("evpn-prefix", "hardware", "route", "kernel-route")
_EMPTIED = ("macs", "neighbors", "evpn-routes", "prefixes-received")


def refused(subject: Subject) -> Iterator[Deviation]:
    """Yield sessions whose received prefixes a policy, a limit or an AS loop refused."""
    for (metric, *names), number in subject.observed.measures.items():
        if metric == "prefixes-refused" and number > 0:
            vrf, peer, family = names
            yield Deviation(
                sentence=f"{number:,.0f} prefixes of BGP neighbor {peer}{_in(vrf)} ({family}) "
                "are refused",
                key=("session", vrf, peer),
                attribute=metric,
                expected="no refused prefix",
                actual=f"{number:,.0f} refused prefixes",
            )


def received(subject: Subject) -> Iterator[Deviation]:
    """Yield established sessions of the fabric from which no prefix of a family is accepted."""
    for (metric, *names), number in subject.observed.measures.items():
        if metric != "prefixes-received" or number:
            continue
        vrf, peer, family = names
        key = ("session", vrf, peer)
        up = subject.observed.facts.get(key, {}).get("state") == ESTABLISHED
        if (
            up
            and vrf == GLOBAL
            and family in subject.expected.facts.get(key, {}).get("families", ())
        ):
            yield Deviation(
                sentence=f"BGP neighbor {peer} is up, but no {family} prefix is accepted",
                key=key,
                attribute=metric,
                expected="at least 1 prefix",
                actual="0 prefixes",
            )


def emptied(subject: Subject) -> Iterator[Deviation]:
    """Yield tables that had entries in the earlier snapshot and have none now."""
    before = subject.before
    for measure, then in (before.measures if before is not None else {}).items():
        if measure[0] in _EMPTIED and then > 0 and subject.observed.measures.get(measure) == 0:
            yield Deviation(
                sentence=f"{measure[0]} of {named(measure[0], measure[1:])} became 0 "
                f"(before: {then:,.0f})",
                attribute=measure[0],
                expected="at least 1",
                actual="0",
            )


def isolation(subject: Subject) -> Iterator[Deviation]:
    """Yield VRFs with a subnet, or an imported route target, that belongs to another VRF alone."""
    yield from _foreign_subnets(subject)
    yield from _foreign_targets(subject)


def _foreign_subnets(subject: Subject) -> Iterator[Deviation]:
    owners = _owners(subject)
    allowed = {key[1:] for key in subject.expected.facts if key[0] in _ROUTED}
    for key in subject.observed.facts:
        if key[0] not in _ROUTED or len(key) != 3 or key[1] == GLOBAL or key[1:] in allowed:
            continue
        prefix = _network(key[2])
        homes = owners.get(prefix, frozenset()) if prefix is not None else frozenset()
        if homes and key[1] not in homes:
            others = ", ".join(sorted(homes))
            yield Deviation(
                sentence=f"VRF {key[1]} has a route to {key[2]}, a subnet of VRF {others}",
                key=key,
                expected=f"{key[2]} in VRF {others} alone",
                actual=f"{key[2]} in VRF {key[1]}",
            )


def _owners(subject: Subject) -> dict[Network, frozenset[str]]:
    """Return the VRFs of each subnet in the model: of gateways, and of EVPN prefixes."""
    found: dict[Network, set[str]] = defaultdict(set)
    for key, own in subject.expected.facts.items():
        if key[0] == "evpn-prefix":
            _add(found, key[2], key[1])
        elif key[0] == "interface" and own.get("vrf", GLOBAL) != GLOBAL:
            for address in own.get("address", ()):
                _add(found, str(address), str(own["vrf"]))
    return {prefix: frozenset(vrfs) for prefix, vrfs in found.items()}


def _add(found: dict[Network, set[str]], text: str, vrf: str) -> None:
    prefix = _network(text)
    if prefix is not None:
        found[prefix].add(vrf)


def _network(text: str) -> Network | None:
    try:
        return ip_network(text, strict=False)
    except ValueError:
        return None


def _foreign_targets(subject: Subject) -> Iterator[Deviation]:
    """Yield VNIs that import a route target which the model exports for another VRF alone."""
    exports: dict[str, set[str]] = defaultdict(set)
    for key, own in subject.expected.facts.items():
        if key[0] == "vni" and own.get("layer") == "3":
            for target in own.get("export", ()):
                exports[str(target)].add(str(own.get("vrf")))
    for key, own in subject.observed.facts.items():
        designed = subject.expected.facts.get(key, {})
        if key[0] != "vni" or designed.get("layer") != "3":
            continue
        for target in sorted(set(map(str, own.get("import", ()))) - set(designed["import"])):
            homes = exports.get(target, set()) - {str(designed.get("vrf"))}
            if homes:
                others = ", ".join(sorted(homes))
                yield Deviation(
                    sentence=f"VRF {designed.get('vrf')} imports route target {target} of VRF "
                    f"{others}",
                    key=key,
                    attribute="import",
                    expected=f"no route target of VRF {others}",
                    actual=target,
                )


def _in(vrf: str) -> str:
    return f" in VRF {vrf}" if vrf != GLOBAL else ""
