"""Size a backend: every count and every bank of ports.

Leafs per fabric = rails x planes x ceil(servers / servers per leaf). Spines = the smallest number
that carries the uplinks and divides them evenly. The size includes `growth`, but the bill does not.
"""

from dataclasses import replace
from math import ceil

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.backend_counts import (
    BackendSize,
    Servers,
    counted_servers,
    shared_units,
)
from fabricgen.compile.design.wiring.faceplate import (
    Bank,
    Faceplate,
    faceplate,
    find_model,
    per_cage,
)
from fabricgen.compile.design.wiring.pods import divide_into_pods
from fabricgen.compile.design.wiring.sizing import Above, above, tier_role
from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model.backend import Backend
from fabricgen.model.catalog.switches import SwitchModel


def per_rail(intent: Backend) -> bool:
    """Return whether the leafs of a rail have spines that no other rail has."""
    return intent.spine is not None and intent.spine.per_rail


def judge_rails_apart(intent: Backend, findings: Findings) -> None:
    """Report where rails with spines of their own would meet, or could not."""
    if not per_rail(intent):
        return
    if intent.design == "three-tier" and intent.underlay.asn.scheme == "rfc7938":
        findings.spoil(
            Code.BAD_VALUE,
            "the spines of a pod share one ASN, so a route from another rail of their pod, which "
            "comes from the superspines, has a loop and is dropped",
            intent.at("underlay", "asn", "scheme"),
            "use the scheme per-switch, or remove `spine.per_rail`",
        )
    if intent.scalable_unit and intent.scalable_unit.shared:
        findings.spoil(
            Code.BAD_VALUE,
            "rails that share a leaf in some units cannot have spines of their own",
            intent.at("scalable_unit", "shared"),
        )


_TIERS = {
    "rail-only": ("leaf",),
    "rail-optimized": ("leaf", "spine"),
    "three-tier": ("leaf", "spine", "superspine"),
}


def size_backend(intent: Backend, findings: Findings) -> BackendSize:
    """Derive every count, or stop with the needed and available numbers."""
    size = _size(intent, findings)
    return replace(size, shared=shared_units(intent, size, findings))


def _size(intent: Backend, findings: Findings) -> BackendSize:
    """Size tiers and units, where every unit is full."""
    _judge_hardware(intent, findings)
    servers = counted_servers(intent, findings)
    alone = intent.design == "rail-only"
    if not alone:
        tier_role(intent, "spine", findings)
        judge_rails_apart(intent, findings)
    model = find_model(intent, intent.leaf.model, intent.at("leaf", "model"), findings)
    leafs = _Leafs(intent=intent, servers=servers, model=model, findings=findings)
    if alone:
        return leafs.one_unit()
    spine = above(intent, "spine", model, findings)
    size = replace(leafs.below(spine), per_rail=per_rail(intent))
    if intent.design == "rail-optimized":
        each = servers.leafs_per_nic if size.per_rail else servers.reserved_groups
        return replace(size, spines=spine.top(size.units_per_pod * each, size.uplinks))
    return divide_into_pods(intent, size, spine, findings)


def _judge_hardware(intent: Backend, findings: Findings) -> None:
    """Check the hardware of every role first, because a later step stops at an error."""
    needed = _TIERS.get(intent.unless_refused("design"), ())
    for name in needed or _TIERS["three-tier"]:
        with findings.going_on():
            role = intent.unless_refused(name)
            if role is None and needed:
                tier_role(intent, name, findings)
            model = role and find_model(intent, role.model, intent.at(name, "model"), findings)
            if model and name == "leaf":
                _ports_per_cage(intent, model, findings)


def _ports_per_cage(intent: Backend, model: SwitchModel, findings: Findings) -> int:
    """Return the NIC ports of one leaf cage."""
    split, speed = intent.leaf.breakout, intent.servers.nic_speed
    path = intent.at("leaf", "breakout") if split else intent.at("servers", "nic_speed")
    return per_cage(model, speed, path, findings, split)


