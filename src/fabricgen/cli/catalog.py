"""Implements `fabricgen catalog`, which lists known hardware and the facts that are missing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from fabricgen.cli.candidates import complete_hardware
from fabricgen.cli.formats.document import document
from fabricgen.cli.help import define_verb
from fabricgen.cli.output import Target, catalog_option, data_option
from fabricgen.cli.plain import console, say

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from rich.table import Table

KINDS = ("switches", "nics", "asics", "optics")
COHERENT = {
    "amplified": "m",
    "dispersion": "ps/nm",
    "osnr": "dB for 0.1 nm",
    "latency": "microseconds per end",
}
"""Figures of coherent optics with their units. `amplified`: the reach over an amplified line."""
NUMBERS = ("MB", "cell", "paused", "m", "W")
Row = tuple[str, str]
"""A property and its value."""


@define_verb("catalog", examples=("catalog --on sonic:202505", "catalog 7060X6-64PE"))
@click.argument("name", required=False, shell_complete=complete_hardware)
@catalog_option
@click.option(
    "--on",
    "target",
    type=Target(),
    metavar="OS[:RELEASE]",
    help="Only switches that run this OS, with the hwskus of this release.",
)
@data_option
def command(name: str | None, site: Path | None, target: str | None, form: str) -> int:
    """List known switches, NICs, chips and optics.

    With NAME, print all facts of one model with their sources.
    """
    from fabricgen.compile.reports.hardware import hardware, running
    from fabricgen.core.diagnostics import did_you_mean_model, has_errors

    catalog, findings = _catalog(site)
    platform, _, release = (target or "").partition(":")
    known = hardware(catalog, release)
    if target is not None:
        known["switches"] = dict(running(known["switches"], platform, release or None))
    if name is not None:
        known = {kind: {name: known[kind][name]} for kind in KINDS if name in known[kind]}
        if not known:
            models = [model for rows in hardware(catalog).values() for model in rows]
            where = f"in the catalog on {target}" if name in models else "in the catalog"
            say(f"error: no {name!r} {where}; {did_you_mean_model(name, models)}", err=True)
            return 1
    if form == "json":
        say(document(known), nl=False)
    elif name is not None:
        for kind, rows in known.items():
            _explain(kind, name, rows[name])
    else:
        _list(known)
    return 1 if has_errors(findings) else 0


def _catalog(site: Path | None) -> tuple[Any, list[Any]]:
    """Return the catalog of a site and the findings of its files. Print the findings."""
    from fabricgen.model.catalog.catalog import SHIPPED

    if site is None:
        return SHIPPED, []
    from fabricgen.cli.output import print_findings
    from fabricgen.intent.own_catalog import read_site_catalog
    from fabricgen.intent.source import SourceMap

    _, brought = read_site_catalog(site)
    if brought.findings:
        print_findings(brought.findings, SourceMap(), err=True)
    return brought.catalog, list(brought.findings)


def _grid(*heads: str) -> Table:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table

    table = Table(box=SIMPLE_HEAD, padding=(0, 1, 0, 0), show_header=bool(heads))
    for number, head in enumerate(heads or ("", "")):
        right = head in NUMBERS
        table.add_column(
            head, no_wrap=number == 0, overflow="fold", justify="right" if right else "left"
        )
    return table


def _list(known: Mapping[str, Mapping[str, Any]]) -> None:
    table = _grid("switch", "ports", "chip", "MB", "cell", "renders on")
    for name, facts in sorted(known["switches"].items()):
        runs = [name for name, support in facts["platforms"].items() if support["rendered"]]
        table.add_row(
            _marked(name, facts), _ports(facts), facts["asic"], *_memory(facts), " ".join(runs)
        )
    console().print(table)
    table = _grid("NIC", "ports", "paused", "DCQCN", "spray")
    for name, facts in known["nics"].items():
        ports = " ".join(f"{count}x{speed}" for count, speed in facts["ports"].items())
        words = (_word(facts["dcqcn"]), _word(facts["spray"]))
        table.add_row(_marked(name, facts), ports, str(facts["lossless_priorities"]), *words)
    console().print(table)
    table = _grid("chip", "MB", "cell", "switches")
    for name, facts in sorted(known["asics"].items()):
        built = [model for model, switch in known["switches"].items() if switch["asic"] == name]
        table.add_row(_marked(name, facts), *_memory(facts), ", ".join(sorted(built)))
    console().print(table)
    table = _grid("optic or cable", "cages", "used as", "m", "W")
    for name, facts in known["optics"].items():
        modes = dict.fromkeys(mode for cage in facts["cages"].values() for mode in cage)
        watts = "-" if facts["power"] is None else f"{facts['power']:g}"
        forms = " ".join(facts["cages"])
        table.add_row(_marked(name, facts), forms, " ".join(modes), f"{facts['reach']:,}", watts)
    console().print(table)
    say("MB is the packet memory, cell the bytes of its smallest unit, - is not known")
    say("* marks hardware with facts from the catalog/ folder of the site")
    say("details and sources: fabricgen catalog NAME")


def _marked(name: str, facts: Mapping[str, Any]) -> str:
    return f"{name}*" if facts["own"] else name


def _ports(facts: Mapping[str, Any]) -> str:
    """Return the native ports for fabric and servers, such as 64x800G."""
    rows = [row for row in facts["cages"] if not row["service"]]
    native = [(row, *next(iter(row["modes"])).split("x")) for row in rows]
    return " ".join(
        f"{(row['last'] - row['first'] + 1) * int(count)}x{speed}" for row, count, speed in native
    )


def _memory(facts: Mapping[str, Any]) -> tuple[str, str]:
    size, cell = facts["packet_buffer"], facts["cell"]
    return "-" if size is None else f"{size / 10**6:,.0f}", "-" if cell is None else str(cell)


def _word(on: bool) -> str:  # noqa: FBT001 - its only argument
    return "yes" if on else "no"


def _explain(kind: str, name: str, facts: Mapping[str, Any]) -> None:
    rows = _ROWS[kind](facts)
    table = _grid()
    for word, text in rows:
        table.add_row(word, text)
    whose = "from the catalog/ folder of the site" if facts["own"] else ""
    if whose and _ships(kind, name):
        whose = f"with facts {whose}"
    title = ", ".join(
        filter(None, (name, facts.get("vendor") or facts.get("kind", "a chip"), whose))
    )
    say(title)
    console().print(table)


def _ships(kind: str, name: str) -> bool:
    """Return whether the catalog has it without the site."""
    from fabricgen.model.catalog.catalog import SHIPPED

    return name in (SHIPPED.switch_names() if kind == "switches" else SHIPPED.asic_names())


def _of_switch(facts: Mapping[str, Any]) -> Iterator[Row]:
    from fabricgen.core.units import counted

    yield "chip", facts["asic"]
    yield from _of_memory(facts)
    yield from _of_box(facts)
    for row in facts["cages"]:
        modes = ", ".join(f"{mode} ({lanes})" for mode, lanes in row["modes"].items())
        use = "service, " if row["service"] else ""
        span = f"{row['first']}-{row['last']}" if row["last"] > row["first"] else str(row["first"])
        yield f"cages {span}", f"{use}{row['form']}, {counted(row['lanes'], 'lane')}: {modes}"
        yield "  optics", "; ".join(f"{mode}: {_far(fits)}" for mode, fits in row["optics"].items())
    yield "", "modes with the lanes of each interface in parentheses; the first mode is native"
    for name, support in facts["platforms"].items():
        yield from _of_platform(name, support)
    for gap in facts["unknown"]:
        yield "not known", gap
    yield "source", facts["source"]


def _of_box(facts: Mapping[str, Any]) -> Iterator[Row]:
    height, watts, latency = facts["rack_units"], facts["watts"], facts["latency"]
    if height is not None:
        yield "height", f"{height} RU"
    if watts is not None:
        parts = [f"{watts[key]} W {key}" for key in ("typical", "maximum") if watts[key]]
        yield "draws", f"{', '.join(parts)}: {watts['source']}"
    if latency is not None:
        yield "latency", f"{latency['nanoseconds']} ns: {latency['source']}"


def _far(fits: Mapping[str, int]) -> str:
    """Return the number of optics that fit a cage, and the longest reach."""
    from fabricgen.core.units import counted

    return f"{counted(len(fits), 'optic')}, to {max(fits.values()):,} m" if fits else "none known"


def _of_memory(facts: Mapping[str, Any]) -> Iterator[Row]:
    size, cell = facts["packet_buffer"], facts["cell"]
    yield "memory", "not known" if size is None else f"{size:,} bytes"
    yield "cell", "not known" if cell is None else f"{cell} bytes"


def _of_platform(name: str, support: Mapping[str, Any]) -> Iterator[Row]:
    if not support["rendered"]:
        return
    parts = [
        support.get("platform", ""),
        f"{support['buffer_model']} buffer model" if "buffer_model" in support else "",
        f"port map of {support['port_map']} rows" if "port_map" in support else "",
        f"driver {support['driver']}" if "driver" in support else "",
        f"balances by {', '.join(balancing)}"
        if (balancing := support.get("load_balancing"))
        else "",
    ]
    yield name, "; ".join(filter(None, parts)) or "rendered; no further facts"
    for line, fact in support.get("memory", {}).items():
        yield f"  {line}", f"{fact['confidence']}: {fact['source']}"
    for name_of_sku, sku in support.get("skus", {}).items():
        ports = ", ".join(f"{cages}: {mode}" for mode, cages in sku["ports"].items())
        only = f", in {' '.join(sku['releases'])}" if sku["releases"] else ""
        split = ", can be split" if sku["splits"] else ""
        yield "  hwsku", f"{name_of_sku}: cages {ports}{split}{only}; lossless: {sku['lossless']}"
    if "source" in support:
        yield "  source", support["source"]


def _of_nic(facts: Mapping[str, Any]) -> Iterator[Row]:
    from fabricgen.core.units import counted

    yield "family", facts["family"]
    for count, speed in facts["ports"].items():
        forms = facts["cages"].get(count)
        shared = facts["ports_per_cage"].get(count, 1)
        share = f", {shared} to a cage" if shared > 1 else ""
        cage = f", in {' or '.join(forms)}{share}" if forms else ""
        yield counted(count, "port"), f"up to {speed} each{cage}"
    if not facts["cages"]:
        yield "not known", "the form of its cages: the other end decides which cables fit"
    yield "speeds", ", ".join(facts["speeds"])
    yield "largest MTU", str(facts["largest_mtu"])
    yield "paused", f"{facts['lossless_priorities']} priorities: {facts['lossless_source']}"
    yield "DCQCN", _word(facts["dcqcn"])
    yield "spray", f"accepts packets out of order: {_word(facts['spray'])}"
    yield "source", facts["source"]


def _of_asic(facts: Mapping[str, Any]) -> Iterator[Row]:
    yield from _of_memory(facts)
    yield "source", facts["source"]


def _of_optic(facts: Mapping[str, Any]) -> Iterator[Row]:
    for form, modes in facts["cages"].items():
        yield form, ", ".join(f"{mode}: {signal}" for mode, signal in modes.items())
    shorter = "".join(f"; {meters} m as {mode}" for mode, meters in facts["less"].items())
    yield "reach", f"{facts['reach']:,} m of {facts['media']}{shorter}"
    of_fiber = ("connector", "fibers", "wavelength") if facts["kind"] == "transceiver" else ()
    for word in (*of_fiber, "fec"):
        yield word, "not known" if facts[word] is None else str(facts[word])
    yield "power", "not known" if facts["power"] is None else f"{facts['power']:g} W per end"
    if of_fiber:
        yield "loss", "not known" if facts["loss"] is None else f"{facts['loss']:g} dB at most"
        least, most = facts["receive"] or (None, None)
        yield "receive", "not known" if least is None else f"{least:g} to {most:g} dBm per lane"
    for word, unit in COHERENT.items() if any(facts[word] for word in COHERENT) else ():
        yield word, "not known" if facts[word] is None else f"{facts[word]:,g} {unit}"
    yield "lanes", f"{facts['lanes']} electrical"
    yield "source", facts["source"]


_ROWS = {"switches": _of_switch, "nics": _of_nic, "asics": _of_asic, "optics": _of_optic}
