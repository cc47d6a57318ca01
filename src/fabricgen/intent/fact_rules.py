"""Finds contradictions between the hardware facts of one switch."""

from collections.abc import Iterator, Mapping
from typing import Any

from fabricgen.core.diagnostics import IntentPath
from fabricgen.model.catalog.cages import Cage, read_cages
from fabricgen.model.catalog.switches import SwitchModel

Said = Iterator[tuple["IntentPath", str]]
"""A place in the file, and what is wrong there."""


def contradictions(data: Mapping[str, Any], known: SwitchModel | None) -> Said:
    """Yield everything. known: the model that platforms are added to."""
    yield from _watts(data.get("watts"))
    wrong = [] if known is not None else list(_faceplate(data["cages"]))
    yield from wrong
    sonic = data["platforms"].get("sonic")
    if wrong or not sonic or "unsupported" in sonic:
        return
    rows = known.cages if known is not None else read_cages(data["cages"])
    cages = {cage.number: cage for cage in rows}
    yield from _port_map(sonic["ports"], cages)
    for name, sku in sonic["skus"].items():
        here: IntentPath = ("platforms", "sonic", "skus", name)
        yield from _layout(sku["layout"], cages, (*here, "layout"))
        for index, target in enumerate(sku.get("targets", ())):
            if "layout" in target:
                yield from _layout(target["layout"], cages, (*here, "targets", index, "layout"))


def _faceplate(rows: list[Mapping[str, Any]]) -> Said:
    """Cages count from 1 without a gap, and a mode takes no more lanes than a cage has."""
    following = 1
    for index, row in enumerate(rows):
        here: IntentPath = ("cages", index)
        if row["first"] != following:
            yield (*here, "first"), f"the next cage is {following}, not {row['first']}"
        if row["last"] < row["first"]:
            yield (*here, "last"), f"the last cage, {row['last']}, is below the first"
        following = max(row["last"], row["first"]) + 1
        for mode, lanes in row["modes"].items():
            taken = int(mode.partition("x")[0]) * lanes
            if taken > row["lanes"]:
                told = f"{mode} with {lanes} lanes each takes {taken}; the cage has {row['lanes']}"
                yield (*here, "modes", mode), told


def _watts(said: Mapping[str, Any] | None) -> Said:
    """A switch draws at least what is typical, and watts without a number are none."""
    typical, maximum = (said or {}).get("typical"), (said or {}).get("maximum")
    if said is not None and typical is None and maximum is None:
        yield ("watts",), "neither `typical` nor `maximum`: leave the watts out"
    if typical and maximum and maximum < typical:
        yield ("watts", "maximum"), f"{maximum} W at most, but {typical} W are typical"


def _port_map(rows: Mapping[str, Any], cages: Mapping[int, Cage]) -> Said:
    """Every cage has a row, with as many lanes as it has; no name and no lane stands twice.

    Lanes of service cages are not compared: makers' own files of Trident3 give one of them lane
    128, which the last cage has as well (Arista-7050CX3-32S and DellEMC-S5232f, port_config.ini).
    """
    here: IntentPath = ("platforms", "sonic", "ports")
    lacking = [number for number in cages if str(number) not in rows]
    if lacking:
        yield here, f"cage {lacking[0]} has no row, nor have {len(lacking) - 1} more"
    names: dict[str, str] = {}
    used: dict[str, str] = {}
    for number, (name, _, _, lanes) in rows.items():
        cage, split = cages.get(int(number)), lanes.split(",")
        if cage is None:
            yield (*here, number), f"there is no cage {number}"
        elif len(split) != cage.lanes:
            yield (*here, number), f"{len(split)} lanes; the cage has {cage.lanes}"
        if name in names:
            yield (*here, number), f"{name} is cage {names[name]} already"
        names.setdefault(name, number)
        for lane in split if cage is not None and not cage.service else ():
            if lane in used:
                yield (*here, number), f"lane {lane} is of cage {used[lane]} already"
            used.setdefault(lane, number)


def _layout(rows: Mapping[str, str], cages: Mapping[int, Cage], here: IntentPath) -> Said:
    """A hwsku has a mode for every cage, which that cage has."""
    covered: set[int] = set()
    for span, text in rows.items():
        first, _, last = span.partition("-")
        numbers = range(int(first), int(last or first) + 1)
        absent = [n for n in numbers if n not in cages or not _has(cages[n], text)]
        if absent:
            yield (*here, span), f"cage {absent[0]} has no mode {text}"
        covered |= set(numbers)
    if lacking := [number for number in cages if number not in covered]:
        yield here, f"cage {lacking[0]} has no mode, nor have {len(lacking) - 1} more"


def _has(cage: Cage, text: str) -> bool:
    return any(f"{mode.count}x{mode.speed}" == text for mode in cage.modes)
