"""The SONiC facts of a switch model, typed: the catalog's raw mapping in, `SonicFacts` out."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from fabricgen.catalog.switches import switch_model
from fabricgen.record import record
from fabricgen.units import Bytes

if TYPE_CHECKING:
    from collections.abc import Mapping

    from fabricgen.lossless.rows import PortHeadroom, Row
    from fabricgen.units import BitsPerSecond, Metres


@record(kw_only=True)
class NativePort:
    """A cage as port_config.ini of the hwsku has it."""

    name: str
    alias: str
    index: int
    lanes: tuple[str, ...]


@record(eq=False, kw_only=True)
class SonicFacts:
    """What SONiC knows of one switch model.

    dynamic: the switch computes pools and headroom itself (buffermgrdyn). nvidia: the ASIC family
    whose templates have a map from PFC priority to priority group. pools, profiles: as shipped.
    """

    hwsku: str
    platform: str
    dynamic: bool
    nvidia: bool
    name_step: int
    ports: Mapping[int, NativePort]
    pools: Mapping[str, Mapping[str, int | str]]
    profiles: Mapping[str, Mapping[str, int | str]]
    headroom: tuple[Row, ...]

    def headroom_for(
        self, speed: BitsPerSecond, length: Metres, planned: PortHeadroom | None
    ) -> Row | None:
        """Return the row of that speed with the shortest cable that is long enough.

        Where none is, the planned headroom stands in a row made after the longest of that speed.
        """
        mine = [row for row in self.headroom if row.speed == speed]
        fits = [row for row in mine if row.length >= length]
        if fits or not mine or planned is None:
            return min(fits, key=lambda row: row.length, default=None)
        longest = max(mine, key=lambda row: row.length)
        more = planned.headroom - longest.headroom if longest.below_pause else 0
        size = Bytes(longest.size + more)
        return replace(longest, length=length, headroom=planned.headroom, size=size)


def why_not(model: str) -> str | None:
    """Return the sentence why SONiC cannot be configured on this model, if there is one."""
    known = switch_model(model)
    if known is None or "sonic" not in known.platforms:
        return f"the catalog has no SONiC facts of {model}"
    reason = known.platforms["sonic"].get("unsupported")
    return None if reason is None else str(reason)


@lru_cache(maxsize=64)
def sonic_facts(model: str) -> SonicFacts:
    """Return the facts of a model that `why_not` has no word against."""
    known = switch_model(model)
    assert known is not None
    raw = known.platforms["sonic"]
    return SonicFacts(
        hwsku=raw["hwsku"],
        platform=raw["platform"],
        dynamic=raw["buffer_model"] == "dynamic",
        nvidia=known.vendor == "NVIDIA",
        name_step=raw["name_step"],
        ports={cage: _native(row) for cage, row in raw["ports"].items()},
        pools={name: row for name, row in raw.get("pools", {}).items() if name != "source"},
        profiles=raw.get("profiles", {}),
        headroom=known.headroom_rows,
    )


def _native(row: list[Any]) -> NativePort:
    name, alias, index, lanes = row
    return NativePort(name=name, alias=alias, index=index, lanes=tuple(lanes.split(",")))
