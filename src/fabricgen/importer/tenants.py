"""Reads the tenants of a fabric, with the relays and diagnostic addresses of their VRFs."""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from ipaddress import ip_address

from fabricgen.importer.attachments import Placed, attachments, carried
from fabricgen.importer.border import routes
from fabricgen.importer.routed_ports import RoutedPorts
from fabricgen.importer.seats import Floor, floors
from fabricgen.importer.segments import FoundVlan, FoundVrf, Segments, segments
from fabricgen.importer.tenant_numbers import Numbers, numbers, rail_tenants, tenant_of, vlan_key
from fabricgen.importer.tree import Fragment, Tree, at, merged, said, usual
from fabricgen.intent.model.vocabulary import VLAN_NAME
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.invariants.switch import plain
from fabricgen.prove.walk.packet import Interface
from fabricgen.prove.walk.values import text, words


def diagnostics(floor: Floor, vrf: str) -> Fragment:
    """Return the prefix of which leaf n has the n-th address as a host route of a VRF."""
    bases = Counter[int]()
    for leaf, judged in floor.leafs:
        for name, port in judged.tables.ports.items():
            own = judged.own(("interface", name))
            if "relays" in own or vrf not in (name, plain(port.vrf)):
                continue
            for address in port.addresses:
                if address.version == 4 and address.network.prefixlen == address.max_prefixlen:
                    bases[int(address.ip) - leaf.ordinal - 1] += 1
    base = usual(bases)
    return {} if base is None else {"diagnostics": {"subnet": _pool(base, 4)}}


_ROOM = {4: 24, 6: 64}
"""Lengths of proposed pools. The files have only the address of each leaf."""


def _pool(base: int, version: int) -> str:
    """Return the pool that begins at an address, or the largest valid one."""
    length, bits = _ROOM[version], 32 if version == 4 else 128
    while base % (1 << (bits - length)):
        length += 1
    return f"{ip_address(base.to_bytes(bits // 8, 'big'))}/{length}"


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
    if not servers:
        return {}
    pools = {
        key: _pool(base, version)
        for version, key in ((4, "sources"), (6, "sources6"))
        if (base := usual(sources[version])) is not None
    }
    addresses = {each: ip_address(each) for each in servers}
    order = sorted(addresses, key=lambda each: (addresses[each].version, int(addresses[each])))
    return {"dhcp_relay": {"servers": order, **pools}}


def read(network: Network, tree: Tree) -> Fragment:
    """Return the tree with the tenants of every fabric and their bases. Existing ones stay."""
    fragment: Fragment = {}
    if "tenants" in tree or "jobs" in tree:
        return fragment
    for floor in floors(network, tree):
        if floor.kind == "evpn":
            found = segments(floor)
            number = at(tree, *map(str, floor.fabric.place), "number") or 0
            own = _Tenants(floor, found, numbers(found, number), fragment.get("tenants", {}))
            fragment = merged(fragment, own.fragment())
        elif floor.kind == "rails":
            shared = rail_tenants(floor, fragment.get("tenants", {}))
            fragment = merged(fragment, {"tenants": shared} if shared else {})
    return fragment


