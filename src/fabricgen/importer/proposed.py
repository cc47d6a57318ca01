"""Switches and an inventory in; the model of each, said or proposed by its ports, out."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.units import counted
from fabricgen.importer.models import model_of, ports
from fabricgen.importer.respelled import plan
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.prove.foreign.network import Network

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from fabricgen.importer.inventory.model import Inventory
    from fabricgen.model.catalog.switches import SwitchModel
    from fabricgen.prove.foreign.switch import Judged

Models = dict[str, str]
"""By the name of a switch, in small letters."""
_HINT = "say it: --model NAME=PATTERN, or by an inventory with its device type"


def said(switches: Iterable[Judged], models: Sequence[tuple[str, str]]) -> Models:
    """Return what was said of switches. models: names with a pattern of switches each."""
    return {
        each.name.lower(): model
        for each in switches
        for model, pattern in reversed(models)
        if fnmatchcase(each.name.lower(), pattern.lower())
    }


def proposed(
    switches: Sequence[Judged], inventory: Inventory, known: Models
) -> tuple[Models, list[Diagnostic]]:
    """Return the models of switches of which nobody says one, and that they are guesses."""
    silent = [each for each in switches if not model_of(each, inventory, known)]
    fits: dict[str, list[Judged]] = {}
    own = {each: _fitting(each) for each in silent}
    if not _joined(switches, lambda each: own.get(each) or model_of(each, inventory, known)):
        alike = _alike(silent)
        own = dict.fromkeys(silent, alike) if alike else own
    for each in silent:
        fits.setdefault(own[each], []).append(each)
    findings = [_finding(model, these) for model, these in fits.items()]
    return {each.name.lower(): model for each, model in own.items() if model}, findings


def _finding(model: str, own: list[Judged]) -> Diagnostic:
    who = own[0].name + (f" and {counted(len(own) - 1, 'other switch')}" if own[1:] else "")
    says = f"nobody says the model of {who}"
    if not model:
        what = f"{says}, and none of the catalog has such ports"
        return Diagnostic(Code.ADOPT_MODEL, what, hint=_HINT, position=own[0].top)
    what = f"{says}: {model} is taken, the least that has such ports"
    return Diagnostic(
        Code.ADOPT_MODEL, what, hint=_HINT, position=own[0].top, severity=Severity.WARNING
    )


def _joined(switches: Sequence[Judged], model_of: Callable[[Judged], str]) -> bool:
    """Tell whether every switch has a model, and those at both ends of a link a common speed."""
    models = {each: SHIPPED.switch(model_of(each)) for each in switches}
    links = (
        (models[near], models[far]) for (near, _), (far, _) in Network([*switches]).links.items()
    )
    return all(models.values()) and all(one and other and _meet(one, other) for one, other in links)


def _meet(one: SwitchModel, other: SwitchModel) -> bool:
    return any(one.has_speed(each) and other.has_speed(each) for each in one.speeds())


def _alike(silent: Sequence[Judged]) -> str:
    """Return one model for all, whose every port may lead anywhere, as a lab has it; or nothing."""
    every = (SHIPPED.known(name) for name in SHIPPED.switch_names())
    systems = {each.platform for each in silent}
    fits = {
        model.name: (sum(not model.platforms.get(p) for p in systems), len(model.cages))
        for model in every
        if len({cage.modes for cage in model.usable}) == 1
        and _meet(model, model)
        and not any(_strange(each, model.name) for each in silent)
    }
    return min(fits, key=lambda model: (fits[model], model), default="")


def _strange(switch: Judged, model: str) -> bool:
    """Tell whether a switch has a port that no port of a model is, or none at all."""
    there = plan(switch, model)
    return bool(there.strange) or not there.names.keys() | (
        ports(model, switch.platform).keys() & switch.tables.ports.keys()
    )


def _fitting(switch: Judged) -> str:
    """Return the model with the fewest cages too many; empty where none has all ports.

    One of which the catalog knows nothing on that platform comes last.
    """
    every = _cages(switch.platform)
    physical = switch.tables.ports.keys() & {name for own in every.values() for name in own}
    fits = {
        model: (
            not SHIPPED.known(model).platforms.get(switch.platform),
            len(set(own.values()) - {own[name] for name in physical}),
        )
        for model, own in every.items()
        if physical <= own.keys()
    }
    return min(fits, key=lambda model: (fits[model], model)) if physical and fits else ""


@cache
def _cages(platform: str) -> dict[str, dict[str, int]]:
    """Return the cages of every model by the names that a platform has for their ports."""
    return {
        model: {name: own[0].cage for name, own in ports(model, platform).items()}
        for model in SHIPPED.switch_names()
    }
