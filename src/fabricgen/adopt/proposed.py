"""Switches and an inventory in; the model of each, said or proposed by its ports, out."""

from __future__ import annotations

from fnmatch import fnmatchcase
from functools import cache
from typing import TYPE_CHECKING

from fabricgen.adopt.models import model_of, ports
from fabricgen.catalog.catalog import SHIPPED
from fabricgen.diagnostics import Code, Diagnostic, Severity
from fabricgen.units import counted

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from fabricgen.adopt.inventory.model import Inventory
    from fabricgen.judge.switch import Judged

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
    for each in silent:
        fits.setdefault(_fitting(each), []).append(each)
    findings = [_finding(model, own) for model, own in fits.items()]
    return {each.name.lower(): model for model, own in fits.items() for each in own if model}, (
        findings
    )


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


def _fitting(switch: Judged) -> str:
    """Return the model with the fewest cages too many; empty where none has all ports."""
    every = _cages(switch.platform)
    physical = switch.tables.ports.keys() & {name for own in every.values() for name in own}
    fits = {
        model: len(set(own.values()) - {own[name] for name in physical})
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
