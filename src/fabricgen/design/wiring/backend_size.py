"""Sizing of a backend: its intent and the catalog in, every count and port bank out.

Leafs per fabric = rails x planes x ceil(servers / servers per leaf). Spines = the smallest number
that carries the uplinks and divides them evenly; what `growth` reserves is sized in, not bought.
"""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from fabricgen.design.wiring.faceplate import (
    Bank,
    Faceplate,
    common_speed,
    faceplate,
    find_model,
    per_cage,
)
from fabricgen.design.wiring.tiers import Tier, reserved
from fabricgen.diagnostics import Code, Stop
from fabricgen.record import record
from fabricgen.units import BitsPerSecond

if TYPE_CHECKING:
    from fabricgen.catalog.switches import SwitchModel
    from fabricgen.design.findings import Findings
    from fabricgen.intent.model.backend import Backend
    from fabricgen.intent.model.hardware import SwitchRole, TierRole

_TIERS = {
    "rail-only": ("leaf",),
    "rail-optimised": ("leaf", "spine"),
    "three-tier": ("leaf", "spine", "superspine"),
}


@record(kw_only=True)
class Servers:
    """How servers, rails and planes are counted; `reserved_` is what growth asks for."""

    count: int
    rails: int
    planes: int
    rails_per_leaf: int
    ports_per_plane: int
    reserved: int
    reserved_rails: int
    reserved_planes: int

    @property
    def groups(self) -> int:
        """Leafs of one unit in one plane."""
        return ceil(self.rails / self.rails_per_leaf)

    @property
    def reserved_groups(self) -> int:
        """Leafs of one unit in one plane, with the rails that are reserved."""
        return ceil(self.reserved_rails / self.rails_per_leaf)


@record(kw_only=True)
class BackendSize:
    """All counts of a backend. `spines` are per plane, or per plane and pod with three tiers.

    What has a default is what a design with fewer tiers does not have.
    """

    servers: Servers
    per_unit: int
    units: int
    units_per_pod: int = 1
    pods: int = 1
    leaf: Faceplate
    uplinks: int = 0
    link_speed: BitsPerSecond | None = None
    spines: Tier | None = None
    spine_uplinks: int = 0
    superspines: Tier | None = None


@record(kw_only=True)
class _Leaf:
    """How the leaf's cages divide."""

    per_unit: int
    each: int
    down_cages: int
    down_ports: int


def size_backend(intent: Backend, findings: Findings) -> BackendSize:
    """Derive every count, or stop with what was needed and what there is."""
    _judge_hardware(intent, findings)
    servers = _servers(intent, findings)
    if intent.design == "rail-only":
        return _rail_only(intent, servers, findings)
    spine_role = _role(intent.spine, "spine", intent, findings)
    leaf_model = find_model(intent.leaf.model, intent.at("leaf", "model"), findings)
    spine_model = find_model(spine_role.model, intent.at("spine", "model"), findings)
    speed = common_speed(
        leaf_model,
        spine_model,
        intent.links.speed,
        intent.at("links", "speed") if intent.links.speed else intent.at("spine"),
        findings,
    )
    leaf = _leaf(intent, servers, leaf_model, speed, findings)
    uplinks, face = _leaf_face(intent, leaf, leaf_model, spine_role, speed, findings)
    units = ceil(servers.count / leaf.per_unit)
    reserved_units = ceil(servers.reserved / leaf.per_unit)
    two = _TwoTiers(
        intent=intent,
        findings=findings,
        servers=servers,
        model=spine_model,
        role=spine_role,
        speed=speed,
        uplinks=uplinks,
    )
    if intent.design == "rail-optimised":
        spines = two.spines(reserved_units)
        return BackendSize(
            servers=servers,
            per_unit=leaf.per_unit,
            units=units,
            units_per_pod=reserved_units,
            leaf=face,
            uplinks=uplinks,
            link_speed=speed,
            spines=spines,
        )
    return two.three_tiers(leaf.per_unit, units, reserved_units, face)


