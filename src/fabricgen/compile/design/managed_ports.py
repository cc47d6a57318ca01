"""An access fabric, cabled, and its VLANs in; which ports get addresses by their places, out."""

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.managing import Managing
from fabricgen.compile.design.racks import BMC, PDU
from fabricgen.compile.design.wiring.sockets import Plugged
from fabricgen.core.diagnostics import Code, IntentPath, did_you_mean
from fabricgen.model.fabric.managed import BEYOND, SHARED_BLOCK, ManagedPorts
from fabricgen.model.fabric.overlay import Overlay
from fabricgen.model.fabric.vlans import Vlan

ADDRESSED = (BMC, PDU)
"""VLANs whose subnets are the access fabric's own; that of switches has its addresses already."""


def managed_ports(
    words: Managing, plugged: Plugged, overlay: Overlay, ports: int, findings: Findings
) -> ManagedPorts:
    """Plan the addresses of management ports; subnets without room are said.

    ports: of the leaf with the most of them; 0 where leafs are shared, and places count by cage.
    """
    block = 1 << ports.bit_length() if ports else SHARED_BLOCK
    by_key = {
        key: overlay.vlans[own.id]
        for key in ADDRESSED
        if (own := getattr(words.words.vlans, key)) is not None
    }
    keys = plugged.keys
    given = {end: by_key[key] for end, key in keys.items() if key in by_key}
    for key, vlan in by_key.items():
        units = [plugged.places[end].unit for end in given if keys[end] == key]
        _judge_room(
            words.at("vlans", key, "subnet"), vlan, block * (1 + max(units, default=0)), findings
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
            f"{need:,} addresses are needed, a block for each access switch and one before them; "
            f"{gateway.prefix} has {last - first + 1:,}",
            path,
            f"this fits: a /{32 - need.bit_length()}",
        )


def _judge_macs(words: Managing, names: set[str], findings: Findings) -> None:
    """Report MACs of ports that are not there, and one of two ports."""
    owner: dict[str, str] = {}
    for name, mac in words.words.macs.items():
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
