"""Lower the contract of a fabric's servers to the QoS settings of NIC tools and NCCL."""

from collections.abc import Iterable, Sequence

from fabricgen.core.units import spans
from fabricgen.model.fabric.hosts import PRIORITIES, HostContract
from fabricgen.nos.hosts.routed import RoutedShare
from fabricgen.nos.hosts.view import Nccl, Qos

CNP_GIGABITS = 10  # of the strict queue for CNPs in AMD's guide to SGLang with MoRI
# mlx5's traffic_class file puts its byte on every connection and overrides the program; below zero
# it does not (NVIDIA's mlx5_ib, tclass_get_tclass_locked, traffic_class_store).
NOT_FORCED = -1
# Names in `nicctl show dcqcn` of options of `nicctl update dcqcn` (the guide to SGLang with MoRI).
SHOWN = {
    "token-bucket-size": "Token bucket size",
    "ai-rate": "Rate increase in AI phase",
    "alpha-update-interval": "Alpha update interval",
    "alpha-update-g": "Alpha update G value",
    "initial-alpha-value": "Initial alpha value",
    "rate-increase-byte-count": "Rate increase byte count",
    "hai-rate": "Rate increase in HAI phase",
    "rate-reduce-monitor-period": "Rate reduce monitor period",
    "rate-increase-threshold": "Rate increase threshold",
    "rate-increase-interval": "Rate increase interval",
}
_MODEL = ("servers", "nic")


def qos(share: RoutedShare) -> Qos | None:
    """Return the RoCE settings of every NIC; None without a class for RoCE."""
    told, model = share.contract, share.model
    if told is None or model is None:
        return None
    pairs = [(told.dscp, told.priority), (told.cnp_dscp, told.cnp_priority)]
    reactions = [(told.priority, int(told.ecn))]
    if told.storage is not None:
        pairs.append((told.storage.dscp, told.storage.priority))
        reactions.append((told.storage.priority, int(told.storage.ecn)))
    used = {dscp for dscp, _ in pairs}
    react = any(ecn for _, ecn in reactions)
    lanes = [number for number, _ in reactions]
    ets = dict(zip((*lanes, 0), told.shares, strict=True))
    return Qos(
        contract=told,
        model=model.name,
        pfc=",".join(map(str, told.pfc_mask)),
        paused=",".join(map(str, told.paused)) or "nothing",
        bitmap=f"0x{sum(1 << priority for priority in told.paused):x}",
        ecn=int(react),
        reactions=tuple(reactions),
        dcqcn="Enabled" if react else "Disabled",
        rates=tuple((name, SHOWN[name], value) for name, value in model.rates.items()),
        forced=told.traffic_class if told.storage is None else NOT_FORCED,
        length=int(told.length),
        table=tuple(_by_priority(told)),
        map=" ".join(f"{code}:{number}" for code, number in enumerate(told.priorities) if number),
        dscps=" ".join(f"{dscp}:{priority}" for dscp, priority in sorted(pairs)),
        others=spans(code for code in range(64) if code not in used),
        share=told.shares[0],
        rest=told.shares[-1],
        lanes=_commas(*lanes, 0, told.cnp_priority),
        weights=_commas(*told.shares, 0),
        limits=_commas(*(0 for _ in told.shares), CNP_GIGABITS),
        kinds=",".join("ets" if number in ets else "strict" for number in PRIORITIES),
        percents=_commas(*(ets.get(number, 0) for number in PRIORITIES)),
        scheduler=_scheduler(ets),
        tcs_three=_traffic_classes({told.priority: 1, told.cnp_priority: 2}),
        tcs_two=_traffic_classes({told.priority: 1}),
        pauses=" ".join(["all:off", *(f"{priority}:on" for priority in told.paused)]),
        idle=tuple(priority for priority in PRIORITIES if priority not in told.paused),
        because=share.because("the NIC agrees with the leafs on RoCE", ("roce",), _MODEL),
    )


def nccl(rails: Sequence[RoutedShare]) -> Nccl:
    """Return NCCL's environment for rails of one fabric, or of several with equal settings.

    The equal sign before the list selects exactly these names (NCCL_IB_HCA in NCCL's guide). More
    than one queue pair helps only if ECMP has a choice, which needs spines. NCCL sends data that
    may arrive out of order apart from the notice of its arrival. On RoCE that needs a setting
    (NVIDIA/nccl src/transport/net_ib.cc@02aedae0, `ar`: 1 on InfiniBand alone). A ring that changes
    its NIC from one server to the next needs spines (NCCL_CROSS_NIC in NCCL's guide).
    """
    share = rails[0]
    devices = ",".join(f"{port.nic.name}:1" for each in rails for port in each.ports)
    return Nccl(
        devices=f"={devices}",
        gid_index=share.gid_index,
        queue_pairs=share.plan.queue_pairs if any(each.spines for each in rails) else 1,
        sprayed=share.plan.sprayed,
        railed=len(rails) > 1 or not share.spines,
        pool=" and ".join(str(each.pool) for each in rails),
        traffic_class=share.contract.traffic_class if share.contract is not None else None,
        because=share.because(
            "NCCL uses exactly the NICs of the rails, and their DSCP",
            _MODEL,
            ("roce", "dscp"),
            ("load_balancing",),
        ),
    )


def _by_priority(told: HostContract) -> Iterable[tuple[int, str]]:
    """Yield each priority except 0 with its DSCPs, as a pattern of the shell's `case`."""
    for priority in sorted(set(told.priorities) - {0}):
        codes = (code for code, number in enumerate(told.priorities) if number == priority)
        yield priority, "|".join(map(str, codes))


def _scheduler(ets: dict[int, int]) -> str:
    """Name the scheduling of each priority. `ets`: the percentages of shared classes."""
    kinds = (f"ets:{ets[number]}%" if number in ets else "strict" for number in PRIORITIES)
    return " ".join(f"{number}:{kind}" for number, kind in enumerate(kinds))


def _commas(*numbers: int) -> str:
    return ",".join(map(str, numbers))


def _traffic_classes(wanted: dict[int, int]) -> str:
    return " ".join(f"{priority}:{wanted.get(priority, 0)}" for priority in PRIORITIES)
