"""Represents the files of a switch or server, and the reasons of their lines."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import field
from functools import cached_property
from html import escape
from typing import TYPE_CHECKING, Generic, TypeVar

from fabricgen.core.diagnostics import dotted
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from fabricgen.compile.compiler import Cutter, Owner
    from fabricgen.compile.reports.explanation import Line
    from fabricgen.intent.source import SourceMap
    from fabricgen.model.fabric.switch import Site

T = TypeVar("T")
_WORD = re.compile(r"[0-9a-f.:]*[0-9][0-9a-f.:]*")


class Named(Mapping[str, T], Generic[T]):
    """Objects by name. An unknown name raises `UnknownName` with the nearest known names."""

    def __init__(self, kind: str, items: Iterable[tuple[str, T]]) -> None:
        self._kind, self._items = kind, dict(items)

    def __getitem__(self, name: str) -> T:
        """Return the object of a name.

        Raises:
            UnknownName: No object has the name.
        """
        try:
            return self._items[name]
        except KeyError:
            from fabricgen.api.errors import unknown_name

            raise unknown_name(self._kind, name, self._items) from None

    def __contains__(self, name: object) -> bool:
        """Return whether an object has the name."""
        return name in self._items

    def __iter__(self) -> Iterator[str]:
        """Iterate over the names."""
        return iter(self._items)

    def __len__(self) -> int:
        """Return the number of objects."""
        return len(self._items)

    def __repr__(self) -> str:
        """Return the kind and the first names."""
        first = ", ".join(list(self)[:4])
        return f"<{len(self):,} x {self._kind}: {first}{', …' if len(self) > 4 else ''}>"


@record()
class IntentPlace:
    """A place in the intent: the dotted key, and file:line:column, empty if it has no place."""

    key: str
    place: str

    def __str__(self) -> str:
        """Return the place, if any, and the key."""
        return f"{self.place}  {self.key}" if self.place else self.key


@record()
class Reason:
    """A rule that made a line, and the places in the intent that it follows from."""

    rule: str
    places: tuple[IntentPlace, ...]


@record(kw_only=True)
class ExplainedLine:
    """One line of a file with its reasons.

    Attributes:
        file: Path of the file, below the folder of its switch or server.
        number: Line number, from 1.
        reasons: Rules that made the line, the innermost block first. Empty for constant lines.
        template: The custom template of the site that wrote the line, or empty.
        numbers: How the compiler computed the numbers in the line, by number.
    """

    file: str
    number: int
    text: str
    reasons: tuple[Reason, ...] = ()
    template: str = ""
    numbers: Mapping[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        """Return the line and its reasons, as `fabricgen explain` prints them."""
        rows = [f"{self.file}:{self.number}  {self.text.strip()}"]
        rows += [f"    {number}: {how}" for number, how in self.numbers.items()]
        if self.template:
            rows.append(f"    from the custom template {self.template} of the site")
        elif not self.reasons:
            rows.append("    constant on this platform")
        for reason in self.reasons:
            rows.append(f"    {reason.rule}")
            rows += (f"      from {found}" for found in reason.places)
        return "\n".join(rows)


def numbers_in(text: str, numbers: Mapping[str, str]) -> dict[str, str]:
    """Return how the numbers and addresses in a text were computed, in their order."""
    words = dict.fromkeys(_WORD.findall(text))
    return {word: numbers[word] for word in words if word in numbers}


class Explanations:
    """The reasons of all lines of one switch or server. They are computed once, on first use."""

    def __init__(self, owner: Owner, site: Site, source: SourceMap, cutter: Cutter) -> None:
        self._owner, self._site, self._source, self._cutter = owner, site, source, cutter

    @cached_property
    def _computed(self) -> tuple[list[Line], dict[str, str]]:
        from fabricgen.compile.reports.derivations import derivations, host_derivations
        from fabricgen.compile.reports.explanation import explain_host, explain_switch
        from fabricgen.model.fabric.switch import SwitchSlice

        piece, templates = self._cutter.cut(self._owner), self._site.templates
        fabrics = {fabric.name: fabric for fabric in self._site.fabrics}
        if isinstance(piece, SwitchSlice):
            numbers = derivations(fabrics[piece.switch.fabric], piece)
            return list(explain_switch(piece, templates)), numbers
        return list(explain_host(piece, templates)), host_derivations(fabrics, piece)

    def lines(self, file: str = "") -> list[ExplainedLine]:
        """Return the lines of one file, or of all files."""
        found, numbers = self._computed
        return [self._explained(line, numbers) for line in found if file in ("", line.file)]

    def _explained(self, line: Line, numbers: Mapping[str, str]) -> ExplainedLine:
        return ExplainedLine(
            file=line.file,
            number=line.number,
            text=line.text,
            template=line.template,
            reasons=tuple(
                Reason(
                    because.rule,
                    tuple(
                        IntentPlace(dotted(path), str(self._source.locate(path) or ""))
                        for path in because.paths
                    ),
                )
                for because in line.reasons
            ),
            numbers=numbers_in(line.text, numbers),
        )


class ConfigFile:
    """One rendered file of a switch or server.

    Attributes:
        path: Path below the folder of its switch or server.
        text: Its content.
        executable: Whether it has the permission to run.
    """

    def __init__(
        self, path: str, text: str, explanations: Explanations, *, executable: bool = False
    ) -> None:
        self.path, self.text, self.executable = path, text, executable
        self._explanations = explanations

    def explain(self, *, line: int | None = None, text: str = "") -> list[ExplainedLine]:
        """Return the reasons of lines.

        Args:
            line: Number of one line, from 1. Default: all lines.
            text: Only lines that contain this text.
        """
        return [
            found
            for found in self._explanations.lines(self.path)
            if line in (None, found.number) and text in found.text
        ]

    def __str__(self) -> str:
        """Return the content."""
        return self.text

    def __repr__(self) -> str:
        """Return the path and the number of lines."""
        return f"<ConfigFile {self.path}: {len(self.text.splitlines()):,} lines>"

    def _repr_html_(self) -> str:
        return f"<pre>{escape(self.text)}</pre>"
