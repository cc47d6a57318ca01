"""Read interfaces, port-channels, VLANs and LLDP neighbors from answers of eAPI."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from fabricgen.core.tree.facts import TRUE, Attributes, Facts, add
from fabricgen.core.tree.ranges import between
from fabricgen.core.units import BitsPerSecond
from fabricgen.nos.show import BUNDLED, ENABLED, SHUT, UP

_KINDS = ("Ethernet", "Port-Channel", "Management", "Loopback", "Vlan")
_NO_ADDRESS = "0.0.0.0"  # noqa: S104 - EOS's word for no address
EVERY = "1-4094"
"""VLANs of a trunk without a list."""
OF_BUNDLE = "EOS lists the VLANs of a port-channel, not of its members"
NO_SPEED = "a port without a link reports no speed"


def link(own: Mapping[str, Any]) -> str:
    """Return the link state of an interface of `show interfaces`."""
    if own["interfaceStatus"] == "disabled":
        return SHUT
    return UP if own["lineProtocolStatus"] == "up" else ENABLED


def interfaces(answer: Mapping[str, Any]) -> Facts:
    """Return the link, MTU, speed and IPv4 addresses of each interface."""
    facts: Facts = {}
    for name, own in answer["interfaces"].items():
        if name.startswith(_KINDS):
            facts["interface", name] = _interface(name, own)
    return facts


def _interface(name: str, own: Mapping[str, Any]) -> Attributes:
    found: Attributes = {"link": link(own)}
    if "mtu" in own:
        found["mtu"] = str(int(own["mtu"]))
    if name.startswith("Ethernet") and "." not in name and found["link"] == UP:
        speed = int(own.get("bandwidth", 0))
        found |= {"speed": str(BitsPerSecond(speed))} if speed else {}
    addresses = sorted(_addresses(own.get("interfaceAddress") or ()))
    if addresses:
        found["address"] = tuple(addresses)
    if any(_text(each.get("virtualIp", {})) for each in own.get("interfaceAddress") or ()):
        found["anycast"] = TRUE
    return found


def _addresses(shown: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield primary, secondary and virtual addresses with their prefix lengths."""
    for own in shown:
        for each in (
            own.get("primaryIp", {}),
            own.get("virtualIp", {}),
            *own.get("secondaryIpsOrderedList", ()),
            *own.get("virtualSecondaryIpsOrderedList", ()),
        ):
            yield from filter(None, (_text(each),))


def _text(each: Mapping[str, Any]) -> str:
    address = str(each.get("address", _NO_ADDRESS))
    return "" if address == _NO_ADDRESS else f"{address}/{int(each['maskLen'])}"


def without_speed(facts: Facts) -> Iterator[str]:
    """Yield the ports without a speed."""
    for (_, name), own in facts.items():
        if name.startswith("Ethernet") and "speed" not in own:
            yield name


def ipv6(answer: Mapping[str, Any]) -> dict[str, tuple[str, ...]]:
    """Return the global IPv6 addresses of each interface with IPv6 (NAPALM, get_interfaces_ip)."""
    return {
        name: tuple(
            f"{each['address']}/{str(each['subnet']).partition('/')[2]}"
            for each in own.get("addresses", ())
        )
        for name, own in answer["interfaces"].items()
    }


def with_ipv6(facts: Facts, six: Mapping[str, tuple[str, ...]]) -> None:
    """Add IPv6 addresses to interfaces."""
    for name, addresses in six.items():
        if ("interface", name) in facts and addresses:
            four = facts["interface", name].get("address", ())
            facts["interface", name]["address"] = tuple(sorted({*four, *addresses}))


def errdisabled(answer: Mapping[str, Any]) -> Facts:
    """Return the ports that EOS took down, with the causes."""
    return {
        ("interface", name): {"errdisabled": tuple(map(str, own.get("causes", ()))) or ("unknown",)}
        for name, own in answer["interfaceStatuses"].items()
    }


