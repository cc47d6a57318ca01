"""How the verbs that reach switches speak: their options, their set-up, their one-line failures."""

from __future__ import annotations

import contextlib
import functools
import signal
import sys
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

import click

from fabricgen.cli.leave import key_option
from fabricgen.cli.plain import say
from fabricgen.cli.saying import data_option, designed, ended
from fabricgen.core.record import record
from fabricgen.model.fabric.limit import within

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.deploy.fleet import Fleet
    from fabricgen.operate.deploy.inventory.files import Read
    from fabricgen.operate.deploy.inventory.options import Options
    from fabricgen.operate.deploy.journal.journal import Journal
    from fabricgen.operate.deploy.runner import Stop
    from fabricgen.operate.deploy.secrets.secrets import Secrets
    from fabricgen.operate.deploy.setup import Deployment
    from fabricgen.operate.deploy.targets import Target

P = ParamSpec("P")

CHANGES, UNREACHED, REFUSED, ROLLED_BACK, UNKNOWN = 2, 3, 4, 5, 6
"""Exit codes beyond 0 and 1; docs/deploy.md has them all."""
LAB_WORKERS = 4  # a lab in user mode has one CPU for all its switches
_EXTRA = "the verbs that reach switches need more packages: pip install '.[deploy]'"


@record(kw_only=True)
class Reach:
    """Which switches are meant, and how to reach them."""

    inventory: Path
    limit: tuple[str, ...] = ()
    lab: str | None
    journal: str | None

    def of(self, site: Path) -> Asked:
        """Return the same of a site."""
        return Asked(site=site, **{each.name: getattr(self, each.name) for each in fields(Reach)})


@record(kw_only=True)
class Asked(Reach):
    """The same of a site."""

    site: Path

    def open_journal(self, *, make: bool = True) -> Journal:
        """Open the journal that was named, or the site's; as of `Journal.open`."""
        from fabricgen.operate.deploy.journal.journal import Journal, journal_of

        return Journal.open(self.journal or journal_of(self.site), make=make)


@record(kw_only=True)
class Order:
    """In which batches switches change. batch: sizes, as `1,10%,50%`; floor: percent.

    reload: a switch may start all its services anew. window: what does not work while its ends
    differ changes at all of them in one batch. drain: switches that others are to pass by.
    """

    batch: str
    floor: int
    together: bool
    reload: bool
    window: bool = False
    drain: tuple[str, ...] = ()


@record(kw_only=True)
class Permit:
    """Which plan may be carried out. sha: how its hash begins; max_age: hours."""

    sha: str | None
    max_age: int


