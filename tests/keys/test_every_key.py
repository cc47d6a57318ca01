"""Every key that people can write changes a file on each platform, or something is said of it.

The keys are those of the schema, so one that is added is tested on that day. Values are taken from
the type of the key; where it needs a context, cases.py has one.
"""

from __future__ import annotations

import json
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest
from tests.keys.cases import CASES, COMPUTED_BY_THE_SWITCH, IDENTITY, JUDGED
from tests.keys.failures_cases import PROMISED
from tests.keys.own_cases import KEPT
from tests.keys.plant_cases import CABLING
from tests.keys.port_pin_cases import NEGOTIATED
from tests.keys.review_cases import REVIEWED
from tests.keys.schema import ANY, Key, every_key
from tests.keys.sites import REFUSED, SITES
from tests.keys.values import others
from tests.keys.watch_cases import WATCHED

from fabricgen.compile.compiler import compile_site, files
from fabricgen.compile.output.manifest import BYTES
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Code
from fabricgen.intent.acknowledging import acknowledge
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.failures import NO_FAILURES
from fabricgen.nos.registry import platforms
from fabricgen.operate.deploy.targets import targets_of
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.plan import plan_files

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen.core.diagnostics import Diagnostic, IntentPath
    from fabricgen.intent.load import Loaded
    from fabricgen.model.fabric.failures import FailureModel
    from fabricgen.model.fabric.identity import Identity
    from fabricgen.model.fabric.switch import Site
    from fabricgen.model.settings.watching import WatchLimits

    Place = tuple[dict[str, Any], IntentPath, Any]

KEYS = list(every_key())
Pair = tuple[dict[str, Any], dict[str, Any]]
OWN_PLATFORM = ("platform", "release", "hwsku", "accept_unsupported")
"""Keys whose effect a site shows on the platforms it names, not with all switches on one."""
RENDERER = Renderer()
_RED, _ENDS = ("tenants", "red", "attachments"), ("servers", "gpu", "ports", "rail")
FIRST: dict[str, tuple[str, IntentPath, Any]] = {
    "site.management.snmp.users.*.name": (
        "profiled",
        ("site", "management", "snmp", "users", 1),
        "linux",
    ),
    "servers.*.height": ("access", ("servers", "cpu"), 3),
    "servers.*.ports.*.cable_length": ("kinds", _ENDS, 6),
    "servers.*.ports.*.nics": ("kinds", _ENDS, 4),
    "backend.superspine.breakout": ("tiers", ("backend", "superspine"), "1x400G"),
    "backend.growth.pods": ("tiers", ("backend", "growth"), 16),
    "backend.load_balancing.seeds.superspine": (
        "tiers",
        ("backend", "load_balancing", "seeds"),
        0,
    ),
    "backend.names.superspine": ("tiers", ("backend", "names"), "x{unit}-{index}"),
    "backend.names.previous_name.superspine": (
        "tiers",
        ("backend", "names", "previous_name"),
        "x{unit}-{index}",
    ),
    "frontend.growth.superspines": ("pods", ("frontend", "growth"), 2),
    "frontend.names.superspine": ("pods", ("frontend", "names"), "x-{index}"),
    "frontend.names.previous_name.superspine": (
        "pods",
        ("frontend", "names", "previous_name"),
        "x-{index}",
    ),
    "frontend.overlay.anycast_mac": ("speaking", ("frontend", "overlay"), "00:1c:73:00:00:98"),
    "cabling.rack_width": ("access", ("cabling",), 1.6),
    "cabling.row_pitch": ("access", ("cabling",), 5.2),
    "cabling.tray_rise": ("access", ("cabling",), 1.45),
    "tenants.*.attachments.*.servers": ("tenants", (*_RED, 0), "1"),
    "tenants.*.attachments.*.group": ("tenants", (*_RED, 2), "racks"),
    "tenants.*.attachments.*.access": ("tenants", (*_RED, 0), "models"),
    "tenants.*.attachments.*.trunk": ("tenants", (*_RED, 2), ["models", "heartbeat", "web"]),
    "tenants.*.attachments.*.default_route": ("tenants", (*_RED, 1), "models"),
}
"""Site, place and value that show the effect of a key at once, where the search for them is long.

A value that shows nothing any more costs time only: the search follows.
"""


class Result(NamedTuple):
    """What comes of a site: a hash of its files, None where it is refused, and what is in none."""

    files: str | None
    cables: str | None
    identities: tuple[tuple[str, Identity | str], ...]
    findings: frozenset[Diagnostic]
    failures: FailureModel = NO_FAILURES
    kept: frozenset[tuple[str, str, str]] = frozenset()
    gates: str = ""
    limits: WatchLimits | None = None


