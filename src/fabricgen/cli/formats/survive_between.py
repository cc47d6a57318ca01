"""What two sites keep of the ways between them in; a table, single points and data out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from fabricgen.model.fabric.survive import ONE_THING
from fabricgen.prove.failures.verdicts import called, percent

if TYPE_CHECKING:
    from fabricgen.prove.failures.across import Crossed
    from fabricgen.prove.failures.failures import Failure

Surveyed = Mapping[tuple[str, str], Sequence["Crossed"]]
_KINDS = {
    "server-link": "link to a server",
    "link": "link of two switches",
    "site-link": "link between sites",
    "power-zone": "power zone",
    "double": "named",
}


def kind_of(failure: Failure) -> str:
    """Say what kind of thing fails; of what is named, its name as well."""
    kind = _KINDS.get(failure.kind.value, failure.kind.value)
    return kind if failure.kind in ONE_THING else f"{kind} {failure.name}"


def aligned(cells: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Yield the lines of a table."""
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def table_between(sites: tuple[str, str], rows: Sequence[Crossed]) -> Iterator[str]:
    """Yield the worst of each kind of failure: of all, and of the VRFs and VLANs."""
    cells = [(" -- ".join(sites), "count", "both keep", "least of what goes between")]
    kinds: dict[str, list[Crossed]] = {}
    for row in rows:
        kinds.setdefault(kind_of(row.failures[0]), []).append(row)
    for kind, some in kinds.items():
        whole = min(each.share for row in some for w, each in row.kept.items() if not w.within)
        parts = [
            (each.share, what.label, called(row.failures))
            for row in some
            for what, each in row.kept.items()
            if what.within
        ]
        share, label, failures = min(parts, default=(Fraction(1), "", ""))
        least = f"{label} {percent(share)} without {failures}" if share < 1 else "-"
        count = sum(len(row.failures) for row in some)
        cells.append((kind, f"{count:,}", percent(whole), least))
    yield from aligned(cells)


def points_between(surveyed: Surveyed) -> Iterator[str]:
    """Yield the failures after which a VRF or VLAN has no way to the other site."""
    found = []
    for sites, rows in surveyed.items():
        for row in rows:
            lost = [what.label for what, kept in row.kept.items() if kept.lost and what.within]
            if lost:
                found.append((row, f"{', '.join(lost)} from {sites[0]} to {sites[1]}"))
    for one_thing in (True, False):
        mine = [each for each in found if (each[0].failures[0].kind in ONE_THING) is one_thing]
        if mine:
            what = "single points between sites" if one_thing else "cut between sites by the named"
            yield f"{what}: {sum(len(row.failures) for row, _ in mine):,}"
        for row, told in mine:
            yield f"  without {called(row.failures)}: no way for {told}"


def data_between(surveyed: Surveyed) -> list[dict[str, object]]:
    """Return all of it; the whole has no name `within`."""
    return [
        {
            "sites": list(sites),
            "kind": row.failures[0].kind.value,
            "failures": [failure.name for failure in row.failures],
            "networks": [
                {
                    "within": list(what.within or ()),
                    "keeps": float(kept.share),
                    "lost": kept.lost,
                }
                for what, kept in row.kept.items()
            ],
        }
        for sites, rows in surveyed.items()
        for row in rows
    ]
