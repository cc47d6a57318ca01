"""Derives the names and numbers of tenants, and the tenants of rails."""

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any

from fabricgen.compile.design.share import BASES, VNIS
from fabricgen.core.record import record
from fabricgen.core.units import spans
from fabricgen.importer.seats import Floor
from fabricgen.importer.segments import FoundVlan, FoundVrf, Instance, Segments, halves, segments
from fabricgen.importer.tree import Fragment, said, usual
from fabricgen.intent.model.frontend import FrontendOverlay
from fabricgen.intent.model.vocabulary import NAME, VLAN_NAME
from fabricgen.prove.invariants.switch import plain

# The default name of a VLAN is `tenant-vlan`, so names with the same beginning identify a tenant.

_LONGEST = 31


def key_of(text: str, taken: Collection[str] = (), otherwise: str = "x") -> str:
    """Return a free key that resembles a text."""
    plain = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
    plain = plain if re.match(NAME, plain) else f"{otherwise}-{plain}".strip("-")
    plain = plain[:_LONGEST].rstrip("-")
    several = (f"{plain[: _LONGEST - 4]}-{number}" for number in range(2, len(taken) + 3))
    return next(each for each in (plain, *several) if each not in taken)


def tenant_of(vrf: str, names: Iterable[str], others: Collection[str] = ()) -> str:
    """Return the tenant of a VRF, or of VLANs without one. others: used keys.

    The name of the VRF comes first, then the longest common prefix of its VLAN names.
    """
    named = [each for each in names if each]
    first = named[0].split("-") if named else []
    begins = ["-".join(first[:size]) for size in range(len(first) - 1, 0, -1)]
    for each in (vrf, *begins):
        if (
            each not in others
            and re.match(NAME, each)
            and all(_inside(each, name) for name in named)
        ):
            return each
    return key_of(vrf or "bridged", others, "vrf")


def _inside(tenant: str, name: str) -> str:
    """Return the key of a VLAN that is named `tenant-key`, or an empty text."""
    rest = name.removeprefix(f"{tenant}-")
    return rest if rest != name and re.match(NAME, rest) else ""


def vlan_key(tenant: str, name: str, number: int, taken: Collection[str]) -> tuple[str, str]:
    """Return the key of a VLAN, and its name if it is not `tenant-key`."""
    inside = _inside(tenant, name)
    if inside and inside not in taken:
        return inside, ""
    key = key_of(name or f"vlan{number}", taken, "vlan")
    return key, name if re.match(VLAN_NAME, name) else ""


_MOST_IDS = 999
_TRANSITS = range(2, 4001)


@record(eq=False, kw_only=True)
class Numbers:
    """The bases of a fabric, and the id of each VRF by name. usual: the defaults."""

    vrfs: Mapping[str, FoundVrf]
    bases: Mapping[str, Any]
    usual: Mapping[str, Any]
    ids: Mapping[str, int]
    bundled: bool = False

    @property
    def words(self) -> Fragment:
        """Return the bases that are not the default."""
        return {key: value for key, value in self.bases.items() if value != self.usual[key]}

    def of_vrf(self, vrf: FoundVrf) -> Fragment:
        """Return the id of a VRF and its overrides."""
        number = self.ids[vrf.name]
        transit = self.bases["transit_vlan_base"] + number
        vni = vrf.vni or self.bases["l3vni_base"] + number
        pins = {} if vni == self.bases["l3vni_base"] + number else {"vni": vni}
        return {"id": number} | pins | self._instance(vrf, vni, transit, self.foreign(vrf))

    def foreign(self, vrf: FoundVrf) -> frozenset[str]:
        """Return the route targets of the VRFs from which a VRF imports."""
        sources = (each for each in self.vrfs.values() if self.source(vrf, each))
        return frozenset(target for each in sources for own in each.exports for target in own)

    def source(self, vrf: FoundVrf, other: FoundVrf) -> tuple[str, ...]:
        """Return the imports of a VRF from another."""
        targets = {target for own in other.exports for target in own}
        names = [other.name, *sorted(targets)] if other is not vrf else []
        return next((vrf.takes[name] for name in names if name in vrf.takes), ())

    def of_vlan(self, vlan: FoundVlan) -> Fragment:
        """Return the id of a VLAN and its overrides."""
        vni = vlan.vni or self.bases["l2vni_base"] + vlan.id
        pins = {} if vni == self.bases["l2vni_base"] + vlan.id else {"vni": vni}
        alone = not self.bundled or not vlan.vrf
        return {"id": vlan.id} | pins | (self._instance(vlan, vni, vlan.id) if alone else {})

    def _instance(
        self, own: Instance, vni: int, half: int, foreign: frozenset[str] = frozenset()
    ) -> Fragment:
        usual_ = f"{self.bases['route_target_asn']}:{vni}"
        imports = {each - foreign for each in own.imports}
        ways = (("imports", imports), ("exports", own.exports))
        targets = {
            way: sorted(next(iter(sets)))
            for way, sets in ways
            if len(sets) == 1 and sets != {frozenset({usual_})} and sets != {frozenset()}
        }
        rd: str | int | None = None
        if len(own.rds) == 1 and own.rds != {f":{half}"}:
            (text,) = own.rds
            rd = int(text[1:]) if text.startswith(":") else text
        return said(rd=rd, route_targets=targets)


