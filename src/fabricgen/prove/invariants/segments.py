"""Checks the laws of identities: router IDs, tunnel endpoints, VNIs and route targets."""

from collections import Counter
from collections.abc import Iterator

from fabricgen.core.diagnostics import Code, Severity
from fabricgen.core.record import record
from fabricgen.core.tree.facts import GLOBAL, Key
from fabricgen.prove.invariants.law import (
    Breach,
    Law,
    Member,
    Spot,
    breach,
    grouped,
    sharing,
    unlike,
)
from fabricgen.prove.invariants.network import AnyNetwork
from fabricgen.prove.invariants.switch import Switch, one, several, whole_number


@record(eq=False, kw_only=True)
class Segment:
    """A VNI on a switch: of a VLAN, or of a VRF.

    Attributes:
        part: The number of the group of joined switches.
        says: The object that has its route targets.
    """

    switch: Switch
    part: int
    vni: int
    name: str
    is_vlan: bool
    key: Key
    says: Key
    imports: frozenset[str]
    exports: frozenset[str]


def _segments(network: AnyNetwork) -> Iterator[Segment]:
    """Yield the VNIs of all switches; the transit VLAN of a VRF's VNI is not a segment."""
    for switch in network.switches:
        transit = {whole_number(own.get("vni")) for _, own in switch.each("vrf")}
        for vlan, vni in switch.vnis.items():
            if vni and vni not in transit:
                key, said = ("vlan", str(vlan)), ("vni", str(vni))  # FRR has targets by VNI
                says = said if said in switch.facts else key
                remote = frozenset(several(switch.own(key).get("remote")))
                own = switch.own(says)
                yield Segment(
                    switch=switch,
                    part=network.parts[switch],
                    vni=vni,
                    name=f"VLAN {vlan}",
                    is_vlan=True,
                    key=key if key in switch.facts else said,
                    says=says,
                    imports=frozenset(several(own.get("import"))) | remote,
                    exports=frozenset(several(own.get("export"))) | remote,
                )
        for key, own in switch.each("vrf"):
            if own.keys() & {"vni", "import", "export"}:
                yield Segment(
                    switch=switch,
                    part=network.parts[switch],
                    vni=whole_number(own.get("vni")),
                    name=f"VRF {key[1]}",
                    is_vlan=False,
                    key=key,
                    says=key,
                    imports=frozenset(several(own.get("import"))),
                    exports=frozenset(several(own.get("export"))),
                )


def _router_ids(network: AnyNetwork) -> Iterator[Breach]:
    key = ("bgp", GLOBAL)
    members = [
        Member(each.name, one(each.own(key).get("router-id")), Spot(each, key, ("router-id",)))
        for each in network.switches
    ]
    for held in sharing(members):
        said = f"{held[0].value} is the router ID of {', '.join(each.name for each in held)}"
        yield breach(said, *(each.spot for each in held))


def _tunnels(network: AnyNetwork) -> Iterator[Breach]:
    members = [
        Member(each.name, each.vtep, Spot(each, ("vtep",), ("address", "source")))
        for each in network.switches
    ]
    for held in sharing(members):
        if not _is_pair([each.spot.switch for each in held]):
            names = ", ".join(each.name for each in held)
            said = f"{held[0].value} is the tunnel address of {names}, which are not an MLAG pair"
            yield breach(said, *(each.spot for each in held))


def _held(network: AnyNetwork) -> Iterator[Breach]:
    """Yield tunnel addresses that no interface of the switch has."""
    for switch in network.switches:
        address = one(switch.own(("vtep",)).get("address")).partition("/")[0]
        held = {
            str(each.ip)
            for port in switch.ports.values()
            if port.name.lower().startswith("lo")
            for each in port.addresses
        }
        if address and held and address not in held:
            said = f"{switch.name}: no loopback has the tunnel address {address}"
            yield breach(said, Spot(switch, ("vtep",), ("address",)), severity=Severity.WARNING)


def _is_pair(held: list[Switch]) -> bool:
    """Return whether two switches are one MLAG pair with a common tunnel address."""
    pairs = [each.own(("pair",)) for each in held]
    known = [(each.get("domain"), each.get("over")) for each in pairs if each]
    return len(held) == 2 and len(known) == 2 and known[0] == known[1]


