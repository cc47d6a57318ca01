"""Build multicast, DHCP relay and IPv6 router advertisement of VLANs."""

from collections.abc import Iterator, Mapping

from netaddr import IPNetwork

from fabricgen.compile.design.addressing import pool
from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.intent.model import tenants as words
from fabricgen.intent.model.tenants import Vrf
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.relay import Relay
from fabricgen.model.fabric.topology import Topology
from fabricgen.model.fabric.vlans import Announce, Multicast, Vlan

_FAMILIES = ((4, "sources", 32), (6, "sources6", 128))


def relays_of(
    name: str, vrf: Vrf, path: IntentPath, topology: Topology, findings: Findings
) -> tuple[Relay, ...]:
    """Return the relays of a VRF, one for each IP version of its servers. path: of the VRF."""
    if vrf.unless_refused("dhcp_relay") is None:
        return ()
    here = (*path, "dhcp_relay")
    last = max((leaf.ordinal for leaf in topology.switches if leaf.is_leaf), default=0) + 1
    relays = tuple(_relays(name, vrf, here, last, findings))
    vlans = (vrf.unless_refused("vlans") or {}).values()
    if any(relay.version == 6 for relay in relays) and all(
        vlan.unless_refused("announce") != "dhcp" for vlan in vlans
    ):
        findings.error(
            Code.BAD_VALUE,
            "no VLAN of the VRF advertises DHCPv6 to its servers",
            (*here, "servers"),
            "set `announce: dhcp` in a VLAN with an IPv6 subnet",
        )
    return relays


def _relays(
    name: str, vrf: Vrf, here: IntentPath, last: int, findings: Findings
) -> Iterator[Relay]:
    """Yield the relay of each IP version; `last` is the number of the last leaf."""
    told = vrf.dhcp_relay
    assert told is not None
    for version, key, bits in _FAMILIES:
        servers = tuple(str(each) for each in told.servers if each.version == version)
        net = getattr(told, key)
        fault = _fault(net, servers, version, last, bits)
        if fault is not None:
            findings.error(fault[0], fault[1], (*here, key), fault[2])
        elif net is not None:
            why = f"each leaf relays from its own address: the n-th of `{key}`"
            yield Relay(
                vrf=name,
                number=vrf.id,
                servers=servers,
                sources=pool(key, net),
                because=Provenance((here,), why),
            )


def _fault(
    net: IPNetwork | None, servers: tuple[str, ...], version: int, last: int, bits: int
) -> tuple[Code, str, str] | None:
    """Return the fault of the sources of one IP version, and a hint."""
    if net is None and not servers:
        return None
    if net is None:
        hint = "set a prefix with an address for each leaf"
        return (
            Code.MISSING_KEY,
            f"leafs have no source address for requests to the DHCP server {servers[0]}",
            hint,
        )
    if net.version != version or not servers:
        hint = "`sources` is for IPv4 servers, `sources6` for IPv6 servers"
        return (
            Code.BAD_VALUE,
            f"no DHCP server has an IPv{version} address, so {net} has no effect",
            hint,
        )
    if last >= net.size - 1:
        hint = f"use a /{bits - (last + 1).bit_length()}"
        return Code.POOL_TOO_SMALL, f"{net} has no address for leaf {last}", hint
    return None


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
            "the IGMP querier needs an IPv4 gateway address, but this VLAN has none",
            (*path, "multicast"),
            "set an IPv4 `subnet`, in a VRF",
        )
        return None
    return Multicast(said)


def alike(vlans: Mapping[str, words.Vlan], path: IntentPath, findings: Findings) -> None:
    """Refuse VLANs of one EVPN instance that differ in their multicast querier.

    RFC 9251, 4: a leaf that advertises groups receives only these, also in a VLAN without a
    querier.
    """
    said = {name: vlan.unless_refused("multicast") for name, vlan in vlans.items()}
    if len(set(said.values())) > 1:
        name = next(name for name, each in said.items() if each is not None)
        findings.error(
            Code.BAD_VALUE,
            "the VLANs of a VRF are one EVPN instance, which advertises groups for all VLANs or "
            "for none",
            (*path, "vlans", name, "multicast"),
            "set the same value in every VLAN of the VRF, or remove `overlay.service`",
        )


_HOST_PART = 64
"""Host bits of an autoconfigured address (RFC 4291, 2.5.1; RFC 4862, 5.5.3 d)."""


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
            "router advertisements need IPv6, but this VLAN has no IPv6 subnet",
            (*path, "announce"),
            "set `subnet6`",
        )
        return None
    if said == "slaac" and six.length != _HOST_PART:
        findings.error(
            Code.BAD_VALUE,
            f"servers derive addresses only from a /64, but the subnet is {six.prefix}",
            (*path, "announce"),
            "use a /64, or `announce: dhcp`",
        )
    return Announce(said)


def takes(vlan: Vlan, path: IntentPath, findings: Findings, *, way_out: bool) -> None:
    """Refuse servers that are to take announcements by a default route on which none are sent."""
    if way_out and vlan.announce is None:
        findings.error(
            Code.BAD_VALUE,
            f"the servers' default route uses VLAN {vlan.name}, whose gateways send no router "
            "advertisements",
            (*path, "addresses6"),
            "set `announce` in that VLAN, or name another one in `default_route`",
        )