def numbers(found: Segments, number: int = 0, *, fixed: bool = False) -> Numbers:
    """Return the numbers of a fabric. number: its number, or 0.

    The argument `fixed` means that its bases have no keys, as in rails.
    """
    unsaid = FrontendOverlay()
    usual_: dict[str, Any] = {key: getattr(unsaid, key) for key in FrontendOverlay.model_fields}
    usual_ |= {key: usual_[key] + VNIS * number for key in BASES}
    bases = dict(usual_)
    if not fixed:
        bases |= _bases(found, bases)
    ids = _ids(found, bases)
    if not fixed:
        transits = Counter(
            half - ids[vrf.name] for vrf in found.vrfs.values() for half in _transits(vrf)
        )
        bases["transit_vlan_base"] = _best(transits, bases["transit_vlan_base"], _TRANSITS)
    return Numbers(vrfs=found.vrfs, usual=usual_, bases=bases, ids=ids, bundled=found.bundled)


def _bases(found: Segments, known: Mapping[str, Any]) -> dict[str, Any]:
    vnis = Counter(each.vni - each.id for each in found.vlans.values() if each.vni)
    every: list[Instance] = [*found.vlans.values(), *found.vrfs.values()]
    asns = Counter(asn for each in every for asn in _asns(each))
    return {
        "l2vni_base": _best(vnis, known["l2vni_base"], range(1, 16_000_001)),
        "l3vni_base": _l3vni_base(found, known),
        "route_target_asn": _best(asns, known["route_target_asn"], range(1, 65_536)),
        "anycast_mac": usual(found.macs) or known["anycast_mac"],
        "service": "vlan-aware" if found.bundled else known["service"],
    }


def _best(counted: Counter[int], default: int, allowed: range) -> int:
    """Return the most frequent allowed value. The default wins a tie."""
    good = Counter({value: count for value, count in counted.items() if value in allowed})
    best = max(good.values(), default=0)
    return default if good[default] == best else good.most_common(1)[0][0]


def _asns(own: Instance) -> Iterable[int]:
    """Yield the first halves of targets whose second half is the VNI."""
    for targets in own.exports:
        for each in targets:
            first, _, second = each.rpartition(":")
            if second == str(own.vni) and first.isdigit():
                yield int(first)


def _l3vni_base(found: Segments, known: Mapping[str, Any]) -> int:
    """Return the base of most VRF ids: the usual one or a round number."""
    vrfs = [each for each in found.vrfs.values() if each.vni]
    tried = Counter({known["l3vni_base"]: 0})
    transit = known["transit_vlan_base"]
    for vrf in vrfs:
        round_ = {vrf.vni // size * size for size in (1000, 10_000)}
        own = {vrf.vni - half + transit for half in _transits(vrf) if half > transit}
        for base in round_ | own:
            tried.setdefault(base, 0)
    for base in tried:
        tried[base] = len({each.vni for each in vrfs if 1 <= each.vni - base <= _MOST_IDS})
    return _best(tried, known["l3vni_base"], range(1, 16_000_001))


def _transits(vrf: FoundVrf) -> list[int]:
    return [each for each in {*halves(vrf), *vrf.transits} if each in range(2, 4095)]


def _ids(found: Segments, bases: Mapping[str, Any]) -> dict[str, int]:
    """Assign the id of each VRF: by its VNI, by its transit VLAN, or the next free one."""
    ids: dict[str, int] = {}
    rest = []
    for name, vrf in sorted(found.vrfs.items()):
        wanted = [vrf.vni - bases["l3vni_base"]] if vrf.vni else []
        wanted += [half - bases["transit_vlan_base"] for half in _transits(vrf)]
        good = [each for each in wanted if 1 <= each <= _MOST_IDS and each not in ids.values()]
        if good:
            ids[name] = good[0]
        else:
            rest.append(name)
    free = (each for each in range(1, _MOST_IDS + 1) if each not in {*ids.values()})
    return ids | dict(zip(rest, free, strict=False))


def rail_tenants(floor: Floor, others: Collection[str]) -> Fragment:
    """Return the tenants of shared rails: one per VRF with its servers."""
    found = segments(floor)
    numbered = numbers(found, fixed=True)
    tenants: Fragment = {}
    # A VRF without a VNI exists per leaf, as all VRFs without spines.
    spines = any(not each.is_leaf for each in floor.fabric.topology.switches)
    for name, vrf in sorted(found.vrfs.items(), key=lambda each: numbered.ids[each[0]]):
        attached = list(_attachments(floor, name))
        if attached:
            own = numbered.of_vrf(vrf) | said(local=True if spines and not vrf.vni else None)
            tenants[tenant_of(name, (), {*others, *tenants})] = said(
                fabric=floor.fabric.name,
                description=vrf.note,
                vrfs={name: own},
                attachments=attached,
            )
    return tenants


def _attachments(floor: Floor, vrf: str) -> Iterator[Fragment]:
    """Yield the servers with NICs in a VRF, kind by kind."""
    inside: dict[str, set[int]] = defaultdict(set)
    every: dict[str, set[int]] = defaultdict(set)
    for seat in floor.seats:
        every[seat.server.kind].add(seat.server.number)
        if plain(seat.port.vrf) == vrf:
            inside[seat.server.kind].add(seat.server.number)
    for kind, those in sorted(inside.items()):
        yield said(servers=kind, numbers=None if those == every[kind] else spans(those), vrf=vrf)
