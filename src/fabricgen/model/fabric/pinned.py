"""Defines the overridden route distinguisher and route targets of an EVPN instance."""

from typing import Protocol

from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip


@record(kw_only=True)
class Pinned:
    """rd: whole, or the number beside each leaf's loopback. imports, exports: empty if computed."""

    rd: str | int | None = None
    imports: tuple[str, ...] = ()
    exports: tuple[str, ...] = ()


AS_COMPUTED = Pinned()


class Targeted(Protocol):
    """What has route targets: made from its VNI, or pinned."""

    @property
    def vni(self) -> int | None:
        """Its VNI."""

    @property
    def pinned(self) -> Pinned:
        """What is not made."""


class Instance(Targeted, Protocol):
    """A VLAN, a bundle of VLANs or a VRF, as EVPN tells it from others."""

    @property
    def number(self) -> int:
        """The second half of its route distinguisher."""


def route_distinguisher(loopback: Ip, instance: Instance) -> str:
    """Return the RD of an instance: as pinned, or loopback:number (RFC 4364 type 1).

    The second half has 16 bits, too few for a VNI; a VLAN id always fits and is unique on a leaf.
    """
    return whole_of(instance) or f"{loopback.host}:{half_of(instance)}"


def whole_of(instance: Instance) -> str | None:
    """Return an RD that is the same on every leaf, as people pinned it."""
    rd = instance.pinned.rd
    return rd if isinstance(rd, str) else None


def half_of(instance: Instance) -> int:
    """Return what stands beside the leaf's loopback in an RD that has it."""
    rd = instance.pinned.rd
    return rd if isinstance(rd, int) else instance.number
