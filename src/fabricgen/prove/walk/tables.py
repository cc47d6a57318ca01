"""Reads the ports, VLANs, VRFs and sessions of one switch from the facts of its files.

This module does not use the design. Statements that it does not understand are in `strange`. The
result of a packet that meets one is unknown.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import field, replace
from ipaddress import ip_interface

from fabricgen.core.record import record
from fabricgen.core.tree.facts import FALSE, GLOBAL, TRUE, Attributes, Facts, Key
from fabricgen.prove.walk.filters import placed
from fabricgen.prove.walk.flooding import adjacencies, advertised, neighbors
from fabricgen.prove.walk.packet import Interface, Prefix, interface
from fabricgen.prove.walk.policies import Policy, Unreadable, policy, preferred
from fabricgen.prove.walk.ports import Port, holder
from fabricgen.prove.walk.understood import OTHERS, UNDERSTOOD
from fabricgen.prove.walk.values import text, words

_SHORT = {"Eth": "Ethernet", "Po": "PortChannel"}
"""SONiC's short port names in the names of subinterfaces (sonic-vlan-sub-interface.yang)."""
_SVI = re.compile(r"[Vv]lan(\d+)$")
_BUNDLES = ("Port-Channel{}", "PortChannel{}")


POLICIES = ("in", "out", "evpn-in", "evpn-out")


@record(kw_only=True)
class Bridge:
    """A VLAN: its VNI and route targets (0 and none if it is local).

    `remote`: its route targets towards another EVPN domain. `group`: only its trunks have the VLAN.
    """

    vni: int = 0
    imports: frozenset[str] = frozenset()
    exports: frozenset[str] = frozenset()
    remote: frozenset[str] = frozenset()
    group: str = ""
    strange: str = ""


@record(kw_only=True)
class Table:
    """A VRF: its VNI and route targets. `announced`: IP versions that EVPN advertises.

    `redistributes`: connected routes are advertised to peers in the VRF. `connected`: their filter,
    None for all. `routes`: it forwards at all. `takes`: VRFs whose routes FRR imports. `statics`:
    IP versions of advertised static routes. `taken`: filter of imported routes. `told`: filter
    of EVPN exports, by IP version; absent without a filter.
    """

    vni: int = 0
    imports: frozenset[str] = frozenset()
    exports: frozenset[str] = frozenset()
    announced: frozenset[int] = frozenset()
    statics: frozenset[int] = frozenset()
    redistributes: bool = False
    takes: frozenset[tuple[int, str]] = frozenset()
    connected: Mapping[int, Policy] = field(default_factory=dict)
    taken: Mapping[int, Policy] = field(default_factory=dict)
    told: Mapping[int, Policy] = field(default_factory=dict)
    routes: bool = True
    strange: str = ""


@record(kw_only=True)
class Session:
    """One end of a BGP session. A policy of None passes everything.

    `default`: the peer always receives a default route. `preference`: how far its routes rank
    behind the most preferred ones. `local_asn`: the local ASN that the peer sees. `remote`: it
    leads to another EVPN domain. `area`, `cost`: of an OSPF neighbor, which is no BGP session.
    """

    vrf: str
    peer: str
    asn: str
    families: frozenset[str]
    policies: Mapping[str, Policy | None]
    source: str
    multihop: bool
    keeps_next_hop: bool
    over_ipv6: bool
    communities: bool
    default: bool
    preference: int
    local_asn: str = ""
    password: str = ""
    remote: bool = False
    area: str = ""
    cost: int = 0
    strange: str = ""


@record(kw_only=True)
class Static:
    """A static route. `port`: its egress port, empty for any."""

    vrf: str
    prefix: Interface
    via: str
    port: str


@record(kw_only=True)
class Pair:
    """MLAG statements of a leaf about its peer. `over`: the interface between them."""

    domain: str
    over: str
    peer: str
    link: str


