"""Wires a frontend: its intent in, switches, servers and links out.

Leafs are named by number, so a new one moves nothing. Uplinks take the cages kept for them at the
end of the faceplate; `growth` says how many spines to keep room for (4 unless more are there).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from fabricgen.design.wiring.faceplate import (
    Bank,
    Faceplate,
    common_speed,
    faceplate,
    find_model,
    per_cage,
)
from fabricgen.design.wiring.naming import namer_of
from fabricgen.design.wiring.racks import Laid, cabled, lay_out, racks_of
from fabricgen.design.wiring.sizing import speed_of
from fabricgen.design.wiring.tiers import Cabling, Seat, Tier, reserved, switch_at
from fabricgen.diagnostics import Code, IntentPath, Stop
from fabricgen.fabric.because import Because
from fabricgen.fabric.topology import Link, Place, Port, Role, Server, Switch, Topology
from fabricgen.intent.paths import at
from fabricgen.record import record
from fabricgen.units import BitsPerSecond

if TYPE_CHECKING:
    from fabricgen.catalog.switches import SwitchModel
    from fabricgen.design.findings import Findings
    from fabricgen.intent.model.frontend import Frontend, LeafGroup
    from fabricgen.intent.model.hardware import SwitchRole
    from fabricgen.intent.model.vocabulary import Words

T = TypeVar("T")
UPLINKS_PER_LEAF = 64  # link addresses kept per leaf or spine: none moves when spines are added


@record(kw_only=True)
class _Reserve:
    """How many spines (per pod) and superspines there are, and how many have room kept."""

    spines: int
    spine_slots: int
    tops: int
    top_slots: int


@record(kw_only=True)
class _Hardware:
    """A leaf group's hardware, resolved."""

    role: SwitchRole
    face: Faceplate
    path: IntentPath
    racks: Sequence[Laid]


class Wired(NamedTuple):
    """The topology, and by leaf group which ports are kept for servers and for uplinks."""

    topology: Topology
    faces: Mapping[str, Faceplate]


def wire_frontend(intent: Frontend, site: str, findings: Findings) -> Wired:
    """Build the frontend's topology, or stop."""
    wiring = _Wiring(intent=intent, site=site, findings=findings)
    topology = wiring.topology()
    return Wired(topology, {key: own.face for key, own in wiring.resolved.items()})


