"""Counts reachability between all networks and reports where the two engines differ."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from fabricgen.core.diagnostics import Code, Diagnostic, Examined, Severity, shortened
from fabricgen.core.progress import tracked
from fabricgen.core.record import record
from fabricgen.core.units import counted
from fabricgen.prove.reach.model import Model
from fabricgen.prove.reach.stand import Stand
from fabricgen.prove.walk.packet import Outcome, Packet, Verdict
from fabricgen.prove.walk.walk import Walk

CHECK, NOUN = "reach", "pairs of stations walked"


@record(eq=False, kw_only=True)
class Case:
    """One packet between two stations, and the results of both engines.

    `pairs`: the number of pairs of stations that this one represents.
    """

    one: Stand
    other: Stand
    packet: Packet
    model: Verdict
    written: Verdict
    pairs: int = 1

    @property
    def name(self) -> str:
        """Return both ends, and the addresses of the packet."""
        ends = (
            (self.one.station.name, self.packet.source),
            (self.other.station.name, self.packet.target),
        )
        return " to ".join(f"{name} ({address})" for name, address in ends)

    @property
    def agreed(self) -> bool:
        """Return whether both engines agree."""
        return self.model.outcome is self.written.outcome


@dataclass(slots=True)
class Cell:
    """Results between two networks: outcomes, and one case of each."""

    pairs: Counter[Outcome] = field(default_factory=Counter)
    first: dict[Outcome, Case] = field(default_factory=dict)

    def add(self, case: Case) -> None:
        """Count a case, by the result of the files."""
        self.pairs[case.written.outcome] += case.pairs
        self.first.setdefault(case.written.outcome, case)

    @property
    def text(self) -> str:
        """Return the result as one word, or as counts if it varies."""
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
    """Yield every packet between stations of different servers, by each common IP version."""
    for one in tracked("following packets: senders", ones):
        for other in others:
            if one.station.node == other.station.node:
                continue  # traffic to itself does not leave a server
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
    """Report differences of files and model, once for each two networks."""
    count = 0
    first: dict[tuple[str, str, Outcome], Case] = {}
    alike: Counter[tuple[str, str, Outcome]] = Counter()
    for case in every:
        count += case.pairs
        if not case.agreed:
            ends = case.one.station.network, case.other.station.network
            key = (*ends, case.written.outcome)
            first.setdefault(key, case)
            alike[key] += case.pairs
    findings = [_finding(case, alike[key] - 1) for key, case in first.items()]
    shown = shortened(findings, "pairs of networks with a different result in the files")
    return Examined(check=CHECK, objects=count, noun=NOUN, findings=shown)


def _finding(case: Case, more: int) -> Diagnostic:
    """Return the finding of one difference. An unknown result is only a warning."""
    files = case.written
    arrives, unknown = files.outcome is Outcome.REACHES, files.outcome is Outcome.UNKNOWN
    beside = f"; likewise for {counted(more, 'more pair')} in these networks" if more else ""
    return Diagnostic(
        Code.NOT_APART if arrives else Code.NOT_REACHED,
        f"{case.name}: {files.outcome} in the files ({files.rule}), but {case.model.outcome} "
        f"in the model ({case.model.rule}){beside}",
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
