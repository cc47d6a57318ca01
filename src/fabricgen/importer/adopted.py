"""Imports folders of configurations and an inventory into an intent that renders to them.

The structure comes first, then the sections of the intent. The rest becomes overrides and custom
config.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.record import record
from fabricgen.importer.findings import assumed, contradicted, notes, unsaid
from fabricgen.importer.fit import Fit, ImportResult
from fabricgen.importer.inventory.joined import Aliases, joined
from fabricgen.importer.inventory.model import Device, Inventory
from fabricgen.importer.inventory.observed import SwitchState, speeds, things
from fabricgen.importer.inventory.read import Read
from fabricgen.importer.inventory.read import read as read_inventory
from fabricgen.importer.inventory.taken import unknown_models
from fabricgen.importer.models import model_of
from fabricgen.importer.proposed import proposed, respelled, said
from fabricgen.importer.sections import sections
from fabricgen.importer.sound import sound
from fabricgen.importer.stocked import stocked
from fabricgen.importer.structure import structure
from fabricgen.importer.switch_numbers import hosts
from fabricgen.importer.written import written
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.reading import Reading, read
from fabricgen.prove.foreign.switch import Judged
from fabricgen.prove.invariants.laws import examined
from fabricgen.prove.walk.values import text

_SOURCES = "add interface descriptions or link addresses, or give LLDP or an --inventory"


@record(kw_only=True)
class Outcome:
    """Result of an import, with its intent if a network was found.

    Attributes:
        adopted: The fitted intent. None if there is nothing to import.
        findings: Findings of the input files.
        files: The intent, by path in its folder.
        switches: Number of switches with files.
        left: Files that are neither configuration nor inventory.
    """

    findings: tuple[Diagnostic, ...]
    left: tuple[str, ...]
    switches: int = 0
    adopted: ImportResult | None = None
    files: dict[str, str]


def adopt(
    places: Sequence[Path],
    *,
    inventory: Path | None = None,
    platform: str | None = None,
    models: Sequence[tuple[str, str]] = (),
    states: Sequence[SwitchState] = (),
    report: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Import folders of configurations.

    `platform` is the OS of files without a known format, `models` has patterns of switch names.
    `states` are snapshots of the running switches, which have cables, models and serial numbers.

    Raises:
        OSError: A folder cannot be read.
    """
    report("reading configurations")
    reading = read(places, platform, wide=True)
    stock, more, left = _inventory(places, reading, inventory, states)
    report(f"reading {len(reading.switches)} switches")
    findings = [*reading.findings, *more]
    known = said(reading.switches, models)
    guessed, unsure = proposed(reading.switches, stock, known)
    findings += [*unknown_models(_listed(stock, reading.switches), SHIPPED), *unsure]
    known |= guessed
    every, odd = respelled(reading.switches, lambda each: model_of(each, stock, known))
    findings += odd
    known = hosts(every, known, stock)
    switches = [each for each in every if model_of(each, stock, known)]
    if not switches:
        return Outcome(findings=tuple(findings), left=left, files={})
    report(f"finding the structure of {len(switches)} switches")
    network = Network([*{each.name.lower(): each for each in reversed(switches)}.values()][::-1])
    findings += [*contradicted(network, stock), *_unlawful(network)]
    tree = structure(network, stock, known).tree
    report("reading services, tenants and routing")
    tree, dropped = sound(stocked(sections(network, tree), stock))
    findings += dropped
    report(f"comparing {len(every)} switches")
    adopted = Fit(every, report).fitted(tree)
    findings += [*_left_out(adopted, network, stock), *unsaid(network, adopted.tree)]
    findings += assumed(network, adopted.tree, stock)
    return Outcome(
        findings=tuple(findings),
        left=left,
        switches=len(every),
        adopted=adopted,
        files=written(adopted.tree, notes(adopted.tree)),
    )


def _unlawful(network: Network) -> list[Diagnostic]:
    """Return the laws that the network breaks, as warnings: the import copies the network."""
    return [
        replace(each, severity=Severity.WARNING)
        for each in examined(network).findings
        if each.severity is not Severity.NOTE
    ]


def _inventory(
    places: Sequence[Path],
    reading: Reading,
    folder: Path | None,
    states: Sequence[SwitchState],
) -> tuple[Inventory, tuple[Diagnostic, ...], tuple[str, ...]]:
    """Read the inventory from its folder, or from files next to the configurations.

    Snapshots of running switches are a part of the inventory.
    """
    rest, aliases = reading.left, _aliases(reading.switches)
    more = [*things(states, SHIPPED)]
    if folder is not None:
        found = read_inventory(folder, aliases=aliases, more=more)
        left = (*rest, *found.left)
    elif len(places) == 1 and places[0].is_dir():
        found = read_inventory(places[0], rest, aliases=aliases, more=more)
        left = found.left
    else:
        stock, clashes = joined(more, aliases)
        found, left = Read(inventory=stock, findings=clashes, left=()), rest
    return replace(found.inventory, speeds=speeds(states)), found.findings, left


def _aliases(switches: Sequence[Judged]) -> Aliases:
    """Return the names of ports by their aliases, which LLDP of SONiC reports."""
    return {
        (switch.name.lower(), text(own["alias"]).lower()): key[1]
        for switch in switches
        for key, own in switch.facts.items()
        if key[0] == "interface" and "alias" in own
    }


def _listed(stock: Inventory, switches: Sequence[Judged]) -> list[Device]:
    """Return the devices that have configurations."""
    found = (stock.named.get(switch.name.lower()) for switch in switches)
    return [device for device in found if device is not None]


def _left_out(adopted: ImportResult, network: Network, stock: Inventory) -> list[Diagnostic]:
    """Yield findings for switches that the intent omits, with missing cables as the reason.

    A switch with a duplicate name has a finding already.
    """
    lost = [it for it in adopted.lost if network.named.get(it.name.lower(), it) is it]
    if not lost:
        return []
    names = ", ".join(switch.name for switch in lost)
    message = f"the intent does not include {names}: all their lines remain"
    joined = {near for near, _ in network.links} | {
        network.named.get(name) for name, _ in stock.plugged
    }
    bare = ", ".join(switch.name for switch in lost if switch not in joined)
    return [
        Diagnostic(
            Code.ADOPT_LEFT_OUT,
            message,
            hint=f"no cable of {bare} is known: {_SOURCES}" if bare else "",
            position=lost[0].top,
            severity=Severity.WARNING,
        )
    ]
