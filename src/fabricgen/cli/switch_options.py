"""Defines the options of the verbs that connect to switches."""

from __future__ import annotations

import functools
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.candidates import complete_labs, complete_limits, complete_switches
from fabricgen.cli.output import data_option, site_argument
from fabricgen.cli.plain import say
from fabricgen.core.record import record

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

    from fabricgen.operate.deploy.journal.journal import Journal

key_option = click.option(
    "--key",
    metavar="FILE",
    envvar="FABRICGEN_KEY",
    type=click.Path(path_type=Path),
    help="Your SSH key, private or of an agent: says who you are where team.yaml asks.",
)


@record(kw_only=True)
class SwitchSelection:
    """Which switches are meant, and how to reach them."""

    inventory: Path
    limit: tuple[str, ...] = ()
    lab: str | None
    journal: str | None

    def of(self, site: Path) -> SiteSelection:
        """Return the same of a site."""
        return SiteSelection(
            site=site, **{each.name: getattr(self, each.name) for each in fields(SwitchSelection)}
        )


@record(kw_only=True)
class SiteSelection(SwitchSelection):
    """The same of a site."""

    site: Path

    def open_journal(self, *, make: bool = True) -> Journal:
        """Open the journal that was named, or the site's; as of `Journal.open`."""
        from fabricgen.operate.deploy.journal.journal import Journal, journal_of

        return Journal.open(self.journal or journal_of(self.site), make=make)


@record(kw_only=True)
class BatchOptions:
    """Batches of a plan.

    Attributes:
        batch: Sizes, as `1,10%,50%`.
        min_available: Percentage of a tier that no batch may touch.
        all_fabrics: Whether one plan may change several fabrics.
        reload: Whether a switch may restart all its services.
        one_batch: Whether all ends of a change are in one batch.
        drain: Switches that others route around.
    """

    batch: str
    min_available: int
    all_fabrics: bool
    reload: bool
    one_batch: bool = False
    drain: tuple[str, ...] = ()


@record(kw_only=True)
class PlanLimits:
    """Which plan may be carried out. sha: how its hash begins; max_age: hours."""

    sha: str | None
    max_age: int


@record(kw_only=True)
class PushOptions:
    """How a push goes. timer, health_timeout: seconds. probe: whether switches send test packets.

    key: of who pushes; reason: why the glass is broken; metrics: a file that is written; trace:
    OpenTelemetry hears of it.
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
        """Refuse a gate that is still shut when the switches undo it by themselves."""
        if self.health_timeout >= self.timer:
            raise click.UsageError("--health-timeout must be less than --confirm-timeout")


journal_option = click.option(
    "--journal",
    metavar="FILE|URL",
    envvar="FABRICGEN_JOURNAL",
    help="A file or postgresql://…; default: SITE/.fabricgen/journal.db.",
)


_LIMIT = click.option(
    "--limit",
    multiple=True,
    metavar="PATTERN",
    shell_complete=complete_limits,
    help="Only these switches or fabrics; * and ? stand for anything.",
)


_WHOLE = (
    journal_option,
    click.option(
        "--inventory",
        type=click.Path(path_type=Path),
        default=Path("inventory"),
        show_default=True,
        metavar="DIR",
        help="How switches are reached: defaults.yaml, groups.yaml, hosts.yaml.",
    ),
    click.option(
        "--lab",
        metavar="NAME",
        envvar="FABRICGEN_LAB",
        shell_complete=complete_labs,
        help="The switches of this running lab instead of the real ones.",
    ),
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
    click.option("--sha", metavar="HEX", help="Require this plan hash prefix."),
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
    """Refuse to trace without the packages, before anything begins."""
    if trace:
        try:
            import fabricgen.operate.deploy.notify.traces  # noqa: F401 - looks whether they are installed
        except ModuleNotFoundError as missing:
            packages = "--trace needs more packages: pip install '.[deploy,otel]'"
            say(f"error: no module {missing.name!r}: {packages}", err=True)
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
        help="Write how it ended here, for the textfile collector of node_exporter (*.prom).",
    ),
    click.option(
        "--trace",
        is_flag=True,
        envvar="FABRICGEN_TRACE",
        callback=_traceable,
        help="Send OpenTelemetry spans to where OTEL_EXPORTER_OTLP_ENDPOINT says (OTLP/HTTP).",
    ),
)


def _taking(
    options: Iterable[Callable[[Any], Any]], kind: type, name: str
) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Give a verb some options, and pass what they say as one object of that name."""
    words = tuple(field.name for field in fields(kind))

    def said(values: dict[str, Any]) -> dict[str, Any]:
        return {word: values.pop(word) for word in words if word in values}

    def decorated(verb: Callable[..., int]) -> Callable[..., int]:
        @functools.wraps(verb)
        def told(**values: Any) -> int:
            whole = kind(**said(values))
            return verb(**values, **{name: whole})

        for option in reversed(tuple(options)):
            told = option(told)
        return told

    return decorated


reach_options = _taking(_REACH, SwitchSelection, "reach")


whole_reach = _taking(_WHOLE, SwitchSelection, "reach")
"""The same without a limit, for what goes on whole."""


asking = _taking((site_argument, *_REACH), SiteSelection, "asked")


ordering = _taking(_ORDER, BatchOptions, "order")


batching = _taking(_ORDER[:4], BatchOptions, "order")
"""The same without what is drained, and how."""


permitting = _taking(_PERMIT, PlanLimits, "permit")


pushing_manner = _taking(_MANNER, PushOptions, "manner")
