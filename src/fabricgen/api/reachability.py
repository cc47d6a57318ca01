"""Checks reachability between two ends, or between all networks, in the model and in the files."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fabricgen.api import is_installed, require
from fabricgen.core.diagnostics import Code, Diagnostic, Examined, has_errors
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from pathlib import Path

    from fabricgen.compile.compiler import Owner
    from fabricgen.core.diagnostics import IntentPath
    from fabricgen.intent.source import SourceMap
    from fabricgen.model.fabric.switch import Site
    from fabricgen.prove.evidence import Lines
    from fabricgen.prove.reach.matrix import Case, Cell
    from fabricgen.prove.reach.stand import Stand
    from fabricgen.prove.share import Share
    from fabricgen.prove.walk.exchange import Exchange
    from fabricgen.prove.walk.packet import Verdict

    Texts = Iterable[tuple[Owner, Mapping[str, str]]]

PROTOCOLS = ("tcp", "udp", "icmp")
_NO_LAWS = Examined(check="invariants", objects=0, noun="facts", findings=())


@record(kw_only=True)
class Ends:
    """A question: both ends, and the service as protocol and port. An empty end is any station."""

    sender: str
    receiver: str
    service: tuple[str, int] = ("", 0)


@record(kw_only=True)
class GivenFiles:
    """Files of a folder, used instead of rendered ones.

    Attributes:
        texts: The files of each switch and server.
        laws: What the files break. A switch may refuse lines that a walk accepts.
        share: Share of the lines that a walk uses.
    """

    texts: list[tuple[Owner, Mapping[str, str]]]
    laws: Examined
    share: Share


@record(kw_only=True)
class Reachability:
    """The results of both engines for each pair of stations of two ends.

    Attributes:
        cases: One case for each pair of addresses.
        lines: Lines of the files behind the hops.
        laws: What given files break.
        share: Share of the lines of given files that a walk uses.
    """

    cases: tuple[Case, ...]
    source: SourceMap
    lines: Lines
    laws: Examined = _NO_LAWS
    share: Share | None = None

    @property
    def ok(self) -> bool:
        """Return whether all pairs are reachable and both engines agree."""
        from fabricgen.prove.walk.packet import Outcome

        return all(
            case.agreed and case.model.outcome is Outcome.REACHES for case in self.cases
        ) and not has_errors(self.laws.findings)

    def as_data(self) -> dict[str, Any]:
        """Return the cases as data."""
        pairs = {"pairs": [case_data(case, self.source) for case in self.cases]}
        return {**pairs, **share_data(self.share)}

    def __repr__(self) -> str:
        """Return the number of pairs and the result."""
        return f"<Reachability of {len(self.cases):,} pairs: {'ok' if self.ok else 'not ok'}>"


@record(kw_only=True)
class Matrix:
    """The results of both engines between all networks of a site.

    Attributes:
        cells: By the networks of sender and receiver.
        cases: One case for each class of equal pairs.
        classes: Number of classes of stations.
        examined: Differences between files and model.
    """

    cells: Mapping[tuple[str, str], Cell]
    cases: tuple[Case, ...]
    classes: int
    examined: Examined
    laws: Examined = _NO_LAWS
    share: Share | None = None

    @property
    def findings(self) -> tuple[Diagnostic, ...]:
        """Return the differences, and what given files break."""
        return (*self.examined.findings, *self.laws.findings)

    @property
    def ok(self) -> bool:
        """Return whether files and model agree."""
        return not has_errors(self.findings)

    def as_data(self) -> dict[str, Any]:
        """Return the matrix as data: a row for each ordered pair of networks."""
        assert is_installed("prove.reach")
        from fabricgen.prove.reach.matrix import as_data

        rows = [
            {"code": str(found.code), "severity": str(found.severity), "message": found.message}
            for found in self.findings
        ]
        networks = {"networks": as_data(dict(self.cells)), "classes": self.classes}
        return {**networks, "findings": rows, **share_data(self.share)}

    def __repr__(self) -> str:
        """Return the number of pairs of networks and the result."""
        return f"<Matrix of {len(self.cells):,} pairs: {'ok' if self.ok else 'not ok'}>"


def parse_service(text: str) -> tuple[str, int]:
    """Split a service such as `tcp/443` into protocol and port. An empty text is any service.

    Raises:
        Failure: The protocol or the port is invalid.
    """
    if not text:
        return "", 0
    protocol, slash, port = text.partition("/")
    if protocol not in PROTOCOLS or (slash and not (port.isdecimal() and 0 < int(port) < 65536)):
        from fabricgen.core.diagnostics import Failure

        known = ", ".join(PROTOCOLS)
        message = f"invalid {text!r}: use {known} with an optional /PORT"
        raise Failure(Diagnostic(Code.BAD_VALUE, message))
    return protocol, int(port or 0)


def given_files(site: Site, folder: Path) -> GivenFiles:
    """Read the files of a site from a folder that `render` wrote.

    Raises:
        Failure: The folder lacks files of the site.
    """
    require("prove.reach", "reachability")
    from fabricgen.model.fabric.topology import Switch
    from fabricgen.prove.evidence import standing
    from fabricgen.prove.lawful import Rendered
    from fabricgen.prove.reach.share import ignored

    texts, read = list(standing(site, folder)), Rendered()
    for owner, files in texts:
        if isinstance(owner, Switch):
            read.take(owner, files)
    return GivenFiles(texts=texts, laws=read.examined(), share=read.share(ignored))


def reachability(
    site: Site, source: SourceMap, ends: Ends, given: GivenFiles | None = None
) -> Reachability:
    """Check the pairs of two ends.

    Args:
        site: The model.
        source: Places of the intent, for the rules of the answer.
        ends: The question.
        given: Files to use instead of rendering the site.

    Raises:
        UnknownName: The site does not have one of the ends, or no pair has a common IP version.
    """
    from fabricgen.api.errors import UnknownName
    from fabricgen.prove.evidence import Lines, rendered

    texts = given.texts if given is not None else list(rendered(site))
    cases, _ = pairs_of(ends, site, texts)
    if not cases:
        message = "the two ends have no addresses of the same IP version"
        raise UnknownName(Diagnostic(Code.NO_SUCH_OBJECT, message))
    found = Reachability(cases=tuple(cases), source=source, lines=Lines(texts))
    return found if given is None else _with(found, given)


def matrix(
    site: Site, service: tuple[str, int] = ("", 0), given: GivenFiles | None = None
) -> Matrix:
    """Check all pairs of networks of a site."""
    require("prove.reach", "reachability")
    from fabricgen.prove.evidence import rendered, walk
    from fabricgen.prove.reach.classes import Classes
    from fabricgen.prove.reach.matrix import examined
    from fabricgen.prove.reach.matrix import matrix as cells_of
    from fabricgen.prove.reach.model import Model
    from fabricgen.prove.reach.stations import stands

    every = stands(site)
    texts = given.texts if given is not None else rendered(site)  # read once, not kept
    second = walk(site, [stand.station for stand in every], texts)
    classes = Classes(every, Model(site, every), second)
    cases = tuple(classes.cases(service))
    found = Matrix(
        cells=cells_of(cases), cases=cases, classes=len(classes), examined=examined(cases)
    )
    return found if given is None else _with(found, given)


def _with(found: Any, given: GivenFiles) -> Any:
    from dataclasses import replace

    return replace(found, laws=given.laws, share=given.share)


def pairs_of(ends: Ends, site: Site, texts: Texts) -> tuple[list[Case], Exchange]:
    """Return the cases of two ends, and the routes that the files exchange."""
    require("prove.reach", "reachability")
    from fabricgen.prove.evidence import walked
    from fabricgen.prove.reach.matrix import cases
    from fabricgen.prove.reach.model import Model
    from fabricgen.prove.reach.stations import stands

    words = (ends.sender, ends.receiver)
    nodes = {word.partition(":")[0] for word in words}
    every = stands(site, lambda name: name in nodes)
    ones, others = (_named(word, every) if word else every for word in words)
    stations = [stand.station for stand in (*every, *ones, *others)]
    second, exchange = walked(site, stations, texts)
    return list(cases(ones, others, Model(site, every), second, ends.service)), exchange


def _named(word: str, every: list[Stand]) -> list[Stand]:
    assert is_installed("prove.reach")
    from fabricgen.api.errors import UnknownName
    from fabricgen.core.diagnostics import did_you_mean
    from fabricgen.prove.reach.endpoint_parser import known_words, named

    found = named(word, every)
    if not found:
        near = did_you_mean(word, known_words(every))
        kinds = "use a server, a kind of servers, a VLAN, a VRF, a prefix, outside:NAME, management"
        raise UnknownName(
            Diagnostic(
                Code.NO_SUCH_OBJECT,
                f"no server, kind of servers, VLAN or VRF is named {word!r}",
                hint=near if near.startswith("did") else kinds,
            )
        )
    return found


def place_of(paths: tuple[IntentPath, ...], source: SourceMap) -> str:
    """Return file:line:column of the first path."""
    if not paths:
        return ""
    from fabricgen.api.findings import entries

    return entries([Diagnostic(Code.NO_SUCH_OBJECT, "", path=paths[0])], source)[0].place


def case_data(case: Case, source: SourceMap) -> dict[str, Any]:
    """Return one case as data."""
    return {
        "from": case.one.station.name,
        "to": case.other.station.name,
        "source": str(case.packet.source),
        "target": str(case.packet.target),
        "model": _data(case.model, source),
        "files": _data(case.written, source),
    }


def _data(verdict: Verdict, source: SourceMap) -> dict[str, Any]:
    return {
        "outcome": str(verdict.outcome),
        "rule": verdict.rule,
        "place": place_of(verdict.paths, source),
        "ways": verdict.ways,
        "hops": [
            {"node": hop.node, "act": hop.act, "place": place_of(hop.paths, source)}
            for hop in verdict.hops
        ],
    }


def share_data(share: Share | None) -> dict[str, Any]:
    """Return the numbers of lines that a walk uses and ignores as data."""
    if share is None:
        return {}
    unused = len(share.strange) + share.idle
    counts = {"all": share.lines, "used": share.lines - unused, "not_read": len(share.strange)}
    return {"lines": {**counts, "ignored": dict(share.ignored)}}