@dataclass(slots=True, kw_only=True)
class _Wiring:
    intent: Frontend
    site: str
    findings: Findings
    speed: BitsPerSecond = field(default=BitsPerSecond(0))
    resolved: dict[str, _Hardware] = field(default_factory=dict)
    lacking: bool = False
    servers: dict[int, Server] = field(default_factory=dict)
    places: dict[tuple[str, str], Place] = field(default_factory=dict)

    def topology(self) -> Topology:
        """Wire what can be wired, to say all that cannot; Stop if that is anything."""
        self.judge_models()
        reserve = self.reserve()
        self.resolve(reserve)
        groups = self.groups_by_leaf()
        wired = self.attempt(lambda: self.leafs(groups))
        spine_face = self.attempt(lambda: self.spine_face(reserve))
        tops = self.attempt(lambda: self.superspines(reserve))
        if wired is None or spine_face is None or tops is None:
            raise Stop
        leafs, links = wired
        spines = self.spines(groups, reserve, spine_face)
        below = self.attempt(lambda: self.leaf_links(leafs, spines, reserve, spine_face))
        above = self.attempt(lambda: self.top_links(spines, tops, spine_face))
        if self.lacking or below is None or above is None:
            raise Stop
        switches = (*(top for top, _ in tops), *spines.values(), *(leaf for leaf, _ in leafs))
        return Topology(
            fabric=self.intent.name,
            switches=switches,
            servers=tuple(self.servers.values()),
            links=(*links, *below, *above),
            places=self.places,
        )

    def attempt(self, step: Callable[[], T]) -> T | None:
        """Return what a step makes; what it cannot is lacking."""
        result = self.findings.attempt(step)
        self.lacking = self.lacking or result is None
        return result

    def judge_models(self) -> None:
        """Look up the model of every role first: a later step stops at one that is not known."""
        roles: list[tuple[Words | None, IntentPath]] = [
            (self.intent.unless_refused(role), self.intent.at(role))
            for role in ("spine", "superspine")
        ]
        for name, group in self.intent.leaf_groups.items():
            own, place = (
                group.unless_refused("hardware"),
                self.intent.at("leaf_groups", name, "hardware"),
            )
            roles.append((own, place) if own else (self.intent.leaf, self.intent.at("leaf")))
        for words, path in roles:
            model = words and words.unless_refused("model")
            if model:
                self.attempt(partial(self.model, model, path))

    @property
    def links(self) -> int:
        """Links of a leaf to each spine, by whichever key says so."""
        links, older = self.intent.spine.links, self.intent.links_per_spine
        if links and "links_per_spine" in self.intent.model_fields_set and links != older:
            raise self.findings.stop(
                Code.BAD_VALUE,
                f"`links_per_spine` says {older} links of a leaf to each spine, and this {links}",
                self.intent.at("spine", "links"),
                "leave `links_per_spine` out",
            )
        return links or older

    @property
    def links_above(self) -> int:
        """Links of a spine to each superspine."""
        return (self.intent.superspine and self.intent.superspine.links) or 1

    def top_speed(self, spine: SwitchModel) -> BitsPerSecond:
        """Return the speed of the links to superspines: their own, or that of all links."""
        role = self.intent.superspine
        if role is None or role.speed is None:
            return self.speed
        top = self.model(role.model, self.intent.at("superspine"))
        path = self.intent.at("superspine", "speed")
        return common_speed(spine, top, role.speed, path, self.findings)

    def resolve(self, reserve: _Reserve) -> None:
        """Resolve the hardware of every leaf group that has one."""
        for name, group in self.intent.leaf_groups.items():
            hardware = self.attempt(partial(self.hardware, name, group, reserve))
            if hardware is not None:
                self.resolved[name] = hardware

    def groups_by_leaf(self) -> dict[int, tuple[str, LeafGroup]]:
        owner: dict[int, tuple[str, LeafGroup]] = {}
        for name, group in self.intent.leaf_groups.items():
            for number in self.attempt(partial(self.numbers, name, group)) or ():
                if number in owner:
                    self.findings.spoil(
                        Code.DUPLICATE_ID,
                        f"leaf {number} is also in group {owner[number][0]!r}",
                        self.intent.at("leaf_groups", name, "leafs"),
                    )
                owner[number] = (name, group)
        return dict(sorted(owner.items()))

    def numbers(self, name: str, group: LeafGroup) -> Sequence[int]:
        """Return the numbers of a group's leafs, counted where the intent does not say them."""
        if group.leafs is not None:
            return group.leafs
        own = self.resolved.get(name)
        if own is None:
            raise Stop
        count = max((rack.leafs for rack in own.racks), default=0)
        if len(self.intent.leaf_groups) > 1 or not count:
            raise self.findings.stop(
                Code.MISSING_KEY,
                f"nothing says how many leafs the group {name!r} has",
                self.intent.at("leaf_groups", name),
                "add `leafs: 1-4`, or give the fabric one group and a kind of `servers` with "
                "ports on it",
            )
        return range(1, count + 1)

    def reserve(self) -> _Reserve:
        """Decide how many spines and superspines, and how many slots to keep for them."""
        intent = self.intent
        spines = intent.spine.count or 2
        tops = 0
        if intent.design == "superspine":
            if intent.superspine is None or intent.leafs_per_pod is None:
                self.lacking = True
                self.findings.spoil(
                    Code.MISSING_KEY,
                    "a superspine frontend needs `superspine` and `leafs_per_pod`",
                    self.intent.here,
                )
            tops = (intent.superspine and intent.superspine.count) or 2
        slots, top_slots = (
            max(reserved(self.intent, key, have, self.findings) or 4, have)
            for key, have in (("spines", spines), ("superspines", tops))
        )
        return _Reserve(
            spines=spines,
            spine_slots=slots,
            tops=tops,
            top_slots=top_slots,
        )

    def hardware(self, name: str, group: LeafGroup, reserve: _Reserve) -> _Hardware:
        """Resolve the model and ports of a leaf group."""
        own = group.hardware
        path: IntentPath = (
            self.intent.at("leaf_groups", name, "hardware") if own else self.intent.at("leaf")
        )
        role = own or self.intent.leaf
        model = self.model(role.model, path)
        spine = self.model(self.intent.spine.model, self.intent.at("spine"))
        wish, fast = speed_of(self.intent, "spine", self.intent.spine)
        speed = common_speed(model, spine, wish, fast if wish else path, self.findings)
        if self.speed and speed != self.speed:
            raise self.findings.stop(
                Code.SPEED_NOT_ON_MODEL,
                f"leaf groups reach the spines at {self.speed} and {speed}",
                path,
                "set `frontend.links.speed`",
            )
        self.speed = speed
        each = per_cage(model, speed, path, self.findings)
        up = Bank(speed, each, ceil(reserve.spine_slots * self.links / each))
        racks = lay_out(
            racks_of(self.intent, group, name, self.findings),
            model,
            len(model.usable) - up.cages - role.reserve,
            role.breakout,
            self.findings,
        )
        self.judge_room(racks, model, up, reserve, role.reserve, path)
        face = faceplate(model, [rack.bank for rack in racks], up)
        return _Hardware(role=role, face=face, path=path, racks=racks)

    def judge_room(
        self,
        racks: Sequence[Laid],
        model: SwitchModel,
        up: Bank,
        reserve: _Reserve,
        kept: int,
        path: IntentPath,
    ) -> None:
        """Compare the cages that servers, spines and appliances need with those there are."""
        down, cages = sum(rack.bank.cages for rack in racks), len(model.usable)
        if down + up.cages + kept <= cages:
            return
        servers = f"{sum(rack.ports for rack in racks)} server ports need {down} cages"
        spines = f"{reserve.spine_slots} spines need {up.cages}"
        needs = [f"{servers} and {spines}", f"{servers}, {spines} and {kept} are reserved"]
        less = kept + up.cages + down - cages
        fewer = racks[-1].fitting(racks[-1].bank.cages - less) if racks else 0
        slots = (cages - kept - down) * up.each // self.links
        raise self.findings.stop(
            Code.PORTS_EXHAUSTED,
            f"{needs[bool(kept)]}; {model.name} has {cages}",
            racks[-1].rack.key("per_leaf") if racks else (*path, "reserve"),
            _fits(
                (f"`per_leaf: {fewer}`", fewer > 0),
                (f"`growth.spines: {slots}`", slots >= reserve.spines),
                (f"`reserve: {kept - less}`", kept > less),
                otherwise="use a leaf with more cages",
            ),
        )

    def model(self, name: str, role: IntentPath) -> SwitchModel:
        return find_model(self.intent, name, (*role, "model"), self.findings)

    def spine_face(self, reserve: _Reserve) -> Faceplate:
        model = self.model(self.intent.spine.model, self.intent.at("spine"))
        role, speed = self.intent.spine, self.speed  # the one that the leaf groups agreed on
        if not speed:
            raise Stop
        each = per_cage(model, speed, self.intent.at("spine"), self.findings, role.breakout)
        top, higher = self.top_speed(model), each
        if top != speed:
            higher = per_cage(model, top, self.intent.at("superspine", "speed"), self.findings)
        up = ceil(reserve.top_slots * self.links_above / higher) if reserve.tops else 0
        down = len(model.usable) - up
        if down < 1:
            below = ceil((self.intent.leafs_per_pod or 1) * self.links / each)
            slots = (len(model.usable) - below) * higher // self.links_above
            raise self.findings.stop(
                Code.PORTS_EXHAUSTED,
                f"{reserve.top_slots} superspines need {up} cages of a spine; {model.name} has "
                f"{len(model.usable)} for leafs and superspines together",
                self.intent.at("superspine"),
                _fits(
                    (f"`growth.superspines: {slots}`", slots >= reserve.tops),
                    (f"`superspine.count: {slots}`", 0 < slots < reserve.tops),
                    otherwise="use a spine with more cages",
                ),
            )
        return faceplate(model, Bank(speed, each, down), Bank(top, higher, up) if up else None)

    def leafs(
        self, groups: dict[int, tuple[str, LeafGroup]]
    ) -> tuple[list[tuple[Switch, Faceplate]], list[Link]]:
        name, leafs = namer_of(self.intent, "leaf", "leaf{index:02}", self.site), []
        links: list[Link] = []
        before: Counter[str] = Counter()
        for number, (key, _) in groups.items():
            own, pod = self.resolved.get(key), self.pod(number)
            if own is None:
                continue
            leaf = self.switch(
                Role.LEAF,
                own.role,
                own.face.ports,
                own.path,
                Seat(
                    name=name(pod=pod, index=number, group=key),
                    ordinal=number - 1,
                    pod=pod,
                    index=number,
                    group=key,
                ),
            )
            leafs.append((leaf, own.face))
            for rack, ports in zip(own.racks, own.face.banks, strict=True):
                links += self.rack(rack, leaf, before[key], ports)
            before[key] += 1
        for key, own in self.resolved.items():
            for rack in own.racks:
                rack.judge_leafs(before[key], self.findings)
        return leafs, links

    def pod(self, number: int) -> int:
        each = self.intent.leafs_per_pod
        return (number - 1) // each + 1 if each and self.intent.design == "superspine" else 1

    def switch(
        self,
        role: Role,
        hardware: SwitchRole,
        ports: tuple[Port, ...],
        path: IntentPath,
        seat: Seat,
    ) -> Switch:
        paths = (path, at(*self.intent.at("leaf_groups", seat.group))) if seat.group else (path,)
        because = Because(paths, f"{role.value} {seat.index} of the {self.intent.name}")
        return switch_at(self.intent, role, hardware, ports, seat, because)

    def rack(self, rack: Laid, leaf: Switch, before: int, ports: Sequence[Port]) -> Iterator[Link]:
        """Cable one set of ports to a leaf that has so many of its group before it."""
        for server, place, links in cabled(rack, leaf, before, ports, self.site):
            self.servers.setdefault(id(server), server)
            self.places.setdefault((server.name, rack.rack.network), place)
            yield from links

    def spines(
        self, groups: dict[int, tuple[str, LeafGroup]], reserve: _Reserve, face: Faceplate
    ) -> dict[tuple[int, int], Switch]:
        """Spines by (pod, slot), for the pods that have leafs."""
        default = "pod{pod:02}-spine{index}" if reserve.tops else "spine{index}"
        name, words = namer_of(self.intent, "spine", default, self.site), self.intent.spine
        return {
            (pod, s): self.switch(
                Role.SPINE,
                words,
                face.ports,
                self.intent.at("spine"),
                Seat(
                    name=name(pod=pod, index=s + 1),
                    ordinal=(pod - 1) * reserve.spine_slots + s,
                    pod=pod,
                    index=s + 1,
                ),
            )
            for pod in sorted({self.pod(number) for number in groups})
            for s in range(reserve.spines)
        }

    def superspines(self, reserve: _Reserve) -> list[tuple[Switch, Faceplate]]:
        role, path = self.intent.superspine, self.intent.at("superspine")
        if role is None or not reserve.tops:
            return []
        model = self.model(role.model, path)
        spine = self.model(self.intent.spine.model, self.intent.at("spine"))
        speed = self.top_speed(spine)
        each = per_cage(model, speed, path, self.findings, role.breakout)
        face = faceplate(model, Bank(speed, each, len(model.usable)), None)
        name = namer_of(self.intent, "superspine", "superspine{index}", self.site)
        return [
            (
                self.switch(
                    Role.SUPERSPINE,
                    role,
                    face.ports,
                    path,
                    Seat(name=name(index=s + 1), ordinal=s, pod=0, index=s + 1),
                ),
                face,
            )
            for s in range(reserve.tops)
        ]

    def leaf_links(
        self,
        leafs: list[tuple[Switch, Faceplate]],
        spines: dict[tuple[int, int], Switch],
        reserve: _Reserve,
        spine: Faceplate,
    ) -> list[Link]:
        per, here = self.links, self.intent.here
        tier = Tier(
            face=spine,
            speed=self.speed,
            count=reserve.spines,
            slots=reserve.spine_slots,
            per_pair=per,
        )
        paths = at(*here, "spine"), at(*here, "links_per_spine")
        rule = "every leaf reaches every spine of its pod with equal links"
        cabling, links = self.cabling(tier, Because(paths, rule)), []
        for leaf, face in leafs:
            place = leaf.index - 1
            if reserve.tops:
                place %= self.intent.leafs_per_pod or leaf.index
            if (place + 1) * per > len(spine.down):
                raise self.findings.stop(
                    Code.RADIX_EXCEEDED,
                    f"leaf {leaf.index} needs spine ports up to {(place + 1) * per}; a spine has "
                    f"{len(spine.down)} of {self.speed}",
                    self.intent.at("leaf_groups", leaf.group, "leafs"),
                    "a smaller `leafs_per_pod`"
                    if reserve.tops
                    else "number leafs from 1 without gaps"
                    if len(leafs) * per <= len(spine.down)
                    else "use the superspine design",
                )
            for s in range(reserve.spines):
                links += cabling.pair(leaf, face.up, spines[leaf.pod, s], s, place)
        return links

    def top_links(
        self,
        spines: dict[tuple[int, int], Switch],
        tops: list[tuple[Switch, Faceplate]],
        spine: Faceplate,
    ) -> list[Link]:
        links: list[Link] = []
        if not tops:
            return links
        path, (_, face) = at(*self.intent.at("superspine")), tops[0]
        each = self.links_above
        tier = Tier(
            face=face, speed=face.down[0].speed, count=len(tops), slots=len(tops), per_pair=each
        )
        cabling = self.cabling(tier, Because((path,), "every spine reaches every superspine"))
        for lower in spines.values():
            if (lower.ordinal + 1) * each > len(face.down):
                raise self.findings.stop(
                    Code.RADIX_EXCEEDED,
                    f"spine {lower.name} needs superspine port {(lower.ordinal + 1) * each}; "
                    f"{tops[0][0].model} has {len(face.down)}",
                    path,
                )
            for s, (top, _) in enumerate(tops):
                links += cabling.pair(lower, spine.up, top, s, lower.ordinal)
        return links

    def cabling(self, tier: Tier, because: Because) -> Cabling:
        return Cabling(
            words=self.intent,
            tier=tier,
            uplinks=UPLINKS_PER_LEAF,
            because=because,
        )


def _fits(*ways: tuple[str, bool], otherwise: str) -> str:
    """Return the hint that names the ways of which it was computed that they fit."""
    fitting = [words for words, fits in ways if fits]
    return f"this fits: {', or '.join(fitting)}" if fitting else otherwise