def _judge_hardware(intent: Backend, findings: Findings) -> None:
    """Look at the hardware of every role first: a later step stops at what does not fit."""
    needed = _TIERS.get(intent.unless_refused("design"), ())
    for name in needed or _TIERS["three-tier"]:
        with findings.going_on():
            role = intent.unless_refused(name)
            if role is None and needed:
                _role(getattr(intent, name), name, intent, findings)
            model = role and find_model(role.model, intent.at(name, "model"), findings)
            if model and name == "leaf":
                _down(intent, model, findings)


def _leaf_face(
    intent: Backend,
    leaf: _Leaf,
    model: SwitchModel,
    spine: TierRole,
    speed: BitsPerSecond,
    findings: Findings,
) -> tuple[int, Faceplate]:
    """Return how many uplinks a leaf has, and which of its cages they and the NICs take."""
    needed = ceil(leaf.down_ports * intent.servers.nic_speed / intent.oversubscription / speed)
    wished = intent.growth.spines or spine.count
    uplinks = ceil(needed / wished) * wished if wished else needed
    if wished and uplinks >= 4 * needed:
        findings.warn(
            Code.UPLINKS_NOT_DIVISIBLE,
            f"{leaf.down_ports} ports of {intent.servers.nic_speed} need {needed} uplinks of "
            f"{speed}; a leaf has {uplinks}, one to each of {wished} spines",
            intent.at("growth", "spines") if intent.growth.spines else intent.at("spine", "count"),
            f"at most {needed} spines, or a slower links.speed",
        )
    up_per_cage = per_cage(model, speed, intent.at("links", "speed"), findings)
    up_cages = ceil(uplinks / up_per_cage)
    if leaf.down_cages + up_cages > len(model.usable):
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"a leaf needs {leaf.down_cages} cages down and {up_cages} up; "
            f"{model.name} has {len(model.usable)}",
            intent.at("scalable_unit", "servers") if intent.scalable_unit else intent.at("leaf"),
            "put fewer servers in a unit, or allow more oversubscription",
        )
    face = faceplate(
        model,
        Bank(intent.servers.nic_speed, leaf.each, leaf.down_cages),
        Bank(speed, up_per_cage, up_cages),
    )
    return uplinks, face


def _role(role: TierRole | None, name: str, intent: Backend, findings: Findings) -> TierRole:
    if role is None:
        raise findings.stop(
            Code.MISSING_KEY,
            f"a {intent.design} backend needs `{name}`",
            intent.here,
            f"add `{name}: {{model: …, platform: …}}` to the backend",
        )
    return role


def _servers(intent: Backend, findings: Findings) -> Servers:
    asked = intent.servers
    nics = asked.nics or asked.gpus
    rails = intent.rails or nics
    if rails != nics:
        findings.error(
            Code.BAD_VALUE,
            f"{nics} NICs per server do not make {rails} rails: NIC k is "
            "rail k, so there are as many rails as NICs",
            intent.at("rails"),
        )
    if asked.nic_ports % intent.planes:
        findings.error(
            Code.BAD_VALUE,
            f"{asked.nic_ports} ports per NIC do not divide over {intent.planes} planes",
            intent.at("servers", "nic_ports"),
            f"give each NIC {intent.planes} ports, one per plane",
        )
    have = {"servers": asked.count, "rails": rails, "planes": intent.planes}
    kept = {
        name: max(reserved(intent, name, count, findings) or count, count)
        for name, count in have.items()
    }
    if intent.sites is not None and len(intent.sites) > 1:
        findings.error(
            Code.BACKEND_SPANS_SITES,
            f"the backend names {len(intent.sites)} sites; lossless Ethernet ends at the site: "
            "headroom grows with distance",
            intent.at("sites"),
            "give each site its own backend",
        )
    if intent.rails not in (None, nics) or asked.nic_ports % intent.planes:
        raise Stop
    return Servers(
        count=asked.count,
        rails=rails,
        planes=intent.planes,
        rails_per_leaf=intent.rails_per_leaf,
        ports_per_plane=asked.nic_ports // intent.planes,
        reserved=kept["servers"],
        reserved_rails=kept["rails"],
        reserved_planes=kept["planes"],
    )


