"""Counts reachability between all networks and reports where the two engines differ."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fabricgen.core.diagnostics import Code, Diagnostic, Examined, Severity, shortened
from fabricgen.core.record import record
from fabricgen.prove.reach.model import Model
from fabricgen.prove.reach.stand import Stand
from fabricgen.prove.walk.packet import Outcome, Packet, Verdict
from fabricgen.prove.walk.walk import Walk

CHECK, NOUN = "reach", "pairs of stations walked"


@record(eq=False, kw_only=True)
class Case:
    """One packet between two stations, and what each engine says of it."""

    one: Stand
    other: Stand
    packet: Packet
    model: Verdict
    written: Verdict

    @property
    def name(self) -> str:
        """Name both ends, and the addresses that the packet has."""
        ends = (
            (self.one.station.name, self.packet.source),
            (self.other.station.name, self.packet.target),
        )
        return " to ".join(f"{name} ({address})" for name, address in ends)

    @property
    def agreed(self) -> bool:
        """Tell whether both engines say the same."""
        return self.model.outcome is self.written.outcome


@dataclass(slots=True)
class Cell:
    """What the stations of one network have of those of another: outcomes, and one case of each."""

    pairs: Counter[Outcome] = field(default_factory=Counter)
    first: dict[Outcome, Case] = field(default_factory=dict)

    def add(self, case: Case) -> None:
        """Count one case, by what the files say."""
        self.pairs[case.written.outcome] += 1
        self.first.setdefault(case.written.outcome, case)

    @property
    def text(self) -> str:
        """Say it in a word, or how many of how many where not all are alike."""
        if len(self.pairs) == 1:
            return str(next(iter(self.pairs)))
        return ", ".join(f"{count} {outcome}" for outcome, count in sorted(self.pairs.items()))


Matrix = dict[tuple[str, str], Cell]


def cases(
    ones: Sequence[Stand],
    others: Sequence[Stand],
    model: Model,
    walk: Walk,
    proto: tuple[str, int] = ("", 0),
) -> Iterator[Case]:
    """Yield every packet between two stations of unlike servers, by each IP version both have."""
    for one in ones:
        for other in others:
            if one.station.node == other.station.node:
                continue  # what a server says to itself does not leave it
            for version in (4, 6):
                source, target = one.station.address(version), other.station.address(version)
                if source is not None and target is not None:
                    packet = Packet(source.ip, target.ip, *proto)
                    yield Case(
                        one=one,
                        other=other,
                        packet=packet,
                        model=model.answer(one, other, packet),
                        written=walk.answer(one.station, other.station, packet),
                    )


def matrix(every: Iterable[Case]) -> Matrix:
    """Count cases by the networks of their ends."""
    cells: Matrix = {}
    for case in every:
        key = (case.one.station.network, case.other.station.network)
        cells.setdefault(key, Cell()).add(case)
    return cells


def examined(every: Iterable[Case]) -> Examined:
    """Say where what the files do is not what the model says, once for two networks."""
    count = 0
    alike: dict[tuple[str, str, Outcome], list[Case]] = {}
    for case in every:
        count += 1
        if not case.agreed:
            ends = case.one.station.network, case.other.station.network
            alike.setdefault((*ends, case.written.outcome), []).append(case)
    findings = [_finding(group[0], len(group) - 1) for group in alike.values()]
    shown = shortened(findings, "pairs of networks of which the files say otherwise")
    return Examined(check=CHECK, objects=count, noun=NOUN, findings=shown)


def _finding(case: Case, more: int) -> Diagnostic:
    """Say one difference. What is not known is a warning: nobody says that it is wrong."""
    files = case.written
    arrives, unknown = files.outcome is Outcome.REACHES, files.outcome is Outcome.UNKNOWN
    beside = f"; so with {more} more of these networks" if more else ""
    return Diagnostic(
        Code.NOT_APART if arrives else Code.NOT_REACHED,
        f"{case.name}: the model says it {case.model.outcome} ({case.model.rule}), "
        f"by the files it {'is ' * unknown}{files.outcome}: {files.rule}{beside}",
        path=case.model.paths[0] if case.model.paths else case.one.because.main,
        severity=Severity.WARNING if unknown else Severity.ERROR,
    )


def as_data(cells: Mapping[tuple[str, str], Cell]) -> list[dict[str, object]]:
    """Return the matrix for programs: a row for each ordered pair of networks."""
    return [
        {
            "from": one,
            "to": other,
            "pairs": {str(outcome): count for outcome, count in sorted(cell.pairs.items())},
            "rules": {
                str(outcome): case.model.rule for outcome, case in sorted(cell.first.items())
            },
        }
        for (one, other), cell in cells.items()
    ]
