"""The queues of a switch: from the lowering that writes tc.batch, and from what tc shows."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from fabricgen.fabric.facts import Marks, PortQueues, Queue
from fabricgen.fabric.switch import Use
from fabricgen.nos.linux.dcb import driver
from fabricgen.nos.linux.names import port_name
from fabricgen.nos.linux.queues import IPV4, Port, queues
from fabricgen.nos.shared.documents import UnreadableError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from fabricgen.fabric.switch import SwitchSlice
    from fabricgen.nos.linux.view_queues import Queues, Red

_ROOT = "1:"
_LINE = f"{_ROOT}100"  # the HTB class of the line rate, above all queues
_CLASS = re.compile(r"class htb (\S+) .*?prio (\d+) rate ([\d.]+)([KMGT]?)bit ")
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_VERSIONS = {"ip": 4, "ipv6": 6}
_EVERY_BIT_OF_DSCP = "fc"


def planned(piece: SwitchSlice) -> dict[str, PortQueues]:
    """Return the queues that tc.batch makes on each port in use; equal ones are one object."""
    if piece.qos is None:
        return {}
    ports = tuple(
        Port(port_name(item.port), item.port.speed)
        for item in piece.interfaces
        if item.use is not Use.UNUSED
    )
    view = queues(piece.qos, ports, asic=driver(piece.switch.model) is not None)
    marked = {(red.port, red.minor): red for red in view.leaves.marked}
    made: dict[PortQueues, PortQueues] = {}
    found = {port.name: _plan(view, port.name, marked) for port in ports}
    return {name: made.setdefault(plan, plan) for name, plan in found.items()}


def _plan(view: Queues, port: str, marked: Mapping[tuple[str, int], Red]) -> PortQueues:
    return PortQueues(
        scheduler="ets" if view.ets is not None else "htb",
        queues=tuple(
            Queue(
                handle=f"{_ROOT}{minor}",
                strict=strict,
                weight=weight,
                marks=_marks(marked.get((port, minor))),
            )
            for minor, strict, weight in _served(view, port)
        ),
        dscps=tuple(
            sorted(
                (
                    4 if rule.protocol == IPV4 else 6,
                    int(rule.tos, 16) >> 2,
                    f"{_ROOT}{rule.minor}",
                )
                for rule in view.filters.rules
            )
        ),
        default=f"{_ROOT}{view.filters.default}",
        bands=view.ets.priomap if view.ets is not None else (),
    )


def _served(view: Queues, port: str) -> Iterator[tuple[int, bool, int | None]]:
    """Yield number, whether strict, and weight of each queue; a strict one shares nothing."""
    if view.ets is not None:
        for band in range(view.ets.bands):
            strict = band < view.ets.strict
            yield band + 1, strict, None if strict else view.ets.quanta[band - view.ets.strict]
    elif view.htb is not None:
        for item in view.htb.classes:
            if item.port == port:
                strict = item.priority == 0
                yield item.minor, strict, None if strict else item.rate


def _marks(red: Red | None) -> Marks | None:
    if red is None:
        return None
    return Marks(
        minimum=red.minimum,
        maximum=red.maximum,
        probability=float(red.probability),
        nodrop="nodrop" in red.mode,
    )


def observed(
    qdiscs: Sequence[Mapping[str, Any]], filters: Mapping[str, tuple[str, Sequence[Any]]]
) -> dict[str, PortQueues]:
    """Return the queues of every port that has a scheduler with queues."""
    marks = {
        (item["dev"], item["parent"]): _red(item["options"])
        for item in qdiscs
        if item["kind"] == "red" and "parent" in item
    }
    found = {}
    for item in qdiscs:
        port = item["dev"]
        if item.get("root") and item.get("handle") == _ROOT:
            text, rules = filters.get(port, ("", ()))
            dscps, default = _classified(rules)
            served = _ets(item) if item["kind"] == "ets" else _htb(text)
            made = tuple(
                Queue(
                    handle=handle,
                    strict=strict,
                    weight=weight,
                    marks=marks.get((port, handle)),
                )
                for handle, strict, weight in served
            )
            bands = tuple(item.get("options", {}).get("priomap", ()))
            found[port] = PortQueues(
                scheduler=item["kind"], queues=made, dscps=dscps, default=default, bands=bands
            )
    return found


def _red(options: Mapping[str, Any]) -> Marks | None:
    """Return the marking; RED that drops instead of marking is none."""
    if not options.get("ecn"):
        return None
    probability = round(options.get("probability", 0.0), 5)
    return Marks(
        minimum=options["min"],
        maximum=options["max"],
        probability=probability,
        nodrop=bool(options.get("nodrop")),
    )


def _ets(item: Mapping[str, Any]) -> list[tuple[str, bool, int | None]]:
    """Return the bands, the strict ones first (iproute2 tc/q_ets.c ets_print_opt)."""
    options = item.get("options", {})
    strict, quanta = options.get("strict", 0), options.get("quanta", ())
    return [
        (f"{_ROOT}{band + 1}", band < strict, None if band < strict else quanta[band - strict])
        for band in range(strict + len(quanta))
    ]


def _htb(text: str) -> list[tuple[str, bool, int | None]]:
    """Return the leaf classes. The line's own class has no `prio`, which only leafs print."""
    found = []
    for handle, priority, number, unit in _CLASS.findall(text):
        strict = priority == "0"
        weight = None if strict else int(float(number) * _UNITS[unit])
        if handle != _LINE:
            found.append((handle, strict, weight))
    return sorted(found, key=lambda queue: int(queue[0].removeprefix(_ROOT)))


def _classified(rules: Sequence[Any]) -> tuple[tuple[tuple[int, int, str], ...], str | None]:
    """Return where each DSCP goes, and where the rest does; rules on other things are left out."""
    dscps, default = set(), None
    for rule in rules:
        options = rule.get("options", {})
        keys = options.get("keys", {})
        if rule["kind"] == "matchall" and "handle" in options:
            default = options.get("flowid") or options.get("classid")
        elif rule["protocol"] in _VERSIONS and keys.get("ip_tos_mask") == _EVERY_BIT_OF_DSCP:
            dscps.add((_VERSIONS[rule["protocol"]], keys["ip_tos"] >> 2, options.get("classid")))
    return tuple(sorted(dscps)), default


def by_port(text: str) -> dict[str, tuple[str, Sequence[Any]]]:
    """Split what the batch said into the classes, as text, and the filters of each port."""
    first, _, rest = text.partition("\n")
    names, found, place = first.split(), {}, 0
    for name in names:
        start = re.compile(r"(?m)^\[").search(rest, place)
        if start is None:
            said = next(iter(rest[place:].strip().splitlines()), "nothing was said")
            raise UnreadableError(f"{name} and later ports are missing: {said}")
        try:
            rules, end = json.JSONDecoder().raw_decode(rest, start.start())
        except ValueError as error:
            raise UnreadableError(f"the JSON of {name} is broken: {error}") from error
        found[name] = rest[place : start.start()], rules
        place = end
    return found
