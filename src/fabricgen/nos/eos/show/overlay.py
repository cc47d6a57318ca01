"""Read VXLAN, EVPN instances and EVPN routes from answers of eAPI."""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from fabricgen.core.tree.facts import FALSE, GLOBAL, TRUE, Attributes, Facts
from fabricgen.nos.questions import UnreadableError

_VXLAN = "Vxlan1"
Unknown = dict[tuple[str, ...], str]
TRANSIT = "EOS chooses the VLAN of the VNI of a VRF"
NO_TARGETS = "no public output shows the route targets of a VRF"
NO_BUNDLE = "no public output shows the VLANs of a VLAN-aware bundle"


def vnis(answer: Mapping[str, Any]) -> Facts:
    """Return the VNIs of VLANs and of VRFs."""
    bound = answer["vxlanIntfs"].get(_VXLAN, {})
    facts: Facts = {}
    for vni, own in bound.get("vniBindings", {}).items():
        vlan = str(int(own["vlan"]))
        facts["vni", str(int(vni))] = {"vlan": vlan, "layer": "2", "vrf": GLOBAL}
        facts["vlan", vlan] = {"vni": str(int(vni))}
    for vni, own in bound.get("vniBindingsToVrf", {}).items():
        facts["vni", str(int(vni))] = {"layer": "3", "vrf": str(own["vrfName"])}
    return facts


def transit(answer: Mapping[str, Any]) -> frozenset[str]:
    """Return the interfaces of the VLANs that EOS chose for VRFs."""
    bound = answer["vxlanIntfs"].get(_VXLAN, {}).get("vniBindingsToVrf", {})
    return frozenset(f"Vlan{int(own['vlan'])}" for own in bound.values() if "vlan" in own)


def completed(facts: Facts, address: str) -> Unknown:
    """Add to each VNI the VRF of its gateway, its source, and the RD of its VRF."""
    unknown: Unknown = {}
    for key in [key for key in facts if key[0] == "vni"]:
        own = facts[key]
        if address:
            own["source"] = address
        if own["layer"] == "3":
            unknown["vni", "vlan", key[1]] = TRANSIT
            unknown |= {("vni", name, key[1]): NO_TARGETS for name in ("import", "export")}
            if rd := facts.get(("vrf", str(own["vrf"])), {}).get("rd"):
                own["rd"] = rd
        else:
            gateway = facts.get(("interface", f"Vlan{own['vlan']}"), {})
            own["vrf"] = gateway.get("vrf", GLOBAL)
    return unknown


def tunnel(answer: Mapping[str, Any]) -> Facts:
    """Return the tunnel endpoint and the flood list of each VLAN."""
    own = answer["interfaces"][_VXLAN]
    facts: Facts = {("vtep",): {"source": str(own["srcIpIntf"]), "port": str(int(own["udpPort"]))}}
    for vlan, remote in own.get("vlanToVtepList", {}).items():
        ends = {
            str(each)
            for word in ("remoteVtepAddr", "remoteVtepAddr6")
            for each in remote.get(word, ())
        }
        if ends:
            facts["flood", str(int(vlan))] = {"vteps": tuple(sorted(ends))}
    return facts


def source(answer: Mapping[str, Any]) -> str:
    """Return the source address of the tunnels."""
    return str(answer["interfaces"][_VXLAN]["srcIpAddr"])


def sane(answer: Mapping[str, Any]) -> Facts:
    """Return whether the switch's own checks of its overlay pass. CVX is not used."""
    kinds = answer["categories"].items()
    failed = [name for name, own in kinds if name != "cvx" and own["allCheckPass"] is not True]
    return {("vtep",): {"sane": ", ".join(map(str, failed)) or TRUE}}


# The text of `show bgp evpn instance` is in krikoon73/cc_eantc_2025,
# eantc2024/testbeds/evpn-vxlan/tests (EOS 4.31), for example PE11-JP-201_merged.md.
_INSTANCE = re.compile(r"^EVPN instance: (.+)$", re.MULTILINE)
_FIELD = re.compile(r"^ *([A-Z][^:\n]*): *(.*)$", re.MULTILINE)
_TARGET = re.compile(r"Route-Target-\w+:(\S+)")
_SEGMENT = re.compile(r"^ +ESI: ", re.MULTILINE)