def _paired(network: AnyNetwork) -> Iterator[Breach]:
    """Yield VLANs with another VNI than on most leafs, and VNIs with another VLAN or VRF."""
    segments = list(_segments(network))
    vlans = ((each.name, f"VNI {each.vni}", each) for each in segments if each.is_vlan)
    vnis = ((f"VNI {each.vni}", each.name, each) for each in segments if each.vni)
    groups = grouped(
        ((each.part, name), Member(each.switch.name, value, Spot(each.switch, each.key, ("vni",))))
        for name, value, each in (*vlans, *vnis)
    )
    for (_, name), members in groups.items():
        yield from unlike(f"{name} with", "the fabric", members, severity=Severity.WARNING)


def _targets(network: AnyNetwork) -> Iterator[Breach]:
    """Yield VNIs for which one leaf imports nothing that another exports."""
    for each, usual in _apart(list(_segments(network))):
        said = (
            f"VNI {each.vni}: {each.switch.name} exports {_list(each.exports)} and imports "
            f"{_list(each.imports)}, but {usual.switch.name} exports {_list(usual.exports)} and "
            f"imports {_list(usual.imports)}"
        )
        yield breach(said, *(Spot(s.switch, s.says, ("import",)) for s in (each, usual)))


def _apart(segments: list[Segment]) -> Iterator[tuple[Segment, Segment]]:
    """Yield a segment without a target in common with the usual ones of its VNI."""
    whole = (each for each in segments if each.vni and each.exports and each.imports)
    for group in grouped(((each.part, each.vni), each) for each in whole).values():
        count = Counter(each.exports for each in group)
        usual = max(group, key=lambda each: count[each.exports])
        for each in group:
            if each.imports.isdisjoint(usual.exports) or usual.imports.isdisjoint(each.exports):
                yield each, usual


def _lonely(network: AnyNetwork) -> Iterator[Breach]:
    """Yield route targets with only one end: no import, or no export."""
    segments = list(_segments(network))
    apart = {target for each, _ in _apart(segments) for target in each.exports | each.imports}
    told = {target for each in segments for target in each.exports}
    taken = {target for each in segments for target in each.imports}
    for each in segments:
        for target in sorted((each.exports - taken) - apart):
            said = f"{each.switch.name}: no switch imports the route target {target} of {each.name}"
            spot = Spot(each.switch, each.says, ("export",))
            yield breach(said, spot, severity=Severity.WARNING)
        for target in sorted((each.imports - told) - apart):
            said = f"{each.switch.name}: no switch exports the route target {target} of {each.name}"
            spot = Spot(each.switch, each.says, ("import",))
            yield breach(said, spot, severity=Severity.WARNING)


def _list(targets: frozenset[str]) -> str:
    return ", ".join(sorted(targets))


LAWS = (
    Law(
        name="each switch has a unique router ID",
        code=Code.JUDGED_ROUTER_ID,
        source="RFC 6286 section 2.1: the BGP identifier is unique within an AS; RFC 4271 "
        "section 6.8 uses it to decide collisions",
        needs=frozenset({("bgp", "router-id")}),
        breaches=_router_ids,
    ),
    Law(
        name="each tunnel endpoint has a unique address",
        code=Code.JUDGED_TUNNEL,
        source="RFC 7348 section 4; an MLAG pair shares one (EOS manual)",
        needs=frozenset({("vtep", "address"), ("vtep", "source")}),
        breaches=_tunnels,
    ),
    Law(
        name="the switch has its tunnel address",
        code=Code.JUDGED_TUNNEL,
        source="RFC 7348 section 4: packets to it end here; sonic-swss orchagent/vxlanorch.cpp",
        needs=frozenset({("vtep", "address")}),
        breaches=_held,
        alone=True,
    ),
    Law(
        name="all leafs pair VLANs, VRFs and VNIs equally",
        code=Code.JUDGED_VNI,
        source="RFC 8365 section 5.1.2",
        needs=frozenset({("vrf", "vni"), ("vlan", "vni"), ("interface", "vni")}),
        breaches=_paired,
    ),
    Law(
        name="other leafs import the route targets of a VNI",
        code=Code.JUDGED_TARGET,
        source="RFC 7432 section 7.10; RFC 4364 section 4.3.1",
        needs=frozenset({("vlan", "import"), ("vni", "import"), ("vrf", "import")}),
        breaches=_targets,
    ),
    Law(
        name="each route target has both ends",
        code=Code.JUDGED_TARGET,
        source="RFC 7432 section 7.10; RFC 4364 section 4.3.1",
        needs=frozenset({("vlan", "import"), ("vni", "import"), ("vrf", "import")}),
        breaches=_lonely,
        closed=True,
    ),
)
