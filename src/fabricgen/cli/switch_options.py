"""Defines options and exit codes of the verbs that connect to switches."""

from __future__ import annotations

import functools
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.candidates import complete_labs, complete_limits, complete_switches
from fabricgen.cli.live_selection import LiveSelection
from fabricgen.cli.output import data_option, site_argument
from fabricgen.cli.plain import say
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fabricgen.operate.deploy.journal.journal import Journal

PUSH_CODES = {
    0: "Done",
    3: "Some switches failed or were not reached",
    4: "Refused: stale plan, missing approval, or another push runs",
    5: "Rolled back",
    6: "A switch is in unknown state",
}
plan_output_option = click.option(
    *("-o", "--output", "target"),
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write the plan to this file.",
)
sha_option = click.option("--sha", metavar="HEX", help="Require this plan hash prefix.")
inventory_option = click.option(
    "--inventory",
    type=click.Path(path_type=Path),
    default=Path("inventory"),
    show_default=True,
    metavar="DIR",
    help="Folder with logins and addresses of switches, and team.yaml.",
)
key_option = click.option(
    "--key",
    metavar="FILE",
    envvar="FABRICGEN_KEY",
    type=click.Path(path_type=Path),
    help="SSH key of the user (private, or public with an agent) for the rules of team.yaml.",
)


@record(kw_only=True)
class SwitchSelection:
    """Selected switches and their connections."""

    inventory: Path
    limit: tuple[str, ...] = ()
    lab: str | None
    journal: str | None

    def of(self, site: Path) -> SiteSelection:
        """Return the selection for a site."""
        names = (field.name for field in fields(SwitchSelection))
        return SiteSelection(site=site, **{name: getattr(self, name) for name in names})


@record(kw_only=True)
class SiteSelection(SwitchSelection):
    """Switch selection for one site."""

    site: Path

    def open_journal(self, *, make: bool = True) -> Journal:
        """Open the journal of --journal or of the site. `make` creates a missing one."""
        from fabricgen.operate.deploy.journal.journal import Journal, journal_of

        return Journal.open(self.journal or journal_of(self.site), make=make)


@record(kw_only=True)
class BatchOptions:
    """Batches of a plan.

    Attributes:
        batch: Sizes, as `1,10%,50%`.
        min_available: Minimum percentage of a tier outside each batch.
        all_fabrics: Whether one plan may change several fabrics.
        reload: Whether a switch may restart all its services.
        one_batch: Whether all ends of a change are in one batch.
        drain: Switches that are drained.
    """

    batch: str
    min_available: int
    all_fabrics: bool
    reload: bool
    one_batch: bool = False
    drain: tuple[str, ...] = ()


@record(kw_only=True)
class PlanLimits:
    """Limits on an existing plan: prefix of its hash and maximum age in hours."""

    sha: str | None
    max_age: int


@record(kw_only=True)
class PushOptions:
    """Options of a push.

    Attributes:
        timer: Seconds until a switch rolls back an unconfirmed commit.
        health_timeout: Seconds to wait for a healthy network.
        probe: Whether switches send test packets.
        form: Output format.
        key: SSH key of the user.
        reason: Reason of --break-glass.
        metrics: File for metrics.
        trace: Whether OpenTelemetry receives spans.
    """

    timer: int
    health_timeout: int
    probe: bool
    form: str
    key: Path | None
    reason: str | None
    metrics: Path | None
    trace: bool

    def __post_init__(self) -> None:
        """Refuse a health check that outlasts the confirm timer of the switches."""
        if self.health_timeout >= self.timer:
            raise click.UsageError("--health-timeout must be less than --confirm-timeout")


journal_option = click.option(
    "--journal",
    metavar="FILE|URL",
    envvar="FABRICGEN_JOURNAL",
    help="Journal file or postgresql://… URL. Default: SITE/.fabricgen/journal.db.",
)


_LIMIT = click.option(
    "--limit",
    multiple=True,
    metavar="PATTERN",
    shell_complete=complete_limits,
    help="Only these switches or fabrics; * and ? are wildcards.",
)


_LAB = click.option(
    "--lab",
    metavar="NAME",
    envvar="FABRICGEN_LAB",
    shell_complete=complete_labs,
    help="Use the switches of this running lab instead of the real ones.",
)
_WHOLE = (journal_option, inventory_option, _LAB)


