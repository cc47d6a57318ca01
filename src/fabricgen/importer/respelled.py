"""Switches of known models in; the same with their ports called as those models call them, out.

A lab's switch calls `Ethernet1` what the model that it stands for calls `Ethernet1/1`, and a
container `eth1` what is `swp1`. The number says which port is meant; that it was taken so is said.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.record import record
from fabricgen.core.units import counted
from fabricgen.importer.models import ports
from fabricgen.prove.foreign.switch import Judged

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

_CAGED = re.compile(r"(?:Ethernet|swp|eth(?=[1-9]))\d+(?:/\d+)*")
"""How EOS, SONiC, Cumulus and Linux call what may be in a cage; eth0 is for management."""
_PORT = re.compile(
    r"(?:(?P<who>[A-Za-z0-9][A-Za-z0-9.-]*)[_:, ]{1,2}(?:port )?)?"
    rf"(?<![A-Za-z0-9/])(?P<port>{_CAGED.pattern})(?![\w/])"
)
"""A port in a line, with the name in front of it."""
_STANZA = re.compile(r"(?m)^(iface (?!lo )\S+) inet6?(?: static| manual)?$")
"""ifupdown2, interfaces(5): method and family may stand there and change nothing."""
_HINT = "another model may have such ports: --model NAME=PATTERN"


@record(kw_only=True)
class Plan:
    """How a model calls the ports of a switch, by what they are called; and those it has not."""

    model: str
    names: Mapping[str, str]
    strange: tuple[str, ...]


def respelled(
    switches: Sequence[Judged], model_of: Callable[[Judged], str]
) -> tuple[list[Judged], list[Diagnostic]]:
    """Return the switches, and what was taken by its number, or is no port of its model."""
    plans = {each: plan(each, model) for each in switches if (model := model_of(each))}
    of = {each.name.lower(): plan.names for each, plan in plans.items()}
    changed = any(of.values())
    every = [_as_planned(each, of) if changed else each for each in switches]
    return [_plain(each) for each in every], [*_said(plans)]


def _plain(switch: Judged) -> Judged:
    """Return a switch whose stanzas have a name alone, where what stands behind says nothing."""
    texts = {path: _STANZA.sub(r"\1", text) for path, text in switch.found.texts.items()}
    if texts == switch.found.texts:
        return switch
    return Judged(replace(switch.found, texts=texts), wide=switch.wide)


def plan(switch: Judged, model: str) -> Plan:
    """Find the ports of a switch among those of a model, by name or by number."""
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
    """Return a switch with other names of ports: its own, and in texts those of the one named."""
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
    """Say of each model which ports were taken by their numbers, and which it does not have."""
    for model in dict.fromkeys(plan.model for plan in plans.values()):
        here = {each: plan for each, plan in plans.items() if plan.model == model}
        taken = [each for each, plan in here.items() if plan.names]
        if taken:
            name, meant = next(iter(here[taken[0]].names.items()))
            many = counted(sum(len(here[each].names) for each in taken), "port")
            yield _finding(
                taken,
                f"`{name}` of {_who(taken)} is taken for `{meant}` of {model}: {many} by their "
                "numbers, rendered with the names of the model",
            )
        strange = [each for each, plan in here.items() if plan.strange]
        if strange:
            name = here[strange[0]].strange[0]
            what = f"`{name}` of {_who(strange)} is no port of {model}: no cable is found there"
            yield _finding(strange, what)


def _who(own: Sequence[Judged]) -> str:
    return own[0].name + (f" and {counted(len(own) - 1, 'other switch')}" if own[1:] else "")


def _finding(own: Sequence[Judged], what: str) -> Diagnostic:
    return Diagnostic(
        Code.ADOPT_PORT, what, hint=_HINT, position=own[0].top, severity=Severity.WARNING
    )
