"""Implements `fabricgen lab up` and `down`, which boot a site as FRR switches and stop it."""

from __future__ import annotations

import sys
import time
from typing import TYPE_CHECKING, Any, Self

import click

from fabricgen.cli.candidates import complete_limits, complete_switches
from fabricgen.cli.lab.terminal import frr_option, lab_option, one_line, outside_of, table_of
from fabricgen.cli.output import Platforms, designed, site_argument
from fabricgen.cli.plain import colored, console, say
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from rich.progress import Progress, TaskID

    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.lab.machine.machine import Choice
    from fabricgen.operate.lab.plan import LabPlan
    from fabricgen.prove.verifier import Look

_STEPS = ("starting", "kernel settings", "interfaces", "queues", "routing", "services", "started")


@click.command("up")
@site_argument
@click.option(
    "--as",
    "lift",
    type=Platforms(bootable=True),
    help="Boot the design of a site whose switches run another OS.",
)
@click.option(
    "--limit",
    multiple=True,
    metavar="PATTERN",
    shell_complete=complete_limits,
    help="Only these switches or fabrics; * and ? stand for anything.",
)
@click.option(
    "--fresh",
    multiple=True,
    metavar="SWITCH",
    shell_complete=complete_switches,
    help="Boot without configuration and request it by DHCP.",
)
@click.option("--name", help="Name of the lab; default: that of the site's folder.")
@click.option(
    "--machine",
    type=click.Choice(("direct", "uml")),
    help="Where to boot: this kernel, or one in user mode; default: this kernel if it can.",
)
@frr_option
@click.option(
    "--health-timeout",
    default=120,
    show_default=True,
    help="Seconds to wait for a healthy network.",
)
@one_line
def up(
    *,
    site: Path,
    lift: str | None,
    limit: tuple[str, ...],
    fresh: tuple[str, ...],
    name: str | None,
    machine: str | None,
    frr: str | None,
    health_timeout: int,
) -> int:
    """Boot every switch, server and cable of SITE on this machine, then compare with the model.

    Exit codes: 0 all is as designed, 1 not booted or something differs.
    """
    from fabricgen.operate.lab.frr import RELEASES
    from fabricgen.operate.lab.up import LabRequest, boot

    lift = lift or (RELEASES[frr] if frr else None)
    designed_site = designed(site, lift).site

    named = name or site.resolve().name
    plan, files = _planned(designed_site, named, limit, fresh, lifted=lift)
    begun = time.monotonic()
    with _Display(len(plan.switches), len(plan.fresh)) as display:
        wish = LabRequest(plan=plan, intent=site, limit=limit, way=machine, frr=frr or "")
        client = boot(wish, files, lambda choice: _introduce(plan, choice), display.tell)
        booted = time.monotonic()
        looks = _settled(designed_site, plan, client, health_timeout, display)
    for (why, count), what in display.skipped.items():
        say(f"left out on {counted(count, 'switch')}: {', '.join(what)}: {why}", err=True)
    out = console()
    out.print(table_of(looks, {}))
    if outside := outside_of(looks):
        out.print(outside)
    _conclude(plan, site, booted - begun, time.monotonic() - booted)
    differs = [difference.sentence for look in looks.values() for difference in look.differences]
    for sentence in differs:
        out.print(sentence, markup=False)
    return 1 if differs else 0


@click.command("down")
@lab_option
@one_line
def down(lab: str | None) -> int:
    """End a lab with everything in it."""
    from fabricgen.operate.lab.client import LabClient
    from fabricgen.operate.lab.place import chosen

    place = chosen(lab)
    LabClient(place.socket).call("down")
    place.clear()
    say(f"lab {place.name} is down")
    return 0


def _planned(
    site: Site, name: str, limit: tuple[str, ...], fresh: tuple[str, ...], *, lifted: str | None
) -> tuple[LabPlan, list[Any]]:
    from fabricgen.compile.compiler import files
    from fabricgen.nos.registry import bootable, nos_of
    from fabricgen.operate.lab.client import LabFailure
    from fabricgen.operate.lab.layout import lay_out

    others = sorted(
        {
            switch.platform
            for fabric in site.fabrics
            for switch in fabric.topology.switches
            if not nos_of(switch).boots_here
        }
    )
    if others:
        raise LabFailure(
            f"a lab boots {' and '.join(bootable())}, and switches of this site run "
            f"{' and '.join(others)}; --as {bootable()[0]} boots their design"
        )
    by_owner = list(files(site))
    rendered = [file for _, group in by_owner for file in group]
    plan = lay_out(
        site,
        name=name,
        lifted=lifted,
        files=[file.path for file in rendered],
        limit=limit,
        fresh=_images(site, fresh),
    )
    if not plan.switches:
        raise LabFailure(f"no switch or fabric is named {' or '.join(limit)}")
    if strange := sorted(set(fresh) - plan.names):
        raise LabFailure(f"no switch of this lab is named {' or '.join(strange)}")
    if unknown := [each.name for each in plan.switches if each.name in fresh and not each.mac]:
        raise LabFailure(
            f"{', '.join(unknown)}: DHCP knows a switch by its MAC; say `switches: "
            f'{{{unknown[0]}: {{mac: "02:00:00:00:00:01"}}}}` in its fabric'
        )
    return plan, [*rendered, *(_served(site, by_owner) if fresh else ())]


