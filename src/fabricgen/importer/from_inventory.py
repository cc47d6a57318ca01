"""Writes an intent from an inventory alone: no configuration of a switch is known.

The structure of a network follows from files of configurations. Here each switch of the inventory
gets the shortest such file: its name and its ports with cables. Everything else of the intent has
the defaults of a design, so the addresses are not those of the network.
"""

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import yaml

from fabricgen.core.diagnostics import Code, Diagnostic, Position
from fabricgen.core.units import BitsPerSecond
from fabricgen.importer.inventory.model import Device, Inventory
from fabricgen.importer.inventory.read import read
from fabricgen.importer.inventory.taken import unknown_models
from fabricgen.importer.models import ports_at
from fabricgen.importer.sound import sound
from fabricgen.importer.stocked import stocked
from fabricgen.importer.structure import structure
from fabricgen.importer.tree import Tree, below, merged, without
from fabricgen.importer.written import written
from fabricgen.intent.starters import IMPORTED
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.prove.foreign.folder import Found
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged

_TUNNEL = "192.0.2.1"
"""Endpoint of tunnels that marks a leaf of tenants; RFC 5737 keeps it for documentation."""
_RAILS = 3
"""A server with so many ports in one set has rails there, and no tenant."""
_OUT_OF_BAND = ("oob", "mgmt", "management", "ilo", "bmc", "idrac")
_SWITCH_ROLES = ("leaf", "spine", "switch", "tor", "core", "border", "access")
_HINT = "the folder needs devices and cables of NetBox (docs/existing/inventories.md)"
HEAD = """\
# Written by `fabricgen init` from an inventory: switches, servers, cables and racks.
# The addresses, ASNs and services are defaults. `fabricgen import` takes them from configurations.
#
# Next steps:
# 1. fabricgen check DIR          validates the site.
# 2. Replace the management subnet and the NTP servers.
# 3. Add tenants, and an out-of-band network where racks have one: `--shape four-fabrics` has both.
"""


def inventory_site(folder: Path) -> tuple[dict[str, str], tuple[Diagnostic, ...]]:
    """Return the files of a site, by path, and the findings of the inventory.

    Args:
        folder: The folder with the inventory. OSError when it cannot be read.

    """
    found = read(folder)
    inventory = found.inventory
    devices = [device for device in inventory.devices if _is_switch(device)]
    findings = [*found.findings, *unknown_models(devices, SHIPPED)]
    ports = _ports(inventory)
    switches = [each for each in devices if each.model and ports[each.name]]
    switches = [each for each in switches if not _is_out_of_band(each, ports, inventory)]
    if not switches:
        what = "the inventory has no switch with a model of the catalog and a cable"
        place = Position(str(folder), 1, 1)
        return {}, (
            *findings,
            Diagnostic(Code.INVENTORY_UNREADABLE, what, hint=_HINT, position=place),
        )
    network = Network([_judged(each, ports, inventory) for each in switches])
    kept = _without_management(inventory, {each.name for each in switches})
    tree, _ = sound(stocked(structure(network, kept).tree, kept))
    tree = _completed(tree, _link_speeds(switches, ports))
    return written(tree, head=HEAD), tuple(findings)


_Ports = Mapping[str, Sequence[tuple[str, str, str]]]
"""By device: its ports with cables, and the device and the port at the other end."""
_ROUTED = ("be", "backend", "rail", "storage", "roce")
_TENANTS = ("fe", "frontend", "border", "edge", "tenant")


def _ports(inventory: Inventory) -> _Ports:
    found: dict[str, list[tuple[str, str, str]]] = defaultdict(list)
    for cable in inventory.cables:
        for near, far in ((cable.near, cable.far), (cable.far, cable.near)):
            found[near.device].append((near.port, far.device, far.port))
    return found


def _words(device: Device) -> set[str]:
    return set(re.findall(r"[a-z]+", f"{device.name} {device.role or ''}".lower()))


def _is_switch(device: Device) -> bool:
    return bool(device.model) or bool(_words(device) & set(_SWITCH_ROLES))


def _is_out_of_band(device: Device, ports: _Ports, inventory: Inventory) -> bool:
    """Return whether a switch joins management ports: by its name, or by the ports of others."""
    if _words(device) & set(_OUT_OF_BAND):
        return True
    far = [port.lower().rstrip("0123456789/") for _, _, port in ports[device.name]]
    return 2 * sum(port in {*_OUT_OF_BAND, "ma", "eth"} for port in far) > len(far) and not any(
        other.lower() in inventory.named and inventory.named[other.lower()].model
        for _, other, _ in ports[device.name]
    )


def _has_tenants(device: Device, ports: _Ports, inventory: Inventory) -> bool:
    """Return whether a leaf has tenants: by its name, or since no server has rails there."""
    words = _words(device)
    servers = {
        far
        for _, far, _ in ports[device.name]
        if (other := inventory.named.get(far.lower())) is None or not other.model
    }
    if not servers or words & set(_ROUTED):
        return False
    if words & set(_TENANTS):
        return True
    sets = Counter(
        (server, port.rstrip("0123456789")) for server in servers for port, _, _ in ports[server]
    )
    return max(sets.values(), default=0) < _RAILS


def _judged(device: Device, ports: _Ports, inventory: Inventory) -> Judged:
    """Return a switch with a name and ports, and nothing else."""
    platform, speeds = _speeds(device, ports)
    megabits = {
        port: int(speeds[port]) // 10**6 if port in speeds else 0
        for port, _, _ in ports[device.name]
    }
    texts = _TEXTS[platform](device.name, megabits, _has_tenants(device, ports, inventory))
    places = {path: f"{device.name}/{path}" for path in texts}
    found = Found(name=device.name, platform=platform, texts=texts, places=places)
    switch = Judged(found, wide=True)
    switch.name = device.name
    return switch


