"""`ip -d address` and `bridge vlan` in; interfaces, VRFs and VXLAN devices out."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from fabricgen.fabric.facts import Device, Interface, Link, Vrf

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


def interfaces(devices: Sequence[Mapping[str, Any]]) -> dict[str, Interface]:
    """Return every interface, by name. Link-local addresses make themselves and are left out."""
    return {item["ifname"]: _interface(item) for item in devices}


def _interface(item: Mapping[str, Any]) -> Interface:
    flags = item.get("flags", ())
    link = Link.SHUT if "UP" not in flags else Link.UP if "LOWER_UP" in flags else Link.ENABLED
    addresses = sorted(
        f"{found['local']}/{found['prefixlen']}"
        for found in item.get("addr_info", ())
        if found.get("scope") != "link"
    )
    return Interface(
        name=item["ifname"],
        link=link,
        mtu=item.get("mtu"),
        addresses=tuple(addresses),
        member_of=item.get("master"),
        mac=item.get("address"),
    )


def bridged(
    found: Mapping[str, Interface], ports: Sequence[Mapping[str, Any]]
) -> dict[str, Interface]:
    """Add the VLANs that each interface has in the bridge."""
    made = dict(found)
    for port in ports:
        name, vlans = port["ifname"], port.get("vlans", ())
        if name in made:
            native = [vlan["vlan"] for vlan in vlans if "PVID" in vlan.get("flags", ())]
            tagged = tuple(n for vlan in vlans for n in _range(vlan) if n not in native)
            made[name] = replace(
                made[name], untagged=native[0] if native else None, tagged=tuple(sorted(tagged))
            )
    return made


def _range(vlan: Mapping[str, Any]) -> range:
    """Return the VLANs of an entry: `bridge -j` joins neighbours to vlan and vlanEnd."""
    return range(vlan["vlan"], vlan.get("vlanEnd", vlan["vlan"]) + 1)


def vrfs(devices: Sequence[Mapping[str, Any]]) -> tuple[Vrf, ...]:
    """Return the VRFs."""
    return tuple(
        Vrf(item["ifname"], _kind_data(item).get("table", 0))
        for item in devices
        if _kind(item) == "vrf"
    )


def tunnels(
    devices: Sequence[Mapping[str, Any]], found: Mapping[str, Interface]
) -> dict[int, Device]:
    """Return the VXLAN device of each VNI."""
    return {
        _kind_data(item)["id"]: Device(
            item["ifname"], found[item["ifname"]].untagged, _kind_data(item).get("local")
        )
        for item in devices
        if _kind(item) == "vxlan" and "id" in _kind_data(item)
    }


def _kind(item: Mapping[str, Any]) -> str | None:
    kind: str | None = item.get("linkinfo", {}).get("info_kind")
    return kind


def _kind_data(item: Mapping[str, Any]) -> Mapping[str, Any]:
    data: Mapping[str, Any] = item.get("linkinfo", {}).get("info_data", {})
    return data
