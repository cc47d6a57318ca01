"""Removes the facts that a switch ignores because another line is missing.

A walk uses only the remaining facts. Each rule names its source. A switch of the platform accepts
the removed line and does not act on it.
"""

import re
from collections.abc import Iterator
from ipaddress import ip_address, ip_interface

from fabricgen.core.record import record
from fabricgen.core.tree.facts import FALSE, GLOBAL, TRUE, Attributes, Facts, Key, subject_of
from fabricgen.core.tree.table import ALWAYS
from fabricgen.prove.walk.values import text, words

EOS, SONIC, LINUX = "eos", "sonic", "linux"
_MULTI_AGENT = (ALWAYS, "service routing protocols model multi-agent")
_FORWARDING = (ALWAYS, "net.ipv4.ip_forward = 1")
DEMANDED = frozenset({_MULTI_AGENT, _FORWARDING})
"""Lines without a value on which others depend."""
WITHOUT_HOPS = "is on no link and has no `ebgp-multihop`"
"""An invariant reports this fault as well (FG879)."""
_SWITCHED = ("Ethernet", "Port-Channel")
_SHORT = re.compile(r"(?:Eth|Po)\d+\.")
_OWN_VLAN = "1"
"""The VLAN that every switch has."""


@record(kw_only=True)
class Idle:
    """Attributes of an object without effect, and the missing line that causes this."""

    key: Key
    attributes: tuple[str, ...]
    why: str


@record(kw_only=True)
class Effective:
    """Facts with effect, and a sentence about each of the others."""

    facts: Facts
    idle: tuple[Idle, ...]


def effective(facts: Facts, platform: str) -> Effective:
    """Return the facts of a switch that take effect on its platform."""
    kept, idle = dict(facts), list[Idle]()
    for rule in _RULES.get(platform, ()):
        found = list(rule(kept))
        for each in found:
            own = kept.get(each.key, {})
            kept[each.key] = {k: v for k, v in own.items() if k not in each.attributes}
        idle += found
    read = any(key[0] == ALWAYS and key[1].startswith("net.ipv4.") for key in facts)
    if read and _FORWARDING not in facts:
        kept["switch",] = {**kept.get(("switch",), {}), "routes": FALSE}
        idle.append(_idle(("switch",), f"has no `{_FORWARDING[1]}` (ip-sysctl.rst)"))
    return Effective(facts=kept, idle=tuple(idle))


def _each(facts: Facts, kind: str) -> Iterator[tuple[Key, Attributes]]:
    return ((key, own) for key, own in facts.items() if key[0] == kind)


def _idle(key: Key, why: str, *attributes: str) -> Idle:
    return Idle(key=key, attributes=attributes, why=f"{subject_of(key)} {why}")


def _vrfs(facts: Facts) -> Iterator[Idle]:
    """Yield ports whose VRF is absent: `vrf X` at a port needs it.

    EOS manual, VRFs: `vrf instance` comes first. SONiC: intfmgr.cpp waits for the VRF.
    """
    for key, own in _each(facts, "interface"):
        vrf = text(own.get("vrf"))
        if vrf and "exists" not in facts.get(("vrf", vrf), {}):
            yield _idle(key, f"is in VRF {vrf}, which is absent", "address", "link-local")
    for key, own in _each(facts, "vrf"):
        if "exists" not in own:
            yield _idle(key, "is absent", "vni", "import", "export", "routes", "connected")


def _vrf_devices(facts: Facts) -> Iterator[Idle]:
    """Yield VRFs of Linux without a table (Documentation/networking/vrf.rst)."""
    for key, own in _each(facts, "interface"):
        vrf = text(own.get("vrf"))
        if vrf and "table" not in facts.get(("interface", vrf), {}):
            yield _idle(key, f"is in VRF {vrf}, which has no table", "address")


def _switched_ports(facts: Facts) -> Iterator[Idle]:
    """Yield ports without `no switchport`, which are switched (EOS manual, Ethernet ports)."""
    for key, own in _each(facts, "interface"):
        if not key[1].startswith(_SWITCHED):
            continue
        if "." in key[1]:
            parent = facts.get(("interface", key[1].rpartition(".")[0]), {"routed": TRUE})
            if "tag" not in own:
                yield _idle(key, "has no `encapsulation dot1q vlan`", "address", "link-local")
            elif "routed" not in parent:
                yield _idle(
                    key, "belongs to a port without `no switchport`", "address", "link-local"
                )
        elif "routed" not in own:
            if own.keys() & {"address", "link-local"}:
                yield _idle(key, "has no `no switchport`", "address", "link-local")
            several = words(own.get("vlans")) != (text(own.get("untagged")),)
            if own.get("mode") != "trunk" and "group" not in own and several and "vlans" in own:
                yield _idle(key, "has no `switchport mode trunk`", "vlans", "untagged")


