"""What a VRF says of DHCP in; the relays of its VLANs out, or why they cannot be."""

from collections.abc import Iterator

from netaddr import IPNetwork

from fabricgen.compile.design.addressing import pool
from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.model.tenants import Vrf
from fabricgen.model.fabric.because import Because
from fabricgen.model.fabric.relay import Relay
from fabricgen.model.fabric.topology import Topology

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
            "no VLAN of the VRF tells its servers to ask by DHCPv6",
            (*here, "servers"),
            "say `announce: dhcp` in a VLAN with an IPv6 subnet",
        )
    return relays


def _relays(
    name: str, vrf: Vrf, here: IntentPath, last: int, findings: Findings
) -> Iterator[Relay]:
    """Yield the relay of each IP version; last: the number of the last leaf."""
    told = vrf.dhcp_relay
    assert told is not None
    for version, key, bits in _FAMILIES:
        servers = tuple(str(each) for each in told.servers if each.version == version)
        net = getattr(told, key)
        fault = _fault(net, servers, version, last, bits)
        if fault is not None:
            findings.error(fault[0], fault[1], (*here, key), fault[2])
        elif net is not None:
            why = f"each leaf asks from an address of its own: the n-th of `{key}`"
            yield Relay(
                vrf=name,
                number=vrf.id,
                servers=servers,
                sources=pool(key, net),
                because=Because((here,), why),
            )


def _fault(
    net: IPNetwork | None, servers: tuple[str, ...], version: int, last: int, bits: int
) -> tuple[Code, str, str] | None:
    """Return what is wrong with the sources of one IP version, and a hint."""
    if net is None and not servers:
        return None
    if net is None:
        hint = "give a prefix with an address for each leaf"
        return Code.MISSING_KEY, f"leafs have no address to ask {servers[0]} from", hint
    if net.version != version or not servers:
        hint = "`sources` is for IPv4 servers, `sources6` for IPv6 servers"
        return Code.BAD_VALUE, f"no server is asked by IPv{version} from {net}", hint
    if last >= net.size - 1:
        hint = f"this fits: a /{bits - (last + 1).bit_length()}"
        return Code.POOL_TOO_SMALL, f"{net} has no address for leaf {last}", hint
    return None
