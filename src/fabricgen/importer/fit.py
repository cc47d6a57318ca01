"""Fits a tree to the switches that were read and lists the lines that remain.

A difference becomes an override, else custom config, else a reported remainder. Each step is kept
only where fewer lines differ after it, so the search ends.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TypeVar

from fabricgen.core.diagnostics import Diagnostic, Position, has_errors
from fabricgen.core.progress import tracked
from fabricgen.core.record import record
from fabricgen.importer.distance import Difference, Drawn, Written
from fabricgen.importer.lines import Line, own_file
from fabricgen.importer.own import IN_CLEAR, Own, Why, chosen
from fabricgen.importer.pins import Guess, guesses, of_cables, states, with_pins
from fabricgen.importer.places import add_custom_config, spread
from fabricgen.importer.tree import Tree, without
from fabricgen.prove.foreign.switch import Judged

T = TypeVar("T")

MOST_TRIES = 64
"""Designs that one pass may make to confirm overrides."""
TOLD = 20
"""Switches between two reports of progress."""
NOT_THERE = "rendered, but not in the given files"
NO_SWITCH = "the intent has no such switch"
SAID = "no key renders it, and the custom config of its place is full"


@record(kw_only=True)
class Remainder:
    """One line that the intent does not render as given.

    Attributes:
        ours: The line is rendered, but not in the given files.
        at: Place of the line, or the file that lacks it.
        lines: Number of such lines.
    """

    switch: str
    at: Position
    line: str
    why: str
    ours: bool = False
    lines: int = 1


@record(kw_only=True)
class ImportResult:
    """Result of an import.

    Attributes:
        lines: Number of lines in all files.
        designed: Lines rendered from intent keys.
        own: Lines rendered from custom config.
        pins: Overrides with their values.
        absent: Rendered files without a given file, by switch and path.
        lost: Switches that the tree lacks.
    """

    tree: Tree
    findings: tuple[Diagnostic, ...]
    lines: int
    designed: int
    own: int
    pins: tuple[Guess, ...]
    remainders: tuple[Remainder, ...]
    absent: tuple[tuple[str, str], ...]
    lost: tuple[Judged, ...]

    @property
    def compiles(self) -> bool:
        """Whether the intent can be rendered."""
        return not has_errors(self.findings)

    @property
    def share(self) -> float:
        """Share of the lines that the intent renders, in percent."""
        return 100 * (self.designed + self.own) / self.lines if self.lines else 100.0


class Fit:
    """All given switches, compared with a tree."""

    def __init__(
        self, switches: Sequence[Judged], report: Callable[[str], None] = lambda _: None
    ) -> None:
        """Read the files once. report: function that receives the current step."""
        self.written = [Written(each) for each in switches]
        self.report = report

    def fitted(self, tree: Tree) -> ImportResult:
        """Return the tree with overrides and custom config, and the remainders."""
        drawn = Drawn(tree)
        pins = list(of_cables(tree))
        while more := self._pins(drawn):
            pins += more
            drawn = Drawn(with_pins(drawn.tree, more), drawn.renderer)
        pairs = self.pairs(drawn)
        off = self.differences(drawn, pairs)
        theirs = sum(each.theirs_size for each in off.values())
        designed = sum(each.size for each in pairs.values()) - theirs
        drawn, why = self._own(drawn, off)
        return self._adopted(drawn, pins, why, designed)

    def pairs(self, drawn: Drawn) -> dict[str, Written]:
        """Match given and designed switches, by name or else by content."""
        left = dict(drawn.switches)
        pairs: dict[str, Written] = {}
        strangers = []
        for written in self.written:
            switch = left.get(written.switch.name)
            if switch is not None and switch.platform == written.switch.platform:
                pairs[switch.name] = written
                del left[switch.name]
            else:
                strangers.append(written)
        for written in strangers:
            alike = [each for each in left.values() if each.platform == written.switch.platform]
            sizes = {
                each.name: written.difference(drawn.texts(each.name)).size
                for each in alike[:MOST_TRIES]
            }
            nearest = min(sizes, key=sizes.__getitem__, default="")
            if nearest and sizes[nearest] < written.size / 2:
                pairs[nearest] = written
                del left[nearest]
        return pairs

    def differences(self, drawn: Drawn, pairs: Mapping[str, Written]) -> dict[str, Difference]:
        """Compare all switches by the names in the tree."""
        return {name: written.difference(drawn.texts(name)) for name, written in pairs.items()}

    def sizes(self, drawn: Drawn, pairs: Mapping[str, Written]) -> dict[str, int]:
        """Return the number of differing lines by switch. The key "" counts lost switches."""
        known = {id(each) for each in pairs.values()}
        lost = sum(each.size for each in self.written if id(each) not in known)
        off = self.differences(drawn, pairs)
        return {"": lost, **{name: each.size for name, each in off.items()}}

    def _pins(self, drawn: Drawn) -> list[Guess]:
        """Return overrides that reduce the number of differing lines."""
        if drawn.site is None:
            return []
        pairs = self.pairs(drawn)
        kinds: dict[str, list[Guess]] = defaultdict(list)
        sizes = self.sizes(drawn, pairs)
        there = {name: each.switch for name, each in pairs.items() if sizes[name]}
        for name, read in self._counted("looking for overrides", there):
            for guess in guesses(drawn, name, read):
                kinds[guess.kind].append(guess)
        kinds["state"] = states(drawn, there)
        trial = _Trial(self, drawn, pairs, sizes)
        return [guess for own in kinds.values() for guess in trial.true(own)]

    def _counted(self, what: str, each: Mapping[str, T]) -> Iterator[tuple[str, T]]:
        """Yield switches and report progress."""
        for number, item in enumerate(tracked(what, each.items())):
            if not number % TOLD:
                self.report(f"{what}: {number} of {len(each)} switches")
            yield item

    def _own(
        self, drawn: Drawn, differences: Mapping[str, Difference]
    ) -> tuple[Drawn, dict[str, Why]]:
        """Return the tree with custom config, and the reasons for lines that cannot be custom."""
        why: dict[str, Why] = {}
        own: dict[str, list[Own]] = {}
        for name, off in self._counted("placing custom config", differences):
            switch_slice, designed = drawn.slice(name), drawn.texts(name, designed=True)
            own[name], why[name] = chosen(switch_slice, designed, off)
        lines = spread(drawn, {name: rows for name, rows in own.items() if rows})
        tree = add_custom_config(drawn.tree, lines)
        after = Drawn(tree, drawn.renderer)
        for finding in after.findings:
            path = tuple(map(str, finding.path))
            if has_errors([finding]) and "custom_config" in path:
                tree = without(tree, *path[: path.index("custom_config") + 2])
                for own_why in why.values():
                    own_why[path[-1], ()] = finding.message
        return (Drawn(tree, drawn.renderer) if tree is not after.tree else after), why

    def _adopted(
        self, drawn: Drawn, pins: list[Guess], why: Mapping[str, Why], designed: int
    ) -> ImportResult:
        pairs = self.pairs(drawn)
        remainders: list[Remainder] = []
        absent: list[tuple[str, str]] = []
        for name, off in self.differences(drawn, pairs).items():
            remainders += _remainders(name, pairs[name], off, why.get(name, {}))
            absent += [(name, path) for path in off.absent]
        known = {id(each) for each in pairs.values()}
        lost = [each for each in self.written if id(each) not in known]
        remainders += [rest for each in lost for rest in _lost(each)]
        lines = sum(written.size for written in self.written)
        left = sum(each.lines for each in remainders if not each.ours)
        return ImportResult(
            tree=drawn.tree,
            findings=drawn.findings,
            lines=lines,
            designed=designed,
            own=lines - left - designed,
            pins=tuple(pins),
            remainders=tuple(remainders),
            absent=tuple(absent),
            lost=tuple(each.switch for each in lost),
        )


class _Trial:
    """Confirms guesses: all of a kind together, then halves after a failure."""

    def __init__(
        self, fit: Fit, drawn: Drawn, pairs: Mapping[str, Written], sizes: dict[str, int]
    ) -> None:
        self.fit, self.tree, self.left = fit, drawn.tree, MOST_TRIES
        self.pairs, self.sizes, self.errors = pairs, sizes, _errors(drawn)
        self.renderer = drawn.renderer

    def true(self, guesses: list[Guess]) -> list[Guess]:
        """Return the guesses that add no error and reduce the differing lines."""
        tree = with_pins(self.tree, guesses)
        if not self.left or tree == self.tree:
            return []
        if not self.left % 8:
            self.fit.report(f"trying {len(guesses)} overrides: {guesses[0].kind}")
        self.left -= 1
        drawn = Drawn(tree, self.renderer)
        if (
            drawn.design_errors <= self.errors
            and (sizes := self.nearer(drawn, guesses))
            and _errors(drawn) <= self.errors  # the slowest condition is last
        ):
            self.tree, self.sizes = tree, sizes
            return guesses
        half = len(guesses) // 2
        return [*self.true(guesses[:half]), *self.true(guesses[half:])] if half else []

    def nearer(self, drawn: Drawn, guesses: list[Guess]) -> dict[str, int]:
        """Return the number of differing lines by switch, or None if it did not fall.

        The switches that an override can change are compared first. If these do not improve, no
        other switch is rendered.
        """
        touched = {name for guess in guesses for name in guess.near or self.pairs}
        near = {name: each for name, each in self.pairs.items() if name in touched}
        sizes = {name: each.size for name, each in self.fit.differences(drawn, near).items()}
        known = all(guess.near for guess in guesses)
        if known and sum(sizes.values()) >= sum(self.sizes[name] for name in near):
            return {}
        sizes = self.fit.sizes(drawn, self.fit.pairs(drawn))
        return sizes if sum(sizes.values()) < sum(self.sizes.values()) else {}


def _lost(written: Written) -> list[Remainder]:
    """Return remainders for all lines of a switch that the tree lacks."""
    found, name = written.switch.found, written.switch.name
    return [
        _remainder(name, found.places[path], line, NO_SWITCH)
        for path in written.given
        for line in written.text(path).lines.values()
    ]


def _errors(drawn: Drawn) -> int:
    return sum(has_errors([each]) for each in drawn.findings)


def _remainders(name: str, written: Written, off: Difference, why: Why) -> list[Remainder]:
    """Return remainders for the differences of one switch."""
    places, rest = written.switch.found.places, []
    for path, lines in off.theirs.items():
        own = own_file(written.switch.platform, path)
        other = why.get((own[0] if own else "", ()), SAID)
        rest += [
            _remainder(name, places[path], line, why.get((path, line.path), other))
            for line in lines
        ]
    for path, lines in off.ours.items():
        rest += [_remainder(name, places[path], line, NOT_THERE, ours=True) for line in lines]
    return rest


def _remainder(switch: str, file: str, line: Line, why: str, *, ours: bool = False) -> Remainder:
    at = Position(file, line.numbers[0] if not ours else 1, 1)
    return Remainder(
        switch=switch,
        at=at,
        line=str(line),
        why=IN_CLEAR if line.clear else why,
        ours=ours,
        lines=len(line.numbers),
    )
