"""Adds the holders of addresses and subnets to the network of a folder's switches."""

from collections import defaultdict
from functools import cached_property

from fabricgen.core.record import record
from fabricgen.core.tree.facts import TRUE, Key
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.invariants import network
from fabricgen.prove.invariants.switch import plain
from fabricgen.prove.walk.packet import Address, Interface, Prefix
from fabricgen.prove.walk.ports import Port


@record(eq=False, kw_only=True)
class Held:
    """An address on a port of a switch, and its VRF without a platform's prefix."""

    switch: Judged
    port: Port
    address: Interface
    vrf: str

    @property
    def key(self) -> Key:
        """The object of its port."""
        return "interface", self.port.name

    @property
    def end(self) -> str:
        """The port as text."""
        return f"{self.switch.name}:{self.port.name}"

    @property
    def vlan(self) -> int:
        """The VLAN whose gateway it is, 0 for none."""
        gateways = self.switch.tables.gateways
        return next((v for v, port in gateways.items() if port is self.port), 0)

    @property
    def shared(self) -> bool:
        """Return whether several switches may have it, as one gateway."""
        own = self.switch.own(self.key)
        return self.vlan > 0 and (own.get("anycast") == TRUE or "mac" in own)

    @property
    def pair(self) -> str:
        """The MLAG pair that uses it internally; empty for other addresses."""
        pair = self.switch.tables.pair
        bridge = self.switch.tables.bridges.get(self.vlan)
        inner = self.port.name == (pair.over if pair else None) or (bridge and bridge.group)
        return pair_of(self.switch) if inner else ""


def pair_of(switch: Judged) -> str:
    """Return a key that identifies the MLAG pair of a switch; empty without one.

    Pairs often share one domain name, since only the other leaf sees it: their tunnels differ.
    """
    pair = switch.tables.pair
    return "" if pair is None else f"{pair.domain} {switch.tables.vtep or switch.asn}"


End = tuple[Judged, str]
"""A switch and a port of it."""


class Network(network.Network[Judged]):
    """All switches of a folder."""

    @cached_property
    def held(self) -> list[Held]:
        """Every address of a port that is up."""
        return [
            Held(switch=each, port=port, address=address, vrf=plain(port.vrf))
            for each in self.switches
            for port in each.tables.ports.values()
            if port.up
            for address in port.addresses
        ]

    @cached_property
    def having(self) -> dict[Address, list[Held]]:
        """The holders of an address, in any VRF."""
        every: dict[Address, list[Held]] = defaultdict(list)
        for each in self.held:
            every[each.address.ip].append(each)
        return every

    @cached_property
    def subnets(self) -> dict[tuple[str, Prefix], list[Held]]:
        """The holders of a subnet in a VRF, without single addresses and link-locals."""
        every: dict[tuple[str, Prefix], list[Held]] = defaultdict(list)
        for each in self.held:
            alone = each.address.network.prefixlen == each.address.max_prefixlen
            if not alone and not each.address.is_link_local:
                every[each.vrf, each.address.network].append(each)
        return every