def members(answer: Mapping[str, Any]) -> Facts:
    """Return the port-channel of each member, also of inactive ones."""
    return {
        ("interface", port): {"bundle": bundle.removeprefix("Port-Channel")}
        for bundle, own in answer["portChannels"].items()
        for port in (*own.get("activePorts", {}), *own.get("inactivePorts", {}))
    }


def bundled(answer: Mapping[str, Any], up: frozenset[str]) -> Facts:
    """Return the LACP state of each member with a link. `up`: the ports with a link."""
    return {
        ("bundle-member", bundle, port): {"state": _lacp(own)}
        for bundle, shown in answer["portChannels"].items()
        for port, own in shown.get("interfaces", {}).items()
        if port in up
    }


def _lacp(own: Mapping[str, Any]) -> str:
    state = str(own.get("actorPortStatus", "unknown"))
    return BUNDLED if state == "bundled" else state


def neighbors(answer: Mapping[str, Any]) -> Facts:
    """Return the LLDP neighbors of each port: name, port ID and port description."""
    return {
        ("cable", port): {"far": tuple(map(_neighbor, own["lldpNeighborInfo"]))}
        for port, own in answer["lldpNeighbors"].items()
        if own["lldpNeighborInfo"]
    }


def _neighbor(own: Mapping[str, Any]) -> tuple[str, ...]:
    """Return one neighbor. `interfaceId` may be quoted; `interfaceId_v2` never is."""
    port = own.get("neighborInterfaceInfo", {})
    name = port.get("interfaceId_v2") or str(port.get("interfaceId", "")).strip('"')
    words = (own.get("systemName") or "", name, port.get("interfaceDescription") or "")
    return (str(words[0]), *filter(None, map(str, words[1:])))


def switchports(answer: Mapping[str, Any]) -> Facts:
    """Return the VLANs of bridged ports. A port as from the factory is in VLAN 1 and has none."""
    found = (
        (name, _carried(own["switchportInfo"]))
        for name, own in answer["switchports"].items()
        if own.get("enabled", True)
    )
    return {("interface", name): own for name, own in found if own}


def _carried(own: Mapping[str, Any]) -> Attributes:
    mode = own["mode"]
    if mode == "access" and own["accessVlanId"] != 1:
        vlan = str(int(own["accessVlanId"]))
        return {"vlans": (vlan,), "untagged": vlan}
    if mode != "trunk":
        return {}
    native, allowed = str(int(own["trunkingNativeVlanId"])), _allowed(own["trunkAllowedVlans"])
    found: Attributes = {"vlans": tuple(sorted(allowed))} if allowed else {}
    return found | ({"untagged": native} if native in allowed or EVERY in allowed else {})


def _allowed(text: str) -> set[str]:
    """Return the VLANs of `ALL`, `NONE` or `14,16,25-26`."""
    if text.upper() in ("ALL", EVERY):
        return {EVERY}
    if text.upper() == "NONE":
        return set()
    found: set[str] = set()
    for part in text.split(","):
        first, _, last = part.partition("-")
        found |= set(map(str, between(int(first), int(last or first))))
    return found


def vlans(answer: Mapping[str, Any]) -> Facts:
    """Return the configured VLANs. VLANs of routed ports and of VRFs are dynamic."""
    return {
        ("vlan", str(int(number))): {"name": str(own["name"]), "state": str(own["status"])}
        for number, own in answer["vlans"].items()
        if not own.get("dynamic") and (number != "1" or own["name"] != "default")
    }


def dynamic(answer: Mapping[str, Any]) -> frozenset[str]:
    """Return the interfaces of dynamic VLANs."""
    return frozenset(f"Vlan{n}" for n, own in answer["vlans"].items() if own.get("dynamic"))


def placed(answer: Mapping[str, Any]) -> Facts:
    """Return VRFs with their route distinguishers, and the interfaces in each."""
    facts: Facts = {}
    for name, own in answer["vrfs"].items():
        if name == "default":
            continue
        told = str(own.get("routeDistinguisher") or "")
        facts["vrf", name] = {"exists": TRUE, **({"rd": told} if told else {})}
        for interface in own.get("interfaces", ()):
            if interface.startswith(_KINDS):
                add(facts, ("interface", interface), {"vrf": name})
    return facts
