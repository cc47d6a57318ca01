"""Finds errors in the packet memory that a site adds to a hwsku of the catalog."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from fabricgen.core.diagnostics import Code, IntentPath
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.skus import (
    EGRESS_LOSSLESS,
    EGRESS_LOSSY,
    INGRESS_LOSSY,
    LOSSLESS_POOL,
    own_at,
)
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.catalog.targets import facts_at, known_targets

TOPOLOGIES = ("t0", "t1")


class Wrong(NamedTuple):
    """An error in added facts: its code, its place in the file, and the message."""

    code: Code
    path: IntentPath
    message: str


def figure_faults(
    model: SwitchModel,
    there: Mapping[str, Any],
    own: Mapping[str, Any],
    path: IntentPath,
    *,
    dynamic: bool,
) -> Iterator[Wrong]:
    """Yield the errors in the figures of one hwsku.

    Args:
        model: The model of the catalog.
        there: The catalog's facts of the hwsku.
        own: The site's facts of the hwsku.
        path: Their place in the file.
        dynamic: The switch computes headroom itself.
    """
    targets = own.get("targets", ())
    entries = [(path, own), *(((*path, "targets", n), row) for n, row in enumerate(targets))]
    for here, entry in entries:
        yield from _possible(model, entry, here, dynamic=dynamic)
        first: dict[object, Wrong] = {}
        for each in _against(there, own, entry, here, dynamic=dynamic):
            refused = each.code is Code.FACT_REFUSED
            first.setdefault((each.path, each.message if refused else ""), each)
        yield from first.values()


def adds_figures(there: Mapping[str, Any], own: Mapping[str, Any]) -> bool:
    """Return whether a target lacks a figure that the site brings, or has no lossless memory."""
    for target in known_targets(there.get("topologies", TOPOLOGIES)):
        facts, mine = facts_at(there, target), own_at({**there, "own": own}, target)
        if mine is None:
            continue
        if facts.get("lacks") or any(
            mine.get(key, {}).keys() - facts.get(key, {}).keys() - {"source"}
            for key in ("pools", "profiles")
        ):
            return True
        rows = {tuple(row[:2]) for row in facts.get("headroom", ())}
        if any(tuple(row[:2]) not in rows for row in mine.get("headroom", ())):
            return True
    return False


def _possible(
    model: SwitchModel, entry: Mapping[str, Any], path: IntentPath, *, dynamic: bool
) -> Iterator[Wrong]:
    """Yield figures that the chip or the ports cannot have."""
    chip, speeds = model.chip, set(model.speeds())
    memory = chip.packet_buffer if chip is not None else None
    for name, pool in entry.get("pools", {}).items():
        if name == "source":
            continue
        here = (*path, "pools", name)
        size, room = pool["size"], pool.get("xoff") or 0
        if memory is not None and size > memory:
            told = f"{size:,} bytes exceed the {memory:,} bytes of packet memory of {model.asic}"
            yield Wrong(Code.FACT_REFUSED, (*here, "size"), told)
        if room >= size:
            told = f"headroom of {room:,} bytes must be a part of the {size:,} bytes of the pool"
            yield Wrong(Code.FACT_REFUSED, (*here, "xoff"), told)
    for number, row in enumerate(entry.get("headroom", ())):
        speed = BitsPerSecond(row[0] * 10**6)
        if speed not in speeds:
            told = f"no port of {model} has a speed of {speed}; the first number is Mbit/s"
            yield Wrong(Code.FACT_REFUSED, (*path, "headroom", number), told)
    for key in ("profiles", "headroom") if dynamic else ():
        if entry.get(key):
            told = f"the switch computes its headroom, so `{key}` would have no effect"
            yield Wrong(Code.FACT_REFUSED, (*path, key), told)


def _against(
    there: Mapping[str, Any],
    own: Mapping[str, Any],
    entry: Mapping[str, Any],
    path: IntentPath,
    *,
    dynamic: bool,
) -> Iterator[Wrong]:
    """Yield contradictions to the catalog in the releases and templates of an entry."""
    holds = 0
    for target in known_targets(there.get("topologies", TOPOLOGIES)):
        if not all(
            word in limits.get(key, (word,))
            for limits in (own, entry)
            for key, word in (("releases", target.release), ("topologies", target.topology))
        ):
            continue
        holds += 1
        facts = facts_at(there, target)
        where = f"as {target.topology} in {target.release}"
        yield from _differing(facts, entry, path, where)
        if not dynamic:
            mine = {**own, **entry}
            yield from _unbound(facts, mine, path)
    if not holds:
        yield Wrong(Code.FACT_REFUSED, path, "no release and template of the hwsku has its figures")


def _differing(
    facts: Mapping[str, Any], entry: Mapping[str, Any], path: IntentPath, where: str
) -> Iterator[Wrong]:
    """Yield pools, profiles and rows that the catalog has with other values."""
    for key in ("pools", "profiles"):
        had = facts.get(key, {})
        for name, value in entry.get(key, {}).items():
            if name != "source" and name in had and dict(had[name]) != dict(value):
                cited = f" ({facts['pools']['source']})" if "pools" in facts else ""
                told = f"{name} is {_text(had[name])} in the catalog {where}{cited}"
                yield Wrong(Code.FACT_CONTRADICTS, (*path, key, name), told)
    rows = {tuple(row[:2]): list(row) for row in facts.get("headroom", ())}
    for number, row in enumerate(entry.get("headroom", ())):
        had = rows.get(tuple(row[:2]), list(row))
        if had != list(row):
            told = f"the row of {row[0]} Mbit/s and {row[1]} m is {had} in the catalog {where}"
            yield Wrong(Code.FACT_CONTRADICTS, (*path, "headroom", number), told)


def _unbound(facts: Mapping[str, Any], own: Mapping[str, Any], path: IntentPath) -> Iterator[Wrong]:
    """Yield profiles without their pool, and profiles that ports need and nothing has."""
    pools = {**facts.get("pools", {}), **own.get("pools", {})}
    profiles = {**facts.get("profiles", {}), **own.get("profiles", {})}
    for name, profile in own.get("profiles", {}).items():
        if profile["pool"] not in pools:
            told = f"the hwsku has no pool {profile['pool']}"
            yield Wrong(Code.FACT_REFUSED, (*path, "profiles", name, "pool"), told)
    if LOSSLESS_POOL not in pools:
        return
    for name in (INGRESS_LOSSY, EGRESS_LOSSLESS, EGRESS_LOSSY):
        if name not in profiles:
            told = f"the profile {name} is missing, which the ports need"
            yield Wrong(Code.FACT_REFUSED, path, told)


def _text(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in values.items())
