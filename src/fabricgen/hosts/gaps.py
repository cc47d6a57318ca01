"""A fabric in, what its servers' NICs cannot do of what is asked out."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code, Diagnostic, IntentPath, did_you_mean_model
from fabricgen.fabric.hosts import HostContract, HostPlan, contract_of
from fabricgen.fabric.switch import Fabric
from fabricgen.fabric.topology import Nic, Server
from fabricgen.units import BitsPerSecond

if TYPE_CHECKING:
    from fabricgen.catalog.catalog import Catalog
    from fabricgen.catalog.nics import NicModel

ANNOUNCED = ("thor-ultra", "vulcano")
"""NICs with ports of 800G, Broadcom's and AMD's, of which articles alone were found."""


def host_gaps(fabric: Fabric) -> list[Diagnostic]:
    """Return every gap; a NIC that the catalog does not have is one."""
    speeds: dict[HostPlan, set[BitsPerSecond]] = {}
    for link in fabric.topology.links if fabric.hosts else ():
        nic, server = link.lower_port, link.lower
        if isinstance(nic, Nic) and isinstance(server, Server):
            plan = fabric.plan_of(server, nic.network)
            if plan is not None:
                speeds.setdefault(plan, set()).add(link.speed)
    gaps = (gap for plan, used in speeds.items() for gap in _of(fabric, plan, used))
    return list(dict.fromkeys(gaps))


def _of(fabric: Fabric, plan: HostPlan, speeds: set[BitsPerSecond]) -> Iterator[Diagnostic]:
    """Yield the gaps of one set of ports, of these speeds."""
    if not plan.nic or plan.nic in plan.catalog.refused:
        return
    if plan.model is None:
        yield _unknown(plan.nic, plan.keys["nic"], plan.catalog)
        return
    yield from _gaps(fabric, plan.model, plan, speeds)


def _unknown(nic: str, path: IntentPath, catalog: Catalog) -> Diagnostic:
    message, hint = f"no NIC {nic!r} in the catalog", did_you_mean_model(nic, catalog.nic_names())
    if nic.lower() in ANNOUNCED:
        message += ": it is announced with 800G, and no document found tells how its host is set"
        hint = _together(BitsPerSecond.parse("800G"), catalog)
    return Diagnostic(Code.UNKNOWN_REFERENCE, message, path=path, hint=hint)


def _gaps(
    fabric: Fabric, model: NicModel, plan: HostPlan, speeds: set[BitsPerSecond]
) -> Iterator[Diagnostic]:
    ports, catalog = plan.ports, plan.catalog
    if ports > max(model.ports):
        yield Diagnostic(
            Code.UNSUPPORTED,
            f"{model.name} has at most {max(model.ports)} port(s); {ports} are asked for",
            path=plan.keys["nic_ports"],
            hint=_others(ports, None, catalog),
        )
        return
    for speed in sorted(speed for speed in speeds if not model.runs(ports, speed)):
        yield Diagnostic(
            Code.SPEED_NOT_ON_MODEL,
            f"{model.name} does not run {ports} port(s) at {speed}",
            path=plan.keys["nic_speed"],
            hint=_others(ports, speed, catalog),
        )
    contract = contract_of(fabric, plan)
    if contract is not None and len(contract.paused) > model.lossless:
        several = ", ".join(_pausing(len(contract.paused), catalog))
        yield Diagnostic(
            Code.UNSUPPORTED,
            f"{model.name} pauses {model.lossless} priority in all that is known of it, not "
            f"{len(contract.paused)}: {model.lossless_source}",
            path=(*fabric.place, "roce", "storage"),
            hint=f"use another NIC in `servers.nic`: {several}; or leave `roce.storage` out",
        )
    if contract is not None and _marked(contract) and not model.dcqcn:
        yield Diagnostic(
            Code.UNSUPPORTED,
            f"{model.name} does not do DCQCN: it would not answer the ECN marks of the switches",
            path=(*fabric.place, "roce", "ecn"),
            hint="use another NIC in `servers.nic`, or set `roce.ecn.enabled: false`",
        )


def _marked(contract: HostContract) -> bool:
    return contract.ecn or (contract.storage is not None and contract.storage.ecn)


def _pausing(classes: int, catalog: Catalog) -> list[str]:
    """Name the NICs that pause as many priorities."""
    return [model.name for model in catalog.nics() if model.lossless >= classes]


def _others(ports: int, speed: BitsPerSecond | None, catalog: Catalog) -> str:
    """Name the NICs that could, for `servers.nic`."""
    fits = [
        model.name
        for model in catalog.nics()
        if (ports <= max(model.ports) if speed is None else model.runs(ports, speed))
    ]
    if not fits and speed is not None and (several := _together(speed, catalog)):
        return several
    return f"say which NIC it is in `servers.nic`; these do: {', '.join(fits) or 'none it knows'}"


def _together(speed: BitsPerSecond, catalog: Catalog) -> str:
    """Say which keys get that speed from several ports of one NIC; empty where none does."""
    for ports in range(2, 5):
        each = BitsPerSecond(speed // ports)
        fits = [
            model.name
            for model in catalog.nics()
            if ports in model.ports and model.runs(ports, each)
        ]
        if fits:
            return (
                f"no port runs {speed}; {ports} do together: `nic_ports: {ports}` with "
                f"`nic_speed: {each}`, in `planes: {ports}` or one, and `nic`: {', '.join(fits)}"
            )
    return ""
