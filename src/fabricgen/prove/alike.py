"""Checks whether a switch's files equal the files of a proven switch except for its own values.

Two switches of a type have the same texts except for values of their own. The texts of the proven
switch are split at each variable that was read as a fact that the design computes for this switch.
The value of the other switch is inserted there, and all other text must be equal.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import NamedTuple

from fabricgen.core.record import record
from fabricgen.core.tree.facts import NAME, Facts, Key, Span
from fabricgen.nos.spelling import Place

Stands = dict[tuple[Key, str, str], int]
"""Object, attribute and value of a switch-specific fact, to the number of that value."""


class Form(NamedTuple):
    """A text in parts; every second part is the switch-specific value of that number."""

    pieces: list[str]
    numbers: list[int]

    def filled(self, own: Sequence[str]) -> str:
        """Return the text of a switch with these values."""
        pieces = self.pieces.copy()
        pieces[1::2] = [own[number] for number in self.numbers]
        return "".join(pieces)


@record(eq=False, kw_only=True)
class Alike:
    """A type of switches. `shape`: their common design. `objects`: agreeing objects on each.

    `twins`: numbers of values at one place of the proven switch, which must be equal.
    """

    shape: Sequence[Hashable]
    forms: Mapping[str, Form]
    twins: Sequence[tuple[int, int]]
    objects: int

    def fits(self, own: Sequence[str], files: Mapping[str, str]) -> bool:
        """Return whether files belong to a switch of this type with these values."""
        return (
            files.keys() == self.forms.keys()
            and all(own[one] == own[other] for one, other in self.twins)
            and all(form.filled(own) == files[path] for path, form in self.forms.items())
        )


class Own:
    """The values of a proven switch, and their places in its facts and files."""

    def __init__(
        self, own: Sequence[str], places: Sequence[tuple[Place, ...]], wanted: Facts
    ) -> None:
        """`places`: of each value. `wanted`: the expected facts of its files."""
        self.values = frozenset((*own, *(value.partition(" ")[0] for value in own)))
        self.objects = len(wanted)
        self.twins: list[tuple[int, int]] = []
        self._stands: Stands = {}
        self._seen: set[tuple[Key, str, str]] = set()
        for number, (value, where) in enumerate(zip(own, places, strict=True)):
            for key, attribute in where:
                if key in wanted and (attribute == NAME or attribute in wanted[key]):
                    first = self._stands.setdefault((key, attribute, value), number)
                    if first != number:
                        self.twins.append((first, number))

    @property
    def complete(self) -> bool:
        """Return whether each value was found at all its places."""
        return len(self._seen) == len(self._stands)

    def form(self, text: str, spans: Iterable[Span]) -> Form:
        """Split a text at switch-specific values."""
        pieces, numbers, at = list[str](), list[int](), 0
        for start, end, key, attribute in spans:
            stands = key, attribute, text[start:end]
            number = self._stands.get(stands)
            if number is None:
                continue
            self._seen.add(stands)
            if start >= at:
                pieces += text[at:start], text[start:end]
                numbers.append(number)
                at = end
            elif number != numbers[-1]:
                self.twins.append((numbers[-1], number))
        return Form([*pieces, text[at:]], numbers)