_LIVE = (
    click.option(
        "--live", is_flag=True, help="Compare each hop of one pair on the running switches, too."
    ),
    click.option(
        "--dscp",
        type=click.IntRange(0, 63),
        metavar="DSCP",
        help="DSCP of the packet with --live. Default: RoCE where the fabric has it.",
    ),
    click.option(
        "--recordings",
        type=click.Path(exists=True, path_type=Path),
        metavar="PATH",
        help="With --live, use answers that `verify --record` stored.",
    ),
    inventory_option,
    _LAB,
)


_REACH = (_WHOLE[0], _LIMIT, *_WHOLE[1:])


reload_option = click.option(
    "--allow-reload",
    "reload",
    is_flag=True,
    help="Allow service restarts (risk class reboot).",
)


_ORDER = (
    click.option(
        "--batch",
        default="1,10%,50%",
        show_default=True,
        metavar="SIZES",
        help="Batch sizes, numbers or percentages; the last one repeats.",
    ),
    click.option(
        "--min-available",
        type=click.IntRange(0, 100),
        default=75,
        show_default=True,
        metavar="PERCENT",
        help="Minimum percentage of a tier outside each batch.",
    ),
    click.option("--all-fabrics", is_flag=True, help="Allow several fabrics in one plan."),
    reload_option,
    click.option(
        "--one-batch",
        is_flag=True,
        help="Change all ends in one batch; drain spines first.",
    ),
    click.option(
        "--drain",
        multiple=True,
        metavar="SWITCH",
        shell_complete=complete_switches,
        help="Drain this spine until a later plan omits the option.",
    ),
)


_PERMIT = (
    sha_option,
    click.option(
        "--max-age",
        type=click.IntRange(1, 720),
        default=24,
        show_default=True,
        metavar="HOURS",
        help="Reject older plans.",
    ),
)


def _traceable(_context: click.Context, _option: click.Parameter, trace: bool) -> bool:  # noqa: FBT001 - click's
    """Refuse --trace before the push if its packages are missing."""
    if trace:
        try:
            import fabricgen.operate.deploy.notify.traces  # noqa: F401 - a check of the installation
        except ModuleNotFoundError as missing:
            install = "run pip install '.[deploy,otel]' for --trace"
            say(f"error: missing package {missing.name!r} ({install})", err=True)
            raise click.exceptions.Exit(1) from None
    return trace


_MANNER = (
    click.option(
        "--confirm-timeout",
        "timer",
        type=click.IntRange(30, 3600),
        default=300,
        show_default=True,
        metavar="SECONDS",
        help="Seconds until a switch rolls back an unconfirmed commit.",
    ),
    click.option(
        "--health-timeout",
        type=click.IntRange(1, 3600),
        default=90,
        show_default=True,
        metavar="SECONDS",
        help="Seconds to wait for a healthy network.",
    ),
    click.option(
        "--probe/--no-probe",
        default=True,
        show_default=True,
        help="Send test packets before and after each batch.",
    ),
    data_option,
    key_option,
    click.option(
        "--break-glass",
        "reason",
        metavar="REASON",
        help="Skip approvals, windows and freezes; sends a notification.",
    ),
    click.option(
        "--metrics",
        type=click.Path(path_type=Path),
        metavar="FILE",
        help="Write the result to this file (*.prom) for node_exporter's textfile collector.",
    ),
    click.option(
        "--trace",
        is_flag=True,
        envvar="FABRICGEN_TRACE",
        callback=_traceable,
        help="Send OpenTelemetry spans to OTEL_EXPORTER_OTLP_ENDPOINT (OTLP/HTTP).",
    ),
)


def taking(
    options: Iterable[Callable[[Any], Any]], kind: type, name: str
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Return the decorator that gives a verb options and passes their values as one object.

    Args:
        options: Decorators of click.
        kind: Class of the object.
        name: Name of the argument.
    """
    names = tuple(field.name for field in fields(kind))

    def decorated(verb: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(verb)
        def called(**values: Any) -> int:
            chosen = {field: values.pop(field) for field in names if field in values}
            return verb(**values, **{name: kind(**chosen)})

        for option in reversed(tuple(options)):
            called = option(called)
        return called

    return decorated


reach_options = taking(_REACH, SwitchSelection, "reach")


whole_reach = taking(_WHOLE, SwitchSelection, "reach")
"""The options without --limit, for a push that resumes as a whole."""


following = taking(_LIVE, LiveSelection, "running")


asking = taking((site_argument, *_REACH), SiteSelection, "asked")


ordering = taking(_ORDER, BatchOptions, "order")


batching = taking(_ORDER[:4], BatchOptions, "order")
"""The options without --one-batch and --drain."""


permitting = taking(_PERMIT, PlanLimits, "permit")


pushing_manner = taking(_MANNER, PushOptions, "manner")