def _vlans(facts: Facts, there: set[str]) -> Iterator[Idle]:
    """Yield ports and gateways of absent VLANs, which forward nothing (IEEE 802.1Q)."""
    for key, own in _each(facts, "interface"):
        carried, untagged = set(words(own.get("vlans"))), text(own.get("untagged"))
        absent = sorted(carried - there)
        if absent and (untagged in absent or not carried & there):  # some of a range may be absent
            yield _idle(key, f"has VLAN {absent[0]}, which is absent", "vlans", "untagged")
        number = key[1].removeprefix("Vlan")
        if number.isdigit() and number not in there:
            yield _idle(key, "routes a VLAN that is absent", "address")
    for key, own in _each(facts, "vlan"):
        if key[1] not in there and "vni" in own:
            yield _idle(key, "is absent", "vni", "import", "export")


def _vlans_of_eos(facts: Facts) -> Iterator[Idle]:
    return _vlans(facts, {_OWN_VLAN, *words(facts.get(("switch",), {}).get("vlans"))})


def _vlans_of_sonic(facts: Facts) -> Iterator[Idle]:
    signs = {"number", "name", "mtu", "up"}  # fields of VLAN
    there = {key[1] for key, own in _each(facts, "vlan") if signs & own.keys()}
    return _vlans(facts, {_OWN_VLAN, *there})


def _vlans_of_linux(facts: Facts) -> Iterator[Idle]:
    """Yield VLANs that a bridge does not pass to its device (bridge(8), `vlan … self`)."""
    for key, own in _each(facts, "interface"):
        bridge, vlan = ("interface", text(own.get("device"))), text(own.get("vlan"))
        if vlan and "vlan-aware" in facts.get(bridge, {}):
            there = words(facts[bridge].get("vlans"))
            if vlan not in there:
                yield _idle(key, f"routes VLAN {vlan}, which {bridge[1]} lacks", "address")


def _virtual_mac(facts: Facts) -> Iterator[Idle]:
    """Yield virtual addresses without a MAC (EOS manual, `ip virtual-router mac-address`)."""
    if "anycast-mac" in facts.get(("switch",), {}):
        return
    for key, own in _each(facts, "interface"):
        if own.get("anycast") == TRUE:
            yield _idle(key, "has no `ip virtual-router mac-address`", "address")


def _multi_agent(facts: Facts) -> Iterator[Idle]:
    """Yield EVPN without `service routing protocols model multi-agent` (EOS manual, EVPN)."""
    if _MULTI_AGENT not in facts:
        for key, own in _each(facts, "session"):
            if "evpn" in words(own.get("families")):
                yield _idle(key, f"has EVPN without `{_MULTI_AGENT[1]}`", "families")


def _instances(facts: Facts) -> Iterator[Idle]:
    """Yield MAC-VRFs without `rd` or `redistribute learned` (EOS manual, EVPN)."""
    bundled = {
        ("vlan", each)
        for _, own in _each(facts, "bundle")
        for each in words(own.get("members"))
        if "rd" in own
    }
    for kind in ("vlan", "vrf"):
        for key, own in _each(facts, kind):
            if "rd" not in own and key not in bundled and own.keys() & {"import", "export"}:
                yield _idle(key, "has route targets but no `rd`", "import", "export")
    for key, own in _each(facts, "vlan"):
        if "learned" not in own and "export" in own:
            yield _idle(key, "has no `redistribute learned`", "export")


def _ways_over_ipv6(facts: Facts) -> Iterator[Idle]:
    """Yield IPv4 routes over IPv6 without `ip routing ipv6 interfaces` (EOS manual, RFC 5549)."""
    switch = facts.get(("switch",), {})
    for key, own in _each(facts, "session"):
        if own.get("ipv6-next-hop") == TRUE and "ipv4-over-ipv6" not in switch:
            yield _idle(key, "has no `ip routing ipv6 interfaces`", "ipv6-next-hop")


def _unnumbered(facts: Facts) -> Iterator[Idle]:
    """Yield port sessions without the port's link-local address.

    EOS manual, `ipv6 enable`; SONiC `ipv6_use_link_local_only`, sonic-interface.yang.
    """
    for key, own in _each(facts, "session"):
        port = facts.get(("interface", key[2]))
        if port is not None and "link-local" not in port and "asn" in own:
            yield _idle(key, f"is at {key[2]}, which has no link-local address", "families")


def _far_sessions(facts: Facts) -> Iterator[Idle]:
    """Yield external sessions that are on no link and have no hops.

    RFC 4271 section 5.1.3; EOS and FRR: `ebgp-multihop`, without it one hop.
    """
    near = [
        ip_interface(each).network
        for key, own in _each(facts, "interface")
        for each in words(own.get("address"))
    ]
    asn = facts.get(("bgp", GLOBAL), {}).get("asn")
    for key, own in _each(facts, "session"):
        if key[1] != GLOBAL or "evpn" not in words(own.get("families")):
            continue
        try:
            peer = ip_address(key[2])
        except ValueError:
            continue
        short = own.get("multihop", "1") == "1" and "unchecked" not in own
        if short and own.get("asn") not in (asn, "internal") and not any(peer in n for n in near):
            yield _idle(key, WITHOUT_HOPS, "families")


