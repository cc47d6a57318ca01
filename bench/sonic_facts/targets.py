"""Say once what several releases and topologies of a hwsku have in common."""

from collections.abc import Iterator, Mapping
from typing import Any

Cells = Mapping[tuple[str, str], dict[str, Any]]
"""Facts by release and topology."""


def shared(cells: Cells) -> dict[str, Any]:
    """Return the facts of every release and topology that are alike everywhere."""
    first, *more = cells.values()
    return {key: value for key, value in first.items() if all(o.get(key) == value for o in more)}


def overriding(
    base: dict[str, Any], by_release: Mapping[str, dict[str, Any]]
) -> list[dict[str, Any]]:
    """Return what differs from the facts of one release in others."""
    groups: list[tuple[dict[str, Any], list[str]]] = []
    for release, facts in by_release.items():
        other = {key: value for key, value in facts.items() if base[key] != value}
        held = next((releases for known, releases in groups if known == other), None)
        if held is None:
            groups.append((other, [release]))
        else:
            held.append(release)
    return [{"releases": releases, **other} for other, releases in groups if other]


def differing(cells: Cells) -> Iterator[dict[str, Any]]:
    """Yield the facts that are not alike everywhere, each with where it holds."""
    everywhere = shared(cells)
    rest = {
        place: {key: value for key, value in facts.items() if key not in everywhere}
        for place, facts in cells.items()
    }
    releases = list(dict.fromkeys(release for release, _ in rest))
    topologies = list(dict.fromkeys(topology for _, topology in rest))
    groups: list[tuple[dict[str, Any], dict[str, list[str]]]] = []
    for (release, topology), facts in rest.items():
        held = next((places for known, places in groups if known == facts), None)
        if held is None:
            held = {}
            groups.append((facts, held))
        held.setdefault(topology, []).append(release)
    for facts, held in groups:
        rows: dict[tuple[str, ...], list[str]] = {}
        for topology, covered in held.items():
            rows.setdefault(tuple(covered), []).append(topology)
        for where, at in rows.items():
            if facts:
                yield {
                    **({} if list(where) == releases else {"releases": list(where)}),
                    **({} if at == topologies else {"topologies": at}),
                    **facts,
                }