@lru_cache(maxsize=64)
def loaded(text: str) -> Loaded:
    """Load a site once for all platforms."""
    return load_texts({"site.yaml": text})


@lru_cache(maxsize=512)
def result(text: str, platform: str | None, wanted: frozenset[str]) -> Result | None:
    """Compile a site and make what is wanted of it; None where the schema does not take it."""
    site = loaded(text)
    if site.intent is None:
        return None
    compiled = compile_site(site, platform)
    findings = acknowledge(compiled.findings, site.intent)
    if not compiled.ok or compiled.site is None:
        return Result(None, None, (), frozenset(findings))
    made = compiled.site
    return Result(
        rendered(made) if "files" in wanted else "",
        plan(made) if "cables" in wanted else "",
        tuple(identities(made)),
        frozenset(findings),
        made.failures,
        frozenset(kept(made)) if "kept" in wanted else frozenset(),
        repr(site.intent.unless_refused("review")),
        made.limits,
    )


def rendered(site: Site) -> str:
    """Return a hash of all files."""
    hashed = sha256()
    for _, group in files(site, RENDERER):
        for file in group:
            hashed.update(f"{file.path}\0{file.text}\0".encode())
    return hashed.hexdigest()


def kept(site: Site) -> Iterator[tuple[str, str, str]]:
    """Yield what a push leaves alone on each switch, by kind."""
    for name, target in targets_of(site).items():
        yield from ((name, kind, text) for kind, text in target.unmanaged.items())


def identities(site: Site) -> Iterator[tuple[str, Identity | str]]:
    """Yield what is said of single boxes: of switches, and the MACs of what they manage."""
    for fabric in site.fabrics:
        yield from fabric.identities.items()
        yield from fabric.managed.macs.items() if fabric.managed is not None else ()


def plan(site: Site) -> str:
    """Return a hash of the physical plan."""
    hashed = sha256()
    for file in plan_files(Plan.of(site)):
        hashed.update(f"{file.path}\0{file.text}\0".encode(errors=BYTES))
    return hashed.hexdigest()


def of(site: dict[str, Any], platform: str | None, wanted: frozenset[str]) -> Result | None:
    return result(json.dumps(site), platform, wanted)


def _left_out(place: Place) -> int:
    """Sort what any site says before what it leaves out: that shows an effect sooner."""
    return place[2] is None


def _missing(place: Place) -> int:
    """Sort by how many steps a site lacks to the key: what has most of it shows an effect first."""
    here: Any = place[0]
    for left, step in zip(range(len(place[1]), 0, -1), place[1], strict=True):
        if here is None or isinstance(here, str | int):
            return left + 1
        here = here.get(step) if isinstance(here, dict) else here[step]
    return int(here is None)


def pairs(key: Key, order: Callable[[Place], int] = _left_out) -> Iterator[Pair]:
    """Yield sites that differ in one key only: cases written by hand, then what types give.

    order: tables of tests/unit/adopt are of the first pair that tells, so theirs stays as it is.
    """
    for name, case in CASES:
        if name == str(key):
            site = laid(SITES[case.site], case.given)
            yield site, laid(site, case.changed)
    known = [(site, *place) for site in SITES.values() for place in places(site, key.path)]
    for site, path, value in sorted(known, key=order):
        for other in others(key, value):
            yield site, put(site, path, other)


def first_pair(key: Key) -> Iterator[Pair]:
    """Yield the sites that show the effect of a key at once, if these are known."""
    if str(key) in FIRST:
        name, place, value = FIRST[str(key)]
        yield SITES[name], put(SITES[name], (*place, key.path[-1]), value)


def laid(site: Any, over: dict[str, Any]) -> dict[str, Any]:
    """Lay keys over a site, mapping by mapping; None takes a key away."""
    merged = dict(site) if isinstance(site, dict) else {}
    for key, value in over.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = laid(merged.get(key), value) if isinstance(value, dict) else value
    return merged


def places(
    data: Any, rest: tuple[str, ...], done: IntentPath = ()
) -> Iterator[tuple[IntentPath, Any]]:
    """Yield each place of a key in a site with its value; None where it is omitted."""
    if not rest:
        yield done, data
    elif rest[0] == ANY:
        entries = data.items() if isinstance(data, dict) else enumerate(data or ())
        for step, below in entries:
            yield from places(below, rest[1:], (*done, step))
    elif data is not None or ANY not in rest:
        below = data.get(rest[0]) if isinstance(data, dict) else None
        yield from places(below, rest[1:], (*done, rest[0]))


