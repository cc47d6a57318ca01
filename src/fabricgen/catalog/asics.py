"""The ASIC catalog: a chip's name in, its packet memory and cell size out, with their source."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from fabricgen.units import Bytes

_FILE = Path(__file__).parent / "data" / "asics.yaml"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asic:
    """One chip. packet_buffer: what a shipped configuration may use; None where none is known."""

    name: str
    packet_buffer: Bytes | None
    cell: Bytes | None
    source: str


@cache
def asic(name: str) -> Asic | None:
    """Return the chip of that name, or None when the catalog does not have it."""
    facts = _all().get(name)
    if facts is None:
        return None
    buffer, cell = facts["packet_buffer"], facts["cell"]
    return Asic(
        name=name,
        packet_buffer=None if buffer is None else Bytes(buffer),
        cell=None if cell is None else Bytes(cell),
        source=str(facts["source"]),
    )


@cache
def _all() -> dict[str, dict[str, Any]]:
    loaded: dict[str, dict[str, Any]] = yaml.load(_FILE.read_text(), Loader=_LOADER)  # noqa: S506 - SafeLoader
    return loaded
