"""Implements `fabricgen size`, which compares the hardware of designs without an intent."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.candidates import complete_platforms, complete_switch_models
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import catalog_option, data_option, ended, output_option
from fabricgen.cli.plain import say, shell_word

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from fabricgen.model.catalog.catalog import Catalog
    from fabricgen.plan.sizing.candidates import Candidate
    from fabricgen.plan.sizing.needs import Needs, Ports

option = partial(click.option, show_default=True)
number = partial(option, type=click.IntRange(min=1), metavar="N")
factor = partial(option, type=float, metavar="F")
model = partial(option, metavar="MODEL", shell_complete=complete_switch_models)


class Rate(click.ParamType[Any]):
    """A speed in bits per second: 400G, 1.6T."""

    name = "speed"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Parse a speed. The error names valid forms."""
        from fabricgen.core.units import BitsPerSecond

        try:
            return value if isinstance(value, BitsPerSecond) else BitsPerSecond.parse(value)
        except ValueError as error:
            self.fail(str(error), param, ctx)


SPEED = Rate()
MUCH = click.FloatRange(min=0, min_open=True)
SECTIONS = {
    "GPU fabric": (
        *("--servers", "--gpus", "--nics", "--nic-speed", "--nic-ports", "--planes", "--unit"),
        *("--growth", "--nvlink", "--switch", "--leaf", "--spine", "--superspine", "--os"),
        *("--link-speed", "--leaf-ratio", "--spine-ratio", "--cable-length", "--link-length"),
    ),
    "Frontend": (
        *("--frontend-ports", "--frontend-speed", "--frontend-leafs", "--frontend-switch"),
        "--frontend-ratio",
    ),
    "Storage": (
        *("--storage-servers", "--storage-ports", "--storage-speed", "--storage-switch"),
        *("--storage-ratio", "--fc-ports", "--fc-switch-ports"),
    ),
    "Demand": (
        *("--transfer", "--window", "--wan", "--ingest", "--inference", "--checkpoint"),
        "--storage-reads",
    ),
}
OPTIONS = (
    catalog_option,
    number("--servers", type=click.IntRange(min=0), required=True, help="Number of GPU servers."),
    number("--gpus", default=8, help="GPUs per server."),
    number("--nics", help="RDMA NICs per server. Default: one per GPU."),
    option("--nic-speed", type=SPEED, default="400G", help="Speed of a NIC port."),
    number("--nic-ports", default=1, help="Ports per NIC; with planes, one per plane."),
    number("--planes", default=1, help="Parallel copies of the GPU fabric."),
    number("--unit", help="Servers per scalable unit. Default: the capacity of a leaf."),
    factor("--growth", default=1.0, help="Growth factor of servers and demands."),
    model("--switch", default="7060X6-64PE", help="Switch model of all tiers."),
    model("--leaf", help="Leaf model. Default: --switch."),
    model("--spine", help="Spine model. Default: --switch."),
    model("--superspine", help="Superspine model. Default: --switch."),
    option(
        "--os",
        "platform",
        metavar="OS",
        shell_complete=complete_platforms,
        help="Network OS. Default: an OS of the switch model.",
    ),
    option("--link-speed", type=SPEED, help="Speed between switches. Default: the NIC speed."),
    factor("--leaf-ratio", default=1.0, help="Oversubscription of a leaf (down / up)."),
    factor("--spine-ratio", default=1.0, help="Oversubscription of a spine (down / up)."),
    number("--cable-length", "near", default=5, help="Meters from server to leaf."),
    number("--link-length", "far", default=30, help="Meters between switches."),
    number(
        "--frontend-ports",
        type=click.IntRange(min=0),
        default=0,
        help="Frontend ports per server; 0: no frontend.",
    ),
    option("--frontend-speed", type=SPEED, default="100G", help="Speed of a frontend port."),
    number(
        "--frontend-leafs",
        type=click.IntRange(1, 2),
        help="Frontend leafs per server. Default: 2 with an even number of ports, else 1.",
    ),
    model("--frontend-switch", default="7050CX3-32S", help="Frontend switch model."),
    factor("--frontend-ratio", default=3.0, help="Oversubscription of a frontend leaf."),
    number(
        "--storage-servers",
        type=click.IntRange(min=0),
        default=0,
        help="Storage servers; 0: no storage fabric.",
    ),
    number("--storage-ports", default=2, help="Storage ports per server."),
    option("--storage-speed", type=SPEED, default="200G", help="Speed of a storage port."),
    model("--storage-switch", default="SN4700", help="Storage switch model."),
    factor("--storage-ratio", default=1.0, help="Oversubscription of a leaf of GPU servers."),
    number("--nvlink", metavar="GPUS", help="GPUs of an NVLink domain of several servers, as 72."),
    number("--fc-ports", help="Fibre Channel ports per storage server, half in each fabric."),
    number("--fc-switch-ports", default=64, help="Ports of a Fibre Channel switch."),
    option("--transfer", type=MUCH, metavar="TB", help="Terabytes to copy to another site."),
    option("--window", type=MUCH, metavar="HOURS", default=24.0, help="Time for the copy."),
    option("--wan", type=SPEED, help="Total bandwidth between the sites."),
    option("--ingest", type=SPEED, help="Total ingest bandwidth of all servers."),
    option("--inference", type=SPEED, help="Total inference bandwidth of all servers."),
    option("--checkpoint", type=SPEED, help="Total bandwidth of checkpoints to storage."),
    option("--storage-reads", type=SPEED, help="Total bandwidth of reads from storage."),
)


