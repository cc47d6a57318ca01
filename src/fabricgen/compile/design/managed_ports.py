"""Find the management ports and VLANs that a fabric provides to other devices."""

from collections.abc import Mapping
from ipaddress import ip_address

from netaddr import IPNetwork

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.managing import Managing
from fabricgen.compile.design.racks import BMC, PDU, SWITCHES
from fabricgen.compile.design.wiring.sockets import Plugged
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.provenance import Provenance
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.managed import BEYOND, SHARED_BLOCK, ManagedPorts
from fabricgen.model.fabric.overlay import INTERNAL_VLANS, EvpnRules, Overlay, Vrf
from fabricgen.model.fabric.services import Services
from fabricgen.model.fabric.vlans import Carries, Vlan


def managed_overlay(
    words: Managing,
    subnet: IPNetwork,
    services: Services,
    ports: Mapping[str, Mapping[int, str]],
    findings: Findings,
) -> Overlay:
    """Return VRF and VLANs, and the untagged VLAN of each management port.

    subnet: of the switches' management ports. services: has its gateway. ports: the key of the VLAN
    of each port, by leaf and place.
    """
    router = Ip(int(ip_address(services.gateway)), int(subnet.prefixlen))
    vlans = {SWITCHES: _vlan(words, SWITCHES, router)}
    for key, own in words.words.vlans.addressed.items():
        first = Ip(int(own.subnet.first) + 1, int(own.subnet.prefixlen))
        vlans[key] = _vlan(words, key, first)
    _judge_ids(words, vlans, findings)
    for key in {key for keys in ports.values() for key in keys.values()} - vlans.keys():
        findings.spoil(
            Code.MISSING_KEY,
            f"racks contain management ports for the VLAN {key}, but {words.name} has no such VLAN",
            words.at("vlans"),
            f"add `{key}: {{id: …, subnet: …}}`" + ("" if key in (BMC, PDU) else " to `others`"),
        )
    carried = {
        key: Carries(
            untagged=vlan,
            tagged=(),
            because=Provenance(vlan.because.paths, f"a management port of the VLAN {key}"),
        )
        for key, vlan in vlans.items()
    }
    return Overlay(
        vrfs={words.words.vrf: _vrf(words)},
        vlans={vlan.id: vlan for vlan in sorted(vlans.values(), key=lambda vlan: vlan.id)},
        ports={
            leaf: {number: carried[key] for number, key in keys.items() if key in carried}
            for leaf, keys in ports.items()
        },
        rules=EvpnRules(
            anycast_mac=words.overlay.anycast_mac,
            route_target_asn=words.overlay.route_target_asn,
            path=at(*words.fabric.at("overlay")),
            asked=at(*words.at("vlans")),
        ),
    )


def _vlan(words: Managing, key: str, gateway: Ip) -> Vlan:
    own = words.words.vlans.addressed.get(key, words.words.vlans.switches)
    number, base = own.id, words.overlay.l2vni_base
    paths: tuple[IntentPath, ...] = (words.vlan(key), at(*words.fabric.at("overlay")))
    if key == SWITCHES:
        paths = (*paths, at("site", "management", "subnet"))
    return Vlan(
        id=number,
        name=f"{words.words.vrf}-{key}",
        tenant=words.name,
        vni=base + number,
        vrf=words.words.vrf,
        gateways=(gateway,),
        because=Provenance(paths, f"L2VNI = {base} + VLAN id {number}"),
    )


def _vrf(words: Managing) -> Vrf:
    over, number = words.overlay, words.id
    return Vrf(
        name=words.words.vrf,
        tenant=words.name,
        id=number,
        vni=over.l3vni_base + number,
        transit_vlan=over.transit_vlan_base + number,
        because=Provenance(
            (at(*words.at("vrf")), at(*words.fabric.at("overlay"))),
            f"L3VNI = {over.l3vni_base} + {number}; transit VLAN = "
            f"{over.transit_vlan_base} + {number}",
        ),
    )


def _judge_ids(words: Managing, vlans: dict[str, Vlan], findings: Findings) -> None:
    """Report VLANs of one id, ids that the switch keeps, and subnets without room."""
    owner: dict[int, str] = {}
    for key, vlan in vlans.items():
        path = words.vlan(key)
        other = owner.setdefault(vlan.id, key)
        if other != key:
            sentence = f"the VLAN id {vlan.id} is also used by {other}"
            findings.spoil(Code.DUPLICATE_ID, sentence, (*path, "id"))
        if vlan.id > words.overlay.transit_vlan_base or vlan.id in INTERNAL_VLANS:
            findings.spoil(
                Code.VNI_CLASH,
                f"VLAN ids above {words.overlay.transit_vlan_base} are reserved for the transit "
                "VLAN of the VRF and for routed ports",
                (*path, "id"),
                f"use an id from 2 to {words.overlay.transit_vlan_base}",
            )


def managed_ports(
    words: Managing, plugged: Plugged, overlay: Overlay, ports: int, findings: Findings
) -> ManagedPorts:
    """Plan the addresses of management ports; report subnets without room.

    ports: number on the leaf with the most ports; 0 if leafs are shared, and places count by cage.
    """
    block = 1 << ports.bit_length() if ports else SHARED_BLOCK
    by_key = {key: overlay.vlans[own.id] for key, own in words.words.vlans.addressed.items()}
    keys = plugged.keys
    given = {end: by_key[key] for end, key in keys.items() if key in by_key}
    for key, vlan in by_key.items():
        units = [plugged.places[end].unit for end in given if keys[end] == key]
        _judge_room(
            (*words.vlan(key), "subnet"), vlan, block * (1 + max(units, default=0)), findings
        )
    _judge_macs(words, {name for name, _ in given}, findings)
    return ManagedPorts(
        block=block,
        ports=given,
        macs=dict(words.words.macs),
        vrf=words.words.vrf,
        ends=frozenset(keys),
        beyond=0 if ports else BEYOND,
    )


def _judge_room(path: IntentPath, vlan: Vlan, need: int, findings: Findings) -> None:
    (gateway,) = vlan.gateways
    first, last = gateway.network
    if need > last - first:
        findings.spoil(
            Code.POOL_TOO_SMALL,
            f"{need:,} addresses are needed, a block for each access switch and one before them, "
            f"but {gateway.prefix} has {last - first + 1:,}",
            path,
            f"use a /{32 - need.bit_length()}",
        )


def _judge_macs(words: Managing, names: set[str], findings: Findings) -> None:
    """Report MACs of ports that are not there, and one of two ports."""
    owner: dict[str, str] = {}
    for name, mac in words.words.macs.items():
        path: IntentPath = words.at("macs", name)
        if name not in names:
            findings.unknown(
                f"no device named {name!r} gets its address on {words.name}", path, name, names
            )
        other = owner.setdefault(mac, name)
        if other != name:
            findings.error(Code.DUPLICATE_ID, f"the MAC {mac} is also used by {other}", path)
