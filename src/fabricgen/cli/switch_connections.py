"""Prepares the connections of a verb to switches, and reports failures in one line."""

from __future__ import annotations

import contextlib
import functools
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

import click

from fabricgen.cli.output import Designed, designed, ended
from fabricgen.cli.plain import say
from fabricgen.core.record import record
from fabricgen.model.fabric.limit import within

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Iterator, Mapping

    from fabricgen.cli.switch_options import SiteSelection
    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.deploy.fleet import Fleet
    from fabricgen.operate.deploy.inventory.files import Read
    from fabricgen.operate.deploy.inventory.options import Options
    from fabricgen.operate.deploy.runner import Stop
    from fabricgen.operate.deploy.secrets.secrets import Secrets
    from fabricgen.operate.deploy.setup import Deployment
    from fabricgen.operate.deploy.targets import Target


P = ParamSpec("P")

CHANGES, UNREACHED, REFUSED, ROLLED_BACK, UNKNOWN = 2, 3, 4, 5, 6
"""Exit codes in addition to 0 and 1; docs/operate/deploy.md has all codes."""
LAB_WORKERS = 4  # a lab in user mode has one CPU for all its switches


def reaching(verb: Callable[P, int]) -> Callable[P, int]:
    """Print a failure of a verb in one line, and return its exit code."""

    @functools.wraps(verb)
    def reported(*args: P.args, **kwargs: P.kwargs) -> int:
        try:
            import napalm  # noqa: F401 - the heaviest one; the others come with it
            import nornir  # noqa: F401
            import sqlalchemy  # noqa: F401
        except ModuleNotFoundError as missing:
            install = "run pip install '.[deploy]' for the verbs that connect to switches"
            say(f"error: missing package {missing.name!r} ({install})", err=True)
            return 1
        from fabricgen.operate.deploy.batches.sizes import Refused
        from fabricgen.operate.deploy.journal.records import JournalFailure, LockHeld
        from fabricgen.operate.deploy.plan.document import BadPlan
        from fabricgen.operate.deploy.team.authorization import NotAuthorizedError
        from fabricgen.operate.lab.client import LabFailure

        try:
            return verb(*args, **kwargs)
        except (LockHeld, NotAuthorizedError) as refused:
            say(f"refused: {refused}", err=True)
            return REFUSED
        except (JournalFailure, BadPlan, Refused, LabFailure) as failure:
            say(f"error: {failure}", err=True)
            return 1

    return reported


def deployment(
    asked: SiteSelection,
    *,
    slowest: int = 120,
    files: bool = True,
    needed: bool = True,
    only: Collection[str] | None = None,
    design: Designed | None = None,
) -> Deployment:
    """Compile the site and prepare its switches. An error is printed and ends the verb.

    Args:
        asked: Site and switches of the command line.
        slowest: Seconds of the slowest action.
        files: Also resolve the secrets of rendered files, in addition to login secrets.
        needed: End the verb if a secret of the files cannot be resolved.
        only: Switches of a plan, by their names at that time. The limit applies, too.
        design: The compiled site. None: it is compiled here.
    """
    from fabricgen.operate.deploy.inventory.files import read_inventory
    from fabricgen.operate.deploy.setup import set_up
    from fabricgen.operate.deploy.targets import targets_of

    lab = lab_of(asked.lab)
    design = design or designed(asked.site, lab.lifted if lab else None)
    site = design.site
    everything = targets_of(site)
    if lab:
        everything = lab.part(everything)
    read = read_inventory(asked.inventory, everything)
    if read.findings:
        ended(read.findings, read.source)
    targets = narrowed(everything, asked.limit)
    if only is not None:
        targets = {name: it for name, it in targets.items() if {name, it.previous_name} & {*only}}
    secrets = secrets_of(site if files else None, read, asked.site, needed=needed)
    fleet = fleet_in(lab, targets, read, secrets, slowest=slowest)
    return set_up(site, read, targets, everything, fleet, secrets, design.source)


def fleet_in(
    lab: Lab | None, targets: Mapping[str, Target], read: Read, secrets: Secrets, *, slowest: int
) -> Fleet:
    """Return the switches of a lab or the real ones. Print a warning for each unverified host key.

    The argument `slowest` is the seconds of the slowest action.
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
        say(f"warning: {name}: host key or certificate not verified (insecure: true)", err=True)
    return fleet


def narrowed(everything: dict[str, Target], limit: Iterable[str]) -> dict[str, Target]:
    """Return the switches of a limit. A pattern without a match ends the verb."""
    from fabricgen.operate.deploy.targets import limited

    try:
        return limited(everything, limit)
    except ValueError as nothing:
        say(f"error: --limit {nothing} matches no switch or fabric", err=True)
        raise click.exceptions.Exit(1) from nothing


def secrets_of(site: Site | None, read: Read, folder: Path, *, needed: bool) -> Secrets:
    """Resolve the secrets of logins and files. Logs of the verb hide them."""
    from fabricgen.model.settings.setting import placeholder
    from fabricgen.operate.deploy.secrets.logs import hidden_logs
    from fabricgen.operate.deploy.secrets.messages import Unresolved
    from fabricgen.operate.deploy.secrets.secrets import Secrets

    fabrics = site.fabrics if site else ()
    references = {reference for fabric in fabrics for reference in fabric.secrets}
    try:
        secrets = Secrets(map(placeholder, sorted(references)), folder, logins=read.passwords)
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
"""Seconds until a lab switch must answer: all switches share this machine."""


@record(kw_only=True)
class Lab:
    """A running lab as the destination of a push."""

    name: str
    key: Path
    known_hosts: Path
    lifted: str | None
    limit: tuple[str, ...]

    def part(self, targets: dict[str, Target]) -> dict[str, Target]:
        """Return the switches of the lab."""
        return {
            name: replace(target, serial="")  # only a real switch has a serial number
            for name, target in targets.items()
            if within(self.limit, name, target.fabric)
            or within(self.limit, target.previous_name, target.fabric)
        }

    def options(self, target: Target) -> Options:
        from fabricgen.operate.deploy.inventory.options import Options

        pipe = f"lab ssh --lab {self.name} --pipe {{name}}"
        return Options(
            username="root",
            timeout=_LAB_ANSWERS,
            key_file=str(self.key),
            known_hosts=str(self.known_hosts),
            known_as=target.previous_name
            if target.previous_name and self._has(target.previous_name)
            else None,
            proxy_command=f"{sys.executable} -m fabricgen {pipe}",
        )

    def _has(self, name: str) -> bool:
        """Check whether a switch was booted with a name."""
        return any(line.startswith(f"{name} ") for line in self.known_hosts.open())


def lab_of(name: str | None) -> Lab | None:
    """Return the named running lab, or None."""
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
    """Let Ctrl-C stop a push between its steps. A second Ctrl-C also ends all waiting."""

    def request_stop(_signal: int, _frame: Any) -> None:
        stop.asked += 1
        if stop.asked == 1:
            say("stopping: no further switch is changed; Ctrl-C again stops waiting", err=True)

    signals = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.signal(number, request_stop) for number in signals}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
