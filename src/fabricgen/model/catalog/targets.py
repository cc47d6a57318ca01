"""Selects the release and topology of a switch, which decide its ports and packet memory.

SONiC has one buffers template for each topology of a hwsku, and selects it by the type of the
switch (files/build_templates/buffers_config.j2).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from fabricgen.core.record import record

DEFAULT_RELEASE = "202605"  # the newest released branch
TYPES = {"leaf": "ToRRouter", "spine": "LeafRouter", "superspine": "SpineRouter"}
"""SONiC's names for the roles of switches: DEVICE_METADATA|localhost|type."""

_LEAF, _SPINE = "t0", "t1"
_OF_HWSKU = "default"  # the topology that the hwsku names


@record()
class Target:
    """Release and topology of a switch; the topology selects its buffers template."""

    release: str = DEFAULT_RELEASE
    topology: str = _LEAF

    def topology_of(self, raw: Mapping[str, Any]) -> str:
        """Return the topology whose facts a hwsku has; the spine topology if it lacks its own."""
        wanted = self.topology
        if wanted == _OF_HWSKU:
            wanted = raw.get("default_topology", _SPINE)
        return wanted if wanted in raw.get("topologies", (_LEAF, _SPINE)) else _SPINE


UNKNOWN = Target()
"""Target without a switch: a leaf of the default release."""


def branch_of(release: str) -> str:
    """Return a release without the word of its image: 202505 of 202505+iccpd."""
    return release.partition("+")[0]


def target_of(role: str, release: str) -> Target:
    """Return the target of a switch; an empty release is the default one."""
    name = branch_of(release) or DEFAULT_RELEASE
    known = _releases().get(name) or _releases()[DEFAULT_RELEASE]
    return Target(name, str(known[TYPES[role]]))


def known_targets(topologies: Iterable[str]) -> Iterator[Target]:
    """Yield every release with each topology."""
    for release in _releases():
        yield from (Target(release, topology) for topology in topologies)


def facts_at(raw: Mapping[str, Any], target: Target) -> dict[str, Any]:
    """Return the facts of a hwsku that hold for a target.

    Args:
        raw: Facts of a hwsku, with those of single targets under `targets`.
        target: If the hwsku is not in the release, its oldest facts are returned.
    """
    releases = raw.get("releases")
    release = target.release if not releases or target.release in releases else releases[0]
    topology = target.topology_of(raw)
    facts = {key: value for key, value in raw.items() if key != "targets"}
    for row in raw.get("targets", ()):
        if release in row.get("releases", (release,)) and topology in row.get(
            "topologies", (topology,)
        ):
            facts |= {k: v for k, v in row.items() if k not in ("releases", "topologies")}
    return facts


def with_generated(platforms: Mapping[str, Any]) -> dict[str, Any]:
    """Add the generated facts of a SONiC platform to the facts in a file; the file wins."""
    sonic = platforms.get("sonic")
    name = sonic.get("platform") if isinstance(sonic, dict) else None
    if not isinstance(sonic, dict) or name not in _generated():
        return dict(platforms)
    return {**platforms, "sonic": {**_facts_of(str(name)), **sonic}}


@cache
def _generated() -> frozenset[str]:
    """Return the platforms with generated facts."""
    return frozenset(path.stem for path in _FOLDER.glob("x86_64-*.yaml"))


@cache
def _facts_of(platform: str) -> dict[str, Any]:
    facts = dict(_read(_FOLDER / f"{platform}.yaml"))
    return {**facts, "ports": {str(cage): row for cage, row in facts["ports"].items()}}


@cache
def _releases() -> dict[str, dict[str, Any]]:
    return dict(_read(_FOLDER / "releases.yaml"))


def _read(path: Path) -> Any:
    return yaml.load(path.read_text(), Loader=_LOADER)  # noqa: S506 - SafeLoader


_FOLDER = Path(__file__).parent / "data" / "sonic"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
