"""Defines the QoS contract between a server's NICs and the leafs, derived from the classes."""

from collections.abc import Iterator, Mapping

from fabricgen.core.diagnostics import IntentPath
from fabricgen.core.record import record
from fabricgen.core.units import Meters
from fabricgen.model.catalog.catalog import Catalog
from fabricgen.model.catalog.nics import NicModel
from fabricgen.model.fabric.qos import Kind, Qos, TrafficClass

PRIORITIES = range(8)


@record(eq=False, kw_only=True)
class HostPlan:
    """One set of ports of a server kind: its NICs, and their support of load balancing.

    `nic`: empty if unnecessary. `catalog`: the NICs that its site may name. `ports`: of each NIC.
    `length`: meters of cable to the leaf. `tables`: the number before the first of its routing
    tables. `railed`: the NICs are rails, which NCCL is configured for; the next four values apply
    only then. `queue_pairs`: of each connection, which a hash may spread. `reorders`: the NIC
    reorders packets. `sprayed`: switches spray packets. `spreads`: the NIC sprays packets. `slots`:
    the PCI address of each NIC's first port, in order; empty if the host names its interfaces.
    `servers`, `keys`: places of the servers and of their NIC keys in the intent.
    """

    nic: str
    catalog: Catalog
    ports: int
    length: Meters
    tables: int
    railed: bool
    servers: IntentPath
    keys: Mapping[str, IntentPath]
    queue_pairs: int = 1
    reorders: bool = False
    sprayed: bool = False
    spreads: bool = False
    slots: tuple[str, ...] = ()

    @property
    def model(self) -> NicModel | None:
        """Return the NIC; None if the catalog does not have it."""
        return self.catalog.nic(self.nic) if self.nic else None

    @property
    def known(self) -> bool:
        """Return whether its servers can be configured: the NIC is known, or any NIC works."""
        return not self.nic or self.model is not None


@record()
class StorageSide:
    """Storage class of a NIC if the backend has one; ecn as for RoCE data."""

    dscp: int
    priority: int
    ecn: bool


@record(eq=False, kw_only=True)
class HostContract:
    """RoCE settings of every NIC. `priorities`: the priority of each of the 64 DSCPs.

    `paused`: priorities that PFC pauses. `ecn`: switches mark and NICs react (DCQCN). `length`:
    meters of cable to the leaf. `traffic_class`: the whole byte, DSCP and ECN bits. `shares`:
    percent of the line for RoCE data, storage if it has a class, and the rest. `trimmed`: the DSCP
    of packets that switches trimmed, or None.
    """

    dscp: int
    priority: int
    trust: str
    paused: tuple[int, ...]
    cnp_dscp: int
    cnp_priority: int
    ecn: bool
    mtu: int
    length: Meters
    traffic_class: int
    priorities: tuple[int, ...]
    shares: tuple[int, ...]
    storage: StorageSide | None = None
    trimmed: int | None = None

    @property
    def pfc_mask(self) -> tuple[int, ...]:
        """One 0 or 1 per priority."""
        return tuple(int(priority in self.paused) for priority in PRIORITIES)


@record(eq=False, kw_only=True)
class LeafSide:
    """Leaf settings of one port to a NIC. `marked`: the kinds of classes it marks."""

    where: str
    qos: Qos | None
    marked: frozenset[Kind]
    mtu: int
    length: Meters