def _speeds(device: Device, ports: _Ports) -> tuple[str, dict[str, BitsPerSecond]]:
    """Return the platform of a switch, and the speeds of its ports with cables that are known."""
    names = [port for port, _, _ in ports[device.name]]
    platform = device.platform if device.platform in _TEXTS else _platform_of(names)
    known = ports_at(device.model or "", platform, names)
    return platform, {name: port.speed for name, port in known.items()}


def _platform_of(names: Sequence[str]) -> str:
    """Return the platform that calls ports so: Ethernet1/1, Ethernet0 or swp1."""
    if any(name.startswith("swp") for name in names):
        return "linux"
    return "sonic" if "Ethernet0" in names else "eos"


def _eos(name: str, ports: Mapping[str, int], tunnel: bool) -> dict[str, str]:  # noqa: FBT001
    lines = [f"hostname {name}"]
    for port in ports:
        lines += [f"interface {port}", "   no switchport"]
    if tunnel:
        lines += ["interface Loopback1", f"   ip address {_TUNNEL}/32"]
        lines += ["interface Vxlan1", "   vxlan source-interface Loopback1"]
    return {"eos.cfg": "\n".join(lines) + "\n"}


def _sonic(name: str, ports: Mapping[str, int], tunnel: bool) -> dict[str, str]:  # noqa: FBT001
    tables: dict[str, Any] = {"DEVICE_METADATA": {"localhost": {"hostname": name}}}
    tables["PORT"] = {
        port: {"admin_status": "up", **({"speed": str(speed)} if speed else {})}
        for port, speed in ports.items()
        if port.startswith("Ethernet")
    }
    if tunnel:
        tables["VXLAN_TUNNEL"] = {"vtep": {"src_ip": _TUNNEL}}
    return {"config_db.json": json.dumps(tables)}


def _linux(name: str, ports: Mapping[str, int], tunnel: bool) -> dict[str, str]:  # noqa: FBT001
    lines = [line for port in ports for line in (f"auto {port}", f"iface {port}", "")]
    if tunnel:
        lines += ["auto lo", "iface lo inet loopback", f"    vxlan-local-tunnelip {_TUNNEL}", ""]
    return {"etc/network/interfaces": "\n".join(lines), "etc/hostname": f"{name}\n"}


# By platform: name, ports with their speeds in Mb/s (0 where it is not known), has tenants.
_TEXTS = {"eos": _eos, "sonic": _sonic, "linux": _linux}


def _without_management(inventory: Inventory, switches: set[str]) -> Inventory:
    """Return the inventory without cables of the out-of-band network."""
    servers = {each.name for each in inventory.devices if not _is_switch(each)}
    known = switches | servers
    cables = tuple(
        cable
        for cable in inventory.cables
        if (cable.near.device in switches or cable.far.device in switches)
        and (cable.near.device in known or cable.far.device not in known)
    )
    return replace(inventory, cables=cables)


def _link_speeds(switches: Sequence[Device], ports: _Ports) -> dict[tuple[str, str], str]:
    """Return the speed of most cables between switches of two models, by the models."""
    models = {device.name: device.model or "" for device in switches}
    speeds: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for device in switches:
        _, known = _speeds(device, ports)
        for port, far, _ in ports[device.name]:
            if far in models and port in known:
                speeds[models[device.name], models[far]][str(known[port])] += 1
    return {pair: found.most_common(1)[0][0] for pair, found in speeds.items()}


def _completed(tree: Tree, speeds: Mapping[tuple[str, str], str]) -> Tree:
    """Return a tree with the defaults of a site, and without invented numbers.

    Args:
        tree: The structure.
        speeds: Speed of links by the models at both ends.

    """
    fabrics: dict[tuple[str, ...], Tree] = {
        **{(name,): tree[name] for name in ("backend", "frontend") if name in tree},
        **{("fabrics", name): words for name, words in tree.get("fabrics", {}).items()},
    }
    for path, fabric in fabrics.items():
        for key in ("underlay", "addressing", "numbering"):
            tree = without(tree, *path, key)
        models = [fabric.get(tier, {}).get("model", "") for tier in ("leaf", "spine")]
        if (speed := speeds.get((models[0], models[1]))) is not None:
            tree = merged(tree, below((*path, "links", "speed"), speed))
    tree = merged(tree, yaml.safe_load(IMPORTED.read_text(encoding="utf-8")))
    kinds = tree.get("servers", {})
    rails = max((kind.get("count", 0) for kind in kinds.values() if _has_rails(kind)), default=0)
    if tree.get("backend", {}).get("spine") and rails:
        words = {"load_balancing": {"queue_pairs": 8}, "growth": {"servers": rails}}
        tree = merged(tree, {"backend": words})
    eos = tree.get("frontend", {}).get("leaf", {}).get("platform") == "eos"
    for name, kind in kinds.items():
        for ports, words in kind.get("ports", {}).items():
            if words.get("fabric") == "backend" and words.get("nics"):
                tree = merged(tree, {"servers": {name: {"gpus": words["nics"]}}})
            if words.get("fabric") == "frontend" and words.get("ports", 1) > 1:
                bond = "lacp" if eos or "leafs" not in words else "active-backup"
                tree = merged(tree, {"servers": {name: {"ports": {ports: {"bond": bond}}}}})
    return tree


def _has_rails(kind: Tree) -> bool:
    return any(words.get("fabric") == "backend" for words in kind.get("ports", {}).values())
