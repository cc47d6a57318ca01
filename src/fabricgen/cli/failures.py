"""Implements `fabricgen failures SITE`, which simulates failures and checks requirements."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from fabricgen.cli.candidates import complete_owners
from fabricgen.cli.formats.document import document
from fabricgen.cli.help import define_verb
from fabricgen.cli.nearest import hinted
from fabricgen.cli.output import data_option, designed, ended, print_findings, site_argument
from fabricgen.cli.plain import say
from fabricgen.core.diagnostics import Code, Diagnostic

if TYPE_CHECKING:
    from collections.abc import Sequence

    from fabricgen.cli.output import Designed
    from fabricgen.model.fabric.failures import Together
    from fabricgen.model.fabric.switch import Site


@define_verb(
    "failures",
    examples=("failures intent/lab", "failures intent/lab --fail fe-spine1 --fail fe-leaf01"),
    codes={0: "All availability requirements hold", 1: "Error, or a requirement is broken"},
)
@site_argument
@click.option(
    "--fail",
    "fails",
    multiple=True,
    metavar="SWITCH|SWITCH:PORT|SERVER:PORT",
    shell_complete=complete_owners,
    help="Simulate only the failure of all named parts together.",
)
@data_option
def command(site: Path, fails: tuple[str, ...], form: str) -> int:
    """Simulate link, switch and power failures.

    The report shows the remaining bandwidth of servers after each failure. It also checks the
    availability requirements of SITE (`failures.promises`).
    """
    design = designed(site, None)
    from fabricgen.cli.formats.failures import data, text
    from fabricgen.prove.failures.across import lost_between, surveyed_between
    from fabricgen.prove.failures.recovery import Clock
    from fabricgen.prove.failures.survey import Survey
    from fabricgen.prove.failures.verdicts import verdict_between, verdicts

    failures = design.site.failures
    surveys = [Survey(fabric) for fabric in design.site.fabrics]
    clocks = {it.name: Clock(it, failures.figures) for it in design.site.fabrics}
    if fails:
        named = _named(design, fails)
        rows = {survey.fabric.name: survey.together([named]) for survey in surveys}
        between, judged = lost_between(design.site.fabrics, named), []
    else:
        rows = {survey.fabric.name: survey.rows(failures.together) for survey in surveys}
        between = surveyed_between(design.site.fabrics, failures.together)
        inside = [promise for promise in failures.promises if not promise.between]
        across = [promise for promise in failures.promises if promise.between]
        judged = [
            *verdicts(rows, inside, clocks),
            *(verdict_between(between, promise) for promise in across),
        ]
    walked = {one.fabric.name: one.walked for one in surveys if one.walked is not None}
    if form == "json":
        say(document(data(rows, between, judged, walked, clocks)), nl=False)
    else:
        say(text(rows, between, judged, walked, clocks), nl=False)
    broken = [verdict.finding for verdict in judged if verdict.finding is not None]
    if broken:
        print_findings(broken, design.source, err=True)
    return 1 if broken else 0


def _named(design: Designed, fails: Sequence[str]) -> Together:
    """Return the named parts as one failure. An unknown name ends the verb."""
    from fabricgen.model.fabric.failures import Fails, Together

    switches, ports = _known(design.site)
    for name in fails:
        if name not in switches and name not in ports:
            hint = hinted(design.site, name, [*switches, *ports])
            message = f"no switch or cabled port {name!r} in this site"
            ended([Diagnostic(Code.NO_SUCH_OBJECT, message, hint=hint)], design.source)
    return Together(
        kind=Fails.DOUBLE,
        name=" and ".join(fails),
        switches=tuple(name for name in fails if name in switches),
        ports=tuple(ports[name] for name in fails if name in ports),
    )


def _known(site: Site) -> tuple[set[str], dict[str, tuple[str, str]]]:
    from fabricgen.model.fabric.between import outward, ways_between
    from fabricgen.prove.failures.failures import ports_of

    switches = {switch.name for fabric in site.fabrics for switch in fabric.topology.switches}
    ports = {":".join(port): port for fabric in site.fabrics for port in ports_of(fabric)}
    ends = [end for link in outward(ways_between(site.fabrics)) for end in link.ends]
    return switches, {**ports, **{":".join(end): end for end in ends}}
