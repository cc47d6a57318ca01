"""The device type of an inventory in; the model of the catalog that it is, out.

NetBox's types are those of netbox-community/devicetype-library mostly: `DCS-7060X6-64PE-F` with the
slug `arista-dcs-7060x6-64pe-f` is the catalog's 7060X6-64PE.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import Code, Diagnostic, Severity, did_you_mean_model
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from fabricgen.importer.inventory.model import Device
    from fabricgen.model.catalog.catalog import Catalog

_BESIDE = frozenset(("dcs", "f", "r", "ac", "dc", "o"))
"""What stands in a part number beside the model: Arista's family, airflow, power, cages of OSFP."""


@lru_cache(maxsize=1024)
def model_of(catalog: Catalog, *words: str | None) -> str | None:
    """Return the catalog's name for a device type or its slug; None where it has none."""
    for word in filter(None, words):
        said = _parts(word)
        for name in catalog.switch_names():
            model = catalog.switch(name)
            maker = set(_parts(model.vendor)) if model is not None else set()
            if _is(said, _parts(name), maker | {"mellanox"}):
                return name
    return None


def _parts(word: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", word.lower())


def _is(said: list[str], name: list[str], maker: set[str]) -> bool:
    """Tell whether a type is a model: its parts in order, and beside them nothing that matters."""
    for first in range(len(said) - len(name) + 1):
        last = first + len(name)
        if said[first:last] == name:
            return set(said[:first] + said[last:]) <= _BESIDE | maker
    return False


def unknown_models(devices: Iterable[Device], catalog: Catalog) -> Iterator[Diagnostic]:
    """Say which device types of these devices no model of the catalog is, each of them once."""
    sorts: dict[str, list[Device]] = {}
    for device in devices:
        if device.kind is not None and device.model is None:
            sorts.setdefault(device.kind, []).append(device)
    for kind, own in sorts.items():
        hint = did_you_mean_model(kind.upper().removeprefix("DCS-"), catalog.switch_names())
        yield Diagnostic(
            Code.INVENTORY_MODEL,
            f"no model of the catalog is the device type {kind!r} "
            f"({counted(len(own), 'device')}, first {own[0].name})",
            severity=Severity.WARNING,
            position=own[0].place,
            hint=f"{hint} `fabricgen catalog` lists all; a site may bring its own",
        )