def contract_of(qos: Qos | None, mtu: int, plan: HostPlan) -> HostContract | None:
    """Derive the contract of a set of ports.

    Args:
        qos: Traffic classes of the fabric.
        mtu: MTU that the fabric offers to tenants.
        plan: The NICs of the ports.

    Returns:
        None without a class for RoCE, or without a known NIC.
    """
    model = plan.model
    data, cnp = _class(qos, Kind.LOSSLESS), _class(qos, Kind.CNP)
    storage = _class(qos, Kind.STORAGE)
    if qos is None or data is None or cnp is None or model is None:
        return None
    dscp, ecn = data.dscps[0], data.marking is not None
    shares = [item.share or 0 for item in (data, storage) if item is not None]
    return HostContract(
        dscp=dscp,
        priority=data.number,
        trust="dscp",
        paused=qos.paused,
        cnp_dscp=cnp.dscps[0],
        cnp_priority=cnp.number,
        ecn=ecn,
        mtu=min(mtu, model.largest_mtu),
        length=plan.length,
        traffic_class=dscp << 2 | (model.ecn_bits if ecn else 0),
        priorities=tuple(qos.class_of(code).number for code in range(64)),
        shares=(*shares, 100 - sum(shares)),
        storage=_storage_side(storage),
        trimmed=qos.trimmed.dscps[0] if qos.trimmed is not None else None,
    )


def _storage_side(item: TrafficClass | None) -> StorageSide | None:
    if item is None:
        return None
    return StorageSide(item.dscps[0], item.number, item.marking is not None)


def _class(qos: Qos | None, kind: Kind) -> TrafficClass | None:
    return next((item for item in qos.classes if item.kind is kind), None) if qos else None


def agree(contract: HostContract, side: LeafSide) -> list[str]:
    """Return each disagreement of a NIC and its leaf as one sentence."""
    if side.qos is None:
        return [
            f"{side.where} has no traffic classes, the NIC sends RoCE with DSCP {contract.dscp}"
        ]
    return [f"{side.where}: {fault}" for fault in _disagreements(contract, side, side.qos)]


def _disagreements(contract: HostContract, side: LeafSide, qos: Qos) -> Iterator[str]:
    yield from _classes(contract, qos)
    yield from _pauses(contract, qos)
    yield from _marking(contract, side)
    if contract.traffic_class >> 2 != contract.dscp:
        yield f"the traffic class byte {contract.traffic_class} is not DSCP {contract.dscp}"
    if contract.mtu > side.mtu:
        yield f"MTU {side.mtu} is smaller than the NIC's {contract.mtu}"
    if side.length != contract.length:
        yield f"the cable length is {side.length} m, but {contract.length} m on the NIC"


def _classes(contract: HostContract, qos: Qos) -> Iterator[str]:
    told = [
        ("RoCE data", contract.dscp, contract.priority),
        ("CNPs", contract.cnp_dscp, contract.cnp_priority),
    ]
    if contract.storage is not None:
        told.append(("storage", contract.storage.dscp, contract.storage.priority))
    if contract.trimmed is not None:
        priority = contract.priorities[contract.trimmed]
        told.append(("trimmed packets", contract.trimmed, priority))
    for name, dscp, priority in told:
        number = qos.class_of(dscp).number
        if number != priority:
            yield f"{name} (DSCP {dscp}) are in class {number}, but in {priority} on the NIC"
    other = [code for code in range(64) if qos.class_of(code).number != contract.priorities[code]]
    if set(other) - {dscp for _, dscp, _ in told}:
        yield f"DSCP {other[0]} and {len(other) - 1} more have a different class on the NIC"


def _pauses(contract: HostContract, qos: Qos) -> Iterator[str]:
    paused = tuple(sorted(qos.paused))
    if paused != contract.paused:
        yield f"PFC pauses {_listed(paused)}, but {_listed(contract.paused)} on the NIC"
    if contract.cnp_priority in paused:
        yield f"priority {contract.cnp_priority} of CNPs is paused"


def _marking(contract: HostContract, side: LeafSide) -> Iterator[str]:
    reacts = [("", Kind.LOSSLESS, contract.ecn)]
    if contract.storage is not None:
        reacts.append((" of storage", Kind.STORAGE, contract.storage.ecn))
    for name, kind, ecn in reacts:
        if (kind in side.marked) != ecn:
            yield f"ECN marking{name} is {_word(not ecn)}, but DCQCN on the NIC is {_word(ecn)}"


def _listed(priorities: tuple[int, ...]) -> str:
    return "priority " + ", ".join(map(str, priorities)) if priorities else "nothing"


def _word(on: bool) -> str:  # noqa: FBT001 - the one thing it spells
    return "on" if on else "off"
