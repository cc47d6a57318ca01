"""Read a file with custom lines and report the lines that contradict the design."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from fabricgen.compile.custom_config.placing import Fault, text_of
from fabricgen.core.diagnostics import Code
from fabricgen.core.tree.facts import Disagreement, disagreements

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fabricgen.compile.custom_config.placing import Placed
    from fabricgen.core.tree.facts import Reading
    from fabricgen.core.tree.outline import Clash, Item
    from fabricgen.core.tree.whole import FactReader
    from fabricgen.model.fabric.own_lines import OwnText

_FEW = 2
"""Words of a line whose first word does not determine the second."""


@dataclass(slots=True)
class Read:
    """File read with and without its custom lines.

    unread: lines that no row claims. mute: lines that give no fact.
    """

    file: Placed
    witness: FactReader
    after: Reading = field(init=False)
    own: dict[int, Item] = field(init=False)
    unread: dict[int, Item] = field(init=False)
    mute: list[Item] = field(init=False)

    def __post_init__(self) -> None:
        """Read it with them."""
        self.own, self.after = dict(self.file.own()), self.witness.trace(self.file.after)
        numbers = {number for number, _ in self.after.unclaimed}
        self.unread = {number: item for number, item in self.own.items() if number in numbers}
        telling = {number for lines in self.after.lines.values() for number in lines}
        self.mute = [item for number, item in self.own.items() if number not in telling]

    def faults(self) -> Iterator[Fault]:
        """Yield each fault of the custom lines, one per line."""
        every = (*self._clashes(), *self._more(), *self._meanings(), *self._misplaced())
        yield from self.file.faults
        first: dict[tuple[OwnText, str, Code], Fault] = {}
        for each in every:
            first.setdefault((each.own, each.at, each.code), each)
        yield from first.values()

    def unchecked(self) -> list[Item]:
        """Return the custom lines that no row of the grammar claims or examines."""
        inside = (item for item, words in self._inside() if words and item in self.mute)
        every = {id(item): item for item in (*self.unread.values(), *inside)}
        return sorted(every.values(), key=lambda item: item.number)

    def _clashes(self) -> Iterator[Fault]:
        for clash in self.file.clashes:
            mute = any(_same(clash.own, item) for item in self.mute)
            if clash.certain or (mute and self._told(clash)):
                where = self.file.where(clash.other)
                yield _fault(clash.own, f"`{clash.own.text}` {clash.why}", where)

    def _told(self, clash: Clash) -> bool:
        """Return whether two short lines set one value: the grammar identifies one by its value."""
        if clash.why != "contradicts":
            return True
        words = clash.other.text.split()
        if len(words) <= _FEW and "/" in words[-1]:  # `network` says one prefix of several
            return False
        few = len(words) <= _FEW and not words[-1][-1].isdigit()
        return not few or not any(_same(clash.own, item) for item in self.unread.values())

    def _meanings(self) -> Iterator[Fault]:
        """Yield custom lines that set an object differently than the design."""
        before = self.witness.read(self.file.before).facts
        for each in disagreements(before, self.after.facts):
            numbers = self.after.lines.get((each.key, each.attribute), ())
            mine = next((self.own[number] for number in numbers if number in self.own), None)
            if each.key not in before or mine is None or _only_adds(each):
                continue
            rows = (self.file.rows[number - 1] for number in numbers if number not in self.own)
            ours = next(rows, None)
            name = " ".join((*each.key, each.attribute))
            where = f"than {self.file.where(ours)}" if ours is not None else "than the design"
            yield _fault(mine, f"`{mine.text}` sets {name} differently", where)

    def _misplaced(self) -> Iterator[Fault]:
        """Find lines that the device would take for lines of a section around theirs."""
        above: list[Item] = []
        unread = {id(item) for item in self.unread.values()}
        for item in self.file.rows:
            if item is None:
                continue
            above = [each for each in above if each.indent < item.indent]
            if id(item) in unread and any(
                self._knows(above[:at], item) for at in range(len(above))
            ):
                why = f"`{item.text}` is a line of a section above its section"
                yield _fault(item, why, code=Code.OWN_LINES_REFUSED)
            above.append(item)

    def _more(self) -> Iterator[Fault]:
        """Find lines that say more of a list or an object of ours that is closed."""
        rows = (row for row in self.file.rows if row is not None and row.origin is None)
        ours = {words: row for row in rows if (words := self._closed(row))}
        for item, words in self._inside():
            if words in ours:
                why = f"`{item.text}` adds to an object of the design:"
                yield _fault(item, why, self.file.where(ours[words]))

    def _inside(self) -> Iterator[tuple[Item, tuple[str, ...]]]:
        """Yield each custom line with the words of its closed list or object, or none."""
        words: tuple[str, ...] = ()
        for item in self.file.rows:
            if item is not None and not item.indent:
                words = self._closed(item)
            if item is not None and item.origin is not None:
                yield item, words

    def _closed(self, head: Item) -> tuple[str, ...]:
        pattern = self.file.file.closed
        match = pattern.match(head.text) if pattern is not None else None
        return match.groups() if match is not None else ()

    def _knows(self, above: list[Item], item: Item) -> bool:
        rows = [*(each.raw for each in above), " " * len(above) * 9 + item.text]
        return not self.witness.read("\n".join(rows)).unclaimed


def _same(one: Item, other: Item) -> bool:
    return (one.origin, one.at) == (other.origin, other.at)


def _fault(item: Item, why: str, where: str = "", code: Code = Code.OWN_LINE_CLASHES) -> Fault:
    return Fault(own=text_of(item), at=item.at, code=code, why=why, where=where)


def _only_adds(each: Disagreement) -> bool:
    """Return whether a fact about the switch is new, or one of several more."""
    old, new = each.designed, each.witnessed
    more = isinstance(old, tuple) and isinstance(new, tuple) and set(old) <= set(new)
    return each.key == ("switch",) and (old is None or more)
