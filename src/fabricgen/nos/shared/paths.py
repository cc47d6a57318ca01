"""Read the kernel's route to each asked address, in the main table or in the table of a VRF."""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from shlex import quote
from typing import Any

from fabricgen.core.tree.facts import GLOBAL, Attributes, Facts
from fabricgen.nos.questions import Answer, Question, UnreadableError, asked_paths, path_key
from fabricgen.nos.show import Part

KEY = "paths"
_HEAD = re.compile(r"(?m)^@ (\S+) (\S+)$\n?")
_UNICAST = ("unicast", "")
_LAST_RESORT = 4278198272
"""Metric of the route that ends a VRF's table (docs.kernel.org/networking/vrf.html)."""
NO_ROUTE = "no route"


def question(expected: Facts, device: Callable[[str], str] = str) -> tuple[Question, ...]:
    """Return the question for the routes that the expected facts ask for, if any.

    `match` lists every prefix around an address. `ip route get` would not list the ECMP paths, and
    has no answer for a blackhole.

    Args:
        expected: Expected facts of the switch.
        device: Returns the kernel's name of a VRF.
    """
    lines = []
    for vrf, address in asked_paths(expected):
        table = "table main" if vrf == GLOBAL else f"vrf {quote(device(vrf))}"
        ask = f"ip -j -{address.version} route show {table} match {address}"
        lines.append(f"echo {quote(f'@ {vrf} {address}')}; {ask}")
    return (Question(KEY, "; ".join(lines), parts=(Part.PATHS,)),) if lines else ()


def paths(answer: Answer) -> tuple[Facts, dict[tuple[str, ...], str]]:
    """Return the route to each asked address, and the reasons for unreadable ones."""
    parts = _HEAD.split(answer.text)
    if len(parts) < 4:
        raise UnreadableError(next(iter(answer.text.strip().splitlines()), "no output"))
    found: Facts = {}
    unknown: dict[tuple[str, ...], str] = {}
    for vrf, address, body in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        try:
            found[path_key(vrf, address)] = _best(_listed(body), address)
        except UnreadableError as error:
            unknown["path", "ports", vrf, address] = str(error)
    return found, unknown


def _listed(body: str) -> Sequence[Mapping[str, Any]]:
    try:
        listed = json.loads(body)
    except ValueError as error:
        line = next(iter(body.strip().splitlines()), "no output")
        raise UnreadableError(line) from error
    if not isinstance(listed, list) or not all(isinstance(each.get("dst"), str) for each in listed):
        raise UnreadableError("unexpected JSON")
    return listed


def _best(listed: Sequence[Mapping[str, Any]], address: str) -> Attributes:
    """Return the route that the kernel takes: of the longest prefix, the lowest metric."""
    whole = 128 if ":" in address else 32
    ranked = [(-_length(str(each["dst"]), whole), _metric(each), each) for each in listed]
    usual = [each for each in ranked if each[1] < _LAST_RESORT]
    if not usual:
        return {"ports": (), "via": (), "effect": NO_ROUTE}
    length, metric, first = min(usual, key=lambda each: each[:2])
    taken = [each for one, other, each in usual if (one, other) == (length, metric)]
    hops = [hop for each in taken for hop in each.get("nexthops") or [each]]
    live = [hop for hop in hops if "dev" in hop and "dead" not in hop.get("flags", ())]
    effect = str(first.get("type", ""))
    own: Attributes = {
        "prefix": _prefix(str(first["dst"]), whole),
        "ports": tuple(sorted({str(hop["dev"]) for hop in live})),
        "via": tuple(sorted(set(_gateways(live)))),
    }
    return own if effect in _UNICAST else {**own, "ports": (), "effect": effect}


def _gateways(hops: Iterable[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the next hops. One of the other IP version is below `via` (iproute2 ip/iproute.c)."""
    for hop in hops:
        via = hop.get("gateway") or hop.get("via", {}).get("host")
        if via:
            yield str(via)


def _metric(shown: Mapping[str, Any]) -> int:
    return int(shown.get("metric", 0))


def _length(prefix: str, whole: int) -> int:
    if prefix == "default":
        return 0
    return int(prefix.partition("/")[2] or whole)


def _prefix(prefix: str, whole: int) -> str:
    if prefix == "default":
        return "::/0" if whole > 32 else "0.0.0.0/0"
    return prefix if "/" in prefix else f"{prefix}/{whole}"
