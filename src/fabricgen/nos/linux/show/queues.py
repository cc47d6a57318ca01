"""Read the queues of ports from the output of tc.

Attributes of a port's queues are `scheduler`, `bands` and `default`. `service 1:3` and `marking
1:3` concern a class. `dscp 4 26` concerns an IP version and a code point.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fabricgen.core.tree.facts import Attributes, Facts, Value
from fabricgen.nos.questions import UnreadableError

Served = tuple[str, int | None]
"""A class and its share, in the units of its scheduler; None if strict."""

ROOT = "1:"
_LINE = f"{ROOT}100"  # the HTB class of the line rate, above all queues
_CLASS = re.compile(r"class htb (\S+) .*?prio (\d+) rate ([\d.]+)([KMGT]?)bit ")
_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}
_DIGITS = 4  # tc rounds a rate to its unit; so many digits always remain
_VERSIONS = {"ip": 4, "ipv6": 6}
_EVERY_BIT_OF_DSCP = "fc"


def _bands(strict: int, quanta: Sequence[int]) -> Iterator[Served]:
    """Yield the bands of ets, the strict ones first (iproute2 tc/q_ets.c ets_print_opt)."""
    for band, quantum in enumerate((*[None] * strict, *quanta), 1):
        yield f"{ROOT}{band}", quantum


def services(served: Iterable[Served]) -> Attributes:
    return {
        f"service {handle}": "strict" if share is None else f"shared with weight {_cut(share)}"
        for handle, share in served
    }


def _cut(rate: int) -> int:
    """Return a rate with the precision of tc."""
    digits = str(rate)
    return int(digits[:_DIGITS].ljust(len(digits), "0"))


def marked(minimum: int, maximum: int, probability: float, *, nodrop: bool) -> Value:
    """Return the bytes where ECN marking begins and ends, and the probability there."""
    spared = ("nodrop",) if nodrop else ()
    return (str(minimum), str(maximum), f"{probability:.5g}", *spared)


def _joined(bands: Iterable[int]) -> str:
    return " ".join(map(str, bands))


def observed(
    qdiscs: Sequence[Mapping[str, Any]], filters: Mapping[str, tuple[str, Sequence[Any]]]
) -> Facts:
    """Return the queues of every port that has a scheduler with queues."""
    facts: Facts = {
        ("queues", item["dev"]): _scheduled(item, *filters.get(item["dev"], ("", ())))
        for item in qdiscs
        if item.get("root") and item.get("handle") == ROOT
    }
    for item in qdiscs:  # RED that drops instead of marking does not count
        own, options = facts.get(("queues", item["dev"])), item.get("options", {})
        if own is not None and item["kind"] == "red" and "parent" in item and options.get("ecn"):
            own[f"marking {item['parent']}"] = marked(
                options["min"],
                options["max"],
                options.get("probability", 0.0),
                nodrop=bool(options.get("nodrop")),
            )
    return facts


def _scheduled(item: Mapping[str, Any], classes: str, rules: Sequence[Any]) -> Attributes:
    options = item.get("options", {})
    bands: Attributes = {"bands": _joined(options["priomap"])} if "priomap" in options else {}
    ets = item["kind"] == "ets"
    served = _bands(options.get("strict", 0), options.get("quanta", ())) if ets else _htb(classes)
    return {"scheduler": item["kind"], **bands, **services(served), **_classified(rules)}


def _htb(text: str) -> Iterator[Served]:
    """Yield the leaf classes. The line's own class has no `prio`, which only leafs print."""
    for handle, priority, number, unit in _CLASS.findall(text):
        if handle != _LINE:
            yield handle, None if priority == "0" else int(float(number) * _UNITS[unit])


def _classified(rules: Sequence[Any]) -> Attributes:
    """Return the queue of each DSCP and of the rest; other rules are ignored."""
    places: Attributes = {}
    for rule in rules:
        options = rule.get("options", {})
        keys = options.get("keys", {})
        place = options.get("classid") or options.get("flowid")
        if rule["kind"] == "matchall" and place:
            places["default"] = place
        elif rule["protocol"] in _VERSIONS and keys.get("ip_tos_mask") == _EVERY_BIT_OF_DSCP:
            places[f"dscp {_VERSIONS[rule['protocol']]} {keys['ip_tos'] >> 2}"] = str(place)
    return places


def by_port(text: str) -> dict[str, tuple[str, Sequence[Any]]]:
    """Split the output of the batch into the classes, as text, and the filters of each port."""
    first, _, rest = text.partition("\n")
    ports: dict[str, tuple[str, Sequence[Any]]] = {}
    place = 0
    for name in first.split():
        start = re.compile(r"(?m)^\[").search(rest, place)
        if start is None:
            line = next(iter(rest[place:].strip().splitlines()), "no output")
            raise UnreadableError(f"{name} and later ports are missing: {line}")
        try:
            rules, end = json.JSONDecoder().raw_decode(rest, start.start())
        except ValueError as error:
            raise UnreadableError(f"invalid JSON of {name}: {error}") from error
        ports[name] = rest[place : start.start()], rules
        place = end
    return ports
