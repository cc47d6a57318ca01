"""Makes the data of the topology: switches and sums of cables, then cables by part of a fabric."""

from __future__ import annotations

from collections import Counter
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from fabricgen import Cable, Fabric, Site, Switch


def chunks(site: Site) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Yield a chunk for each fabric, then one for the cables of each part."""
    for fabric in site.fabrics.values():
        data = _Data(fabric)
        yield f"topology/{fabric.name}", data.shape
        for part in range(len(data.parts)):
            yield f"topology/{fabric.name}/{part}", partial(data.cables, part)


def _part(switch: Switch) -> tuple[int | str, ...]:
    """Return what the switches of one part share: a unit, a leaf group, or the tier of a pod."""
    place = switch.place
    return switch.role, *(place[key] for key in ("plane", "pod", "unit", "group"))


class _Words(dict[str, int]):
    """Numbers of texts: a text that occurs often travels once."""

    def __missing__(self, text: str) -> int:
        self[text] = len(self)
        return self[text]


class _Data:
    """The chunks of one fabric."""

    def __init__(self, fabric: Fabric) -> None:
        self.fabric = fabric
        keys = dict.fromkeys(map(_part, fabric.switches.values()))
        self.parts = {key: number for number, key in enumerate(keys)}
        self.places = {name: place for place, name in enumerate(fabric.switches)}

    def shape(self) -> dict[str, Any]:
        """Return the switches, their servers, and sums of equal cables between two ends.

        A row of `bundles` is lower, upper, speed, state and number of cables. Lower is -1 for
        servers. A row of `attached` is a leaf and the numbers of its servers.
        """
        words, servers, attached = _Words(), _Words(), dict[int, dict[int, None]]()
        bundles: Counter[tuple[int, int, int, int]] = Counter()
        for cable in self.fabric.cables():
            lower, upper = self.places.get(cable.lower, -1), self.places[cable.upper]
            bundles[lower, upper, words[cable.speed], words[cable.state]] += 1
            if lower < 0:
                attached.setdefault(upper, {})[servers[cable.lower]] = None
        switches = [_row(each, words, self.parts) for each in self.fabric.switches.values()]
        return {
            "name": self.fabric.name,
            "design": self.fabric.design,
            "switches": switches,
            "servers": list(servers),
            "bundles": [[*key, count] for key, count in bundles.items()],
            "attached": [[leaf, _ranges(found)] for leaf, found in attached.items()],
            "words": list(words),
        }

    def cables(self, part: int) -> dict[str, Any]:
        """Return the cables of a part: those to its servers, and those up from its switches."""
        words = _Words()
        rows = [
            [
                *(words[each.lower], words[each.lower_port], words[each.upper]),
                *(words[each.upper_port], words[each.speed], each.meters, words[each.state]),
            ]
            for each in self._cables.get(part, ())
        ]
        return {"cables": rows, "words": list(words)}

    @cached_property
    def _cables(self) -> dict[int, list[Cable]]:
        found: dict[int, list[Cable]] = {}
        switches = self.fabric.switches
        part_of = {name: self.parts[_part(switch)] for name, switch in switches.items()}
        for cable in self.fabric.cables():
            owner = cable.lower if cable.lower in part_of else cable.upper
            found.setdefault(part_of[owner], []).append(cable)
        return found


def _row(switch: Switch, words: _Words, parts: dict[Any, int]) -> list[Any]:
    """Return name, role, platform, model, group, plane, pod, unit, index and part of a switch."""
    place = switch.place
    texts = (switch.role, switch.platform, switch.model, str(place["group"]))
    numbers = (place[key] for key in ("plane", "pod", "unit", "index"))
    return [switch.name, *(words[text] for text in texts), *numbers, parts[_part(switch)]]


def _ranges(numbers: dict[int, None]) -> list[int]:
    """Return sorted numbers as first and last of each run.

    >>> _ranges(dict.fromkeys([3, 1, 2, 7]))
    [1, 3, 7, 7]
    """
    found: list[int] = []
    for number in sorted(numbers):
        if found and found[-1] == number - 1:
            found[-1] = number
        else:
            found += [number, number]
    return found
