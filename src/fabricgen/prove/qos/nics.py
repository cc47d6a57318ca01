"""Compares the QoS of a leaf port, read from its file, with the contract of its NIC.

The contract comes from the model, and the files of servers are made from it. The port's side comes
from its file, in the terms of the contract.
"""

from typing import cast

from fabricgen.core.provenance import Provenance
from fabricgen.core.units import Meters
from fabricgen.model.fabric.hosts import HostContract, LeafSide, agree
from fabricgen.model.fabric.port_qos import PortQos
from fabricgen.model.fabric.qos import Kind, Qos, TrafficClass

_HERE = "as its NIC sees it"
_READ = Provenance((), "read back from a rendered file")


def disagreements(told: HostContract, port: PortQos, length: Meters) -> list[str]:
    """Compare DSCPs, priorities, pauses, CNPs, ECN, MTU and cable of the two ends."""
    if None in port.classes or port.mtu is None:
        return []  # a fault of the port
    dscps = {Kind.LOSSLESS: told.dscp}
    if told.storage is not None:
        dscps[Kind.STORAGE] = told.storage.dscp
    marked = frozenset(
        kind for kind, dscp in dscps.items() if port.queue(port.classes[dscp]) in port.marks
    )
    return agree(
        told,
        LeafSide(where=_HERE, qos=_as_read(told, port), marked=marked, mtu=port.mtu, length=length),
    )


def _as_read(told: HostContract, port: PortQos) -> Qos:
    """Return the classes of the file; bands without a number use the NIC's."""
    classes = cast("tuple[int, ...]", port.classes)
    items = []
    for number in sorted(set(classes)):
        paused = port.stopped_by(port.queue(number))
        dscps = tuple(dscp for dscp, own in enumerate(classes) if own == number)
        kind = Kind.BEST_EFFORT if paused is None else Kind.LOSSLESS
        shown = number if port.numbered else told.priorities[dscps[0]]
        items.append(TrafficClass(kind=kind, number=shown, dscps=dscps, paused=paused))
    return Qos(profile="read back", source="", classes=tuple(items), watchdog=None, because=_READ)