@record(kw_only=True)
class Manner:
    """How a push goes. timer, patience: seconds. probe: whether switches send packets of their own.

    key: of who pushes; reason: why the glass is broken; metrics: a file that is written; trace:
    OpenTelemetry hears of it.
    """

    timer: int
    patience: int
    probe: bool
    form: str
    key: Path | None
    reason: str | None
    metrics: Path | None
    trace: bool

    def __post_init__(self) -> None:
        """Refuse a gate that is still shut when the switches undo it by themselves."""
        if self.patience >= self.timer:
            raise click.UsageError("--patience must be less than --confirm-timeout")


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
        help="The switches of this running lab instead of the real ones.",
    ),
)
_REACH = (_WHOLE[0], _LIMIT, *_WHOLE[1:])
reload_option = click.option(
    "--allow-reload",
    "reload",
    is_flag=True,
    help="Restart every service of a switch for what it does not change in place: class reboot.",
)
_ORDER = (
    click.option(
        "--batch",
        default="1,10%,50%",
        show_default=True,
        metavar="SIZES",
        help="How many switches change at once: the first batch, the second, …; the last repeats.",
    ),
    click.option(
        "--floor",
        type=click.IntRange(0, 100),
        default=75,
        show_default=True,
        metavar="PERCENT",
        help="How much of a tier stays untouched by every batch.",
    ),
    click.option(
        "--together", is_flag=True, help="Several fabrics in one plan; never unless asked for."
    ),
    reload_option,
    click.option(
        "--window",
        is_flag=True,
        help="All ends in one batch of what does not work while they differ; spines one after the "
        "other, drained before.",
    ),
    click.option(
        "--drain",
        multiple=True,
        metavar="SWITCH",
        help="Others take every other way than over this spine, until a plan without this.",
    ),
)
_PERMIT = (
    click.option("--sha", metavar="HEX", help="Push only if the plan's sha256 begins so."),
    click.option(
        "--max-age",
        type=click.IntRange(1, 720),
        default=24,
        show_default=True,
        metavar="HOURS",
        help="A plan that was made longer ago is refused.",
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
        help="A switch undoes by itself what nobody confirms in this time.",
    ),
    click.option(
        "--patience",
        type=click.IntRange(1, 3600),
        default=90,
        show_default=True,
        metavar="SECONDS",
        help="How long the network may take to be as healthy as before.",
    ),
    click.option(
        "--probe/--no-probe",
        default=True,
        show_default=True,
        help="Whether switches send packets of their own, to see who answers before and after.",
    ),
    data_option,
    key_option,
    click.option(
        "--break-glass",
        "reason",
        metavar="REASON",
        help="Without approvals, windows and freezes, where team.yaml lets you; it is told.",
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


_SITE = click.argument("site", type=click.Path(path_type=Path), metavar="SITE")
reach_options = _taking(_REACH, Reach, "reach")
whole_reach = _taking(_WHOLE, Reach, "reach")
"""The same without a limit, for what goes on whole."""
asking = _taking((_SITE, *_REACH), Asked, "asked")
ordering = _taking(_ORDER, Order, "order")
batching = _taking(_ORDER[:4], Order, "order")
"""The same without what is drained, and how."""
permitting = _taking(_PERMIT, Permit, "permit")
pushing_manner = _taking(_MANNER, Manner, "manner")


def reaching(verb: Callable[P, int]) -> Callable[P, int]:
    """Say what a verb cannot do in one line, with the exit code that stands for it."""

    @functools.wraps(verb)
    def told(*args: P.args, **kwargs: P.kwargs) -> int:
        try:
            import napalm  # noqa: F401 - the heaviest of them; the others come with it
            import nornir  # noqa: F401
            import sqlalchemy  # noqa: F401
        except ModuleNotFoundError as missing:
            say(f"error: no module {missing.name!r}: {_EXTRA}", err=True)
            return 1
        from fabricgen.operate.deploy.batches.refused import Refused
        from fabricgen.operate.deploy.journal.words import JournalFailure, LockHeld
        from fabricgen.operate.deploy.plan.document import BadPlan
        from fabricgen.operate.deploy.team.leave import NoLeave
        from fabricgen.operate.lab.client import LabFailure

        try:
            return verb(*args, **kwargs)
        except (LockHeld, NoLeave) as refused:
            say(f"refused: {refused}", err=True)
            return REFUSED
        except (JournalFailure, BadPlan, Refused, LabFailure) as failure:
            say(f"error: {failure}", err=True)
            return 1

    return told


def deployment(
    asked: Asked,
    *,
    slowest: int = 120,
    files: bool = True,
    needed: bool = True,
    only: Collection[str] | None = None,
) -> Deployment:
    """Compile the site and set everything up; what is wrong is said and ends the verb.

    files: their secrets are resolved, too, not only those to log in with; where they are not
    `needed`, none of them is when one cannot be. only: switches of a plan, some
    under the names that they had then; the limit narrows them further.
    """
    from fabricgen.operate.deploy.inventory.files import read_inventory
    from fabricgen.operate.deploy.setup import set_up
    from fabricgen.operate.deploy.targets import targets_of

    lab = lab_of(asked.lab)
    site = designed(asked.site, lab.lifted if lab else None).site
    everything = targets_of(site)
    if lab:
        everything = lab.part(everything)
    read = read_inventory(asked.inventory, everything)
    if read.findings:
        ended(read.findings, read.source)
    targets = narrowed(everything, asked.limit)
    if only is not None:
        targets = {name: it for name, it in targets.items() if {name, it.was} & {*only}}
    secrets = secrets_of(site if files else None, read, asked.site, needed=needed)
    fleet = fleet_in(lab, targets, read, secrets, slowest=slowest)
    return set_up(site, read, targets, everything, fleet, secrets)


def fleet_in(
    lab: Lab | None, targets: Mapping[str, Target], read: Read, secrets: Secrets, *, slowest: int
) -> Fleet:
    """Return the switches in a lab, or the real ones; who is not checked for who it is, is said.

    slowest: seconds of one action.
    """
    from fabricgen.operate.deploy.setup import fleet_of

    fleet, insecure = fleet_of(
        targets,
        read,
        secrets,
        last=lab.options if lab else lambda _: None,
        slowest=slowest,
        most=LAB_WORKERS if lab else 1000,
    )
    for name in insecure:
        say(f"warning: {name} is not checked for who it is (insecure)", err=True)
    return fleet


def narrowed(everything: dict[str, Target], limit: Iterable[str]) -> dict[str, Target]:
    """Return the switches of a limit; that it names nothing is said and ends the verb."""
    from fabricgen.operate.deploy.targets import limited

    try:
        return limited(everything, limit)
    except ValueError as nothing:
        say(f"error: no switch or fabric is named {nothing}", err=True)
        raise click.exceptions.Exit(1) from nothing


def secrets_of(site: Site | None, read: Read, folder: Path, *, needed: bool) -> Secrets:
    """Resolve what logins, and a site's files, refer to; no log of the verb shows it then."""
    from fabricgen.model.fabric.services import placeholder
    from fabricgen.operate.deploy.secrets.logs import hidden_logs
    from fabricgen.operate.deploy.secrets.secrets import Secrets
    from fabricgen.operate.deploy.secrets.words import Unresolved

    fabrics = site.fabrics if site else ()
    wanted = {each for fabric in fabrics for each in fabric.secrets}
    try:
        secrets = Secrets(map(placeholder, sorted(wanted)), folder, logins=read.passwords)
    except Unresolved as unresolved:
        word = "error" if needed else "warning"
        for sentence in unresolved.sentences:
            say(f"{word}: {sentence}", err=True)
        if not needed:
            return secrets_of(None, read, folder, needed=True)
        raise click.exceptions.Exit(1) from unresolved
    for warning in secrets.warnings:
        say(f"warning: {warning}", err=True)
    click.get_current_context().with_resource(hidden_logs(secrets))
    return secrets


_LAB_ANSWERS = 300
"""Seconds in which a switch of a lab answers: all of them share this machine."""


@record(kw_only=True)
class Lab:
    """A running lab as a place to push to."""

    name: str
    key: Path
    known_hosts: Path
    lifted: str | None
    limit: tuple[str, ...]

    def part(self, targets: dict[str, Target]) -> dict[str, Target]:
        """Return the switches that are in the lab."""
        return {
            name: replace(target, serial="")  # of a real box, which none of these is
            for name, target in targets.items()
            if within(self.limit, name, target.fabric)
            or within(self.limit, target.was, target.fabric)
        }

    def options(self, target: Target) -> Options:
        from fabricgen.operate.deploy.inventory.options import Options

        pipe = f"lab ssh --lab {self.name} --pipe {{name}}"
        return Options(
            username="root",
            timeout=_LAB_ANSWERS,
            key_file=str(self.key),
            known_hosts=str(self.known_hosts),
            known_as=target.was if target.was and self._has(target.was) else None,
            proxy_command=f"{sys.executable} -m fabricgen {pipe}",
        )

    def _has(self, name: str) -> bool:
        """Tell whether a switch was booted under that name."""
        return any(line.startswith(f"{name} ") for line in self.known_hosts.open())


def lab_of(name: str | None) -> Lab | None:
    """Return the running lab that is meant instead of real switches, if one is."""
    if name is None:
        return None
    from fabricgen.operate.lab.place import chosen

    place = chosen(name)
    facts = place.facts()
    lifted, limit = facts["lifted"], tuple(facts["limit"])
    return Lab(
        name=place.name, key=place.key, known_hosts=place.known_hosts, lifted=lifted, limit=limit
    )


@contextlib.contextmanager
def interruptible(stop: Stop) -> Iterator[None]:
    """Let Ctrl-C stop a push between its steps; a second one ends the waiting, too."""

    def asked(_signal: int, _frame: Any) -> None:
        stop.asked += 1
        sentence = (
            "stopping: nothing new starts; once more waits for nothing" if stop.asked == 1 else ""
        )
        if sentence:
            say(sentence, err=True)

    before = {number: signal.signal(number, asked) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
