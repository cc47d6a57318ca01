"""Size a leaf-spine fabric with tenants: every count and every bank of ports.

The intent numbers the leafs. Without a count there are as many spines as the ratio needs, at least
two and no more than `growth` keeps room for (4 by default). Uplinks use cages by slot at the end of
the faceplate, so a further spine moves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import ceil
from typing import TYPE_CHECKING, TypeVar

from fabricgen.compile.design.wiring.faceplate import (
    Bank,
    common_speed,
    faceplate,
    find_model,
    per_cage,
)
from fabricgen.compile.design.wiring.frontend_leafs import (
    LeafHardware,
    Uplinks,
    fits,
    leaf_hardware,
)
from fabricgen.compile.design.wiring.leaf_ports import judge_moved
from fabricgen.compile.design.wiring.sizing import speed_of, tier_role
from fabricgen.compile.design.wiring.tiers import Tier, UpperTiers, reserved
from fabricgen.core.diagnostics import Code, IntentPath, Stop
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond

if TYPE_CHECKING:
    from netaddr import IPNetwork

    from fabricgen.compile.design.findings import Findings
    from fabricgen.intent.model.frontend import Frontend, LeafGroup
    from fabricgen.intent.model.hardware import UpperTier
    from fabricgen.intent.model.vocabulary import IntentModel
    from fabricgen.model.catalog.switches import SwitchModel

T = TypeVar("T")
LEAST = 2
"""Default number of spines or superspines: one may fail."""
LINK_PLACES = 64
"""Link numbers that each lower switch keeps in a large pool."""
LARGE_POOL = 4096
"""Addresses from which a pool for links is large: 32 switches with LINK_PLACES links each."""
SLOTS = 4
"""Default number of reserved spines or superspines."""


@record(kw_only=True)
class FrontendSize(UpperTiers):
    """All counts. leafs: group by number. leafs_per_pod: None for a single pod.

    spines: None in a collapsed pair, whose leafs have `between` links of `speed`. own: spines with
    links of another speed, by slot.
    """

    speed: BitsPerSecond
    leafs: Mapping[int, str]
    groups: Mapping[str, LeafHardware]
    leafs_per_pod: int | None
    between: int
    own: Mapping[int, Tier] = field(default_factory=dict)

    def link_places(self, tier: Tier | None, pool: IPNetwork | None) -> int:
        """Count how many link numbers each switch below a tier keeps.

        It follows from the pool and the reserved uplinks, so no count of switches moves a number.
        A large pool keeps LINK_PLACES for each switch. A small one keeps the reserved uplinks,
        rounded up to a power of two.
        """
        own = tier.slots * tier.per_pair if tier is not None else self.between
        if pool is None or pool.size >= LARGE_POOL:
            return max(LINK_PLACES, own)
        return 1 << max(own - 1, 0).bit_length()

    def pod(self, number: int) -> int:
        """Return the pod of a leaf, from 1."""
        return (number - 1) // self.leafs_per_pod + 1 if self.leafs_per_pod else 1

    def place(self, number: int) -> int:
        """Return the place of a leaf in its pod, from 0."""
        return (number - 1) % self.leafs_per_pod if self.leafs_per_pod else number - 1


def size_frontend(intent: Frontend, findings: Findings) -> FrontendSize:
    """Derive every count, or stop after all faults are reported."""
    return _Sizing(intent=intent, findings=findings).size()


@record(kw_only=True)
class _Reserve:
    """How many spines (per pod) and superspines there are, and how many have room kept."""

    spines: int
    spine_slots: int
    tops: int
    top_slots: int


@dataclass(slots=True, kw_only=True)
class _Sizing:
    intent: Frontend
    findings: Findings
    speed: BitsPerSecond = field(default=BitsPerSecond(0))
    resolved: dict[str, LeafHardware] = field(default_factory=dict)
    lacking: bool = False

    def size(self) -> FrontendSize:
        """Size everything that is possible, report all faults, and stop if there are any."""
        self.judge_models()
        reserve = self.reserve()
        self.resolve(reserve)
        reserve = self.counted(reserve)
        leafs = self.groups_by_leaf()
        self.judge_leafs(leafs)
        spines = None if self.collapsed else self.attempt(lambda: self.spines(reserve))
        tops = self.attempt(lambda: self.superspines(reserve)) if reserve.tops else None
        self.judge_pair(leafs)
        if self.lacking:
            raise Stop
        return FrontendSize(
            speed=self.speed,
            between=self.intent.pair.links if self.collapsed else 0,
            leafs=leafs,
            groups=self.resolved,
            leafs_per_pod=self.intent.leafs_per_pod if reserve.tops else None,
            spines=spines,
            superspines=tops,
        )

    def attempt(self, step: Callable[[], T]) -> T | None:
        """Return the result of a step, or record a missing one."""
        result = self.findings.attempt(step)
        self.lacking = self.lacking or result is None
        return result

    def judge_models(self) -> None:
        """Find the model of every role first, because a later step stops at an unknown one."""
        roles: list[tuple[IntentModel | None, IntentPath]] = [
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
    def collapsed(self) -> bool:
        """Return whether there are two leafs and nothing above them."""
        return self.intent.design == "collapsed"

    @property
    def spine(self) -> UpperTier:
        """Return the words of the spines, or stop where there are none."""
        return tier_role(self.intent, "spine", self.findings)

    def judge_pair(self, leafs: Mapping[int, str]) -> None:
        """Report where a collapsed pair is no pair."""
        if self.collapsed and len(leafs) != 2 and not self.lacking:
            self.lacking = True
            self.findings.spoil(
                Code.BAD_VALUE,
                f"a collapsed pair has two leafs, but the groups of the {self.intent.name} have "
                f"{len(leafs)}",
                self.intent.at("design"),
                "set `leafs: 1-2`, or use a design with spines",
            )

    @property
    def links(self) -> int:
        """Return the links of a leaf to each switch above, from any of the keys."""
        if self.collapsed:
            return self.intent.pair.links
        links, older = self.spine.links, self.intent.links_per_spine
        if links and "links_per_spine" in self.intent.model_fields_set and links != older:
            raise self.findings.stop(
                Code.BAD_VALUE,
                f"`links_per_spine` sets {older} links of a leaf to each spine, but this key sets "
                f"{links}",
                self.intent.at("spine", "links"),
                "remove `links_per_spine`",
            )
        return links or older

    @property
    def links_above(self) -> int:
        """Return the links of a spine to each superspine."""
        return (self.intent.superspine and self.intent.superspine.links) or 1

    def top_speed(self, spine: SwitchModel) -> BitsPerSecond:
        """Return the speed of the links to superspines, or of all links."""
        role = self.intent.superspine
        if role is None or role.speed is None:
            return self.speed
        top = self.model(role.model, self.intent.at("superspine"))
        path = self.intent.at("superspine", "speed")
        return common_speed(spine, top, role.speed, path, self.findings)

    def resolve(self, reserve: _Reserve) -> None:
        """Resolve the hardware of every leaf group that has one."""
        for name in self.intent.leaf_groups:
            hardware = self.attempt(partial(self.hardware, name, reserve))
            if hardware is not None:
                self.resolved[name] = hardware

    def hardware(self, name: str, reserve: _Reserve) -> LeafHardware:
        """Return the hardware of one group; all groups reach the spines at one speed."""
        own = leaf_hardware(self.intent, name, self.uplinks(reserve), self.findings)
        if self.speed and own.speed != self.speed:
            raise self.findings.stop(
                Code.SPEED_NOT_ON_MODEL,
                f"leaf groups reach the spines at {self.speed} and {own.speed}",
                own.path,
                "set `frontend.links.speed`",
            )
        self.speed = own.speed
        return own

    def groups_by_leaf(self) -> dict[int, str]:
        """Return the group of each leaf; report a leaf of two groups."""
        owner: dict[int, str] = {}
        for name, group in self.intent.leaf_groups.items():
            for number in self.attempt(partial(self.numbers, name, group)) or ():
                if number in owner:
                    self.findings.spoil(
                        Code.DUPLICATE_ID,
                        f"leaf {number} is also in group {owner[number]!r}",
                        self.intent.at("leaf_groups", name, "leafs"),
                    )
                owner[number] = name
        return dict(sorted(owner.items()))

    def judge_leafs(self, leafs: Mapping[int, str]) -> None:
        """Compare the number of leafs of each group with the need of its kinds of servers."""
        have = {name: [leaf for leaf in leafs if leafs[leaf] == name] for name in self.resolved}
        for name, own in self.resolved.items():
            for rack in own.racks:
                rack.judge_leafs(len(have[name]), self.findings)
            ends = [*(rack.start for rack in own.racks[1:]), None]
            for rack, end in zip(own.racks, ends, strict=False):  # a leaf may have no servers
                self.attempt(partial(judge_moved, rack, have[name], end, self.findings))

    def numbers(self, name: str, group: LeafGroup) -> Sequence[int]:
        """Return the numbers of a group's leafs, counted where the intent does not say them."""
        if group.leafs is not None:
            return group.leafs
        own = self.resolved.get(name)
        if own is None:
            raise Stop
        count = max((rack.leafs for rack in own.racks), default=0)
        if not count and not self.intent.all_served:
            raise Stop
        if len(self.intent.leaf_groups) > 1 or not count:
            raise self.findings.stop(
                Code.MISSING_KEY,
                f"the group {name!r} has no number of leafs",
                self.intent.at("leaf_groups", name),
                "add `leafs: 1-4`, or give the fabric one group and a kind of `servers` with "
                "ports on it",
            )
        return range(1, count + 1)

    def reserve(self) -> _Reserve:
        """Decide how many spines and superspines, and how many slots to keep for them."""
        intent = self.intent
        if self.collapsed:  # the other leaf takes the place of a spine
            return _Reserve(spines=1, spine_slots=1, tops=0, top_slots=0)
        spines = self.spine.count or LEAST
        tops = 0
        if intent.design == "superspine":
            if intent.superspine is None or intent.leafs_per_pod is None:
                self.lacking = True
                self.findings.spoil(
                    Code.MISSING_KEY,
                    "a superspine frontend needs `superspine` and `leafs_per_pod`",
                    self.intent.here,
                )
            tops = (intent.superspine and intent.superspine.count) or LEAST
        slots, top_slots = (
            max(reserved(self.intent, key, have, self.findings) or SLOTS, have)
            for key, have in (("spines", spines), ("superspines", tops))
        )
        return _Reserve(
            spines=spines,
            spine_slots=slots,
            tops=tops,
            top_slots=top_slots,
        )

    def counted(self, reserve: _Reserve) -> _Reserve:
        """Count the spines and superspines without a number by the ratio of the tier below.

        The count never exceeds the reserved slots: another slot would move the uplinks of every
        leaf.
        """
        if self.collapsed:
            return reserve
        intent, pod, top = self.intent, self.intent.leafs_per_pod, self.intent.superspine
        down = max((own.down for own in self.resolved.values()), default=0)
        up = int(self.links * self.speed)
        if self.spine.count is None and up:
            ratio = self.spine.ratio or intent.oversubscription
            need = max(reserve.spines, ceil(down / ratio / up))
            spines = self.within("spines", need, reserve.spine_slots, ratio)
            reserve = replace(reserve, spines=spines)
        if reserve.tops and top and pod and top.ratio and top.count is None and up:
            above = self.links_above * (top.speed or self.speed)
            need = max(reserve.tops, ceil(pod * up / top.ratio / above))
            tops = self.within("superspines", need, reserve.top_slots, top.ratio)
            reserve = replace(reserve, tops=tops)
        return reserve

    def within(self, name: str, need: int, slots: int, ratio: float) -> int:
        """Return the needed number, or all slots; report a lack of slots."""
        if need > slots:
            self.lacking = True
            self.findings.spoil(
                Code.GROWTH_TOO_SMALL,
                f"{need} {name} are needed for {ratio:g} to 1, but there is room for {slots}",
                self.intent.at("growth", name),
                f"set `growth: {{{name}: {need}}}`, more links to each, or a higher ratio",
            )
        return min(need, slots)

    def uplinks(self, reserve: _Reserve) -> Uplinks:
        """Return the uplinks of leafs: to the spines, or in a pair to the other leaf."""
        if self.collapsed:
            model = self.model(self.intent.leaf.model, self.intent.at("leaf"))
            wish, fast = self.intent.links.speed, self.intent.at("links", "speed")
        else:
            model = self.model(self.spine.model, self.intent.at("spine"))
            wish, fast = speed_of(self.intent, "spine", self.spine)
        return Uplinks(
            model=model,
            wish=wish,
            fast=fast,
            links=self.links,
            slots=reserve.spine_slots,
            least=reserve.spines,
            pair=self.collapsed,
        )

    def model(self, name: str, role: IntentPath) -> SwitchModel:
        return find_model(self.intent, name, (*role, "model"), self.findings)

    def spines(self, reserve: _Reserve) -> Tier:
        """Lay out the spines: cages for leafs first, cages for superspines last."""
        model = self.model(self.spine.model, self.intent.at("spine"))
        role, speed = self.spine, self.speed  # the one that the leaf groups agreed on
        if not speed:
            raise Stop
        path, known = self.intent.at("spine"), self.intent.catalog.known
        far = [known(each.role.model) for each in self.resolved.values()]
        each = per_cage(model, speed, path, self.findings, role.breakout, far)
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
                f"{reserve.top_slots} superspines need {up} cages of a spine, but {model.name} "
                f"has {len(model.usable)} for leafs and superspines together",
                self.intent.at("superspine"),
                fits(
                    (f"`growth.superspines: {slots}`", slots >= reserve.tops),
                    (f"`superspine.count: {slots}`", 0 < slots < reserve.tops),
                    otherwise="use a spine with more cages",
                ),
            )
        face = faceplate(model, Bank(speed, each, down), Bank(top, higher, up) if up else None)
        return Tier(
            face=face,
            speed=speed,
            count=reserve.spines,
            slots=reserve.spine_slots,
            per_pair=self.links,
        )

    def superspines(self, reserve: _Reserve) -> Tier:
        """Lay out the superspines: all their cages are for spines."""
        role, path = self.intent.superspine, self.intent.at("superspine")
        if role is None:
            raise Stop
        model = self.model(role.model, path)
        speed = self.top_speed(self.model(self.spine.model, self.intent.at("spine")))
        each = per_cage(model, speed, path, self.findings, role.breakout)
        return Tier(
            face=faceplate(model, Bank(speed, each, len(model.usable)), None),
            speed=speed,
            count=reserve.tops,
            slots=reserve.tops,
            per_pair=self.links_above,
        )
