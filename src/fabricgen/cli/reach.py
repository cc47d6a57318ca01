"""Implements `fabricgen reach SITE`, which checks reachability in the model and in the files."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_endpoints
from fabricgen.cli.formats.document import document
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import (
    Designed,
    as_option,
    designed,
    ended,
    form_option,
    print_findings,
    site_argument,
)
from fabricgen.cli.plain import say
from fabricgen.cli.verbs import is_installed
from fabricgen.core.diagnostics import Code, Diagnostic, Examined, has_errors
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from fabricgen.cli.live_selection import LiveSelection
    from fabricgen.compile.compiler import Owner
    from fabricgen.prove.evidence import Lines
    from fabricgen.prove.reach.matrix import Case
    from fabricgen.prove.reach.stand import Stand
    from fabricgen.prove.share import Share
    from fabricgen.prove.walk.exchange import Exchange

    Texts = Iterable[tuple[Owner, Mapping[str, str]]]

PROTOCOLS = ("tcp", "udp", "icmp")


def _following(verb: Callable[..., int]) -> Callable[..., int]:
    """Add `--live` if the package that connects to switches is installed."""
    if not is_installed("operate"):
        return verb
    from fabricgen.cli.switch_options import following

    return following(verb)


class Service(click.ParamType[tuple[str, int]]):
    """A protocol and a destination port, such as `tcp/443` or `icmp`."""

    name = "service"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, int]:
        """Split the value into protocol and port."""
        proto, slash, port = value.partition("/")
        if proto not in PROTOCOLS or (slash and not (port.isdigit() and 0 < int(port) < 65536)):
            known = ", ".join(PROTOCOLS)
            self.fail(f"invalid {value!r}: use {known} with an optional /PORT", param, ctx)
        return proto, int(port or 0)


@record(kw_only=True)
class _Asked:
    """The question: both ends, or the complete matrix if they are empty."""

    one: str
    other: str
    service: tuple[str, int]


@record(kw_only=True)
class _Standing:
    """The laws that files of a folder break, and the share of lines that a walk uses."""

    laws: Examined = Examined(check="invariants", objects=0, noun="facts", findings=())
    share: Share | None = None


_who = partial(click.option, metavar="WHO", shell_complete=complete_endpoints)


@define_verb(
    "reach",
    examples=(
        "reach intent/lab --from gpu0001:rdma0 --to gpu0002:rdma0",
        "reach intent/tenants --matrix",
    ),
    codes={
        0: "Reachable, or the matrix or the live path agrees",
        1: "Error, unreachable, or files differ",
        2: "The live path differs",
        3: "A value of the live path is not known, and no other differs",
    },
)
@site_argument
@_who("--from", "one", default="", help="Sender. Default: any.")
@_who("--to", "other", default="", help="Receiver. Default: any.")
@click.option(
    "--proto", "service", type=Service(), metavar="PROTO[/PORT]", help="Service, such as tcp/443."
)
@click.option("--matrix", "whole", is_flag=True, help="Check all pairs of networks of the site.")
@click.option(
    "--files",
    "folder",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    metavar="DIR",
    help="Use the rendered files in DIR instead of rendering the site.",
)
@_following
@form_option("text", "json", "markdown", text="Output format; markdown with --live.")
@as_option
def command(
    *,
    site: Path,
    one: str,
    other: str,
    service: tuple[str, int] | None,
    whole: bool,
    folder: Path | None,
    running: LiveSelection | None = None,
    form: str,
    as_platform: str | None,
) -> int:
    """Check reachability in the model and in the rendered files.

    WHO is a server (gpu0001), an interface (gpu0001:eth0), a kind of servers (gpu), a VLAN or VRF,
    an address or prefix, an external router (outside:isp1) or `management`.
    """
    if whole == bool(one or other):
        raise click.UsageError(
            "--matrix cannot be combined with --from or --to"
            if whole
            else "missing option: give --from, --to or both, or use --matrix"
        )
    asked = _Asked(one=one, other=other, service=service or ("", 0))
    if running is not None and running.live:
        if not (one and other) or as_platform:
            raise click.UsageError("--live needs --from and --to, and cannot be combined with --as")
        return _live(asked, running, site, folder, form)
    if form == "markdown" or (running is not None and running.dscp is not None):
        raise click.UsageError("--format markdown and --dscp need --live")
    design = designed(site, as_platform)
    from fabricgen.prove.evidence import Lines

    fresh = _texts(design, folder)
    texts = [] if whole and not folder else list(fresh)  # a matrix reads rendered files once
    every, classes = _cases(design, asked, texts or fresh)
    standing = _standing(texts) if folder else _Standing()
    if whole:
        return _matrix(design, every, classes, standing, form)
    return _pairs(design, every, standing, Lines(texts), form)


def _standing(texts: list[tuple[Owner, Mapping[str, str]]]) -> _Standing:
    """Check the laws over files of a folder: a switch may refuse lines that a walk accepts."""
    from fabricgen.model.fabric.topology import Switch
    from fabricgen.prove.lawful import Rendered
    from fabricgen.prove.reach.share import ignored

    read = Rendered()
    for owner, files in texts:
        if isinstance(owner, Switch):
            read.take(owner, files)
    return _Standing(laws=read.examined(), share=read.share(ignored))


def _texts(design: Designed, folder: Path | None) -> Iterator[tuple[Owner, Mapping[str, str]]]:
    from fabricgen.prove.evidence import rendered, standing

    return standing(design.site, folder) if folder else rendered(design.site)


def _live(asked: _Asked, running: LiveSelection, site: Path, folder: Path | None, form: str) -> int:
    """Compare the path of one pair on running switches."""
    assert is_installed("operate")
    from fabricgen.cli.reach_live import LiveOptions, compare_live

    options = LiveOptions(running=running, site=site, folder=folder, form=form)
    return compare_live(options, partial(_pairs_of, asked))


def _pairs_of(asked: _Asked, design: Designed, texts: Texts) -> tuple[list[Case], Exchange]:
    """Return the cases of two ends, and the routes that the files exchange."""
    from fabricgen.prove.evidence import walked
    from fabricgen.prove.reach.matrix import cases
    from fabricgen.prove.reach.model import Model

    every, ones, others = _stations(design, asked)
    stations = [stand.station for stand in (*every, *ones, *others)]
    second, exchange = walked(design.site, stations, texts)
    model = Model(design.site, every)
    return list(cases(ones, others, model, second, asked.service)), exchange


def _stations(design: Designed, asked: _Asked) -> tuple[list[Stand], list[Stand], list[Stand]]:
    """Return every station, and the stations of both ends."""
    from fabricgen.prove.reach.stations import stands

    words = (asked.one, asked.other)
    nodes = {word.partition(":")[0] for word in words}
    every = stands(design.site, lambda name: name in nodes)
    ones, others = (_named(design, word, every) if word else every for word in words)
    return every, ones, others


def _cases(design: Designed, asked: _Asked, texts: Texts) -> tuple[list[Case], int]:
    """Return the cases of a question, and for the matrix the number of classes of stations."""
    if asked.one or asked.other:
        return _pairs_of(asked, design, texts)[0], 0
    from fabricgen.prove.evidence import walk
    from fabricgen.prove.reach.classes import Classes
    from fabricgen.prove.reach.model import Model

    every, _, _ = _stations(design, asked)
    second = walk(design.site, [stand.station for stand in every], texts)
    classes = Classes(every, Model(design.site, every), second)
    return list(classes.cases(asked.service)), len(classes)


def _named(design: Designed, word: str, every: list[Stand]) -> list[Stand]:
    from fabricgen.core.diagnostics import did_you_mean
    from fabricgen.prove.reach.endpoint_parser import known_words, named

    found = named(word, every)
    if not found:
        near = did_you_mean(word, known_words(every))
        kinds = "use a server, a kind of servers, a VLAN, a VRF, a prefix, outside:NAME, management"
        unknown = Diagnostic(
            Code.NO_SUCH_OBJECT,
            f"no server, kind of servers, VLAN or VRF is named {word!r}",
            hint=near if near.startswith("did") else kinds,
        )
        ended([unknown], design.source)
    return found


def _matrix(
    design: Designed, every: list[Case], classes: int, standing: _Standing, form: str
) -> int:
    from fabricgen.cli.formats.reach import matrix_text, share_data, share_text
    from fabricgen.prove.reach.matrix import as_data, examined, matrix

    cells, result = matrix(every), examined(every)
    findings = (*result.findings, *standing.laws.findings)
    if form == "json":
        rows = [
            {"code": str(found.code), "severity": str(found.severity), "message": found.message}
            for found in findings
        ]
        networks = {"networks": as_data(cells), "classes": classes, "findings": rows}
        say(document({**networks, **share_data(standing.share)}), nl=False)
    else:
        say(matrix_text(cells, every, classes) + share_text(standing.share), nl=False)
        print_findings(findings, design.source, examined=[result])
    return 1 if has_errors(findings) else 0


def _pairs(
    design: Designed, every: list[Case], standing: _Standing, lines: Lines, form: str
) -> int:
    from fabricgen.cli.formats.reach import case_data, cases_text, share_data, share_text
    from fabricgen.prove.walk.packet import Outcome

    if not every:
        message = "the two ends have no addresses of the same IP version"
        ended([Diagnostic(Code.NO_SUCH_OBJECT, message)], design.source)
    if form == "json":
        pairs = {"pairs": [case_data(case, design.source) for case in every]}
        say(document({**pairs, **share_data(standing.share)}), nl=False)
    else:
        say(cases_text(every, design.source, lines) + share_text(standing.share), nl=False)
        if standing.laws.findings:
            print_findings(standing.laws.findings, design.source)
    bad = any(not case.agreed or case.model.outcome is not Outcome.REACHES for case in every)
    return 1 if bad or has_errors(standing.laws.findings) else 0
