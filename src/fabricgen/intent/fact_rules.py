"""Finds contradictions between the hardware facts of one switch."""

from collections.abc import Iterator, Mapping
from typing import Any

from fabricgen.core.diagnostics import IntentPath
from fabricgen.model.catalog.cages import Cage, read_cages
from fabricgen.model.catalog.switches import SwitchModel

Said = Iterator[tuple["IntentPath", str]]
"""A place in the file, and the error there."""


def contradictions(data: Mapping[str, Any], known: SwitchModel | None) -> Said:
    """Yield all contradictions. `known`: the model that the file adds facts to."""
    yield from _watts(data.get("watts"))
    wrong = [] if known is not None else list(_faceplate(data["cages"]))
    yield from wrong
    sonic = data.get("platforms", {}).get("sonic")
    if wrong or not sonic or "ports" not in sonic:
        return
    rows = known.cages if known is not None else read_cages(data["cages"])
    cages = {cage.number: cage for cage in rows}
    yield from _port_map(sonic["ports"], cages)
    for name, sku in sonic["skus"].items():
        here: IntentPath = ("platforms", "sonic", "skus", name)
        yield from layout_faults(sku["layout"], cages, (*here, "layout"))
        for index, target in enumerate(sku.get("targets", ())):
            if "layout" in target:
                there: IntentPath = (*here, "targets", index, "layout")
                yield from layout_faults(target["layout"], cages, there)


def _faceplate(rows: list[Mapping[str, Any]]) -> Said:
    """Check that cages count from 1 without a gap and have enough lanes for each mode."""
    following = 1
    for index, row in enumerate(rows):
        here: IntentPath = ("cages", index)
        if row["first"] != following:
            yield (*here, "first"), f"cage {following} must be next, not {row['first']}"
        if row["last"] < row["first"]:
            yield (*here, "last"), f"the last cage, {row['last']}, is below the first"
        following = max(row["last"], row["first"]) + 1
        for mode, lanes in row["modes"].items():
            taken = int(mode.partition("x")[0]) * lanes
            if taken > row["lanes"]:
                told = (
                    f"{mode} with {lanes} lanes each needs {taken}, but the cage has {row['lanes']}"
                )
                yield (*here, "modes", mode), told


def _watts(said: Mapping[str, Any] | None) -> Said:
    """Check that maximum watts reach typical watts, and that a value exists."""
    typical, maximum = (said or {}).get("typical"), (said or {}).get("maximum")
    if said is not None and typical is None and maximum is None:
        yield ("watts",), "neither `typical` nor `maximum` has a value; add one or remove `watts`"
    if typical and maximum and maximum < typical:
        yield ("watts", "maximum"), f"maximum {maximum} W is below typical {typical} W"


def _port_map(rows: Mapping[str, Any], cages: Mapping[int, Cage]) -> Said:
    """Check that every cage has one row with its lanes, and that no name or lane repeats.

    Lanes of service cages are not compared: vendor files of Trident3 give one of them lane 128,
    which the last cage has as well (Arista-7050CX3-32S and DellEMC-S5232f, port_config.ini).
    """
    here: IntentPath = ("platforms", "sonic", "ports")
    lacking = [number for number in cages if str(number) not in rows]
    if lacking:
        yield here, f"rows are missing for cage {lacking[0]} and {len(lacking) - 1} more"
    names: dict[str, str] = {}
    used: dict[str, str] = {}
    for number, (name, _, _, lanes) in rows.items():
        cage, split = cages.get(int(number)), lanes.split(",")
        if cage is None:
            yield (*here, number), f"cage {number} does not exist"
        elif len(split) != cage.lanes:
            yield (*here, number), f"the row has {len(split)} lanes, but the cage has {cage.lanes}"
        if name in names:
            yield (*here, number), f"{name} is already the name of cage {names[name]}"
        names.setdefault(name, number)
        for lane in split if cage is not None and not cage.service else ():
            if lane in used:
                yield (*here, number), f"lane {lane} already belongs to cage {used[lane]}"
            used.setdefault(lane, number)


def layout_faults(rows: Mapping[str, str], cages: Mapping[int, Cage], here: IntentPath) -> Said:
    """Check that a hwsku has a valid mode for every cage."""
    covered: set[int] = set()
    for span, text in rows.items():
        first, _, last = span.partition("-")
        numbers = range(int(first), int(last or first) + 1)
        absent = [n for n in numbers if n not in cages or not _has(cages[n], text)]
        if absent:
            yield (*here, span), f"cage {absent[0]} does not support mode {text}"
        covered |= set(numbers)
    if lacking := [number for number in cages if number not in covered]:
        yield here, f"modes are missing for cage {lacking[0]} and {len(lacking) - 1} more"


def _has(cage: Cage, text: str) -> bool:
    return any(f"{mode.count}x{mode.speed}" == text for mode in cage.modes)