def _rail_only(intent: Backend, servers: Servers, findings: Findings) -> BackendSize:
    model = find_model(intent.leaf.model, intent.at("leaf", "model"), findings)
    speed = intent.servers.nic_speed
    each = _down(intent, model, findings)
    ports = each * len(model.usable)
    capacity = ports // (servers.rails_per_leaf * servers.ports_per_plane)
    per_unit = intent.scalable_unit.servers if intent.scalable_unit else capacity
    if max(servers.reserved, per_unit) > capacity:
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"{max(servers.reserved, per_unit)} servers need that many ports per rail; a "
            f"{model.name} leaf has {ports} ports of {speed}, room for {capacity} servers",
            intent.at("servers", "count"),
            "use the rail-optimised design, or a larger leaf",
        )
    if servers.reserved > per_unit:
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"a rail-only backend is one scalable unit: {servers.reserved} servers do not fit into "
            f"one of {per_unit}",
            intent.at("scalable_unit", "servers"),
            "leave out scalable_unit, or use the rail-optimised design",
        )
    face = faceplate(model, Bank(speed, each, len(model.usable)), None)
    return BackendSize(servers=servers, per_unit=per_unit, units=1, leaf=face)


def _down(intent: Backend, model: SwitchModel, findings: Findings) -> int:
    """Return the NIC ports of one leaf cage."""
    path = (
        intent.at("leaf", "breakout") if intent.leaf.breakout else intent.at("servers", "nic_speed")
    )
    return per_cage(model, intent.servers.nic_speed, path, findings, intent.leaf.breakout)


def _leaf(
    intent: Backend, servers: Servers, model: SwitchModel, speed: BitsPerSecond, findings: Findings
) -> _Leaf:
    nic = intent.servers.nic_speed
    down = _down(intent, model, findings)
    up = per_cage(model, speed, intent.at("links", "speed"), findings)
    cages, each = len(model.usable), servers.rails_per_leaf * servers.ports_per_plane
    if intent.scalable_unit:
        per_unit = intent.scalable_unit.servers
    else:
        ratio = intent.oversubscription * up * speed
        most = int(cages * ratio / (down * nic + ratio))
        per_unit = most * down // each
    ports = per_unit * each
    if not per_unit:
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"an oversubscription of {intent.oversubscription:g} leaves no port of {model.name} "
            f"for a server's {each}",
            intent.at("oversubscription"),
            "allow more oversubscription, or fewer rails per leaf",
        )
    if ports > cages * down:
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"a unit of {per_unit} servers needs {ports} leaf ports; "
            f"{model.name} has {cages * down} of {nic}",
            intent.at("scalable_unit", "servers") if intent.scalable_unit else intent.at("leaf"),
        )
    return _Leaf(per_unit=per_unit, each=down, down_cages=ceil(ports / down), down_ports=ports)


