"""Reads the packet memory and cell size of chips from the ASIC catalog, with their source."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from fabricgen.core.record import record
from fabricgen.core.units import Bytes
from fabricgen.model.catalog.files import fact_files

_KEYS = {"packet_buffer", "cell", "source"}


@record(kw_only=True)
class Asic:
    """One chip. `packet_buffer`: usable bytes of a shipped configuration; None if unknown.

    `voq`: packets wait in virtual output queues, not in a memory that all ports share.
    `from_site`: source of the figures that the site adds to a chip of the catalog.
    """

    name: str
    packet_buffer: Bytes | None
    cell: Bytes | None
    source: str
    voq: bool = False
    from_site: str = ""


@cache
def asic(name: str) -> Asic | None:
    """Return the chip of that name; None if it is not in the catalog."""
    facts = _all().get(name)
    return None if facts is None else read_asic(name, facts)


def read_asic(name: str, facts: Mapping[str, Any]) -> Asic:
    """Read one chip from the facts in its file."""
    buffer, cell = facts["packet_buffer"], facts["cell"]
    return Asic(
        name=name,
        packet_buffer=None if buffer is None else Bytes(buffer),
        cell=None if cell is None else Bytes(cell),
        source=str(facts["source"]),
        voq=bool(facts.get("voq", False)),
    )


def asic_names() -> tuple[str, ...]:
    """Return the name of every chip in the catalog."""
    return tuple(_all())


@cache
def _all() -> dict[str, dict[str, Any]]:
    known: dict[str, dict[str, Any]] = {}
    for file in fact_files("asics.yaml"):
        for name, facts in file.read().items():
            if name in known:
                raise file.refused(f"ASIC {name} is already in the catalog")
            if not facts.keys() >= _KEYS:
                raise file.refused(f"{name} needs {', '.join(sorted(_KEYS - facts.keys()))}")
            known[name] = facts
    return known
