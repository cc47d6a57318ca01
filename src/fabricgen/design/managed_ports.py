"""An access fabric, cabled, and its VLANs in; which ports get addresses by their places, out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.design.racks import BMC, PDU
from fabricgen.diagnostics import Code, IntentPath, did_you_mean
from fabricgen.fabric.managed import ManagedPorts

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.design.findings import Findings
    from fabricgen.design.wiring.access import WiredAccess
    from fabricgen.fabric.overlay import Overlay, Vlan
    from fabricgen.intent.model.access import Access

ADDRESSED = (BMC, PDU)
"""VLANs whose subnets are the access fabric's own; that of switches has its addresses already."""


def managed_ports(
    words: Access, wired: WiredAccess, overlay: Overlay, findings: Findings
) -> ManagedPorts:
    """Plan the addresses of management ports; subnets without room are said."""
    down = max(len(face.down) for face in wired.faces.values())
    block = 1 << down.bit_length()
    by_key = {
        key: overlay.vlans[own.id]
        for key in ADDRESSED
        if (own := getattr(words.vlans, key)) is not None
    }
    keys = _keys(wired)
    ports = {end: by_key[key] for end, key in keys.items() if key in by_key}
    for key, vlan in by_key.items():
        units = [wired.topology.places[end].unit for end in ports if keys[end] == key]
        _judge_room(
            words.at("vlans", key, "subnet"), vlan, block * (1 + max(units, default=0)), findings
        )
    _judge_macs(words, {name for name, _ in ports}, findings)
    return ManagedPorts(block=block, ports=ports, macs=dict(words.macs))


def _keys(wired: WiredAccess) -> Mapping[tuple[str, str], str]:
    """Return the key of the VLAN of each management port, by owner and its own name."""
    named = {switch.index: switch.name for switch in wired.topology.switches if switch.is_leaf}
    return {
        end: wired.vlans[named[place.unit]][place.index]
        for end, place in wired.topology.places.items()
    }


def _judge_room(path: IntentPath, vlan: Vlan, need: int, findings: Findings) -> None:
    assert vlan.gateway is not None
    first, last = vlan.gateway.network
    if need > last - first:
        findings.spoil(
            Code.POOL_TOO_SMALL,
            f"{need:,} addresses are needed, a block for each access switch and one before them; "
            f"{vlan.gateway.prefix} has {last - first + 1:,}",
            path,
            f"this fits: a /{32 - need.bit_length()}",
        )


def _judge_macs(words: Access, names: set[str], findings: Findings) -> None:
    """Report MACs of ports that are not there, and one of two ports."""
    owner: dict[str, str] = {}
    for name, mac in words.macs.items():
        path: IntentPath = words.at("macs", name)
        if name not in names:
            findings.error(
                Code.UNKNOWN_REFERENCE,
                f"nothing called {name!r} gets its address on {words.name}",
                path,
                did_you_mean(name, sorted(names)),
            )
        other = owner.setdefault(mac, name)
        if other != name:
            findings.error(Code.DUPLICATE_ID, f"the MAC {mac} is also that of {other}", path)
