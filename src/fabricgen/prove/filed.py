"""Reads the files of one switch, and finds the line of each fact."""

from collections.abc import Mapping
from functools import cached_property

from fabricgen.core.diagnostics import Position
from fabricgen.core.tree.facts import Facts, Key, Reading
from fabricgen.model.fabric.port_qos import QosState, unreadable
from fabricgen.nos.registry import nos
from fabricgen.prove.invariants.switch import KINDS, Switch
from fabricgen.prove.written import Judge, judge_of


class Filed(Switch):
    """One switch with the texts of its files, by path. `places`: location of each file."""

    def __init__(
        self, name: str, platform: str, texts: Mapping[str, str], places: Mapping[str, str]
    ) -> None:
        """Set the files; `take` reads their facts."""
        super().__init__(name, platform, {})
        self.texts, self.places = texts, places

    def take(self, reader: Judge, facts: Facts) -> None:
        """Save the facts that a reader found."""
        self._reader, self.facts, self.about = reader, facts, reader.about

    def traced(self, path: str) -> Reading:
        """Read a file with line numbers."""
        return self._reader.read(path, self.texts[path], trace=True)

    @cached_property
    def lines(self) -> dict[tuple[Key, str], Position]:
        """Location of each fact: the first line that states it."""
        found: dict[tuple[Key, str], Position] = {}
        for path in self.texts:
            for fact, numbers in self.traced(path).lines.items():
                if numbers:
                    found.setdefault(fact, Position(self.places[path], min(numbers), 1))
        return found

    @cached_property
    def _objects(self) -> dict[Key, Position]:
        found: dict[Key, Position] = {}
        for (key, _), at in self.lines.items():
            known = found.get(key)
            if known is None or (known.file == at.file and at.line < known.line):
                found[key] = at
        return found

    def place(self, key: Key, *attributes: str) -> Position:
        """Return the location of the first of some attributes of an object, or of the object."""
        for name in attributes:
            if (key, name) in self.lines:
                return self.lines[key, name]
        return self._objects.get(key) or self.top

    @property
    def top(self) -> Position:
        """The first line of its first file."""
        return Position(next(iter(self.places.values())), 1, 1)

    @cached_property
    def qos(self) -> QosState:
        """QoS of its ports; unknown if the reader fails."""
        late = nos(self.platform).qos
        if late is None:
            return unreadable("no reader supports its queues")
        try:
            return late.load()(None, self.texts)
        except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
            return unreadable(f"its queues cannot be read: {error}")


def filed(name: str, platform: str, texts: Mapping[str, str], folder: str) -> Filed | None:
    """Return a switch by its rendered files; None if its platform has no grammar."""
    reader = judge_of(platform)
    if reader is None:
        return None
    switch = Filed(name, platform, texts, {path: f"{folder}/{path}" for path in texts})
    facts = reader.facts(texts)[0]
    switch.take(reader, {key: own for key, own in facts.items() if key[0] in KINDS})
    return switch
