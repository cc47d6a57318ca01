"""Defines the overridden route distinguisher and route targets of an EVPN instance."""

from typing import Protocol

from fabricgen.core.record import record
from fabricgen.model.fabric.addressing import Ip


@record(kw_only=True)
class Pinned:
    """`rd`: complete, or the part after the loopback. `imports`, `exports`: empty if computed."""

    rd: str | int | None = None
    imports: tuple[str, ...] = ()
    exports: tuple[str, ...] = ()


AS_COMPUTED = Pinned()


class Targeted(Protocol):
    """Object with route targets, computed from its VNI or overridden."""

    @property
    def vni(self) -> int | None:
        """Its VNI."""

    @property
    def pinned(self) -> Pinned:
        """The overrides."""


class Instance(Targeted, Protocol):
    """A VLAN, a VLAN-aware bundle or a VRF, as one EVPN instance."""

    @property
    def number(self) -> int:
        """The second half of its route distinguisher."""


def route_distinguisher(loopback: Ip, instance: Instance) -> str:
    """Return the RD of an instance: overridden, or loopback:number (RFC 4364 type 1).

    The second half has 16 bits, too few for a VNI; a VLAN id always fits and is unique on a leaf.
    """
    return whole_of(instance) or f"{loopback.host}:{half_of(instance)}"


def whole_of(instance: Instance) -> str | None:
    """Return an overridden RD that is the same on every leaf."""
    rd = instance.pinned.rd
    return rd if isinstance(rd, str) else None


def half_of(instance: Instance) -> int:
    """Return the half after the leaf's loopback in an RD that has it."""
    rd = instance.pinned.rd
    return rd if isinstance(rd, int) else instance.number
