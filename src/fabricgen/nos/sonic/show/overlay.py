"""Read the VTEP, the VNIs and the flood lists of a switch."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from fabricgen.core.tree.facts import Facts
from fabricgen.nos.shared.frr import show as routing
from fabricgen.nos.sonic.show.ports import neutral
from fabricgen.nos.sonic.show.tables import Rows


def vtep(tunnels: Rows) -> Facts:
    """Return the source address of the tunnels."""
    sources = sorted({row["src_ip"] for row in tunnels.values() if "src_ip" in row})
    return {("vtep",): {"address": ", ".join(sources)}} if sources else {}


def vnis(tunnels: Rows, mapped: Rows) -> Facts:
    """Return the VLAN and the tunnel source of each VNI that vxlanmgrd has made."""
    return {
        ("vni", row["vni"]): {
            "vlan": row["vlan"].removeprefix("Vlan"),
            "source": tunnels.get(key.partition(":")[0], {}).get("src_ip", "unknown"),
        }
        for key, row in mapped.items()
        if "vlan" in row and "vni" in row
    }


def floods(rows: Rows) -> Facts:
    """Return the VTEPs that receive flooded packets of each VLAN."""
    found: dict[str, list[str]] = defaultdict(list)
    for key in rows:
        vlan, _, far = key.partition(":")
        found[vlan.removeprefix("Vlan")].append(far)
    return {("flood", vlan): {"vteps": tuple(sorted(far))} for vlan, far in found.items()}


def routed(shown: Sequence[Mapping[str, Any]]) -> Facts:
    """Return the VNIs of zebra with the design's names of VRFs."""
    facts = routing.routed(shown)
    for own in facts.values():
        own["vrf"] = neutral(str(own["vrf"]))
    return facts


def macs(shown: Sequence[Mapping[str, Any]], mapped: Rows) -> dict[tuple[str, ...], float]:
    """Return the number of MACs of each VLAN with a VNI."""
    vlans = {
        row["vni"]: row["vlan"].removeprefix("Vlan") for row in mapped.values() if len(row) > 1
    }
    return {
        ("macs", vlans[str(each["vni"])]): float(each["numMacs"])
        for each in shown
        if "numMacs" in each and str(each.get("vni")) in vlans
    }
