"""Report intent that the NICs of servers cannot fulfill."""

from collections.abc import Iterator
from itertools import combinations

from fabricgen.core.diagnostics import (
    Code,
    Diagnostic,
    IntentPath,
    Severity,
    did_you_mean_model,
    dotted,
)
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.catalog import Catalog
from fabricgen.model.catalog.nics import NicModel
from fabricgen.model.fabric.hosts import HostContract, HostPlan, contract_of
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Nic, Server

ANNOUNCED = ("thor-ultra", "vulcano")
"""NICs with 800G ports (Broadcom, AMD) that only articles describe."""


def host_gaps(fabric: Fabric, *, trusted: bool = False) -> list[Diagnostic]:
    """Return every gap, including NICs that the catalog lacks.

    trusted: the site accepts NICs of which no source states how they recognize trimmed packets.
    """
    speeds: dict[HostPlan, set[BitsPerSecond]] = {}
    shared = {id(link.lower_port): link for link in fabric.topology.links if fabric.hosts}
    for link in shared.values():  # servers of a kind share their NICs
        nic, server = link.lower_port, link.lower
        if isinstance(nic, Nic) and isinstance(server, Server):
            plan = fabric.plan_of(server, nic.network)
            if plan is not None:
                speeds.setdefault(plan, set()).add(link.speed)
    gaps = [gap for plan, used in speeds.items() for gap in _of(fabric, plan, used)]
    gaps += [gap for plan in speeds for gap in _trimming(fabric, plan, trusted=trusted)]
    return list(dict.fromkeys(gaps))


def _of(fabric: Fabric, plan: HostPlan, speeds: set[BitsPerSecond]) -> Iterator[Diagnostic]:
    """Yield the gaps of one set of ports, of these speeds."""
    if not plan.nic or plan.nic in plan.catalog.refused:
        return
    if plan.model is None:
        yield _unknown(plan)
        return
    yield from _gaps(fabric, plan.model, plan, speeds)


def _unknown(plan: HostPlan) -> Diagnostic:
    nic, path, catalog = plan.nic, plan.keys["nic"], plan.catalog
    message, hint = f"no NIC {nic!r} in the catalog", did_you_mean_model(nic, catalog.nic_names())
    if nic.lower() in ANNOUNCED:
        message += ": it is announced with 800G, but no document describes its host settings"
        hint = _together(BitsPerSecond.parse("800G"), plan)
    return Diagnostic(Code.UNKNOWN_REFERENCE, message, path=path, hint=hint)


def _gaps(
    fabric: Fabric, model: NicModel, plan: HostPlan, speeds: set[BitsPerSecond]
) -> Iterator[Diagnostic]:
    ports = plan.ports
    if ports > max(model.ports):
        yield Diagnostic(
            Code.UNSUPPORTED,
            f"{model.name} has at most {max(model.ports)} port(s), but the intent needs {ports}",
            path=plan.keys["nic_ports"],
            hint=_others(None, plan),
        )
        return
    for speed in sorted(speed for speed in speeds if not model.runs(ports, speed)):
        yield Diagnostic(
            Code.SPEED_NOT_ON_MODEL,
            f"{model.name} does not run {ports} port(s) at {speed}",
            path=plan.keys["nic_speed"],
            hint=_others(speed, plan),
        )
    contract = contract_of(fabric.qos, fabric.routing.tenant_mtu, plan)
    if contract is not None and len(contract.paused) > model.lossless:
        several = ", ".join(_pausing(len(contract.paused), plan.catalog))
        yield Diagnostic(
            Code.UNSUPPORTED,
            f"{model.name} pauses {model.lossless} priority in all known documents, not "
            f"{len(contract.paused)}: {model.lossless_source}",
            path=(*fabric.place, "roce", "storage"),
            hint=f"use another NIC in `{_nic(plan)}`: {several}; or remove `roce.storage`",
        )
    if contract is not None and _marked(contract) and not model.dcqcn:
        yield Diagnostic(
            Code.UNSUPPORTED,
            f"{model.name} does not support DCQCN: it would ignore ECN marks of the switches",
            path=(*fabric.place, "roce", "ecn"),
            hint=f"use another NIC in `{_nic(plan)}`, or set `roce.ecn.enabled: false`",
        )


def _trimming(fabric: Fabric, plan: HostPlan, *, trusted: bool) -> Iterator[Diagnostic]:
    """Report a NIC that would take a trimmed packet for a damaged one.

    No public document of a maker in the catalog states the DSCP that its NIC expects. NVIDIA's
    manual of switches has only "a supplemented mechanism on the host" (Packet-Trimming.md).
    """
    model, contract = plan.model, contract_of(fabric.qos, fabric.routing.tenant_mtu, plan)
    if model is None or contract is None or contract.trimmed in (None, model.trimmed):
        return
    path, other = plan.keys["nic"], "or remove `roce.trimming`"
    if model.trimmed is not None:
        yield Diagnostic(
            Code.TRIMMING_UNKNOWN,
            f"switches give trimmed packets DSCP {contract.trimmed}, but {model.name} expects "
            f"{model.trimmed}",
            path=path,
            hint=f"set `roce.trimming.dscp: {model.trimmed}`, {other}",
        )
        return
    yield Diagnostic(
        Code.TRIMMING_UNKNOWN,
        f"no source states a DSCP by which {model.name} recognizes trimmed packets",
        path=path,
        hint="state the maker's value as `trimmed: {dscp: …, source: …}` in a NIC file of this "
        f"site, {other}",
        severity=Severity.WARNING if trusted else Severity.ERROR,
    )


