"""Implements `fabricgen lab up` and `down`, which boot a site as FRR switches and stop it."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any, Self

import click

from fabricgen.cli.candidates import complete_limits, complete_switches
from fabricgen.cli.help import define_verb
from fabricgen.cli.lab.terminal import frr_option, lab_option, one_line, outside_of, table_of
from fabricgen.cli.output import Platforms, designed, site_argument
from fabricgen.cli.plain import console, say
from fabricgen.core.progress import stage, watcher
from fabricgen.core.units import counted

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from fabricgen.core.progress import Stage
    from fabricgen.model.fabric.switch import Site
    from fabricgen.operate.lab.machine.machine import Choice
    from fabricgen.operate.lab.plan import LabPlan
    from fabricgen.prove.verifier import Look

_STEPS = ("starting", "kernel settings", "interfaces", "queues", "routing", "services", "started")


@define_verb(
    "up",
    examples=("lab up intent/lab", "lab up intent/tenants --as linux --limit frontend"),
    codes={0: "All switches are as designed", 1: "Not booted, or differences"},
)
@site_argument
@click.option(
    "--as",
    "lift",
    type=Platforms(bootable=True),
    help="Boot the design of a site with another OS as this OS.",
)
@click.option(
    "--limit",
    multiple=True,
    metavar="PATTERN",
    shell_complete=complete_limits,
    help="Only these switches or fabrics; * and ? are wildcards.",
)
@click.option(
    "--fresh",
    multiple=True,
    metavar="SWITCH",
    shell_complete=complete_switches,
    help="Boot without configuration and request it by DHCP.",
)
@click.option("--name", help="Name of the lab. Default: the name of the site folder.")
@click.option(
    "--machine",
    type=click.Choice(("direct", "uml")),
    help="Use this kernel (direct) or a user-mode kernel (uml). Default: direct if possible.",
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
    """Boot a site and verify it.

    The lab has every switch, server and cable of SITE. After the boot, the verb compares the state
    of the switches with the model.
    """
    from fabricgen.operate.lab.suites import RELEASES
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
    for (reason, count), features in display.skipped.items():
        say(f"left out on {counted(count, 'switch')}: {', '.join(features)}: {reason}", err=True)
    out = console()
    out.print(table_of(looks, {}))
    if outside := outside_of(looks):
        out.print(outside)
    _conclude(plan, site, booted - begun, time.monotonic() - booted)
    differs = [difference.sentence for look in looks.values() for difference in look.differences]
    for sentence in differs:
        out.print(sentence, markup=False)
    return 1 if differs else 0


@define_verb("down", examples=("lab down", "lab down --lab tenants"))
@lab_option
@one_line
def down(lab: str | None) -> int:
    """Stop a lab and delete its files.

    This also ends all switches, servers and captures of the lab.
    """
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
            f"a lab cannot boot {' and '.join(others)}, only {' and '.join(bootable())}; use "
            f"--as {bootable()[0]} to boot their design"
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
        raise LabFailure(f"--limit {' '.join(limit)} matches no switch or fabric")
    if unknown := sorted(set(fresh) - plan.names):
        raise LabFailure(f"--fresh: no switch of this lab is named {' or '.join(unknown)}")
    if bare := [it.name for it in plan.switches if it.name in fresh and not it.mac]:
        raise LabFailure(
            f"{', '.join(bare)}: MAC address missing, DHCP needs it; add `switches: "
            f'{{{bare[0]}: {{mac: "02:00:00:00:00:01"}}}}` to its fabric'
        )
    return plan, [*rendered, *(_served(site, by_owner) if fresh else ())]


def _images(site: Site, fresh: tuple[str, ...]) -> dict[str, str]:
    """Return the folder of the boot image of each fresh switch."""
    from fabricgen.operate.export.bootstrap import image_of
    from fabricgen.operate.lab.plan import BOOT

    return {
        switch.name: f"{BOOT}/{image_of(switch.platform)}"
        for fabric in site.fabrics
        for switch in fabric.topology.switches
        if switch.name in fresh
    }


def _served(site: Site, rendered: list[Any]) -> list[Any]:
    """Return the files of `export bootstrap`, which the lab serves at its gateway address."""
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
            f"booted as {plan.lifted}: this tests the design (addresses, routing, tenants, "
            "rails), not the files of another OS"
        )
    for router in plan.routers:
        out.print(f"with FRR: {router.name}: {router.plays}", markup=False)
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
    out.print(f"booted in {boot:.0f} s, converged and compared in {settle:.0f} s")
    if plan.fresh:
        out.print(
            f"fresh     {', '.join(plan.fresh)}: not compared before the first push", markup=False
        )
        limits = " ".join(f"--limit {name}" for name in plan.fresh)
        out.print(f"push      fabricgen push {site} --lab {plan.name} {limits}", markup=False)
    out.print("status    fabricgen lab status")
    out.print(f"log in    fabricgen lab ssh {plan.switches[0].name}")
    out.print("test      fabricgen lab traffic")
    out.print("stop      fabricgen lab down")


class _Display:
    """Progress on a terminal; a line for each switch elsewhere."""

    def __init__(self, switches: int, fresh: int) -> None:
        self.total, self.started, self.settled = switches, 0, 0
        self.compared = switches - fresh
        self.skipped: dict[tuple[str, int], list[str]] = {}
        self.is_watched = watcher() is not None
        self.booting = stage("booting", switches * (len(_STEPS) - 1))
        self.boot: Stage

    def __enter__(self) -> Self:
        self.boot = self.booting.__enter__()
        return self

    def __exit__(self, *_: object) -> None:
        self.booting.__exit__(None, None, None)

    def tell(self, event: dict[str, Any]) -> None:
        """Show the next step of a switch. Collect the features that some switches skip."""
        if event.get("event") == "skipped":
            feature, _, reason = event["reason"].partition(": ")
            self.skipped.setdefault((reason, len(event["names"])), []).append(feature)
        if event.get("event") != "switch":
            return
        if self.is_watched:
            self.boot.name = f"booting {event['name']}: {event['step']}"
            self.boot.advance(event["step"] != "starting")
        elif event["step"] == "started":
            self.started += 1
            say(f"started {event['name']} ({self.started} of {self.total})", err=True)

    def looks(self, looks: Mapping[str, Look]) -> None:
        """Show the number of switches that are as designed."""
        done = sum(look.done for look in looks.values())
        if done != self.settled and not self.is_watched:
            say(f"as designed: {done} of {self.compared}", err=True)
        self.settled = done
