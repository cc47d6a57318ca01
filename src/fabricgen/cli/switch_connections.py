"""Prepares the connections of a verb to switches and reports failures in one line."""

from __future__ import annotations

import contextlib
import functools
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec

import click

from fabricgen.cli.output import designed, ended
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
"""Exit codes beyond 0 and 1; docs/operate/deploy.md has them all."""
LAB_WORKERS = 4  # a lab in user mode has one CPU for all its switches
_EXTRA = "the verbs that reach switches need more packages: pip install '.[deploy]'"


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

    return told


def deployment(
    asked: SiteSelection,
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
        targets = {name: it for name, it in targets.items() if {name, it.previous_name} & {*only}}
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
    from fabricgen.model.settings.setting import placeholder
    from fabricgen.operate.deploy.secrets.logs import hidden_logs
    from fabricgen.operate.deploy.secrets.messages import Unresolved
    from fabricgen.operate.deploy.secrets.secrets import Secrets

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
