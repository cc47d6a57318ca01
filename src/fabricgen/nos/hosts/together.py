"""A site in; where two networks of one kind of servers want what a host has but once to differ.

NCCL has one file for all NICs, and nicctl sets all of AMD's at once; all else is told each NIC.
"""

from collections.abc import Iterator
from itertools import combinations

from fabricgen.core.diagnostics import Code, Diagnostic, IntentPath
from fabricgen.core.record import record
from fabricgen.model.fabric.hosts import HostContract, HostPlan, contract_of
from fabricgen.model.fabric.switch import Site

AT_ONCE = {"pollara": "nicctl"}
"""Families whose tool sets all NICs of a host alike (AMD's guide to SGLang with MoRI)."""


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
                "the same `nic`, `roce` and `load_balancing` for both",
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
            f"{AT_ONCE[one.family]} sets all NICs of a host alike, and the classes of "
            f"{other.fabric} are not those of {one.fabric}",
            other.plan.keys["nic"],
            "the same `roce` for both, or NICs of another maker for one",
        )


def _told(of: HostContract) -> tuple[object, ...]:
    """Return what is set for all NICs: not the MTU, nor the cable, which each has for itself."""
    return (of.priorities, of.paused, of.cnp_dscp, of.cnp_priority, of.shares, of.storage)


def _gap(message: str, path: IntentPath, hint: str) -> Diagnostic:
    return Diagnostic(Code.UNSUPPORTED, message, path=path, hint=hint)
