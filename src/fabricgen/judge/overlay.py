"""Router ids, tunnel addresses, VLANs, VNIs and route targets of all switches in; clashes out."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping

from fabricgen.diagnostics import Code, Diagnostic, Examined, Severity, shortened
from fabricgen.judge.finding import finding
from fabricgen.judge.network import Network
from fabricgen.judge.switch import Judged
from fabricgen.reach.written.values import text, words
from fabricgen.record import record
from fabricgen.tree.facts import GLOBAL, Key

NAME, NOUN = "overlay", "router ids, tunnel ends and VNIs"


@record(eq=False, kw_only=True)
class Segment:
    """A VNI on a switch: of a VLAN, or of a VRF. says: the object that has its route targets.

    part: the switches that are joined to this one, by number.
    """

    switch: Judged
    part: int
    vni: int
    vlan: int
    vrf: str
    key: Key
    says: Key
    imports: frozenset[str]
    exports: frozenset[str]

    @property
    def name(self) -> str:
        """What it belongs to."""
        return f"VLAN {self.vlan}" if self.vlan else f"VRF {self.vrf}"


def judge(network: Network) -> Examined:
    """Judge what has to be alike, or a switch's own, all over a fabric."""
    segments = [
        each for switch in network.switches for each in _segments(switch, network.parts[switch])
    ]
    identities = [(s, *_router_id(s)) for s in network.switches]
    found = [*_ids(identities), *_tunnels(network), *_pairs(segments), *_targets(segments)]
    ends = sum(1 for each in network.switches if each.tables.vtep)
    known = sum(1 for each in identities if each[1])
    return Examined(
        check=NAME,
        objects=known + ends + len(segments),
        noun=NOUN,
        findings=shortened(found, "faults of the overlay"),
    )


def _router_id(switch: Judged) -> tuple[str, Key]:
    key = ("bgp", GLOBAL)
    return text(switch.own(key).get("router-id")), key


def _segments(switch: Judged, part: int) -> Iterator[Segment]:
    """Yield the VNIs of a switch; the VLAN that a VRF's VNI passes through is no segment."""
    for vlan, bridge in switch.tables.bridges.items():
        if bridge.vni and bridge.vni not in switch.tables.vrf_of:
            key = ("vlan", str(vlan))
            said = ("vni", str(bridge.vni))
            yield Segment(
                switch=switch,
                part=part,
                vni=bridge.vni,
                vlan=vlan,
                vrf="",
                key=key if key in switch.facts else said,
                says=said if said in switch.facts else key,
                imports=bridge.imports | bridge.remote,
                exports=bridge.exports | bridge.remote,
            )
    for vrf, table in switch.tables.tables.items():
        if table.imports or table.exports or table.vni:
            key = ("vrf", vrf)
            yield Segment(
                switch=switch,
                part=part,
                vni=table.vni,
                vlan=0,
                vrf=vrf,
                key=key,
                says=key,
                imports=table.imports,
                exports=table.exports,
            )


def _ids(every: list[tuple[Judged, str, Key]]) -> Iterator[Diagnostic]:
    owners: dict[str, list[tuple[Judged, Key]]] = defaultdict(list)
    for switch, address, key in every:
        if address:
            owners[address].append((switch, key))
    for address, held in owners.items():
        if len(held) > 1:
            names = ", ".join(each.name for each, _ in held)
            places = [switch.place(key, "router-id") for switch, key in held]
            said = f"{address} is the router id of {names}"
            yield finding(Code.JUDGED_ROUTER_ID, said, *places)


def _tunnels(network: Network) -> Iterator[Diagnostic]:
    owners: dict[str, list[Judged]] = defaultdict(list)
    for switch in network.switches:
        if switch.tables.vtep:
            owners[switch.tables.vtep].append(switch)
    for address, held in owners.items():
        if len(held) < 2 or _pair(held):
            continue
        names = ", ".join(each.name for each in held)
        said = f"{address} is the tunnel address of {names}, which are no MLAG pair"
        places = [each.place(("vtep",), "address", "source") for each in held]
        yield finding(Code.JUDGED_TUNNEL, said, *places)


