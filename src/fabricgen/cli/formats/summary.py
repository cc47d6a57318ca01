"""Prints counted sites as tables for people and as data for programs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.api import is_installed
from fabricgen.cli.formats.size import counts_data, gaps, rows, table
from fabricgen.plan.sizing.networks import server_bits, traits

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from fabricgen.model.fabric.switch import Fabric, Site
    from fabricgen.plan.sizing.counts import Counts

Counted = dict[str, "Counts"]
"""The counts of the fabrics of a site, by name."""


def _kept() -> Callable[[Fabric], str]:
    """Return the function for the share that a fabric keeps without its worst switch."""
    if not is_installed("prove.failures"):
        return lambda _: ""
    from fabricgen.prove.failures.verdicts import kept_without_worst_switch

    return kept_without_worst_switch


def some_sites(counts: Mapping[str, Counted]) -> str:
    """Return a table for each fabric, with a column for each site that has it."""
    lines: list[str] = []
    for fabric in dict.fromkeys(name for fabrics in counts.values() for name in fabrics):
        those = {site: found[fabric] for site, found in counts.items() if fabric in found}
        lines += [*table([(fabric, *those), *rows(list(those.values()))]), ""]
    unknown = [
        (gap, site)
        for site, fabrics in counts.items()
        for one in fabrics.values()
        for gap in one.draw.unknown
    ]
    lines += gaps(unknown)
    return "\n".join(lines).rstrip() + "\n"


def one_site(site: Site, counts: Counted) -> str:
    """Return a column per fabric of a site, then the differences of the fabrics."""
    lines = [*table([("fabric", *counts), *rows(list(counts.values()))]), ""]
    kept = _kept()
    rows_of = {it.name: traits(it, counts[it.name], kept(it)) for it in site.fabrics}
    width = max(map(len, rows_of))
    for question in next(iter(rows_of.values())):
        lines.append(question)
        lines += [f"  {name.ljust(width)}  {row[question]}" for name, row in rows_of.items()]
    lines += ["", *_shares(site)]
    lines += gaps((gap, name) for name, one in counts.items() for gap in one.draw.unknown)
    return "\n".join(lines).rstrip() + "\n"


def _shares(site: Site) -> Iterator[str]:
    """Yield the ratio of a server's backend bandwidth to its frontend bandwidth."""
    bits = {fabric.name: server_bits(fabric) for fabric in site.fabrics}
    back = next((fabric.name for fabric in site.fabrics if fabric.gpus), None)
    front = "frontend" if bits.get("frontend") else None
    if back and front:
        ratio = f"{bits[back] / bits[front]:.3g} times"
        yield f"a server has {ratio} the bandwidth on {back} compared with {front}"


def data(sites: Mapping[str, Site], counts: Mapping[str, Counted]) -> dict[str, Any]:
    """Return the counts and traits by site path and fabric name."""
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
