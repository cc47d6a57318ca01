"""Write the facts of one platform in the form that the catalog reads."""

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from bench.sonic_facts.memory import headroom, memory_facts, traffic
from bench.sonic_facts.ports import LeftOutError, Native, Platform, newest, ports_facts
from bench.sonic_facts.tables import RELEASES, TOPOLOGIES, Tables, at, releases_of
from bench.sonic_facts.targets import Cells, differing, overriding, shared

HEAD = """\
# Written by `python -m bench.sonic_facts FOLDER`; do not edit. Facts of
# sonic-net/sonic-buildimage, device/: {commits}.
# skus: `targets` has what holds for some releases or topologies alone. A topology names the buffers
# template: t0 of a ToRRouter, t1 of a LeafRouter, t2 of a SpineRouter where there is one.
# hwskus: all of the platform, also those that the catalog cannot describe.
"""


@dataclass(frozen=True)
class Made:
    """The facts of a platform, and hwskus that the catalog cannot describe."""

    facts: dict[str, Any]
    left_out: dict[str, str]


def made(tables: Tables, platform: Platform) -> Made:
    """Work out the facts of a platform."""
    files = tables.of("hwsku_files", platform.name)
    have: dict[str, list[str]] = {}
    for row in files:
        have.setdefault(row["hwsku"], []).extend(releases_of(row))
    links = {row["hwsku"] for row in files if row["same_as"]}
    kept = {row["hwsku"] for row in files if int(row["lookup_rows"] or 0)}
    names = sorted(have, key=lambda n: (n in links, -len(have[n]), n not in kept, n))
    latest = newest(release for row in files for release in releases_of(row))
    natives = platform.native(names, latest)
    dynamic = any("dynamic" in row["models"].split() for row in files)
    skus, left_out = {}, {}
    for name in names:
        releases = [release for release in RELEASES if release in have[name]]
        try:
            ports = ports_facts(platform, name, releases, natives)
        except LeftOutError as reason:
            left_out[name] = str(reason)
            continue
        skus[name] = _sku(tables, platform.name, name, ports, dynamic=dynamic)
    facts = {
        "platform": platform.name,
        "buffer_model": "dynamic" if dynamic else "traditional",
        "name_step": _step(natives),
        "source": _source(tables),
        "ports": {
            cage: [each.name, each.alias, each.index, ",".join(each.lanes)]
            for cage, each in natives.items()
        },
        "breakouts": platform.breakouts(latest),
        **({"traffic": traffic(tables, platform.name)} if dynamic else {}),
        "hwskus": sorted(names),
        "skus": skus,
    }
    return Made(facts, left_out)


def _source(tables: Tables) -> str:
    commits = ", ".join(f"{release} {commit}" for release, commit in tables.commits.items())
    return f"sonic-net/sonic-buildimage device/, {commits}"


def _step(natives: Mapping[int, Native]) -> int:
    """Return by how much the names of two whole cages differ, in the bank of most lanes."""
    widest = max(len(each.lanes) for each in natives.values())
    numbers = [
        int(each.name.removeprefix("Ethernet"))
        for each in natives.values()
        if len(each.lanes) == widest
    ]
    return numbers[1] - numbers[0]


def _sku(
    tables: Tables, platform: str, name: str, ports: dict[str, dict[str, Any]], *, dynamic: bool
) -> dict[str, Any]:
    """Return one hwsku: what holds everywhere, then what holds for some targets."""
    files = tables.of("hwsku_files", platform, name)
    topologies = [
        each for each in TOPOLOGIES if each != "t2" or any(each in _topologies(f) for f in files)
    ]
    places = [(release, topology) for release in ports for topology in topologies]
    rows = {} if dynamic else {each: headroom(tables, platform, name, each) for each in ports}
    latest = ports[newest(ports)]
    bundles: list[Cells] = [
        {place: {"headroom": rows.get(place[0], [])} for place in places},
        {place: memory_facts(tables, platform, name, *place, dynamic=dynamic) for place in places},
    ]
    more = overriding(latest, ports)
    more += [each for cells in bundles for each in differing(cells)]
    default = {row["default_topo"] for row in at(files, RELEASES[0])} & set(TOPOLOGIES)
    return {
        **({} if len(ports) == len(RELEASES) else {"releases": list(ports)}),
        **({} if topologies == ["t0", "t1"] else {"topologies": topologies}),
        **({"default_topology": default.pop()} if default else {}),
        **{key: value for key, value in latest.items() if value != {}},
        **{key: value for cells in bundles for key, value in shared(cells).items()},
        **({"targets": more} if more else {}),
    }


def _topologies(row: Mapping[str, str]) -> list[str]:
    return row["topologies"].split()


def text(tables: Tables, facts: Mapping[str, Any]) -> str:
    """Print facts as YAML: one line for a port, a pool, a profile, a row."""
    commits = ",\n# ".join(
        ", ".join(f"{release} {commit}" for release, commit in part)
        for items in [list(tables.commits.items())]
        for part in (items[:3], items[3:])
    )
    return HEAD.format(commits=commits) + "\n".join(_lines(facts, 0)) + "\n"


FLAT = {"ports", "pools", "profiles", "headroom", "aliases"}
"""Keys whose entries take one line each."""


def _lines(value: Mapping[str, Any], depth: int) -> Iterator[str]:
    pad = "  " * depth
    for key, inner in value.items():
        if key == "targets":
            yield f"{pad}targets:"
            for row in inner:
                first, *more = _lines(row, depth + 2)
                yield f"{pad}  - {first.strip()}"
                yield from more
        elif key == "skus":
            yield f"{pad}skus:"
            for name, sku in inner.items():
                yield f"{pad}  {name}:"
                yield from _lines(sku, depth + 2)
        elif key in FLAT and inner:
            yield f"{pad}{key}:"
            rows = inner.items() if isinstance(inner, dict) else [(None, row) for row in inner]
            for name, row in rows:
                yield (
                    f"{pad}  {_key(name)}: {_flow(row)}"
                    if name is not None
                    else (f"{pad}  - {_flow(row)}")
                )
        elif inner != []:
            yield f"{pad}{key}: {_flow(inner)}"


def _flow(value: object) -> str:
    """Print a value on one line; names and numbers without quotes."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(k)}: {_flow(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    bare = isinstance(value, str) and PLAIN.fullmatch(value)
    return str(value) if bare else json.dumps(value)


def _key(value: object) -> str:
    plain = str(value)
    spelled = isinstance(value, int) or PLAIN.fullmatch(plain) or SPAN.fullmatch(plain)
    return plain if spelled else json.dumps(plain)


PLAIN = re.compile(
    r"x86_64-[\w-]+|releases|topologies|mode|size|xoff|pool|mtu|traditional|[A-Z][\w/-]+|[a-z]\w*_\w+|et\w+|t[0-9]|master|dynamic|static|[1-8]x[0-9.]+[GT]"
)
SPAN = re.compile(r"[0-9]+-[0-9]+")
