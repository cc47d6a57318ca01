"""Proposes values and their spelling for an imported intent."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from functools import cache

from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.record import record
from fabricgen.core.units import counted
from fabricgen.importer.inventory.model import Inventory
from fabricgen.importer.models import model_of, ports
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.prove.foreign.network import Network
from fabricgen.prove.foreign.switch import Judged

# A lab switch names a port `Ethernet1` that its model names `Ethernet1/1`, and a container names
# `eth1` what is `swp1`. The number identifies the port, and a finding reports this assumption.

_CAGED = re.compile(r"(?:Ethernet|swp|eth(?=[1-9]))\d+(?:/\d+)*")
"""Names of cage ports on EOS, SONiC, Cumulus and Linux. eth0 is for management."""
_PORT = re.compile(
    r"(?:(?P<who>[A-Za-z0-9][A-Za-z0-9.-]*)[_:, ]{1,2}(?:port )?)?"
    rf"(?<![A-Za-z0-9/])(?P<port>{_CAGED.pattern})(?![\w/])"
)
"""A port in a line, with the name before it."""
_STANZA = re.compile(r"(?m)^(iface (?!lo )\S+) inet6?(?: static| manual)?$")
"""ifupdown2, interfaces(5): method and family are optional and change nothing."""
_SPELLING_HINT = "choose a model with such ports: --model NAME=PATTERN"


@record(kw_only=True)
class Plan:
    """The names of a switch's ports in its model, and the ports that the model lacks."""

    model: str
    names: Mapping[str, str]
    strange: tuple[str, ...]


def respelled(
    switches: Sequence[Judged], model_of: Callable[[Judged], str]
) -> tuple[list[Judged], list[Diagnostic]]:
    """Return the switches with names of their models, and findings for renamed or unknown ports."""
    plans = {each: plan(each, model) for each in switches if (model := model_of(each))}
    of = {each.name.lower(): plan.names for each, plan in plans.items()}
    changed = any(of.values())
    every = [_as_planned(each, of) if changed else each for each in switches]
    return [_plain(each) for each in every], [*_said(plans)]


def _plain(switch: Judged) -> Judged:
    """Return a switch with plain interface stanzas, without words that have no effect."""
    texts = {path: _STANZA.sub(r"\1", text) for path, text in switch.found.texts.items()}
    if texts == switch.found.texts:
        return switch
    return Judged(replace(switch.found, texts=texts), wide=switch.wide)


def plan(switch: Judged, model: str) -> Plan:
    """Match the ports of a switch with model ports, by name or by number."""
    known = ports(model, switch.platform)
    there = [each for each in switch.tables.ports if _CAGED.fullmatch(each) and each not in known]
    names = {
        name: meant
        for name in there
        for meant in (f"{name}/1", name.removesuffix("/1"), name.replace("eth", "swp", 1))
        if meant in known and meant not in switch.tables.ports
    }
    return Plan(
        model=model, names=names, strange=tuple(each for each in there if each not in names)
    )


def _as_planned(switch: Judged, of: Mapping[str, Mapping[str, str]]) -> Judged:
    """Return a switch with new names of its ports, and of neighbor ports in descriptions."""
    own: Mapping[str, str] = of.get(switch.name.lower(), {})

    def spelled(match: re.Match[str]) -> str:
        who = (match["who"] or "").lower()
        tails = (who, who.rpartition(".")[0])
        names = next((of[each] for each in tails if each in of), own)
        whole, start = match[0], match.start("port") - match.start()
        return whole[:start] + names.get(match["port"], match["port"])

    texts = {path: _PORT.sub(spelled, text) for path, text in switch.found.texts.items()}
    return Judged(replace(switch.found, texts=texts), wide=switch.wide)


def _said(plans: Mapping[Judged, Plan]) -> Iterator[Diagnostic]:
    """Yield the ports that were matched by number or are unknown, for each model."""
    for model in dict.fromkeys(plan.model for plan in plans.values()):
        here = {each: plan for each, plan in plans.items() if plan.model == model}
        taken = [each for each, plan in here.items() if plan.names]
        if taken:
            name, meant = next(iter(here[taken[0]].names.items()))
            many = counted(sum(len(here[each].names) for each in taken), "port")
            yield _spelling_finding(
                taken,
                f"`{name}` of {_who(taken)} is read as `{meant}` of {model}: {many} matched by "
                "number and rendered with the names of the model",
            )
        strange = [each for each, plan in here.items() if plan.strange]
        if strange:
            name = here[strange[0]].strange[0]
            message = f"`{name}` of {_who(strange)} is not a port of {model}: its cable is ignored"
            yield _spelling_finding(strange, message)


def _who(own: Sequence[Judged]) -> str:
    return own[0].name + (f" and {counted(len(own) - 1, 'other switch')}" if own[1:] else "")


def _spelling_finding(own: Sequence[Judged], what: str) -> Diagnostic:
    return Diagnostic(
        Code.ADOPT_PORT, what, hint=_SPELLING_HINT, position=own[0].top, severity=Severity.WARNING
    )


Models = dict[str, str]
"""Models by name of the switch in lower case."""
_HINT = "set --model NAME=PATTERN, or give an inventory with the device type"


def said(switches: Iterable[Judged], models: Sequence[tuple[str, str]]) -> Models:
    """Return the models of --model by switch. models: models with name patterns."""
    return {
        each.name.lower(): model
        for each in switches
        for model, pattern in reversed(models)
        if fnmatchcase(each.name.lower(), pattern.lower())
    }


def proposed(
    switches: Sequence[Judged], inventory: Inventory, known: Models
) -> tuple[Models, list[Diagnostic]]:
    """Return the models of switches without a known model, and findings for these guesses."""
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
    if not model:
        message = f"{_who(own)}: model unknown, and no model of the catalog has such ports"
        return Diagnostic(Code.ADOPT_MODEL, message, hint=_HINT, position=own[0].top)
    message = f"{_who(own)}: model unknown, using {model}, the smallest with such ports"
    return Diagnostic(
        Code.ADOPT_MODEL, message, hint=_HINT, position=own[0].top, severity=Severity.WARNING
    )


def _joined(switches: Sequence[Judged], model_of: Callable[[Judged], str]) -> bool:
    """Check whether all switches have a model, and both ends of each link a common speed."""
    models = {each: SHIPPED.switch(model_of(each)) for each in switches}
    links = (
        (models[near], models[far]) for (near, _), (far, _) in Network([*switches]).links.items()
    )
    return all(models.values()) and all(one and other and _meet(one, other) for one, other in links)


def _meet(one: SwitchModel, other: SwitchModel) -> bool:
    return any(one.has_speed(each) and other.has_speed(each) for each in one.speeds())


def _alike(silent: Sequence[Judged]) -> str:
    """Return one model for all switches whose ports fit any use, as in a lab, or None."""
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
    """Check whether a switch has a port that no model has, or no port."""
    there = plan(switch, model)
    return bool(there.strange) or not there.names.keys() | (
        ports(model, switch.platform).keys() & switch.tables.ports.keys()
    )


def _fitting(switch: Judged) -> str:
    """Return the model with the fewest extra cages, or an empty text if none has all ports.

    A model without facts about the platform comes last.
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
    """Return the cages of each model by the port names of a platform."""
    return {
        model: {name: own[0].cage for name, own in ports(model, platform).items()}
        for model in SHIPPED.switch_names()
    }