def _marked(contract: HostContract) -> bool:
    return contract.ecn or (contract.storage is not None and contract.storage.ecn)


def _pausing(classes: int, catalog: Catalog) -> list[str]:
    """Name the NICs that pause as many priorities."""
    return [model.name for model in catalog.nics() if model.lossless >= classes]


def _nic(plan: HostPlan) -> str:
    """Return the key of a NIC for a hint: from the kind on, or the key of a fabric."""
    path = plan.keys["nic"]
    return dotted(path if path[0] == "servers" else path[-2:])


def _others(speed: BitsPerSecond | None, plan: HostPlan) -> str:
    """Name the NICs with the needed speed, or with any speed."""
    fits = [
        model.name
        for model in plan.catalog.nics()
        if (plan.ports <= max(model.ports) if speed is None else model.runs(plan.ports, speed))
    ]
    if not fits and speed is not None and (several := _together(speed, plan)):
        return several
    return f"set `{_nic(plan)}` to another NIC, one of: {', '.join(fits) or 'none in the catalog'}"


def _together(speed: BitsPerSecond, plan: HostPlan) -> str:
    """Name the keys that reach the speed with several ports of one NIC; empty without any."""
    for ports in range(2, 5):
        each = BitsPerSecond(speed // ports)
        fits = [
            model.name
            for model in plan.catalog.nics()
            if ports in model.ports and model.runs(ports, each)
        ]
        if fits:
            planes = f", in `planes: {ports}` or one," if plan.railed else ""
            return (
                f"no port runs {speed}, but {ports} together do: `nic_ports: {ports}` with "
                f"`{plan.keys['nic_speed'][-1]}: {each}`{planes} and `nic`: {', '.join(fits)}"
            )
    return ""


# NCCL has one file for all NICs, and nicctl sets all of AMD's at once. Other settings are per NIC.

AT_ONCE = {"pollara": "nicctl"}
"""Families whose tool sets all NICs of a host together (AMD's guide to SGLang with MoRI)."""


@record(kw_only=True)
class _Set:
    """One set of ports of a kind of servers, with the name of its fabric."""

    fabric: str
    plan: HostPlan
    contract: HostContract | None

    @property
    def family(self) -> str:
        return self.plan.model.family if self.plan.model is not None else ""


def shared_gaps(site: Site) -> list[Diagnostic]:
    """Return every disagreement, at the later set of ports."""
    kinds: dict[IntentPath, list[_Set]] = {}
    for fabric in site.fabrics:
        for (servers, _), plan in fabric.hosts.items():
            contract = contract_of(fabric.qos, fabric.routing.tenant_mtu, plan)
            each = _Set(fabric=fabric.name, plan=plan, contract=contract)
            kinds.setdefault(servers, []).append(each)
    return [
        gap
        for sets in kinds.values()
        for one, other in combinations(sets, 2)
        for gap in (*_nccl(one, other), *_at_once(one, other))
    ]


def _nccl(one: _Set, other: _Set) -> Iterator[Diagnostic]:
    if not (one.plan.railed and other.plan.railed):
        return
    for mine, theirs in zip(_of_nccl(other), _of_nccl(one), strict=True):
        if mine != theirs:
            yield _gap(
                f"NCCL has one setting for all NICs of a server: {mine} on {other.fabric}, "
                f"{theirs} on {one.fabric}",
                other.plan.keys["nic"],
                "use the same `nic`, `roce` and `load_balancing` for both",
            )


def _of_nccl(of: _Set) -> tuple[str, ...]:
    model, told = of.plan.model, of.contract
    return (
        f"GID {model.gid_index if model is not None else 0}",
        f"{of.plan.queue_pairs} queue pairs",
        f"{'out of order' if of.plan.sprayed else 'in order'}",
        f"traffic class {told.traffic_class}" if told is not None else "no traffic class",
    )


def _at_once(one: _Set, other: _Set) -> Iterator[Diagnostic]:
    mine, theirs = other.contract, one.contract
    if one.family != other.family or one.family not in AT_ONCE or not mine or not theirs:
        return
    if _told(mine) != _told(theirs):
        yield _gap(
            f"{AT_ONCE[one.family]} sets all NICs of a host together, but the classes of "
            f"{other.fabric} differ from {one.fabric}",
            other.plan.keys["nic"],
            "use the same `roce` for both, or NICs of another maker for one",
        )


def _told(of: HostContract) -> tuple[object, ...]:
    """Return the settings that all NICs share, without MTU and cable, which each NIC has."""
    return (of.priorities, of.paused, of.cnp_dscp, of.cnp_priority, of.shares, of.storage)


def _gap(message: str, path: IntentPath, hint: str) -> Diagnostic:
    return Diagnostic(Code.UNSUPPORTED, message, path=path, hint=hint)
