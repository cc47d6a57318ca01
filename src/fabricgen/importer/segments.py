"""Merges the VLANs and VRFs of a fabric's leafs to one definition each, by majority."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from fabricgen.core.tree.facts import GLOBAL, Attributes, Key, Value
from fabricgen.importer.seats import Floor
from fabricgen.importer.tree import usual
from fabricgen.model.settings.services import Management
from fabricgen.model.settings.setting import declared
from fabricgen.prove.foreign.switch import Judged, number
from fabricgen.prove.invariants.switch import plain
from fabricgen.prove.walk.packet import Interface
from fabricgen.prove.walk.values import text, words


@dataclass(eq=False, kw_only=True, slots=True)
class Instance:
    """An EVPN instance of a fabric: a VLAN or a VRF, with the settings of its leafs.

    Attributes:
        vni: VNI, or 0.
        rds: Route distinguishers, without the loopback of the own leaf: `:110`.
        said: Frequency of each attribute value. Attributes of gateways have the prefix `gateway `.
    """

    vnis: Counter[int] = field(default_factory=Counter)
    rds: set[str] = field(default_factory=set)
    imports: set[frozenset[str]] = field(default_factory=set)
    exports: set[frozenset[str]] = field(default_factory=set)
    said: dict[str, Counter[Value]] = field(default_factory=dict)

    @property
    def vni(self) -> int:
        """Its most frequent VNI."""
        return usual(self.vnis) or 0

    def word(self, name: str) -> str:
        """Return the most frequent text of an attribute."""
        return text(usual(self.said.get(name, ())))

    def add(self, switch: Judged, own: Attributes, before: str = "") -> None:
        """Add the settings of one leaf."""
        for name, value in own.items():
            self.said.setdefault(before + name, Counter())[value] += 1
        if "rd" in own:
            self.rds.add(_own_half(switch, text(own["rd"])))
        for name, where in (("import", self.imports), ("export", self.exports)):
            if name in own:
                where.add(frozenset(words(own[name])))


@dataclass(eq=False, kw_only=True, slots=True)
class FoundVlan(Instance):
    """A VLAN.

    Attributes:
        gateways: Its addresses, equal on every leaf.
        vrf: Its VRF. Empty for a bridged VLAN.
    """

    id: int
    vrf: str = ""
    gateways: Counter[tuple[Interface, ...]] = field(default_factory=Counter)


@dataclass(eq=False, kw_only=True, slots=True)
class FoundVrf(Instance):
    """A VRF.

    Attributes:
        transits: Transit VLANs of its VNI.
        takes: Imported prefixes by source, which is a VRF or its route target.
    """

    name: str
    transits: Counter[int] = field(default_factory=Counter)
    takes: dict[str, tuple[str, ...]] = field(default_factory=dict)

    @property
    def note(self) -> str:
        """Its description: of the transit VLAN on SONiC, of the device on Linux."""
        said = self.word("transit name").partition(f"L3VNI of {self.name}: ")[2]
        return self.word("note") or self.word("device description") or said


def _own_half(switch: Judged, rd: str) -> str:
    """Return a distinguisher without the address of the switch."""
    first, _, second = rd.rpartition(":")
    held = (address.ip for port in switch.tables.ports.values() for address in port.addresses)
    return f":{second}" if any(str(each) == first for each in held) else rd


@dataclass(eq=False, kw_only=True, slots=True)
class Segments:
    """VLANs by id and VRFs by name.

    Attributes:
        macs: MAC addresses of gateways.
        bundled: Whether the VLANs of a VRF are one EVPN instance.
        asked: VLANs with an IGMP querier.
    """

    vlans: dict[int, FoundVlan] = field(default_factory=dict)
    vrfs: dict[str, FoundVrf] = field(default_factory=dict)
    macs: Counter[str] = field(default_factory=Counter)
    bundled: bool = False
    asked: set[int] = field(default_factory=set)

    def in_vrf(self, name: str) -> list[FoundVlan]:
        """Return the VLANs of a VRF by id."""
        return [each for _, each in sorted(self.vlans.items()) if each.vrf == name]


def segments(floor: Floor) -> Segments:
    """Return the VLANs and VRFs that the design of a fabric without tenants lacks."""
    found = Segments()
    overlay = floor.fabric.overlay
    known = set(overlay.vlans) if overlay is not None else set[int]()
    tables = {*(overlay.vrfs if overlay is not None else ()), floor.fabric.services.vrf, GLOBAL}
    for _, switch in floor.leafs:
        _vrfs(found, switch, tables | _management(switch))
        _vlans(found, switch, known)
    return found


def _management(switch: Judged) -> set[str]:
    """Return the VRFs of management services."""
    servers = (each.setting.fact for each in declared(Management))
    kinds = {"source", "api", "ssh", "clock", *servers}
    vrfs = {text(own.get("vrf")) for key, own in switch.facts.items() if key[0] in kinds}
    return vrfs | {"mgmt"}


def _vrfs(found: Segments, switch: Judged, known: set[str]) -> None:
    tables = switch.tables
    for name, table in tables.tables.items():
        if name in known or plain(name) in known:
            continue
        vrf = found.vrfs.setdefault(plain(name), FoundVrf(name=plain(name)))
        vrf.add(switch, switch.own(("vrf", name)))
        vrf.add(switch, switch.own(("interface", name)), "device ")
        if table.vni:
            vrf.vnis[table.vni] += 1
            if table.vni in tables.vlan_of:
                transit = tables.vlan_of[table.vni]
                vrf.transits[transit] += 1
                vrf.add(switch, switch.own(("vlan", str(transit))), "transit ")
        for source, prefixes in _taken(switch, name):
            known_ = vrf.takes.get(source, ())
            vrf.takes[source] = (*known_, *(each for each in prefixes if each not in known_))
    found.bundled |= any(key[0] == "bundle" for key in switch.facts)


def _taken(switch: Judged, name: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the sources of imported routes: route targets on EOS, VRF names on FRR."""
    keys: list[Key] = [("vrf", name), *(("taking", name, f"ipv{version}") for version in (4, 6))]
    for key in keys:
        policy = switch.own(key).get("taken")
        for each in policy if isinstance(policy, tuple) else ():
            said = dict(each)
            targets = [pair[1] for entry in said.get("targets", ()) for pair in entry]
            listed = [pair[1] for entry in said.get("prefixes", ()) for pair in entry]
            prefixes = [spelled.partition(",")[0] for spelled in listed]
            sources = [text(said.get("source-vrf"))] if "source-vrf" in said else []
            sources += [target for group in targets for target in words(group)]
            for source in sources if prefixes else ():
                yield plain(source), prefixes