@record(kw_only=True)
class _TwoTiers:
    """The tiers above the leafs, sized from what the leafs send up."""

    intent: Backend
    findings: Findings
    servers: Servers
    model: SwitchModel
    role: TierRole
    speed: BitsPerSecond
    uplinks: int

    def _slots(
        self,
        name: str,
        lowers: int,
        uplinks: int,
        radix: int,
        wished: int | None,
        count: int | None,
    ) -> tuple[int, int, int]:
        """Return (switches, slots, links per pair) of a tier that serves `lowers` switches."""
        slots = (
            wished
            or count
            or next(
                (
                    number
                    for number in range(1, uplinks)
                    if uplinks % number == 0 and number * radix >= lowers * uplinks
                ),
                uplinks,
            )
        )
        where = self.intent.at(name, "count") if count else self.intent.at(name)
        if uplinks % slots:
            raise self.findings.stop(
                Code.UPLINKS_NOT_DIVISIBLE,
                f"{uplinks} uplinks do not divide evenly over {slots} {name}s",
                where,
                f"use a number that divides {uplinks}",
            )
        per_pair = uplinks // slots
        if lowers * per_pair > radix:
            raise self.findings.stop(
                Code.RADIX_EXCEEDED,
                f"{lowers} switches with {per_pair} link(s) to each {name} need "
                f"{lowers * per_pair} ports on it; it has {radix} of {self.speed}",
                where,
                "add a tier (three-tier), larger switches, or more oversubscription"
                if name == "spine"
                else "use larger superspines, or fewer pods",
            )
        if count is not None and count > slots:
            raise self.findings.stop(
                Code.GROWTH_TOO_SMALL,
                f"{count} {name}s, but growth reserves {slots}",
                self.intent.at("growth"),
            )
        return count or slots, slots, per_pair

    def spines(self, reserved_units: int) -> Tier:
        """Size the spines of one plane in two tiers."""
        each = self._below(self.model, self.role)
        cages = len(self.model.usable)
        lowers = reserved_units * self.servers.reserved_groups
        count, slots, per_pair = self._slots(
            "spine", lowers, self.uplinks, cages * each, self.intent.growth.spines, self.role.count
        )
        face = faceplate(self.model, Bank(self.speed, each, cages), None)
        return Tier(face=face, count=count, slots=slots, per_pair=per_pair)

    def _below(self, model: SwitchModel, role: SwitchRole) -> int:
        return per_cage(
            model, self.speed, self.intent.at("links", "speed"), self.findings, role.breakout
        )

    def three_tiers(
        self, per_unit: int, units: int, reserved_units: int, leaf: Faceplate
    ) -> BackendSize:
        """Size pods, their spines, and the superspine groups (one group per spine of a pod)."""
        cages = len(self.model.usable)
        down_cages = int(cages * self.intent.oversubscription / (1 + self.intent.oversubscription))
        each = self._below(self.model, self.role)
        room = self._units_per_pod(down_cages * each)
        lowers = min(room, reserved_units) * self.servers.reserved_groups
        ports, uplinks = down_cages * each, (cages - down_cages) * each
        pods = max(ceil(reserved_units / room), self.intent.growth.pods or 0)
        split = self.findings.attempt(
            lambda: self._slots(
                "spine", lowers, self.uplinks, ports, self.intent.growth.spines, self.role.count
            )
        )
        superspines = self.findings.attempt(lambda: self._superspines(pods, uplinks))
        if split is None or superspines is None:
            raise Stop
        count, slots, per_pair = split
        spine = faceplate(
            self.model,
            Bank(self.speed, each, down_cages),
            Bank(self.speed, each, cages - down_cages),
        )
        return BackendSize(
            servers=self.servers,
            per_unit=per_unit,
            units=units,
            units_per_pod=room,
            pods=ceil(units / room),
            leaf=leaf,
            uplinks=self.uplinks,
            link_speed=self.speed,
            spines=Tier(face=spine, count=count, slots=slots, per_pair=per_pair),
            spine_uplinks=uplinks,
            superspines=superspines,
        )

    def _units_per_pod(self, spine_ports: int) -> int:
        """Return how many units fit below the spines of a pod, whole units only."""
        slots = self.intent.growth.spines or self.role.count or self.uplinks
        per_pair = max(1, self.uplinks // slots)
        room = spine_ports // per_pair // self.servers.reserved_groups
        if room < 1:
            raise self.findings.stop(
                Code.RADIX_EXCEEDED,
                f"one unit has {self.servers.reserved_groups} leafs in a plane; a spine takes "
                f"{spine_ports} links from below, {per_pair} per leaf",
                self.intent.at("spine"),
            )
        return room

    def _superspines(self, pods: int, uplinks: int) -> Tier:
        """Size one superspine group: spine s of every pod reaches the superspines of group s."""
        role = _role(self.intent.superspine, "superspine", self.intent, self.findings)
        model = find_model(role.model, self.intent.at("superspine", "model"), self.findings)
        each = self._below(model, role)
        cages = len(model.usable)
        count, slots, per_pair = self._slots(
            "superspine", pods, uplinks, cages * each, None, role.count
        )
        face = faceplate(model, Bank(self.speed, each, cages), None)
        return Tier(face=face, count=count, slots=slots, per_pair=per_pair)
