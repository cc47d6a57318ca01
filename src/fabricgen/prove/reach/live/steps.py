"""Define the hops of a compared path, and find the first one that differs."""

from collections.abc import Iterable, Iterator
from enum import StrEnum

from fabricgen.core.record import record
from fabricgen.prove.reach.matrix import Case


class State(StrEnum):
    """Result of a comparison with the model."""

    SAME = "same"
    DIFFERS = "differs"
    UNKNOWN = "not known"


_WORST = (State.DIFFERS, State.UNKNOWN, State.SAME)


def worst(states: Iterable[State]) -> State:
    """Return the state of a whole: one difference makes it differ."""
    found = {*states}
    return next((each for each in _WORST if each in found), State.SAME)


@record(kw_only=True)
class Item:
    """One value at a hop, as text, from three witnesses.

    Attributes:
        name: Name of the value, as `MTU`.
        place: The port or interface. Empty for a value of the switch.
        model: Value of the model.
        files: Value of the rendered files. Empty if not known.
        running: Value of the running switch. Empty if not known.
        written: State of the files.
        state: State of the running switch.
        why: Reasons for unknown values.
        source: Command and field of the running value.
    """

    name: str
    place: str
    model: str
    files: str
    running: str
    written: State
    state: State
    why: str = ""
    source: str = ""

    @property
    def whole(self) -> State:
        """Return the state of both witnesses."""
        return worst((self.written, self.state))

    @property
    def subject(self) -> str:
        """Return the name with its place, as `MTU of swp29`."""
        return f"{self.name} of {self.place}" if self.place else self.name


@record(kw_only=True)
class Step:
    """One hop of a branch in the model.

    Attributes:
        switch: Name of the switch.
        enters: Port of the packet's arrival.
        leaves: Port of its departure.
        depth: Number of switches before it.
        target: Looked-up address in the underlay. Empty on the last switch.
        last: The switch with the receiver: its own name, or the name of a tunnel's end.
    """

    switch: str
    enters: str
    leaves: str
    depth: int
    target: str
    last: str

    @property
    def is_first(self) -> bool:
        """Return whether the sender's cable ends here."""
        return not self.depth

    @property
    def is_last(self) -> bool:
        """Return whether the receiver's cable begins here."""
        return not self.target

    @property
    def is_middle(self) -> bool:
        """Return whether both cables of this hop lead to switches."""
        return not (self.is_first or self.is_last)


@record(kw_only=True)
class Hop:
    """One hop and its compared values."""

    step: Step
    items: tuple[Item, ...]

    @property
    def state(self) -> State:
        """Return the state of all its values."""
        return worst(item.whole for item in self.items)

    def first(self, state: State) -> Item | None:
        """Return the first value with a state."""
        return next((item for item in self.items if item.whole is state), None)


Branch = tuple[int, ...]
"""One equal-cost path: the positions of its hops."""


@record(kw_only=True)
class LivePath:
    """The compared path of a packet.

    Attributes:
        case: The packet, with the results of both engines.
        dscp: DSCP of the packet.
        label: Name of its traffic class.
        hops: Every hop, nearest to the sender first.
        branches: The first branches.
        count: Number of all branches.
        unread: Switches that were not read, with the reason.
    """

    case: Case
    dscp: int
    label: str
    hops: tuple[Hop, ...]
    branches: tuple[Branch, ...]
    count: int
    unread: dict[str, str]

    @property
    def state(self) -> State:
        """Return the state of the whole path."""
        return worst(hop.state for hop in self.hops)

    @property
    def first(self) -> tuple[Hop, Item] | None:
        """Return the first hop that differs, and its first different value."""
        return next(self._found(State.DIFFERS), None)

    def unknown(self) -> list[tuple[Hop, Item]]:
        """Return the first unknown value of each hop."""
        return list(self._found(State.UNKNOWN))

    def _found(self, state: State) -> Iterator[tuple[Hop, Item]]:
        for hop in self.hops:
            item = hop.first(state)
            if item is not None:
                yield hop, item

    def of_branch(self, branch: Branch) -> list[Hop]:
        """Return the hops of a branch."""
        return [self.hops[place] for place in branch]
