"""Finds the InfiniBand switch with ports of a given speed, which is counted but not configured."""

from collections.abc import Mapping
from functools import cache
from typing import Any

from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.files import fact_files
from fabricgen.model.catalog.switches import SwitchModel, read_switch


def infiniband(speed: BitsPerSecond) -> SwitchModel | None:
    """Return the model with ports of that speed; None if there is none."""
    return next((model for model in infiniband_models() if model.has_speed(speed)), None)


@cache
def infiniband_models() -> tuple[SwitchModel, ...]:
    """Return every known InfiniBand switch."""
    rows = (item for file in fact_files("infiniband.yaml") for item in file.read().items())
    return tuple(_model(name, facts) for name, facts in rows)


def _model(name: str, facts: Mapping[str, Any]) -> SwitchModel:
    """Read a model without a platform: the design needs only its cages."""
    count, _, speed = facts["mode"].partition("x")
    mode = {f"{count}x{speed}": facts["lanes"] // int(count)}
    row = {"first": 1, "last": facts["cages"], "lanes": facts["lanes"], "form": facts["form"]}
    words = {key: facts[key] for key in ("vendor", "asic", "rack_units", "source")}
    platforms: dict[str, Any] = {"linux": {}}
    return read_switch(
        {"model": name, **words, "cages": [{**row, "modes": mode}], "platforms": platforms}, None
    )
