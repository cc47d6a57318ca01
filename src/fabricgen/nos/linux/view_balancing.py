"""What the template of equal paths may see."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

if TYPE_CHECKING:
    from fabricgen.fabric.because import Because


@dataclass(frozen=True, slots=True, eq=False)
class Multipath:
    """How the kernel chooses: its settings, one a line."""

    shared: ClassVar[bool] = True
    settings: tuple[str, ...]
    because: Because
