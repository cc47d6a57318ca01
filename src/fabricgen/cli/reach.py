"""Implements `fabricgen reach SITE`, which checks reachability in the model and in the files."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.api import is_installed
from fabricgen.api.reachability import (
    Ends,
    given_files,
    matrix,
    pairs_of,
    parse_service,
    reachability,
)
from fabricgen.cli.candidates import complete_endpoints
from fabricgen.cli.formats.document import document
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import (
    Designed,
    answered,
    as_option,
    designed,
    form_option,
    print_findings,
    site_argument,
)
from fabricgen.cli.plain import say
from fabricgen.core.diagnostics import Failure

if TYPE_CHECKING:
    from collections.abc import Callable

    from fabricgen.api.reachability import Matrix, Reachability
    from fabricgen.cli.live_selection import LiveSelection


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
        try:
            return parse_service(value)
        except Failure as failure:
            self.fail(failure.diagnostic.message, param, ctx)


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
    ends = Ends(sender=one, receiver=other, service=service or ("", 0))
    if running is not None and running.live:
        if not (one and other) or as_platform:
            raise click.UsageError("--live needs --from and --to, and cannot be combined with --as")
        return _live(ends, running, site, folder, form)
    if form == "markdown" or (running is not None and running.dscp is not None):
        raise click.UsageError("--format markdown and --dscp need --live")
    design = designed(site, as_platform)
    with answered(design.source):
        given = given_files(design.site, folder) if folder else None
        if whole:
            return _matrix(design, matrix(design.site, ends.service, given), form)
        return _pairs(design, reachability(design.site, design.source, ends, given), form)


def _live(ends: Ends, running: LiveSelection, site: Path, folder: Path | None, form: str) -> int:
    """Compare the path of one pair on running switches."""
    assert is_installed("operate")
    from fabricgen.cli.reach_live import LiveOptions, compare_live

    options = LiveOptions(running=running, site=site, folder=folder, form=form)
    return compare_live(options, partial(pairs_of, ends))


def _matrix(design: Designed, found: Matrix, form: str) -> int:
    from fabricgen.cli.formats.reach import matrix_text, share_text

    if form == "json":
        say(document(found.as_data()), nl=False)
    else:
        say(matrix_text(found) + share_text(found.share), nl=False)
        print_findings(found.findings, design.source, examined=[found.examined])
    return 0 if found.ok else 1


def _pairs(design: Designed, found: Reachability, form: str) -> int:
    from fabricgen.cli.formats.reach import cases_text, share_text

    if form == "json":
        say(document(found.as_data()), nl=False)
    else:
        say(cases_text(found) + share_text(found.share), nl=False)
        if found.laws.findings:
            print_findings(found.laws.findings, design.source)
    return 0 if found.ok else 1
