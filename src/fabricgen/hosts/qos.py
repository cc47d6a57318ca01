"""The contract of a fabric's servers in; the numbers and lists that NIC tools are given out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.fabric.because import Because
from fabricgen.fabric.hosts import PRIORITIES
from fabricgen.hosts.view import Nccl, Qos
from fabricgen.units import spans

if TYPE_CHECKING:
    from collections.abc import Iterable

    from fabricgen.fabric.hosts import HostContract
    from fabricgen.hosts.slices import HostShare

_ROCE = Because(("backend.roce", "backend.servers.nic"), "the NIC agrees with the leafs on RoCE")
_NCCL = Because(
    ("backend.servers.nic", "backend.roce.dscp"),
    "NCCL is given exactly the NICs of the rails, and the DSCP it sends with",
)


def qos(share: HostShare) -> Qos | None:
    """Return the RoCE settings of every NIC; None where there is no class for RoCE."""
    told = share.contract
    if told is None:
        return None
    pairs = ((told.dscp, told.priority), (told.cnp_dscp, told.cnp_priority))
    used = {dscp for dscp, _ in pairs}
    return Qos(
        model=share.model.name,
        dscp=told.dscp,
        priority=told.priority,
        cnp_dscp=told.cnp_dscp,
        cnp_priority=told.cnp_priority,
        pfc=",".join(map(str, told.pfc_mask)),
        no_drop=(no_drop := ",".join(map(str, told.paused))),
        paused=no_drop or "nothing",
        bitmap=f"0x{sum(1 << priority for priority in told.paused):x}",
        ecn=int(told.ecn),
        dcqcn="Enabled" if told.ecn else "Disabled",
        traffic_class=told.traffic_class,
        length=int(told.length),
        table=tuple(_by_priority(told)),
        map=" ".join(f"{code}:{number}" for code, number in enumerate(told.priorities) if number),
        dscps=" ".join(f"{dscp}:{priority}" for dscp, priority in sorted(pairs)),
        others=spans(code for code in range(64) if code not in used),
        share=told.shares[0],
        rest=told.shares[1],
        tcs_three=_traffic_classes({told.priority: 1, told.cnp_priority: 2}),
        tcs_two=_traffic_classes({told.priority: 1}),
        pauses=" ".join(["all:off", *(f"{priority}:on" for priority in told.paused)]),
        idle=tuple(priority for priority in PRIORITIES if priority not in told.paused),
        because=_ROCE,
    )


def nccl(share: HostShare) -> Nccl:
    """Return NCCL's environment.

    The equal sign in front of the list asks for exactly these names (NCCL_IB_HCA in NCCL's guide).
    More queue pairs than one only help where ECMP has a choice: without spines there is none.
    """
    devices = ",".join(f"{plan.nic.name}:1" for plan in share.rails)
    return Nccl(
        devices=f"={devices}",
        gid_index=share.model.gid_index,
        queue_pairs=share.model.queue_pairs if share.spines else 1,
        pool=str(share.pool),
        traffic_class=share.contract.traffic_class if share.contract is not None else None,
        because=_NCCL,
    )


def _by_priority(told: HostContract) -> Iterable[tuple[int, str]]:
    """Yield each priority but 0 with its DSCPs, as a pattern of the shell's `case`."""
    for priority in sorted(set(told.priorities) - {0}):
        codes = (code for code, number in enumerate(told.priorities) if number == priority)
        yield priority, "|".join(map(str, codes))


def _traffic_classes(wanted: dict[int, int]) -> str:
    return " ".join(f"{priority}:{wanted.get(priority, 0)}" for priority in PRIORITIES)