class _Tenants:
    """Groups VRFs and VLANs of a fabric by tenant. others: tenants of other fabrics."""

    def __init__(
        self, floor: Floor, found: Segments, numbered: Numbers, others: Mapping[str, Fragment]
    ) -> None:
        self.floor, self.found, self.numbers, self.others = floor, found, numbered, others
        self.tenants: dict[str, Fragment] = {}
        self.keys: dict[str, dict[int, str]] = defaultdict(dict)

    def fragment(self) -> Fragment:
        """Return the tenants, and the unusual bases below the fabric."""
        placed = carried(self.floor)
        for name, vrf in sorted(
            self.found.vrfs.items(), key=lambda each: self.numbers.ids[each[0]]
        ):
            self.vrf(name, vrf)
        for number, vlan in sorted(self.found.vlans.items()):
            if not vlan.vrf and (vlan.vni or self.used(number)):
                self.bridged(number, vlan, placed)
        owners = {
            number: tenant
            for tenant, keys in self.keys.items()
            for number in keys
            if self.found.vlans[number].vrf
        }
        for name in self.tenants:
            every = attachments(self.floor, placed, self.keys[name], owners)
            own = self.tenants[name]
            for vrf in own.get("vrfs", {}):
                routed = RoutedPorts(self.floor, vrf)
                every += routed.attachments()
                own["vrfs"][vrf] |= said(hosts=routed.hosts)
            own |= said(attachments=every)
        bases = self.numbers.words
        below = self.floor.beside.fragment(overlay=bases) if bases else {}
        return merged(said(tenants=self.tenants), below)

    def tenant(self, name: str) -> Fragment:
        """Return the keys of a tenant."""
        home: Fragment = {} if self.floor.alone else {"fabric": self.floor.fabric.name}
        return self.tenants.setdefault(name, home)

    def vrf(self, name: str, vrf: FoundVrf) -> None:
        """Add a VRF with its VLANs."""
        inside = self.found.in_vrf(name)
        note = vrf.note
        unlike = {each for each, own in self.tenants.items() if own.get("description", "") != note}
        names = [each.word("name") for each in inside]
        tenant = tenant_of(name, names, {*self.others, *unlike})
        words = self.tenants[tenant] = self.tenant(tenant) | said(description=note)
        vlans = dict(self.vlan(tenant, each) for each in inside)
        sources = {other: self.numbers.source(vrf, own) for other, own in self.found.vrfs.items()}
        takes = {other: [*taken] for other, taken in sources.items() if taken}
        own = self.numbers.of_vrf(vrf) | said(vlans=vlans, import_routes=takes)
        own |= relays(self.floor, inside) | routes(self.floor, name)
        words.setdefault("vrfs", {})[name] = own | diagnostics(self.floor, name)

    def vlan(self, tenant: str, vlan: FoundVlan) -> tuple[str, Fragment]:
        """Return the key of a VLAN and its values."""
        name = vlan.word("name")
        key, called = vlan_key(tenant, name, vlan.id, self.keys[tenant].values())
        self.keys[tenant][vlan.id] = key
        own = self.numbers.of_vlan(vlan) | said(name=called) | _subnets(usual(vlan.gateways) or ())
        announced = (("gateway slaac", "slaac"), ("gateway managed", "dhcp"))
        return key, own | said(
            announce=next((how for word, how in announced if vlan.word(word)), None),
            multicast="snooped" if vlan.id in self.found.asked else None,
            description=_described(vlan),
        )

    def bridged(self, number: int, vlan: FoundVlan, placed: Placed) -> None:
        """Add a VLAN without a VRF to the tenant of its name, or of the VLANs on its ports."""
        name = vlan.word("name")
        named = [each for each in self.tenants if vlan_key(each, name, number, ())[1:] == ("",)]
        beside = [
            each for each in self.tenants if name == "" and self.together(each, number, placed)
        ]
        own = [*sorted(named, key=len, reverse=True), *beside] if name else beside
        tenant = own[0] if own else tenant_of("", [name] if "-" in name else [], self.others)
        words = self.tenant(tenant)
        words.setdefault("vlans", {}).update([self.vlan(tenant, vlan)])

    def used(self, number: int) -> bool:
        """Check whether a VLAN is on a port. The design renders no unused VLAN."""
        return any(
            number in port.vlans
            for _, judged in self.floor.leafs
            for port in judged.tables.ports.values()
        )

    def together(self, tenant: str, number: int, placed: Placed) -> bool:
        """Check whether a VLAN is on ports with the VLANs of a tenant."""
        mine = self.keys[tenant].keys()
        every: Iterable[frozenset[int]] = (
            each.vlans for spots in placed.values() for each in spots.values()
        )
        return any(number in vlans and vlans & mine for vlans in every)


def _subnets(gateways: tuple[Interface, ...]) -> Fragment:
    """Return subnets, and gateways that are not the first address of their subnet."""
    own: Fragment = {}
    both = {each.version for each in gateways} == {4, 6}
    for each in gateways:
        word = "6" if both and each.version == 6 else ""
        own[f"subnet{word}"] = str(each.network)
        if int(each.ip) != int(each.network.network_address) + 1:
            own[f"gateway{word}"] = str(each.ip)
    return own


def _described(vlan: FoundVlan) -> str:
    """Return the description of a VLAN or its gateway, if it is not its name."""
    name = vlan.word("name")
    note = vlan.word("gateway note") or vlan.word("gateway description")
    is_name = re.match(VLAN_NAME, name)
    note = note or ("" if is_name else name)
    return "" if is_name and note == name else note
