"""Check that address blocks of several sites do not overlap."""

from collections.abc import Iterator
from typing import NamedTuple

from fabricgen.compile.checks.tally import Tallied
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.model.fabric.addressing import Ip, Pool
from fabricgen.model.fabric.overlay import Vrf
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.vlans import Vlan


class Block(NamedTuple):
    """Address range with a name for messages."""

    version: int
    first: int
    last: int
    text: str
    path: IntentPath

    def holds(self, other: "Block") -> bool:
        """Return whether the other range lies inside this one."""
        inside = self.first <= other.first and other.last <= self.last
        return inside and self.version == other.version

    def meets(self, other: "Block") -> bool:
        """Return whether the ranges share an address."""
        apart = self.last < other.first or other.last < self.first
        return self.version == other.version and not apart


def own_blocks(fabric: Fabric) -> Iterator[Block]:
    """Yield the pools and pins of a fabric, and the subnets of its tenants and external links."""
    addresses = fabric.addresses
    nics = addresses.nics.pool if addresses.nics else None
    for pool in (addresses.loopbacks, addresses.vteps, addresses.links, nics):
        if pool is not None:
            yield _pool(fabric, pool)
    yield from _pinned(fabric)
    for vlan in fabric.overlay.vlans.values() if fabric.overlay else ():
        for gateway in vlan.gateways:
            text = f"{gateway.prefix} of VLAN {vlan.name} ({fabric.name})"
            yield block_of(gateway, text, vlan.because.main)
    for vrf in fabric.overlay.vrfs.values() if fabric.overlay else ():
        for relay in vrf.relays:
            whole = relay.sources.whole
            text = f"{whole.prefix} of the DHCP relay of {relay.vrf} ({fabric.name})"
            yield block_of(whole, text, relay.because.main)
        if vrf.diagnostics is not None:
            whole = vrf.diagnostics.sources.whole
            text = f"{whole.prefix} of the diagnostic addresses of {vrf.name} ({fabric.name})"
            yield block_of(whole, text, vrf.diagnostics.because.main)
    for leaf, peers in fabric.overlay.external.items() if fabric.overlay else ():
        for peer in peers:
            text = f"{peer.local.prefix} of {leaf} to the outside ({fabric.name})"
            yield block_of(peer.local, text, peer.because.main)


def _pool(fabric: Fabric, pool: Pool) -> Block:
    path: IntentPath = (*fabric.place, "addressing", pool.name)
    text = f"{pool.text} of {fabric.name} {pool.name}"
    return Block(pool.version, pool.first, pool.high(0), text, path)


def _pinned(fabric: Fabric) -> Iterator[Block]:
    """Yield addresses that the intent pins outside of the pools."""
    pools = [each for each in (fabric.addresses.loopbacks, fabric.addresses.vteps) if each]
    for name, pin in fabric.addresses.pins.every.items():
        for key, value in (("loopback", pin.loopback), ("vtep", pin.vtep)):
            address = Ip(value or 0, 32)
            if value is not None and not any(pool.whole.holds(address) for pool in pools):
                text = f"{address} pinned to {name} ({fabric.name})"
                yield block_of(address, text, (*pin.path, key))


def allowed_blocks(fabric: Fabric) -> list[Block]:
    """Return the prefixes that a fabric may advertise, in the order of its routing."""
    path: IntentPath = (*fabric.place, "addressing")
    return [
        block_of(item.prefix, f"{item.prefix} allowed in the {fabric.name}", path)
        for item in fabric.routing.allowed
    ]


def block_of(ip: Ip, text: str, path: IntentPath) -> Block:
    """Return the subnet of an address with its name."""
    first, last = ip.network
    return Block(ip.version, first, last, text, path)


# A switch drops routes of the other site with its own ASN in the path. Traffic to an address of
# both sites goes to the nearer one. A VNI of both sites joins two networks. The comparison covers
# fabrics with tenants, management networks and switch names.

_NUMBER = "give one of the fabrics a `number` that no fabric of the other site has"


class Across(Tallied):
    """Comparison of one site with others. Its findings belong to the first site."""

    name, code, noun = "sites", Code.SITES_NOT_APART, "switches, VLANs and VRFs"

    def __init__(self, site: Site) -> None:
        super().__init__(site)
        self.fabrics = list(_joined(site))

    def beside(self, other: Site) -> None:
        """Compare with one other site."""
        self.switches(other)
        for one in self.fabrics:
            for two in _joined(other):
                self.asns(one, two, other)
                self.vnis(one, two, other)
        self.blocks(other)

    def switches(self, other: Site) -> None:
        """Require unique switch names, because inventory, journal and cable plan use them."""
        theirs = {each.name for fabric in other.fabrics for each in fabric.topology.switches}
        for fabric in self.site.fabrics:
            self.tally.objects += len(fabric.topology.switches)
            for switch in fabric.topology.switches:
                if switch.name in theirs:
                    text = f"the switch {switch.name} is also one of {other.name}"
                    hint = "include `{site}` in `names`"
                    self.tally.add("switches of both sites", text, (*fabric.place, "names"), hint)

    def asns(self, one: Fabric, two: Fabric, other: Site) -> None:
        """Require ASNs that no switch of the other site drops as a loop."""
        theirs = {two.routing.asns.asn(each): each.name for each in two.topology.switches}
        for switch in one.topology.switches:
            asn = one.routing.asns.asn(switch)
            if asn in theirs:
                text = (
                    f"{switch.name} and {theirs[asn]} in {other.name} both have the ASN {asn}: "
                    "they would drop each other's routes as loops"
                )
                self.tally.add("ASNs of both sites", text, (*one.routing.path, "asn"), _NUMBER)

    def vnis(self, one: Fabric, two: Fabric, other: Site) -> None:
        """Require that a VNI of both sites names the same VLAN or VRF."""
        theirs = {each.vni: each for each in _tunnels(two)}
        for mine in _tunnels(one):
            self.tally.objects += 1
            far = theirs.get(mine.vni)
            if far is not None and (type(far), far.name) != (type(mine), mine.name):
                text = (
                    f"the VNI {mine.vni} of {mine.name} is also the VNI of {far.name} in "
                    f"{other.name}"
                )
                self.tally.add("VNIs of both sites", text, mine.because, _NUMBER)

    def blocks(self, other: Site) -> None:
        """Require that pools, subnets and management networks do not overlap."""
        theirs = list(_ranges(other))
        for mine in _ranges(self.site):
            for far in theirs:
                if mine.meets(far):
                    text = f"{mine.text} overlaps {far.text} in {other.name}"
                    hint = _NUMBER if "addressing" in mine.path else "give each site its own range"
                    self.tally.add("ranges of both sites", text, mine.path, hint)


def _joined(site: Site) -> Iterator[Fabric]:
    return (fabric for fabric in site.fabrics if fabric.overlay is not None)


def _tunnels(fabric: Fabric) -> Iterator[Vlan | Vrf]:
    assert fabric.overlay is not None
    yield from (vlan for vlan in fabric.overlay.vlans.values() if vlan.vni is not None)
    yield from (vrf for vrf in fabric.overlay.vrfs.values() if not vrf.local)


def _ranges(site: Site) -> Iterator[Block]:
    for fabric in _joined(site):
        yield from own_blocks(fabric)
    first = next((switch for f in site.fabrics for switch in f.topology.switches), None)
    if first is not None:
        fabric = next(f for f in site.fabrics if first in f.topology.switches)
        subnet = fabric.addresses.management_address(first)
        yield block_of(subnet, f"{subnet.prefix} of management", (*site.services.path, "subnet"))