def instances(text: str, facts: Facts) -> tuple[Facts, Unknown]:
    """Return RD and route targets of each VNI of a VLAN, and the Ethernet segments.

    `facts`: with the VLAN of each VNI.
    """
    _require(_INSTANCE, text)
    found: Facts = {}
    unknown: Unknown = {}
    vlans = {
        str(own["vlan"]): key for key, own in facts.items() if key[0] == "vni" and "vlan" in own
    }
    names = set()
    for name, block in _blocks(text, _INSTANCE):
        own, *segments = _SEGMENT.split(block)
        told = dict(_FIELD.findall(own))
        names.add(name)
        if key := vlans.get(name.removeprefix("VLAN ").strip()):
            found[key] = _targets(told)
        for each in segments:
            found |= _segment(each, told.get("Local VXLAN IP address", ""))
    if any(not name.startswith("VLAN ") for name in names):
        for vlan, key in vlans.items():
            if f"VLAN {vlan}" not in names:
                unknown |= {("vni", word, key[1]): NO_BUNDLE for word in ("rd", "import", "export")}
    return found, unknown


def _require(head: re.Pattern[str], text: str) -> None:
    """Raise UnreadableError if a text is no table of EVPN. An empty table has no text."""
    if text.strip() and not head.search(text):
        raise UnreadableError(text.strip().splitlines()[0][:80])


def _blocks(text: str, head: re.Pattern[str]) -> Iterator[tuple[str, str]]:
    parts = head.split(text)
    yield from zip(parts[1::2], parts[2::2], strict=False)


def _targets(told: Mapping[str, str]) -> Attributes:
    return {
        "rd": told["Route distinguisher"],
        "import": tuple(sorted(_TARGET.findall(told["Route target import"]))),
        "export": tuple(sorted(_TARGET.findall(told["Route target export"]))),
    }


def _segment(block: str, local: str) -> Facts:
    """Return a segment that is up, and whether this leaf forwards broadcasts to it."""
    identifier, _, rest = block.partition("\n")
    told = dict(_FIELD.findall(rest))
    digits = identifier.strip().replace(":", "")
    if told.get("State") != "up" or "Interface" not in told:
        return {}
    own: Attributes = {"esi": ":".join(digits[at : at + 2] for at in range(0, len(digits), 2))}
    if forwarder := told.get("Designated forwarder", "").strip():
        own["forwarder"] = TRUE if forwarder == local else FALSE
    return {("segment", told["Interface"].strip()): own}


_IMET = re.compile(r"^BGP routing table entry for imet (?:\d+ )?([0-9a-fA-F.:]+),", re.MULTILINE)
_TABLE = re.compile(r"^BGP routing table ", re.MULTILINE)
_VALID = re.compile(r"\bvalid\b")


def multicast(text: str, vni: str, local: str) -> Facts:
    """Return the endpoints of other leafs that advertise a VNI (EVPN routes of type 3).

    The repository with the text of `show bgp evpn instance` has this text as well.
    """
    _require(_TABLE, text)
    ends = {name for name, block in _blocks(text, _IMET) if _VALID.search(block) and name != local}
    return {("evpn", vni): {"imet": tuple(sorted(ends))}} if ends else {}


def prefixes(answer: Mapping[str, Any], vrf: str, local: str) -> Facts:
    """Return the endpoints of other leafs that advertise a subnet (EVPN routes of type 5).

    The next hop of an own route is empty. Routes of another domain repeat the local routes.
    """
    found: dict[str, set[str]] = {}
    for own in answer["evpnRoutes"].values():
        detail = own["routeKeyDetail"]
        ends = found.setdefault(str(detail["ipGenPrefix"]), set())
        if detail.get("domain", "local") != "remote":
            ends |= {
                str(path["nextHop"]) for path in own["evpnRoutePaths"] if path["routeType"]["valid"]
            }
    return {
        ("evpn-prefix", vrf, prefix): {"vteps": others}
        for prefix, ends in found.items()
        for others in (tuple(sorted(ends - {"", "-", local})),)
        if others
    }
