"""Finds the shortest paths between the switches of one fabric."""

from collections import deque
from collections.abc import Callable, Mapping

from fabricgen.core.record import record
from fabricgen.model.fabric.topology import Link, Topology


@record()
class Path:
    """The switches of one shortest path, and the number of equally short paths."""

    switches: tuple[str, ...]
    number: int


class SwitchGraph:
    """The switches of a fabric, joined by those cables that a caller selects."""

    def __init__(self, topology: Topology, is_used: Callable[[Link], bool]) -> None:
        """Join the ends of each selected cable between switches; parallel cables join once."""
        self._known: dict[str, Mapping[str, Path]] = {}
        self._next: dict[str, dict[str, None]] = {}
        for link in topology.links:
            if not link.to_server and is_used(link):
                self._next.setdefault(link.lower.name, {})[link.upper.name] = None
                self._next.setdefault(link.upper.name, {})[link.lower.name] = None

    def path(self, one: str, other: str) -> Path | None:
        """Return a shortest path; None if there is none."""
        if one not in self._known:
            self._known[one] = self._from(one)
        return self._known[one].get(other)

    def _from(self, one: str) -> Mapping[str, Path]:
        paths, waiting = {one: Path((one,), 1)}, deque([one])
        while waiting:
            here = waiting.popleft()
            path = paths[here]
            for there in self._next.get(here, ()):
                known = paths.get(there)
                if known is None:
                    paths[there] = Path((*path.switches, there), path.number)
                    waiting.append(there)
                elif len(known.switches) == len(path.switches) + 1:
                    paths[there] = Path(known.switches, known.number + path.number)
        return paths
