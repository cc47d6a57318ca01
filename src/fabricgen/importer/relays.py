"""Gateways that relay requests of servers in; whom a VRF asks, and from where, out."""

from __future__ import annotations

from collections import Counter
from ipaddress import ip_address, ip_network
from typing import TYPE_CHECKING

from fabricgen.importer.segments import usual
from fabricgen.prove.walk.values import text, words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.importer.seats import Floor
    from fabricgen.importer.segments import FoundVlan
    from fabricgen.importer.tree import Fragment

_ROOM = {4: 24, 6: 64}
"""Lengths of the pools that are proposed: the files say no more than each leaf's own address."""


def relays(floor: Floor, vlans: Iterable[FoundVlan]) -> Fragment:
    """Return the DHCP relay of a VRF with these VLANs."""
    numbers = {vlan.id for vlan in vlans}
    servers: dict[str, None] = {}
    sources: dict[int, Counter[int]] = {4: Counter(), 6: Counter()}
    for leaf, judged in floor.leafs:
        for number, gateway in judged.tables.gateways.items():
            own = judged.own(("interface", gateway.name))
            if number not in numbers or "relayed" not in own:
                continue
            servers |= dict.fromkeys(words(own["relayed"]))
            port = judged.tables.ports.get(text(own.get("asks-from")))
            for address in port.addresses if port is not None else ():
                sources[address.version][int(address.ip) - leaf.ordinal - 1] += 1
    said: Fragment = {"servers": sorted(servers, key=_order)} | dict(_pools(sources))
    return {"dhcp_relay": said} if servers else {}


def _order(address: str) -> tuple[int, int]:
    one = ip_address(address)
    return one.version, int(one)


def _pools(sources: dict[int, Counter[int]]) -> Iterator[tuple[str, str]]:
    """Yield the pools whose n-th address leaf n asks from, where it is one."""
    for version, key in ((4, "sources"), (6, "sources6")):
        base = usual(sources[version])
        if base is not None:
            length, bits = _ROOM[version], 32 if version == 4 else 128
            while base % (1 << (bits - length)):
                length += 1
            address = ip_address(base.to_bytes(bits // 8, "big"))
            yield key, str(ip_network(f"{address}/{length}"))