def asking(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options that describe the network."""
    for add in reversed(OPTIONS):
        command = add(command)
    return command


@define_verb(
    "size",
    examples=("size --servers 64", "size --servers 128 --design rail-only -o rail-only-128"),
    codes={1: "Error, no design fits, or a demand is not met"},
    sections=SECTIONS,
)
@asking
@click.option("--design", metavar="NAME", help="Design to write. Default: the fewest switches.")
@output_option("DIR", "Write the intent of the chosen design into a new folder.", required=False)
@click.option(
    "--without",
    multiple=True,
    type=click.Choice(("racks", "oob", "edge", "tenants")),
    help="Part that the written site leaves out; repeatable.",
)
@click.option(
    "--plot",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Draw switches, optics and watts per GPU for sizes from 64 GPUs, as SVG.",
)
@click.option(
    "--plot-to",
    type=click.IntRange(min=65, max=1_000_000),
    default=100_000,
    show_default=True,
    metavar="GPUS",
    help="Largest size of the plot.",
)
@data_option
def command(
    *,
    design: str | None,
    target: Path | None,
    without: tuple[str, ...],
    plot: Path | None,
    plot_to: int,
    form: str,
    **said: Any,
) -> int:
    """Compare fabric designs and write the intent of one.

    The verb compiles each design in memory and counts its switches, cables and optics. A SPEED is
    400G or 1.6T. The page docs/start/sizing.md has the formulas.
    """
    from fabricgen.cli.formats.size import data, text
    from fabricgen.plan.sizing.beside import judge_beside
    from fabricgen.plan.sizing.candidates import candidates, chosen
    from fabricgen.plan.sizing.needs import judge

    needs = needs_of(said)
    judge(needs)
    judge_beside(needs)
    _judge_named(design)
    found = candidates(needs)
    best = next((item for item in found if item.design.name == design), None) or chosen(found)
    if form == "json":
        from fabricgen.cli.formats.document import document

        say(document(data(needs, found, best)), nl=False)
    else:
        say(text(needs, found, best), nl=False)
    if plot is not None:
        _drawn(needs, plot, plot_to)
    code = _ended(found, best, target, without)
    return code if needs.transfer is None or needs.transfer.fits else max(1, code)


def _drawn(needs: Needs, file: Path, most: int) -> None:
    """Draw the plot for the same switches and NICs, without growth."""
    from fabricgen.compile.output.existing_tree import Refused
    from fabricgen.plan.sizing.plot import plot, sizes, sweep

    title = f"{needs.backend.models[0]}, NICs of {needs.nic_speed}, {needs.gpus} GPUs a server"
    text = plot(title, sweep(needs, sizes(most)))
    try:
        file.write_text(text)
    except OSError as error:
        raise Refused(f"cannot write {file}: {error.strerror or error}") from error
    say(f"drew {file}", err=True)


def _judge_named(design: str | None) -> None:
    from fabricgen.core.diagnostics import did_you_mean
    from fabricgen.plan.sizing.designs import DESIGNS
    from fabricgen.plan.sizing.needs import refused

    names = [known.name for known in DESIGNS]
    if design is not None and design not in names:
        raise refused(f"unknown design {design!r}", did_you_mean(design, names))


def _ended(
    found: Sequence[Candidate],
    best: Candidate | None,
    target: Path | None,
    without: Sequence[str],
) -> int:
    """Write the chosen design. Return 1 if no design fits or a demand is not met."""
    from fabricgen.compile.output.existing_tree import Refused
    from fabricgen.plan.sizing.designs import unconfigured

    if target is not None:
        if best is None or best.why_not:
            raise Refused("nothing was written: no design fits" if best is None else best.why_not)
        if best.design.infiniband:
            raise Refused(
                f"nothing was written: fabricgen counts {best.design.name} but cannot configure it",
                "InfiniBand has its own subnet manager; choose an Ethernet design with --design",
            )
        if counted_only := unconfigured(best.needs, best.design):
            raise Refused(
                f"nothing was written: the catalog knows no network OS of {counted_only[0]}",
                "add its facts of a network OS to catalog/switches, or choose another model",
            )
        write(best, target, without)
    carried = all(demand.fits for item in found if not item.why_not for demand in item.asked)
    return 0 if best is not None and not best.why_not and carried else 1


def write(best: Candidate, target: Path, without: Sequence[str] = ()) -> None:
    """Check the whole site and write its files to a new folder."""
    from fabricgen.compile.compiler import compile_site
    from fabricgen.compile.output.exchange import write_fresh
    from fabricgen.core.diagnostics import has_errors
    from fabricgen.intent.load import load_texts
    from fabricgen.plan.sizing.candidates import whole_site

    files = whole_site(best, without)
    result = compile_site(loaded := load_texts(files))
    if not result.ok:
        say(f"nothing was written: the intent of {best.design.name} has errors", err=True)
        ended([found for found in result.findings if has_errors([found])], loaded.source)
    write_fresh(target, files)
    say(f"wrote {', '.join(sorted(files))} to {target}: {best.design.name}", err=True)
    site = shell_word(str(target))
    say(f"next: fabricgen check {site} && fabricgen render {site} -o DIR", err=True)


def needs_of(said: dict[str, Any]) -> Needs:
    """Return the needs that the options describe."""
    from fabricgen.plan.sizing.needs import Demands, Needs, Tiers, Transfer

    facts, catalog = _hardware(said["site"])
    models = tuple(said[role] or said["switch"] for role in ("leaf", "spine", "superspine"))
    demands = ("ingest", "inference", "checkpoint", "storage_reads")
    return Needs(
        servers=said["servers"],
        gpus=said["gpus"],
        nics=said["nics"] or said["gpus"],
        nic_ports=said["nic_ports"],
        nic_speed=said["nic_speed"],
        planes=said["planes"],
        growth=said["growth"],
        unit=said["unit"],
        near=said["near"],
        far=said["far"],
        backend=Tiers(
            models=(models[0], models[1], models[2]),
            ratios=(said["leaf_ratio"], said["spine_ratio"]),
            speed=said["link_speed"] or said["nic_speed"],
            platform=said["platform"] or "",
        ),
        frontend=_ports(said, "frontend", catalog) if said["frontend_ports"] else None,
        storage=_ports(said, "storage", catalog) if said["storage_servers"] else None,
        storage_servers=said["storage_servers"],
        nvlink=said["nvlink"] or 0,
        fc_ports=said["fc_ports"] or 0,
        fc_switch_ports=said["fc_switch_ports"],
        transfer=Transfer(
            terabytes=said["transfer"],
            hours=said["window"],
            growth=said["growth"],
            wan=int(said["wan"] or 0),
        )
        if said["transfer"]
        else None,
        demands=Demands(**{name: int(said[name] or 0) for name in demands}),
        catalog=catalog,
        facts=facts,
    )


def _hardware(site: Path | None) -> tuple[dict[str, str], Catalog]:
    """Return the hardware files of a site by path, and the catalog with their facts."""
    from fabricgen.model.catalog.catalog import SHIPPED

    if site is None:
        return {}, SHIPPED
    from fabricgen.core.diagnostics import has_errors
    from fabricgen.intent.own_catalog import read_site_catalog
    from fabricgen.intent.source import SourceMap

    facts, brought = read_site_catalog(site)
    if has_errors(brought.findings):
        ended(brought.findings, SourceMap())
    return facts, brought.catalog


def _ports(said: dict[str, Any], fabric: str, catalog: Catalog) -> Ports:
    from fabricgen.plan.sizing.needs import Ports, Tiers

    model, ratio = said[f"{fabric}_switch"], said[f"{fabric}_ratio"]
    speed = said[f"{fabric}_speed"]
    known = catalog.switch(model)  # links between switches run at the native speed of a cage
    between = known.usable[-1].modes[0].speed if known is not None else speed
    tiers = Tiers(models=(model, model, model), ratios=(ratio, ratio), speed=between)
    count = said[f"{fabric}_ports"]
    leafs = said.get(f"{fabric}_leafs") or 2 - count % 2
    return Ports(count=count, speed=speed, tiers=tiers, leafs=leafs)
