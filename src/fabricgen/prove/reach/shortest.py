"""A fabric in; the shortest ways between its switches out."""

from collections import deque
from collections.abc import Mapping
from functools import cached_property

from fabricgen.core.record import record
from fabricgen.model.fabric.switch import Fabric


@record()
class Way:
    """The switches of one shortest way, and how many ways are as short."""

    switches: tuple[str, ...]
    number: int


class Ways:
    """The shortest ways between the switches of one fabric."""

    def __init__(self, fabric: Fabric) -> None:
        """Take its cables."""
        self._fabric = fabric
        self._known: dict[str, Mapping[str, Way]] = {}

    @cached_property
    def _next(self) -> Mapping[str, tuple[str, ...]]:
        there: dict[str, dict[str, None]] = {}
        for link in self._fabric.topology.links:
            if not link.to_server and link.standing is None:
                there.setdefault(link.lower.name, {})[link.upper.name] = None
                there.setdefault(link.upper.name, {})[link.lower.name] = None
        return {name: tuple(others) for name, others in there.items()}

    def between(self, one: str, other: str) -> Way | None:
        """Return the way, None where there is none."""
        if one not in self._known:
            self._known[one] = self._from(one)
        return self._known[one].get(other)

    def _from(self, one: str) -> Mapping[str, Way]:
        ways, waiting = {one: Way((one,), 1)}, deque([one])
        while waiting:
            here = waiting.popleft()
            way = ways[here]
            for there in self._next.get(here, ()):
                known = ways.get(there)
                if known is None:
                    ways[there] = Way((*way.switches, there), way.number)
                    waiting.append(there)
                elif len(known.switches) == len(way.switches) + 1:
                    ways[there] = Way(known.switches, known.number + way.number)
        return ways