@record(kw_only=True)
class Tables:
    """Tables of one switch. `bridges`, `gateways`: by VLAN. `subnets`: of ports that are up.

    `rank`: its router ID; of equal routes that of the lowest one is advertised. `frr`: it runs FRR,
    whose defaults differ from EOS's. `connected`: the policy for its own prefixes, None for all.
    `passes_on`: it re-advertises prefixes between EVPN domains with itself as next hop. `udp`: of
    its tunnels. `avoided`: OSPF gives its links the highest metric. `vlan_of`, `vrf_of`: by VNI.
    `strange`: reason why all is unknown.
    """

    name: str
    asn: str
    rank: int
    paths: int
    frr: bool
    ports: Mapping[str, Port]
    gateways: Mapping[int, Port]
    bridges: Mapping[int, Bridge]
    tables: Mapping[str, Table]
    sessions: tuple[Session, ...]
    connected: Policy | None
    vtep: str
    udp: str = ""
    subnets: Mapping[str, Mapping[Prefix, Port]] = field(default_factory=dict)
    statics: tuple[Static, ...] = ()
    pair: Pair | None = None
    passes_on: bool = False
    avoided: bool = False
    strange: str = ""
    vlan_of: Mapping[int, int] = field(default_factory=dict)
    vrf_of: Mapping[int, str] = field(default_factory=dict)


def tables(name: str, facts: Facts, unread: tuple[str, ...] = ()) -> Tables:
    """Return the tables of a switch; `unread`: lines or files without a grammar."""
    return _Reader(name, facts, unread).tables()