def put(site: dict[str, Any], path: IntentPath, value: Any) -> dict[str, Any]:
    changed = json.loads(json.dumps(site))
    here: Any = changed
    for step in path[:-1]:
        here = here.setdefault(step, {}) if isinstance(here, dict) else here[step]
    here[path[-1]] = value
    return dict(changed)


def spoken(key: Key, findings: frozenset[Diagnostic]) -> bool:
    """Tell whether a platform says of a key, or of what it is part of, that it cannot do it."""
    return any(
        item.code is Code.UNSUPPORTED and of_a_key(item.path) and matches(key, item.path)
        for item in findings
    )


def of_a_key(path: IntentPath) -> bool:
    """Tell whether a place is in a fabric, not the fabric as a whole."""
    return len(path) > (2 if path[:1] == ("fabrics",) else 1)


def matches(key: Key, path: IntentPath) -> bool:
    return all(mine in (ANY, step) for mine, step in zip(key.path, path, strict=False))


def effect(key: Key, before: Result, after: Result) -> set[str]:
    """Name what a change does."""
    compared = {
        "files": None not in (before.files, after.files) and before.files != after.files,
        "unsupported": spoken(key, before.findings | after.findings),
        "findings": before.findings != after.findings,
        "cables": before.cables != after.cables,
        "identities": before.identities != after.identities,
        "kept": before.kept != after.kept,
        "failures": before.failures != after.failures,
        "gates": before.gates != after.gates,
        "limits": before.limits != after.limits,
    }
    return {name for name, holds in compared.items() if holds}


def effects(key: Key, platform: str, telling: list[Pair]) -> set[str]:
    """Return the effects of a key's values, up to the first that is one it may have.

    The pairs of sites that told on other platforms come first, and one that tells joins them.
    """
    lifted = None if key.path[-1] in OWN_PLATFORM else platform
    wanted = allowed(key, platform)
    for first, second in chain(tuple(telling), first_pair(key), pairs(key, _missing)):
        before, after = of(first, lifted, wanted), of(second, lifted, wanted)
        if before is None or after is None:
            continue
        seen = effect(key, before, after) & wanted
        if seen:
            telling.append((first, second))
            return seen
    return set()


def allowed(key: Key, platform: str) -> frozenset[str]:
    name = str(key)
    if name in JUDGED or name in COMPUTED_BY_THE_SWITCH.get(platform, ()):
        return frozenset({"findings"})
    if name in IDENTITY:
        return frozenset({"identities"})
    if name in KEPT:
        return frozenset({"kept", "unsupported"})
    for names, output in ((REVIEWED, "gates"), (PROMISED, "failures"), (WATCHED, "limits")):
        if name in names:
            return frozenset({output})
    if name in CABLING or name.startswith("cabling.") or name in NEGOTIATED.get(platform, ()):
        return frozenset({"cables"})
    return frozenset({"files", "unsupported"})


@pytest.mark.parametrize("key", KEYS, ids=str)
def test_a_key_has_an_effect_on_every_platform(key: Key) -> None:
    telling: list[Pair] = []
    found = {platform: effects(key, platform, telling) for platform in platforms()}
    silent = [platform for platform, seen in found.items() if not seen]
    assert not silent, (
        f"{key} changes nothing on {', '.join(silent)}: give it an effect, take it from the intent,"
        " or add a site and a change that show its effect to tests/keys/cases.py"
    )
    if all("unsupported" in allowed(key, platform) for platform in platforms()):
        told = any({"files", "kept"} & seen for seen in found.values())
        assert told or reached(key), f"{key} reaches no file anywhere"


def reached(key: Key) -> bool:
    """Tell whether a case of a key, on a model of one platform alone, changes its files."""
    wanted = frozenset({"files"})
    for case in (case for name, case in CASES if name == str(key)):
        site = laid(SITES[case.site], case.given)
        for platform in platforms():
            before, after = (
                of(each, platform, wanted) for each in (site, laid(site, case.changed))
            )
            if before is not None and after is not None and "files" in effect(key, before, after):
                return True
    return False


@pytest.mark.parametrize(
    "name", [*dict(CASES), *JUDGED, *CABLING, *IDENTITY, *PROMISED, *REVIEWED, *WATCHED, *FIRST]
)
def test_a_case_is_of_a_key_that_is_there(name: str) -> None:
    assert name in map(str, KEYS)


def test_the_sites_compile_as_they_are() -> None:
    for name, site in SITES.items():
        for platform in (None, *platforms()):
            found = of(site, platform, frozenset({"files"}))
            assert found is not None, name
            refused = platform in REFUSED.get(name, ())
            assert bool(found.files) is not refused, (name, platform, found.findings)
