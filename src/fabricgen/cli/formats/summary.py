"""Prints counted sites as tables for people and as data for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.cli.formats.size import counts_data, gaps, rows, table
from fabricgen.cli.verbs import is_installed
from fabricgen.plan.sizing.networks import server_bits, traits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fabricgen.model.fabric.switch import Fabric, Site
    from fabricgen.plan.sizing.counts import Counts

Counted = dict[str, "Counts"]
"""What the fabrics of a site are made of, by name."""


def _kept() -> Callable[[Fabric], str]:
    """Return the share that a fabric keeps without its worst switch, where that is installed."""
    if not is_installed("prove.failures"):
        return lambda _: ""
    from fabricgen.prove.failures.verdicts import kept_without_worst_switch

    return kept_without_worst_switch


def some_sites(counts: Mapping[str, Counted]) -> str:
    """Return a table for each fabric, with a column for each site that has it."""
    lines: list[str] = []
    for fabric in dict.fromkeys(name for each in counts.values() for name in each):
        those = {site: each[fabric] for site, each in counts.items() if fabric in each}
        lines += [*table([(fabric, *those), *rows(list(those.values()))]), ""]
    unknown = [
        (gap, site)
        for site, each in counts.items()
        for one in each.values()
        for gap in one.draw.unknown
    ]
    lines += gaps(unknown)
    return "\n".join(lines).rstrip() + "\n"


def one_site(site: Site, counts: Counted) -> str:
    """Return the fabrics of a site side by side, then what sets them apart."""
    lines = [*table([("fabric", *counts), *rows(list(counts.values()))]), ""]
    kept = _kept()
    told = {each.name: traits(each, counts[each.name], kept(each)) for each in site.fabrics}
    width = max(map(len, told))
    for question in next(iter(told.values())):
        lines.append(question)
        lines += [f"  {name.ljust(width)}  {each[question]}" for name, each in told.items()]
    lines += ["", *_shares(site)]
    lines += gaps((gap, name) for name, one in counts.items() for gap in one.draw.unknown)
    return "\n".join(lines).rstrip() + "\n"


def _shares(site: Site) -> Iterator[str]:
    """Say how much more a server has on the backend than on the frontend."""
    bits = {fabric.name: server_bits(fabric) for fabric in site.fabrics}
    back = next((fabric.name for fabric in site.fabrics if fabric.gpus), None)
    front = "frontend" if bits.get("frontend") else None
    if back and front:
        yield f"a server has {bits[back] / bits[front]:.3g} times as much on {back} as on {front}"


def data(sites: Mapping[str, Site], counts: Mapping[str, Counted]) -> dict[str, Any]:
    """Return all of it, by the path of a site and the name of a fabric."""
    kept = _kept()
    return {
        "sites": {
            path: {
                fabric.name: {
                    **counts_data(counts[path][fabric.name]),
                    "traits": traits(fabric, counts[path][fabric.name], kept(fabric)),
                }
                for fabric in site.fabrics
            }
            for path, site in sites.items()
        }
    }
