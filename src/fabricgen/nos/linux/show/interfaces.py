"""Read interfaces, VRFs and VXLAN devices from `ip -d address` and `bridge vlan`."""

from collections.abc import Mapping, Sequence
from ipaddress import ip_address
from typing import Any

from fabricgen.core.tree.facts import TRUE, Attributes, Facts
from fabricgen.core.tree.ranges import between
from fabricgen.nos.linux.names import BRIDGE, bond_name
from fabricgen.nos.show import ENABLED, SHUT, UP


def interfaces(devices: Sequence[Mapping[str, Any]]) -> Facts:
    """Return every device. A device of a VRF or VNI is also a fact of the VRF or VNI."""
    kinds = {_name(item): item.get("linkinfo", {}).get("info_kind") for item in devices}
    facts: Facts = {}
    ports: set[str] = set()
    for item in devices:
        name, own = _name(item), item.get("linkinfo", {}).get("info_data", {})
        facts["interface", name] = _interface(item) | _owner(item.get("master"), kinds)
        if kinds[name] == "gre":
            facts["interface", name] |= _tunnel(own, item)
        if kinds[name] == "vrf":
            facts["vrf", name] = {"exists": TRUE, "table": str(own.get("table", 0))}
        elif kinds[name] == "vxlan" and "id" in own:
            source = {"source": own["local"]} if "local" in own else {}
            facts["vni", str(own["id"])] = {"device": name, **source}
            ports |= {str(own["port"])} if "port" in own else set()
    if ports:
        facts["vtep",] = {"port": ", ".join(sorted(ports))}
    return facts


def _name(item: Mapping[str, Any]) -> str:
    name = item["ifname"]
    if not isinstance(name, str):
        raise TypeError(f"invalid device name {name!r}")
    return name


def _interface(item: Mapping[str, Any]) -> Attributes:
    """Return the attributes of a device without link-local addresses, which are automatic."""
    flags = item.get("flags", ())
    addresses = sorted(
        f"{each['local']}/{each['prefixlen']}"
        for each in item.get("addr_info", ())
        if each.get("scope") != "link"
    )
    own: Attributes = {
        "link": SHUT if "UP" not in flags else UP if "LOWER_UP" in flags else ENABLED
    }
    own |= {
        name: str(item[key]) for name, key in (("mtu", "mtu"), ("mac", "address")) if key in item
    }
    return {**own, "address": tuple(addresses)} if addresses else own


def _tunnel(own: Mapping[str, Any], item: Mapping[str, Any]) -> Attributes:
    """Return both ends of a GRE device, its key, and the device below it, as far as set."""
    said = {
        "local": own.get("local"),
        "remote": own.get("remote"),
        "key": own.get("okey") and str(int(ip_address(own["okey"]))),
        "below": item.get("link"),
    }
    return {name: str(value) for name, value in said.items() if value}


def _owner(master: str | None, kinds: Mapping[str, str | None]) -> Attributes:
    """Return the owner of a device; members of fabricgen's bridge have its VLANs instead."""
    if master is None or master == BRIDGE:
        return {}
    if kinds.get(master) == "vrf":
        return {"vrf": master}
    prefix = bond_name(0).rstrip("0")
    return (
        {"bundle": master.removeprefix(prefix)}
        if kinds.get(master) == "bond"
        else {"bridge": master}
    )


def bridged(facts: Facts, ports: Sequence[Mapping[str, Any]]) -> Facts:
    """Add the VLANs of each interface in the bridge; a VXLAN device has its VNI's VLAN."""
    devices = {own["device"]: own for key, own in facts.items() if key[0] == "vni"}
    for port in ports:
        name, vlans = port["ifname"], port.get("vlans", ())
        native = [vlan["vlan"] for vlan in vlans if "PVID" in vlan.get("flags", ())]
        if name in devices:
            devices[name] |= {"vlan": str(native[0])} if native else {}
        elif vlans and ("interface", name) in facts:
            numbers = {str(number) for vlan in vlans for number in _range(vlan)}
            facts["interface", name]["vlans"] = tuple(sorted(numbers))
            facts["interface", name] |= {"untagged": str(native[0])} if native else {}
    return facts


def _range(vlan: Mapping[str, Any]) -> range:
    """Return the VLANs of an entry: `bridge -j` joins ranges to vlan and vlanEnd."""
    return between(vlan["vlan"], vlan.get("vlanEnd", vlan["vlan"]))
