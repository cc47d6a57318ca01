"""A proven switch in; the lines that another of its sort must have, from its own values, out.

Two switches of a sort have the same text but for the lines that hold values of their own. Each such
line of the proven switch is kept as a format: where its variable was read as a fact that is an own
value of the design, that value of the other switch goes in; all else stays as it is.
"""

from __future__ import annotations

from operator import itemgetter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from fabricgen.tree.facts import Key
    from fabricgen.tree.grammar import Span


class Alike:
    """The own lines of one sort of switches. objects: how many agree on each."""

    def __init__(self, formats: Sequence[str], numbers: Sequence[int], objects: int) -> None:
        """numbers: of the own values that all formats take, one after the other."""
        self._text = "\n".join(formats)
        self._take = itemgetter(*numbers)
        self.objects = objects

    @classmethod
    def of(
        cls,
        lines: Sequence[tuple[str, list[Span]]],
        places: Mapping[tuple[Key, str, str], int],
        objects: int,
    ) -> Alike | None:
        """Learn from the lines of a proven switch; None when an own value is in none of them.

        places: object, attribute and value of each own value of that switch, to its number.
        """
        formats: list[str] = []
        numbers: list[int] = []
        for line, spans in lines:
            text, at = "", 0
            for start, end, facts in spans:
                value = line[start:end]
                stands = ((*fact, value) for fact in facts)
                number = next((places[each] for each in stands if each in places), None)
                if number is not None:
                    text += f"{line[at:start].replace('%', '%%')}%s"
                    numbers.append(number)
                    at = end
            formats.append(text + line[at:].replace("%", "%%"))
        if len(set(numbers)) < 2 or set(numbers) != set(places.values()):
            return None
        return cls(formats, numbers, objects)

    def lines(self, own: Sequence[str]) -> list[str]:
        """Return the lines that a switch with these own values has."""
        text: str = self._text % self._take(own)
        return text.split("\n")
