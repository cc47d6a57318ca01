"""Read the SONiC facts of a switch model from the catalog into `SonicFacts`."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.memory import layout_of
from fabricgen.model.catalog.skus import Sku, choose, nearest
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.interface import Use
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.model.fabric.topology import Port


@record(kw_only=True)
class NativePort:
    """A cage as port_config.ini of the hwsku has it."""

    name: str
    alias: str
    index: int
    lanes: tuple[str, ...]


@record(eq=False, kw_only=True)
class SonicFacts:
    """SONiC's facts of one switch model, for any hwsku.

    Attributes:
        dynamic: Whether the switch computes pools and headroom itself (buffermgrdyn).
        nvidia: Whether the ASIC's templates map PFC priorities to priority groups.
    """

    platform: str
    dynamic: bool
    nvidia: bool
    name_step: int
    ports: Mapping[int, NativePort]


def why_not(model: SwitchModel) -> str | None:
    """Return why SONiC does not support this model, or None."""
    if "sonic" not in model.platforms:
        return f"the catalog has no SONiC facts of {model}"
    reason = model.platforms["sonic"].get("unsupported")
    return None if reason is None else str(reason)


@lru_cache(maxsize=64)
def sonic_facts(model: SwitchModel) -> SonicFacts:
    """Return the facts of a model that `why_not` accepts."""
    raw = model.platforms["sonic"]
    return SonicFacts(
        platform=raw["platform"],
        dynamic=raw["buffer_model"] == "dynamic",
        nvidia=model.vendor == "NVIDIA",
        name_step=raw["name_step"],
        ports={int(cage): _native(row) for cage, row in raw["ports"].items()},
    )


def lossless_speeds(switch_slice: SwitchSlice) -> frozenset[BitsPerSecond]:
    """Return the speeds at which a switch pauses, of its full layout, if its memory is known."""
    if switch_slice.qos is None or not switch_slice.qos.lossless:
        return frozenset()
    if switch_slice.buffers is not None:
        return frozenset(kind.speed for kind, _ in switch_slice.buffers.ports)
    return frozenset(
        item.port.speed for item in switch_slice.interfaces if item.use is not Use.UNUSED
    )


def sku_of(switch_slice: SwitchSlice) -> Sku:
    """Return the hwsku with a switch's ports, else the nearest one, which gaps() reports."""
    return _sku(switch_slice.switch.model, switch_slice.switch.ports, lossless_speeds(switch_slice))


@lru_cache(maxsize=256)
def _sku(model: SwitchModel, ports: tuple[Port, ...], lossless: frozenset[BitsPerSecond]) -> Sku:
    skus, layout = model.eligible("sonic"), layout_of(ports)
    return choose(skus, layout, lossless) or nearest(skus, layout)[0]


def _native(row: list[Any]) -> NativePort:
    name, alias, index, lanes = row
    return NativePort(name=name, alias=alias, index=index, lanes=tuple(lanes.split(",")))
