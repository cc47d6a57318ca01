"""The growth law: no step up to the reservation changes a line of a running port, in any file."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from tests.longer import ALL
from tests.property.growing import backend, frontend, grown, storage
from tests.property.running_lines import Rendered, moved, rendered

from fabricgen.nos.registry import OURS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

LARGE = {"eos": "7060X6-64PE", "sonic": "7060X6-64PE", "linux": "SN5600"}
"""A model of each platform whose switches poll more than 32 ports."""
SAMPLE = 48
"""One of so many steps of a long sweep is tried, with others for each platform."""


def rail_only(count: int, model: str) -> dict[str, Any]:
    """Return two rails of 48 servers, and the first so many of them."""
    site = backend(
        design="rail-only",
        servers={"count": count, "gpus": 2, "nic_speed": "400G"},
        scalable_unit={"servers": 48},
        leaf={"model": model, "platform": "sonic"},
        growth={"servers": 48, "rails": 2, "planes": 1},
    )
    del site["backend"]["spine"], site["backend"]["oversubscription"]
    return site


def rails(count: int, model: str) -> dict[str, Any]:
    """Return the site of README's first page with two rails in place of eight."""
    return backend(
        servers={"count": count, "gpus": 2, "nic_speed": "400G", "cable_length": 10},
        scalable_unit={"servers": 64},
        oversubscription=1.0,
        links={"speed": "400G", "length": 40},
        leaf={"model": model, "platform": "sonic"},
        spine={"model": model, "platform": "sonic"},
        growth={"servers": 256},
        roce={"profile": "nvidia-roce"},
    )


def pods(count: int, model: str) -> dict[str, Any]:
    """Return a three-tier site with pods of 16 servers."""
    return backend(
        design="three-tier",
        superspine={"model": model, "platform": "sonic"},
        leaf={"model": model, "platform": "sonic"},
        spine={"model": model, "platform": "sonic", "count": 4},
        servers={"count": count, "gpus": 4, "nic_speed": "400G"},
        links={"speed": "400G"},
        oversubscription=1.0,
        growth={"pods": 8, "rails": 4, "planes": 1, "spines": 4},
    )


def compute(count: int, _: str) -> dict[str, Any]:
    """Return a storage fabric with so many compute servers."""
    return grown(storage(), "fabrics", "storage", "sides", "compute", "servers", "count", to=count)


def stores(count: int, _: str) -> dict[str, Any]:
    """Return a storage fabric with so many storage servers."""
    return grown(storage(), "fabrics", "storage", "sides", "storage", "servers", "count", to=count)


def spines(count: int, _: str) -> dict[str, Any]:
    """Return rails with so many spines."""
    return grown(backend(), "backend", "spine", "count", to=count)


def gpus(count: int, _: str) -> dict[str, Any]:
    """Return rails for so many NICs of a server."""
    return grown(backend(), "backend", "servers", "gpus", to=count)


def planes(count: int, model: str) -> dict[str, Any]:
    """Return rails in two planes, of so many servers."""
    site = rails(count, model)
    site["backend"] |= {"growth": {"servers": 96}, "planes": 2}
    site["backend"]["servers"] |= {"nic_ports": 2}
    return site


def racks(count: int, _: str) -> dict[str, Any]:
    """Return a frontend with so many leafs."""
    return grown(frontend(), "frontend", "leaf_groups", "a", "leafs", to=f"1-{count}")


def per_leaf(count: int, _: str) -> dict[str, Any]:
    """Return a frontend with so many servers on each leaf."""
    return grown(frontend(), "frontend", "leaf_groups", "a", "servers", "per_leaf", to=count)


SWEEPS: dict[str, tuple[Callable[[int, str], dict[str, Any]], int, int]] = {
    "rail-only": (rail_only, 1, 48),
    "compute servers": (compute, 1, 24),
    "storage servers": (stores, 1, 10),
    "spines": (spines, 1, 4),
    "rails": (gpus, 1, 6),
    "leafs": (racks, 1, 9),
    "servers of a leaf": (per_leaf, 4, 16),
    "README's rails": (rails, 1, 256),
    "pods": (pods, 1, 128),
    "planes": (planes, 1, 96),
}
"""What makes a site of a size, the smallest size, and the largest that is reserved."""
SHORT = 50
"""Sweeps of so few steps are tried whole by `make test`."""


def steps(name: str, platform: str) -> Iterator[tuple[int, int]]:
    """Yield neighboring sizes: all, or a sample with the first and the last step."""
    _, first, last = SWEEPS[name]
    offset = len(platform) % SAMPLE
    for size in range(first, last):
        drawn = size % SAMPLE == offset or size in (first, last - 1)
        if ALL or last - first < SHORT or drawn:
            yield size, size + 1


@pytest.mark.parametrize("platform", OURS)
@pytest.mark.parametrize("name", SWEEPS)
def test_no_step_changes_a_running_line(name: str, platform: str) -> None:
    make = SWEEPS[name][0]
    kept: dict[int, Rendered] = {}
    for small, large in steps(name, platform):
        kept = {
            size: kept.get(size) or rendered(make(size, LARGE[platform]), platform)
            for size in (small, large)
        }
        hosts = name != "rails"  # one more rail is one more NIC in every server
        assert moved(kept[small], kept[large], hosts=hosts) == [], (small, large)
