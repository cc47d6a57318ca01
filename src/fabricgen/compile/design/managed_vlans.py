"""The VLANs of an access fabric and where its ports are in; its overlay out."""

from collections.abc import Mapping
from ipaddress import ip_address

from netaddr import IPNetwork

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.managing import Managing
from fabricgen.compile.design.racks import BMC, PDU, SWITCHES
from fabricgen.core.because import Because
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.intent.paths import at
from fabricgen.model.fabric.addressing import Ip
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
    """Return VRF and VLANs, and which VLAN each management port is in, untagged.

    subnet: of the switches' management ports; services: knows its gateway. ports: the key of the
    VLAN of each, by leaf and place.
    """
    said = words.words.vlans
    vlans = {SWITCHES: _vlan(words, SWITCHES, _gateway(subnet, services.gateway))}
    for key, own in ((BMC, said.bmc), (PDU, said.pdu)):
        if own is not None:
            first = Ip(int(own.subnet.first) + 1, int(own.subnet.prefixlen))
            vlans[key] = _vlan(words, key, first)
    _judge_ids(words, vlans, findings)
    for key in {key for keys in ports.values() for key in keys.values()} - vlans.keys():
        findings.spoil(
            Code.MISSING_KEY,
            f"racks hold management ports for the VLAN {key}, and {words.name} has none",
            words.at("vlans"),
            f"add `{key}: {{id: …, subnet: …}}`",
        )
    carried = {
        key: Carries(
            untagged=vlan,
            tagged=(),
            because=Because(vlan.because.paths, f"a management port of the VLAN {key}"),
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


def _gateway(subnet: IPNetwork, router: str) -> Ip:
    return Ip(int(ip_address(router)), int(subnet.prefixlen))


def _vlan(words: Managing, key: str, gateway: Ip) -> Vlan:
    number, base = getattr(words.words.vlans, key).id, words.overlay.l2vni_base
    paths: tuple[IntentPath, ...] = (at(*words.at("vlans", key)), at(*words.fabric.at("overlay")))
    if key == SWITCHES:
        paths = (*paths, at("site", "management", "subnet"))
    return Vlan(
        id=number,
        name=f"{words.words.vrf}-{key}",
        tenant=words.name,
        vni=base + number,
        vrf=words.words.vrf,
        gateways=(gateway,),
        because=Because(paths, f"L2VNI = {base} + VLAN id {number}"),
    )


def _vrf(words: Managing) -> Vrf:
    over, number = words.overlay, words.id
    return Vrf(
        name=words.words.vrf,
        tenant=words.name,
        id=number,
        vni=over.l3vni_base + number,
        transit_vlan=over.transit_vlan_base + number,
        because=Because(
            (at(*words.at("vrf")), at(*words.fabric.at("overlay"))),
            f"L3VNI = {over.l3vni_base} + {number}; transit VLAN = "
            f"{over.transit_vlan_base} + {number}",
        ),
    )


def _judge_ids(words: Managing, vlans: dict[str, Vlan], findings: Findings) -> None:
    """Report VLANs of one id, ids that the switch keeps, and subnets without room."""
    owner: dict[int, str] = {}
    for key, vlan in vlans.items():
        path: IntentPath = words.at("vlans", key)
        other = owner.setdefault(vlan.id, key)
        if other != key:
            sentence = f"the VLAN id {vlan.id} is also that of {other}"
            findings.spoil(Code.DUPLICATE_ID, sentence, (*path, "id"))
        if vlan.id > words.overlay.transit_vlan_base or vlan.id in INTERNAL_VLANS:
            findings.spoil(
                Code.VNI_CLASH,
                f"VLAN ids above {words.overlay.transit_vlan_base} are kept for the transit VLAN "
                "of the VRF and for routed ports",
                (*path, "id"),
                f"use an id from 2 to {words.overlay.transit_vlan_base}",
            )
