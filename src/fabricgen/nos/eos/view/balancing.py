"""What the templates of load balancing may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from fabricgen.fabric.because import Because


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PayloadHash:
    """Bytes behind the UDP header that the hash takes in, by their offset from that header."""

    shared: ClassVar[bool] = True
    because: Because
    offsets: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Dynamic:
    """How equal paths are chosen, where it is not by a hash."""

    shared: ClassVar[bool] = True
    because: Because
    distribution: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Balancing:
    """How equal paths are chosen; what is left to EOS is None."""

    payload: PayloadHash | None
    dynamic: Dynamic | None