def _groups(facts: Facts) -> Iterator[Idle]:
    """Yield sessions of an absent peer group, which inherit nothing."""
    for key, own in _each(facts, "session"):
        if "group" in own and "template" not in own:
            yield _idle(key, f"belongs to group {own['group']}, which is absent", "families")


def _advertised(facts: Facts) -> Iterator[Idle]:
    """Yield VNIs without `advertise-all-vni` (FRR manual, EVPN)."""
    own = facts.get(("vtep",), {})
    if own and "announced" not in own:
        yield _idle(("vtep",), "is unknown to FRR without `advertise-all-vni`", "address", "source")


def _bundles_of_sonic(facts: Facts) -> Iterator[Idle]:
    """Yield port-channels without admin_status, which are down (sonic-swss cfgmgr/teammgr.cpp)."""
    for key, own in _each(facts, "interface"):
        whole = key[1].startswith("PortChannel") and own.keys() & {"mtu", "min-links", "lacp-key"}
        if whole and not own.keys() & {"up", "shut"}:
            yield _idle(key, "has no admin_status", "address", "vlans", "untagged")


def _shares_of_sonic(facts: Facts) -> Iterator[Idle]:
    """Yield short names, `Po12.34`, without `vlan` (sonic-vlan-sub-interface.yang)."""
    for key, own in _each(facts, "interface"):
        if _SHORT.match(key[1]) and "tag" not in own:
            yield _idle(key, "has a short name but no `vlan`", "address", "link-local")


def _overlay_of_sonic(facts: Facts) -> Iterator[Idle]:
    """Yield EVPN tunnels without VXLAN_EVPN_NVO (sonic-swss orchagent/vxlanorch.cpp)."""
    own = facts.get(("vtep",), {})
    if own and "evpn" not in own:
        yield _idle(("vtep",), "has no VXLAN_EVPN_NVO", "address", "source")


def _transit_of_sonic(facts: Facts) -> Iterator[Idle]:
    """Yield VNIs of VRFs without a mapped VLAN (sonic-swss orchagent/vrforch.cpp)."""
    mapped = {own.get("vni") for _, own in _each(facts, "vlan")}
    for key, own in _each(facts, "vrf"):
        if "vni" in own and own["vni"] not in mapped:
            yield _idle(key, f"has VNI {own['vni']}, to which no VLAN maps", "vni")


def _transit(facts: Facts) -> Iterator[Idle]:
    """Yield VNIs of VRFs without an interface of their VLAN in the VRF (FRR manual, EVPN)."""
    vlan_of = {own["vni"]: key[1] for key, own in _each(facts, "vlan") if "vni" in own}
    for _, own in _each(facts, "interface"):
        if "vni" in own and "untagged" in own:
            vlan_of[own["vni"]] = text(own["untagged"])
    routed = {
        (text(own.get("vlan")) or key[1].removeprefix("Vlan"), text(own.get("vrf")))
        for key, own in _each(facts, "interface")
    }
    for key, own in _each(facts, "vrf"):
        if "vni" in own and (vlan_of.get(own["vni"], ""), key[1]) not in routed:
            why = f"has VNI {own['vni']} but no interface of its VLAN"
            yield _idle(key, why, "vni", "import", "export")


def _daemons(facts: Facts) -> Iterator[Idle]:
    """Yield BGP without its daemon (FRR manual, `/etc/frr/daemons`)."""
    own = facts.get(("switch",), {})
    if own.keys() & {"bgpd", "bfdd", "ospfd"} and own.get("bgpd") != "yes":
        for key, _ in _each(facts, "session"):
            yield _idle(key, "has no bgpd", "families")


def _tunnel_devices(facts: Facts) -> Iterator[Idle]:
    """Yield VXLAN devices that depend on another device's missing `ip link add` (ip-link(8))."""
    made = {str(each).split()[0] for each in words(facts.get(("vtep",), {}).get("devices"))}
    for key, own in _each(facts, "interface"):
        if made and "vni" in own and own["vni"] not in made:
            yield _idle(key, "has no `ip link add`", "vni")


def _booted(facts: Facts) -> Iterator[Idle]:
    """Yield interfaces without `auto`, which boot does not bring up (interfaces(5))."""
    is_listed = any("auto" in own for _, own in _each(facts, "interface"))
    for key, own in _each(facts, "interface") if is_listed else ():
        if "auto" not in own and own.keys() & {"address", "vlans", "table"}:
            yield _idle(key, "has no `auto`", "address", "vlans", "untagged", "table", "vni")


_FRR = (_groups, _far_sessions, _advertised, _transit)
_RULES = {
    EOS: (
        *(_vrfs, _switched_ports, _vlans_of_eos, _virtual_mac, _multi_agent, _instances),
        *(_ways_over_ipv6, _unnumbered, _groups, _far_sessions),
    ),
    SONIC: (
        *(_vrfs, _vlans_of_sonic, _overlay_of_sonic, _transit_of_sonic),
        *(_bundles_of_sonic, _shares_of_sonic, _unnumbered, *_FRR),
    ),
    LINUX: (_booted, _tunnel_devices, _vrf_devices, _vlans_of_linux, _daemons, *_FRR),
}