@record(kw_only=True)
class _Leafs:
    """The leafs of a backend before they are sized."""

    intent: Backend
    servers: Servers
    model: SwitchModel
    findings: Findings

    @property
    def nic(self) -> BitsPerSecond:
        """Return the speed of the ports for NICs."""
        return self.intent.servers.nic_speed

    @property
    def each(self) -> int:
        """Return the ports of a server on a leaf."""
        return self.servers.rails_per_leaf * self.servers.ports_per_leaf

    @property
    def per_cage(self) -> int:
        """Return the NIC ports of one cage."""
        return _ports_per_cage(self.intent, self.model, self.findings)

    @property
    def cages(self) -> int:
        """Return the cages that are not kept for appliances."""
        cages, kept = len(self.model.usable), self.intent.leaf.reserve
        if kept < cages:
            return cages - kept
        raise self.findings.stop(
            Code.PORTS_EXHAUSTED,
            f"{kept} cages of a leaf are reserved, but {self.model.name} has {cages}",
            self.intent.at("leaf", "reserve"),
            f"this fits: less than `reserve: {cages}`",
        )

    @property
    def path(self) -> IntentPath:
        """Return the intent path of the number of servers on a leaf."""
        keys = ("scalable_unit", "servers") if self.intent.scalable_unit else ("leaf",)
        return self.intent.at(*keys)

    def one_unit(self) -> BackendSize:
        """Size a fabric without spines."""
        servers, unit = self.servers, self.intent.scalable_unit
        each, cages = self.per_cage, self.cages
        capacity = each * cages // self.each
        per_unit = unit.servers if unit else capacity
        if max(servers.reserved, per_unit) > capacity:
            raise self.findings.stop(
                Code.PORTS_EXHAUSTED,
                f"{max(servers.reserved, per_unit)} servers need that many ports per rail, but a "
                f"{self.model.name} leaf has {each * cages} ports of {self.nic}, room for "
                f"{capacity} servers",
                self.intent.at("servers", "count"),
                "use the rail-optimized design, or a larger leaf",
            )
        if servers.reserved > per_unit:
            raise self.findings.stop(
                Code.PORTS_EXHAUSTED,
                f"a rail-only backend is one scalable unit: {servers.reserved} servers do not fit "
                f"into one of {per_unit}",
                self.intent.at("scalable_unit", "servers"),
                "remove scalable_unit, or use the rail-optimized design",
            )
        face = faceplate(self.model, Bank(self.nic, each, cages), None)
        return BackendSize(servers=servers, per_unit=per_unit, units=1, leaf=face)

    def below(self, spine: Above) -> BackendSize:
        """Size the units and their leafs below spines."""
        per_unit = self.per_unit(spine)
        uplinks, face = self.uplinks(spine, per_unit * self.each)
        return BackendSize(
            servers=self.servers,
            per_unit=per_unit,
            units=ceil(self.servers.count / per_unit),
            units_per_pod=ceil(self.servers.reserved / per_unit),
            leaf=face,
            uplinks=uplinks,
        )

    def per_unit(self, spine: Above) -> int:
        """Return the servers of a unit: from the intent, or the maximum of the ratio."""
        unit, down, up = self.intent.scalable_unit, self.per_cage, spine.below(self.model)
        cages, ratio = self.cages, spine.ratio * up * spine.speed
        most = int(cages * ratio / (down * self.nic + ratio)) * down // self.each
        per_unit = unit.servers if unit else most
        if not per_unit:
            raise self.findings.stop(
                Code.PORTS_EXHAUSTED,
                f"an oversubscription of {spine.ratio:g} leaves no port of {self.model.name} "
                f"for a server's {self.each}",
                spine.allows,
                "allow more oversubscription, or fewer rails per leaf",
            )
        if per_unit * self.each > cages * down:
            raise self.findings.stop(
                Code.PORTS_EXHAUSTED,
                f"a unit of {per_unit} servers needs {per_unit * self.each} leaf ports, but "
                f"{self.model.name} has {cages * down} of {self.nic}",
                self.path,
            )
        return per_unit

    def uplinks(self, spine: Above, ports: int) -> tuple[int, Faceplate]:
        """Return the uplinks of a leaf, and the cages that they and so many NIC ports take."""
        intent, nic = self.intent, self.nic
        needed, uplinks = spine.needed(ports, nic), spine.uplinks(ports, nic)
        if spine.slots and uplinks >= 4 * needed and not spine.role.links:
            self.findings.warn(
                Code.UPLINKS_NOT_DIVISIBLE,
                f"{ports} ports of {nic} need {needed} uplinks of {spine.speed}, but a leaf has "
                f"{uplinks}, one to each of {spine.slots} spines",
                intent.at(*(("growth", "spines") if intent.growth.spines else ("spine", "count"))),
                f"use at most {needed} spines, or a slower links.speed",
            )
        down = Bank(nic, self.per_cage, ceil(ports / self.per_cage))
        lift = spine.below(self.model)
        up = Bank(spine.speed, lift, ceil(uplinks / lift))
        cages, kept = len(self.model.usable), intent.leaf.reserve
        if down.cages + up.cages + kept > cages:
            raise self.findings.stop(
                Code.PORTS_EXHAUSTED,
                f"a leaf needs {down.cages} cages down and {up.cages} up"
                f"{f', and {kept} are reserved' if kept else ''}; {self.model.name} has {cages}",
                self.path,
                "put fewer servers in a unit, or allow more oversubscription",
            )
        return uplinks, faceplate(self.model, down, up)
