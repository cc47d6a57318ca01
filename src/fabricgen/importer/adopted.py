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
from fabricgen.importer.inventory.joined import Aliases
from fabricgen.importer.inventory.model import EMPTY, Device, Inventory
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

_CABLES = "addresses of links, texts on ports, LLDP or --inventory say cables; none is known of"


@record(kw_only=True)
class Outcome:
    """What came out. adopted: None where there is nothing to adopt.

    findings: of what was read. files: the intent, by path in its folder. switches: how many files
    are of. left: files that are neither configuration nor inventory.
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
    tell: Callable[[str], None] = lambda _: None,
) -> Outcome:
    """Adopt folders. models: names, each with a pattern of switches. OSError of a folder."""
    tell("reading configurations")
    reading = read(places, platform, wide=True)
    stock, more, left = _inventory(places, reading, inventory)
    tell(f"reading {len(reading.switches)} switches")
    findings = [*reading.findings, *more]
    known = said(reading.switches, models)
    guessed, unsure = proposed(reading.switches, stock, known)
    known |= guessed
    findings += [*unknown_models(_listed(stock, reading.switches), SHIPPED), *unsure]
    every, odd = respelled(reading.switches, lambda each: model_of(each, stock, known))
    findings += odd
    known = hosts(every, known, stock)
    switches = [each for each in every if model_of(each, stock, known)]
    if not switches:
        return Outcome(findings=tuple(findings), left=left, files={})
    tell(f"finding the structure of {len(switches)} switches")
    network = Network([*{each.name.lower(): each for each in reversed(switches)}.values()][::-1])
    findings += [*contradicted(network, stock), *_unlawful(network)]
    tree = structure(network, stock, known).tree
    tell("reading services, tenants and routing")
    tree = stocked(sections(network, tree), stock)
    tree, dropped = sound(tree)
    findings += dropped
    tell(f"comparing {len(every)} switches")
    adopted = Fit(every, tell).fitted(tree)
    findings += [*_left_out(adopted, network, stock), *unsaid(network, adopted.tree)]
    findings += assumed(network, adopted.tree)
    return Outcome(
        findings=tuple(findings),
        left=left,
        switches=len(every),
        adopted=adopted,
        files=written(adopted.tree, notes(adopted.tree)),
    )


def _unlawful(network: Network) -> list[Diagnostic]:
    """Return the laws that the network breaks: it is taken as it is, so they are warnings."""
    return [
        replace(each, severity=Severity.WARNING)
        for each in examined(network).findings
        if each.severity is not Severity.NOTE
    ]


def _inventory(
    places: Sequence[Path], reading: Reading, folder: Path | None
) -> tuple[Inventory, tuple[Diagnostic, ...], tuple[str, ...]]:
    """Read the inventory: that of its own folder, else what stands beside the configurations."""
    rest, aliases = reading.left, _aliases(reading.switches)
    if folder is not None:
        found = read_inventory(folder, aliases=aliases)
        return found.inventory, found.findings, (*rest, *found.left)
    if len(places) == 1 and places[0].is_dir():
        found = read_inventory(places[0], rest, aliases=aliases)
        return found.inventory, found.findings, found.left
    return EMPTY, (), rest


def _aliases(switches: Sequence[Judged]) -> Aliases:
    """Return the names of ports by their aliases, which LLDP of SONiC tells."""
    return {
        (switch.name.lower(), text(own["alias"]).lower()): key[1]
        for switch in switches
        for key, own in switch.facts.items()
        if key[0] == "interface" and "alias" in own
    }


def _listed(stock: Inventory, switches: Sequence[Judged]) -> list[Device]:
    """Return the devices whose configurations are there."""
    found = (stock.named.get(each.name.lower()) for each in switches)
    return [each for each in found if each is not None]


def _left_out(adopted: ImportResult, network: Network, stock: Inventory) -> list[Diagnostic]:
    """Say which switches the intent has not, and where that is for want of cables.

    Of two with one name that name is wrong, which is said already.
    """
    gone = [each for each in adopted.lost if network.named.get(each.name.lower(), each) is each]
    if not gone:
        return []
    what = f"the intent has no {', '.join(each.name for each in gone)}: all their lines remain"
    joined = {near for near, _ in network.links} | {
        network.named.get(name) for name, _ in stock.plugged
    }
    bare = [each for each in gone if each not in joined]
    return [
        Diagnostic(
            Code.ADOPT_LEFT_OUT,
            what,
            hint=f"{_CABLES} {', '.join(each.name for each in bare)}" if bare else "",
            position=gone[0].top,
            severity=Severity.WARNING,
        )
    ]