def _images(site: Site, fresh: tuple[str, ...]) -> dict[str, str]:
    """Return the folder of the image that each fresh switch boots from."""
    from fabricgen.operate.export.bootstrap import image_of
    from fabricgen.operate.lab.plan import BOOT

    return {
        switch.name: f"{BOOT}/{image_of(switch.platform)}"
        for fabric in site.fabrics
        for switch in fabric.topology.switches
        if switch.name in fresh
    }


def _served(site: Site, rendered: list[Any]) -> list[Any]:
    """Return what `export bootstrap` writes, for the lab to serve at its own address."""
    from dataclasses import replace

    from fabricgen.operate.export.bootstrap import bootstrap
    from fabricgen.operate.lab.plan import BOOT

    laid = bootstrap(site, rendered, f"http://{site.services.gateway}")
    return [replace(file, path=f"{BOOT}/{file.path}") for file in laid.files]


def _introduce(plan: LabPlan, choice: Choice) -> None:
    out = console(err=True)
    hosts, cables = len(plan.hosts), len(plan.cables)
    out.print(
        f"lab [bold]{plan.name}[/]: {len(plan.switches)} switches, {hosts} hosts, "
        f"{cables} cables; {choice.way}: {choice.why}"
    )
    if plan.lifted:
        out.print(
            f"lifted to {plan.lifted}: this proves the design (addresses, routing, tenants, "
            "rails), not what another OS makes of its own files"
        )
    for router in plan.routers:
        out.print(f"outside: {router.name}: {router.plays}", markup=False)
    for skipped in plan.skipped:
        out.print(f"not in a lab: {skipped.what}: {skipped.why}", markup=False)


def _settled(
    site: Site,
    plan: LabPlan,
    client: Any,
    health_timeout: int,
    display: _Display,
) -> Mapping[str, Look]:
    from fabricgen.prove.verifier import Verifier, expectations

    there = plan.names.difference(plan.fresh)
    verifier = Verifier(client.ask, expectations(site, there, plan.answered))
    return verifier.settle(health_timeout, display.looks)


def _conclude(plan: LabPlan, site: Path, boot: float, settle: float) -> None:
    out = console(err=True)
    out.print(f"booted in {boot:.0f} s, settled and compared in {settle:.0f} s")
    if plan.fresh:
        out.print(
            f"fresh     {', '.join(plan.fresh)}: not compared, as no push came yet", markup=False
        )
        limits = " ".join(f"--limit {name}" for name in plan.fresh)
        out.print(f"push      fabricgen push {site} --lab {plan.name} {limits}", markup=False)
    out.print("look      fabricgen lab status")
    out.print(f"log in    fabricgen lab ssh {plan.switches[0].name}")
    out.print("try       fabricgen lab traffic")
    out.print("end       fabricgen lab down")


class _Display:
    """Progress on a terminal; a line for each switch elsewhere."""

    def __init__(self, switches: int, fresh: int) -> None:
        self.total, self.started, self.settled = switches, 0, 0
        self.compared = switches - fresh
        self.skipped: dict[tuple[str, int], list[str]] = {}
        self.progress: Progress | None = None
        self.boot: TaskID
        self.settle: TaskID

    def __enter__(self) -> Self:
        if colored(sys.stderr):
            from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

            columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
            self.progress = Progress(*columns, console=console(err=True), transient=True)
            self.boot = self.progress.add_task("booting", total=self.total * (len(_STEPS) - 1))
            self.settle = self.progress.add_task("settling", total=self.compared)
            self.progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self.progress is not None:
            self.progress.stop()

    def tell(self, event: dict[str, Any]) -> None:
        """Show that a switch has come one step further; keep what some could not do."""
        if event.get("event") == "skipped":
            what, _, why = event["reason"].partition(": ")
            self.skipped.setdefault((why, len(event["names"])), []).append(what)
        if event.get("event") != "switch":
            return
        if self.progress is not None:
            told = f"booting {event['name']}: {event['step']}"
            self.progress.update(self.boot, description=told)
            self.progress.advance(self.boot, int(event["step"] != "starting"))
        elif event["step"] == "started":
            self.started += 1
            say(f"started {event['name']} ({self.started} of {self.total})", err=True)

    def looks(self, looks: Mapping[str, Look]) -> None:
        """Show how many switches are as designed."""
        done = sum(look.done for look in looks.values())
        if self.progress is not None:
            self.progress.update(self.settle, completed=done)
        elif done != self.settled:
            say(f"as designed: {done} of {self.compared}", err=True)
        self.settled = done