def _vlans(found: Segments, switch: Judged, known: set[int]) -> None:
    tables, own = switch.tables, switch.own
    mac = text(own(("switch",)).get("anycast-mac"))
    found.macs.update([mac] if mac else ())
    for key, said in switch.facts.items():
        if key[0] == "interface" and "vlan-aware" in said:
            found.asked |= {int(each) for each in words(said.get("asked")) if each.isdigit()}
        if key[0] == "vlan" and "asks" in said:
            found.asked.add(int(key[1]))
    for number_, bridge in tables.bridges.items():
        gateway = tables.gateways.get(number_)
        passing = bridge.vni and bridge.vni in tables.vrf_of
        if number_ in known or passing or bridge.group or number_ == 1:
            continue
        if gateway is not None and tables.pair is not None and gateway.name == tables.pair.over:
            continue
        vlan = found.vlans.setdefault(number_, FoundVlan(id=number_))
        vlan.vnis.update([bridge.vni] if bridge.vni else ())
        vlan.add(switch, own(("vlan", str(number_))))
        vlan.add(switch, own(("vni", str(bridge.vni))))
        if gateway is None or not gateway.addresses:
            continue
        told = own(("interface", gateway.name))
        vlan.add(switch, told, "gateway ")
        vlan.gateways[gateway.addresses] += 1
        found.macs.update(filter(None, [text(told.get("mac"))]))
        if plain(gateway.vrf) in found.vrfs:
            vlan.vrf = plain(gateway.vrf)


def halves(instance: Instance) -> Iterator[int]:
    """Yield the second halves of distinguishers with the leaf's own first half."""
    for each in instance.rds:
        if each.startswith(":"):
            yield number(each[1:]) or 0