def _pair(held: list[Judged]) -> bool:
    """Tell whether two switches are one MLAG pair, whose tunnels begin at one address."""
    pairs = [each.tables.pair for each in held]
    known = [(each.domain, each.over) for each in pairs if each is not None]
    return len(held) == 2 and len(known) == 2 and known[0] == known[1]


def _pairs(segments: list[Segment]) -> Iterator[Diagnostic]:
    """Yield VLANs with another VNI than on most leafs, and VNIs with another VLAN or VRF."""
    vlans: dict[tuple[int, str], list[Segment]] = defaultdict(list)
    vnis: dict[tuple[int, str], list[Segment]] = defaultdict(list)
    for each in segments:
        if each.vlan:
            vlans[each.part, f"VLAN {each.vlan}"].append(each)
        if each.vni:
            vnis[each.part, f"VNI {each.vni}"].append(each)
    yield from _minority(vlans, {id(each): f"VNI {each.vni}" for each in segments})
    yield from _minority(vnis, {id(each): each.name for each in segments})


def _minority(
    groups: Mapping[tuple[int, str], list[Segment]], says: Mapping[int, str]
) -> Iterator[Diagnostic]:
    for (_, name), group in groups.items():
        count = Counter(says[id(each)] for each in group)
        most = min(count, key=lambda word: (-count[word], word))
        usual = next(each for each in group if says[id(each)] == most)
        for each in group:
            mine = says[id(each)]
            if mine != most:
                said = (
                    f"{each.switch.name} has {name} with {mine}; {count[most]} of {len(group)} "
                    f"have it with {most}"
                )
                places = [item.switch.place(item.key, "vni") for item in (each, usual)]
                yield finding(Code.JUDGED_VNI, said, *places, severity=Severity.WARNING)


def _targets(segments: list[Segment]) -> Iterator[Diagnostic]:
    """Yield VNIs of which one leaf takes nothing of what another tells, and lonely targets."""
    by_vni: dict[tuple[int, int], list[Segment]] = defaultdict(list)
    for each in segments:
        if each.vni and each.exports and each.imports:
            by_vni[each.part, each.vni].append(each)
    apart: set[str] = set()
    for (_, vni), group in by_vni.items():
        count = Counter(each.exports for each in group)
        usual = max(group, key=lambda each: count[each.exports])
        for each in group:
            if each.imports.isdisjoint(usual.exports) or usual.imports.isdisjoint(each.exports):
                said = (
                    f"VNI {vni}: {each.switch.name} tells {_list(each.exports)} and takes "
                    f"{_list(each.imports)}, {usual.switch.name} {_list(usual.exports)} and "
                    f"{_list(usual.imports)}"
                )
                places = [s.switch.place(s.says, "import", "export") for s in (each, usual)]
                yield finding(Code.JUDGED_TARGET, said, *places)
                apart |= each.exports | each.imports
    yield from _lonely(segments, apart)


def _lonely(segments: list[Segment], apart: set[str]) -> Iterator[Diagnostic]:
    """Yield route targets that one end alone has: nobody takes them, or nobody tells them."""
    told = {target for each in segments for target in each.exports}
    taken = {target for each in segments for target in each.imports}
    for each in segments:
        for target in sorted((each.exports - taken) - apart):
            said = f"{each.switch.name}: nobody takes the route target {target} of {each.name}"
            at = each.switch.place(each.says, "export")
            yield finding(Code.JUDGED_TARGET, said, at, severity=Severity.WARNING)
        for target in sorted((each.imports - told) - apart):
            said = f"{each.switch.name}: nobody tells the route target {target} of {each.name}"
            at = each.switch.place(each.says, "import")
            yield finding(Code.JUDGED_TARGET, said, at, severity=Severity.WARNING)


def _list(targets: frozenset[str]) -> str:
    return ", ".join(sorted(map(str, words(tuple(targets)))))