class _Reader:
    """Reads the facts of one switch."""

    def __init__(self, name: str, facts: Facts, unread: tuple[str, ...]) -> None:
        self.name, self.facts = name, facts
        aware = {key[1]: own for key, own, _ in self.each("interface") if "vlan-aware" in own}
        self.bridges_of_linux = frozenset(aware)
        self.bridged = [words(own.get("members")) for own in aware.values()]
        self.filters = placed(facts)
        switch = facts.get(("switch",), {})
        self.frr = "frr" in switch
        self.forwards = self.frr and switch.get("routes") != FALSE
        odd = sorted({key[0] for key in facts} - set(UNDERSTOOD) - OTHERS)
        self.strange = "; ".join([*unread, *(f"objects of kind {kind}" for kind in odd)])

    def each(self, kind: str) -> Iterator[tuple[Key, Attributes, str]]:
        """Yield the objects of a kind, with the unknown statements of each."""
        for key, own in self.facts.items():
            if key[0] == kind:
                odd = sorted(set(own) - UNDERSTOOD[kind])
                yield key, own, f"{' '.join(key)}: {', '.join(odd)}" if odd else ""

    def tables(self) -> Tables:
        """Return the complete tables."""
        ports = self.ports()
        gateways = {
            number: port
            for port in ports.values()
            if not port.tag and (number := _svi(port.name, self.facts["interface", port.name]))
        }
        sessions = (*self.sessions(), *self.adjacent(ports), *self.flooded(ports))
        odd = {each.vrf: each.strange for each in sessions if each.strange}
        bridges, tables = self.bridges(), self.tables_of_vrfs(odd)
        bgp = self.facts.get(("bgp", GLOBAL), {})
        many = text(bgp.get("paths") or bgp.get("maximum-paths"))
        return Tables(
            name=self.name,
            asn=text(bgp.get("asn")),
            rank=int(ip_interface(text(bgp.get("router-id")) or "::")),
            paths=int(many) if many.isdecimal() else 1,
            frr=self.frr,
            ports=ports,
            gateways=gateways,
            bridges=bridges,
            tables=tables,
            sessions=sessions,
            connected=self.advertised(bgp, ports),
            vtep=self.vtep(ports),
            udp=text(self.facts.get(("vtep",), {}).get("port")),
            subnets=_subnets(ports),
            statics=tuple(self.statics()),
            pair=self.pair(),
            avoided=self.facts.get(("ospf", GLOBAL), {}).get("avoided") == TRUE,
            passes_on=bgp.get("inter-domain") == TRUE,
            strange=self.strange,
            vlan_of={each.vni: number for number, each in bridges.items() if each.vni},
            vrf_of={each.vni: vrf for vrf, each in tables.items() if each.vni},
        )

    def ports(self) -> dict[str, Port]:
        """Return the interfaces; a port-channel member carries what the port-channel carries."""
        members = {
            member: key[1]
            for key, own, _ in self.each("interface")
            if "bond-mode" in own
            for member in words(own.get("members"))
        }
        return {
            key[1]: self.port(key[1], own, strange, members.get(key[1]))
            for key, own, strange in self.each("interface")
        }

    def port(self, name: str, own: Attributes, strange: str, bond: str | None) -> Port:
        """Return one interface."""
        number = own.get("bundle")
        names = [form.format(number) for form in _BUNDLES] if number else [bond or ""]
        whole = next(
            (self.facts["interface", b] for b in names if ("interface", b) in self.facts), own
        )
        parent, tag = self.share(name, own)
        above = self.facts.get(("interface", parent), {})
        return Port(
            name=name,
            up=not {"shut"} & {*own, *whole, *above} and ("alias" not in own or "up" in own),
            parent=parent,
            tag=tag,
            through=(text(own.get("local")), text(own.get("remote")), text(own.get("key"))),
            below=text(own.get("below")),
            vrf=text(own.get("vrf")) or GLOBAL,
            addresses=tuple(interface(each) for each in words(own.get("address"))),
            vlans=self.carried(name, bond, whole),
            untagged=int(text(whole.get("untagged")) or 0),
            link_local=own.get("link-local") == TRUE,
            mac=self.mac(own),
            segment=text(whole.get("segment")),
            mlag=text(whole.get("mlag")),
            bundle=next((each for each in names if ("interface", each) in self.facts), ""),
            group=text(whole.get("group")),
            filters=tuple(each for place in (name, *names) for each in self.filters.get(place, ())),
            strange=strange,
        )

    def mac(self, own: Attributes) -> str:
        """Return the MAC of a gateway; empty for the switch's own."""
        shared = self.facts.get(("switch",), {}).get("anycast-mac")
        return text(own.get("mac") or (shared if own.get("anycast") == TRUE else None)).lower()

    def share(self, name: str, own: Attributes) -> tuple[str, int]:
        """Return the port or port-channel of a subinterface, and its tag."""
        if "device" in own and text(own["device"]) not in self.bridges_of_linux:
            return text(own["device"]), int(text(own.get("vlan")) or 0)
        parent, _, suffix = name.partition(".")
        tag = text(own.get("tag")) or (suffix if self.frr else "")  # SONiC may have it in the name
        if not tag.isdigit():
            return "", 0
        for short, long in _SHORT.items():
            if ("interface", parent) not in self.facts:
                parent = parent.replace(short, long)
        return parent, int(tag)

    def carried(self, name: str, bond: str | None, whole: Attributes) -> frozenset[int]:
        """Return the VLANs of a port; on Linux only a member of the bridge has any."""
        if any((bond or name) not in members for members in self.bridged):
            return frozenset()
        return frozenset(int(each) for each in words(whole.get("vlans")))

    def bridges(self) -> dict[int, Bridge]:
        """Return the VLANs. On Linux a VXLAN device in the bridge has the VNI."""
        found = {
            int(key[1]): self.bridge(int(text(own.get("vni")) or 0), own, strange)
            for key, own, strange in self.each("vlan")
        }
        carried = {
            vlan for key, own, _ in self.each("interface") for vlan in words(own.get("vlans"))
        }
        found |= {int(vlan): Bridge() for vlan in carried if int(vlan) not in found}
        for _, own, strange in self.each("interface"):
            if "vni" in own and "untagged" in own:
                vni = int(text(own["vni"]))
                found[int(text(own["untagged"]))] = self.bridge(vni, own, strange)
        return found

    def bridge(self, vni: int, own: Attributes, strange: str) -> Bridge:
        """Return one VLAN; FRR has route targets by VNI."""
        targets = self.facts.get(("vni", str(vni)), own)
        return Bridge(
            vni=vni,
            imports=frozenset(words(targets.get("import"))),
            exports=frozenset(words(targets.get("export"))),
            remote=frozenset(words(own.get("remote"))),
            group=text(own.get("group")),
            strange=strange,
        )

    def tables_of_vrfs(self, unread: Mapping[str, str]) -> dict[str, Table]:
        """Return the VRFs, including the global one; `unread`: unknown statements of a session."""
        said = self.facts.get(("switch",), {}).get("routes", TRUE if self.frr else FALSE)
        own = {GLOBAL: Table(routes=said == TRUE)}
        for key, _, _ in filter(lambda each: "table" in each[1], self.each("interface")):
            own[key[1]] = Table(routes=self.forwards)  # a VRF of Linux that FRR may not name
        for key, vrf, odd in self.each("vrf"):
            own[key[1]] = self.table(key[1], vrf, odd or unread.get(key[1], ""))
        return own

    def table(self, name: str, own: Attributes, strange: str) -> Table:
        """Return one VRF; EOS imports both families by one statement."""
        takes: set[tuple[int, str]] = set()
        policies: dict[str, dict[int, Policy]] = {"taken": {}, "told": {}, "connected-by": {}}
        for version in (4, 6):
            said = self.facts.get(("taking", name, f"ipv{version}"), own)
            takes |= {(version, source) for source in words(said.get("takes"))}
            for which, found in policies.items():
                try:
                    if which in said:
                        found[version] = policy(said[which])
                except Unreadable as fault:
                    strange = str(fault)
        return Table(
            vni=int(text(own.get("vni")) or 0),
            imports=frozenset(words(own.get("import"))),
            exports=frozenset(words(own.get("export"))),
            announced=self.announced(own),
            statics=self.told_statics(own),
            redistributes=own.get("connected") == TRUE,
            takes=frozenset(takes),
            connected=policies["connected-by"],
            taken=policies["taken"],
            told=policies["told"],
            routes=self.forwards or own.get("routes") == TRUE,
            strange=strange,
        )

    def announced(self, own: Attributes) -> frozenset[int]:
        """Return the IP versions of a VRF whose connected routes EVPN advertises."""
        if own.get("connected") != TRUE:
            return frozenset()
        if not self.frr:
            return frozenset({4, 6})
        both = set(words(own.get("families"))) & set(words(own.get("announced")))
        return frozenset(int(family.removeprefix("ipv")) for family in both)

    def told_statics(self, own: Attributes) -> frozenset[int]:
        """Return the IP versions whose static routes a VRF advertises; EOS has one for both."""
        if own.get("statics") == TRUE:
            return frozenset({4, 6})
        return frozenset(int(word.removeprefix("ipv")) for word in words(own.get("statics")))

    def sessions(self) -> Iterator[Session]:
        """Yield the sessions."""
        for key, own, odd in self.each("session"):
            policies, strange, remote = {}, odd, own.get("domain") == "remote"
            for name in POLICIES:
                try:
                    policies[name] = policy(own[name]) if name in own else None
                except Unreadable as fault:
                    policies[name], strange = None, f"{' '.join(key)}: {fault}"
                chosen = (
                    each.source or (each.targets and not remote) for each in policies[name] or ()
                )
                if any(chosen):
                    strange = f"{' '.join(key)}: a policy of routes between VRFs"
            if key[1] == GLOBAL and any(each.outer for each in policies["in"] or ()):
                strange = f"{' '.join(key)}: a policy of external routers"
            yield Session(
                vrf=key[1],
                peer=key[2],
                asn=text(own.get("asn")),
                families=frozenset(words(own.get("families"))),
                policies=policies,
                source=text(own.get("source")),
                multihop="multihop" in own,
                keeps_next_hop=self.frr or own.get("next-hop-unchanged") == TRUE,
                over_ipv6=own.get("ipv6-next-hop") == TRUE,
                communities=self.frr or own.get("communities") == TRUE,
                default=own.get("default") == TRUE,
                preference=preferred(policies["in"]),
                local_asn=text(own.get("local-as")),
                password=text(own.get("password")),
                remote=remote,
                strange=strange,
            )

    def flooded(self, ports: Mapping[str, Port]) -> Iterator[Session]:
        """Yield the OSPF neighbors, as sessions without ASNs."""
        for each in neighbors(self.facts, ports, frr=self.frr):
            yield replace(_without_bgp(each.vrf, each.peer, each.policies), strange=each.strange)

    def adjacent(self, ports: Mapping[str, Port]) -> Iterator[Session]:
        """Yield the OSPF neighbors outside all VRFs."""
        for each in adjacencies(self.facts, ports):
            open_to_all = _without_bgp(GLOBAL, each.peer, dict.fromkeys(POLICIES))
            yield replace(open_to_all, area=each.area, cost=each.cost)

    def advertised(self, bgp: Attributes, ports: Mapping[str, Port]) -> Policy | None:
        """Return the policy for its own prefixes: of OSPF, else of BGP."""
        inside = advertised(self.facts, ports)
        return self.redistributed(bgp) if inside is None else inside

    def redistributed(self, bgp: Attributes) -> Policy | None:
        """Return the policy for connected prefixes; empty if none is read."""
        try:
            return policy(bgp["connected"]) if "connected" in bgp else ()
        except Unreadable as fault:
            self.strange = self.strange or str(fault)
            return ()

    def statics(self) -> Iterator[Static]:
        """Yield static routes, one for each next hop."""
        for key, own, _ in self.each("route"):
            ports = dict(each.split("%") for each in words(own.get("port")))
            for via in words(own.get("via")):
                prefix, port = interface(key[2]), ports.get(via, "")
                yield Static(vrf=key[1], prefix=prefix, via=via, port=port)

    def pair(self) -> Pair | None:
        """Return its MLAG pair."""
        own = self.facts.get(("pair",))
        if own is None:
            return None
        words = (text(own.get(name)) for name in ("domain", "over", "other", "by"))
        domain, over, peer, link = words
        return Pair(domain=domain, over=over or holder(self.facts, own), peer=peer, link=link)

    def vtep(self, ports: Mapping[str, Port]) -> str:
        """Return the address of its tunnels, empty without tunnels."""
        own = self.facts.get(("vtep",), {})
        devices = [each.split() for each in words(own.get("devices"))]
        if any(len({*each[:3]}) > 1 or each[3:] != [own.get("address")] for each in devices):
            return ""  # the kernel has contradicting statements about a VNI
        source = ports.get(text(own.get("source")))
        if source is not None and source.addresses:
            return str(source.addresses[0].ip)
        return text(own.get("address"))


def _subnets(ports: Mapping[str, Port]) -> dict[str, dict[Prefix, Port]]:
    every: dict[str, dict[Prefix, Port]] = {}
    for port in ports.values():
        for address in port.addresses if port.up else ():
            every.setdefault(port.vrf, {})[address.network] = port
    return every


def _svi(name: str, own: Attributes) -> int:
    if "device" in own and "vlan" in own:
        return int(text(own["vlan"]))
    match = _SVI.match(name)
    return int(match[1]) if match else 0


def _without_bgp(vrf: str, peer: str, policies: Mapping[str, Policy | None]) -> Session:
    """Return what an OSPF neighbor exchanges, as a session."""
    return Session(
        vrf=vrf,
        peer=peer,
        asn="",
        families=frozenset({"ipv4"}),
        policies=policies,
        source="",
        multihop=False,
        keeps_next_hop=False,
        over_ipv6=False,
        communities=False,
        default=False,
        preference=preferred(policies["in"]),
    )
