"""What the templates of external peers may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabricgen.fabric.because import Because


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PrefixList:
    """A prefix list of one direction; `says` are its entries, one a line."""

    because: Because
    name: str
    says: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RouteMap:
    """The route map of one direction; it matches the prefix list of its own name."""

    because: Because
    name: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class External:
    """Policy of all external peers of a switch: incoming before outgoing, each by name."""

    lists: tuple[PrefixList, ...]
    maps: tuple[RouteMap, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False, kw_only=True)
class ExternalNeighbor:
    """A BGP neighbour in a VRF; `inward` and `outward` name its route maps."""

    because: Because
    address: str
    asn: int
    description: str
    bfd: bool
    inward: str
    outward: str
