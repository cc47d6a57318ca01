"""A lab and designs that it is changed to in; the lab with the cables of all of them out."""

from __future__ import annotations

from dataclasses import replace
from itertools import chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fabricgen.operate.lab.plan import LabPlan

SPARE = "spare0"
"""The end of a server's new cable, until it is plugged in."""


def with_cables(now: LabPlan, later: list[LabPlan]) -> LabPlan:
    """Return a lab with the cables and ports of later designs beside its own.

    Where a cable goes from the same port of a server to another leaf, its end there waits.
    """
    ends = {end for it in now.cables for end in ((it.a, it.a_port), (it.b, it.b_port))}
    cables, renamed = list(now.cables), set()
    for cable in chain.from_iterable(each.cables for each in later):
        here, there = (cable.a, cable.a_port), (cable.b, cable.b_port)
        if there in ends:  # of the box that comes, the cable is put into another port
            renamed.add(here)
            continue
        cables.append(replace(cable, a_port=SPARE) if here in ends else cable)
        ends |= {here, there}
    ports = {
        switch.name: dict.fromkeys(
            (
                *switch.ports,
                *chain.from_iterable(
                    each.ports
                    for plan in later
                    for each in plan.switches
                    if each.name == switch.name
                ),
            )
        )
        for switch in now.switches
    }
    switches = tuple(
        replace(it, ports=tuple(p for p in ports[it.name] if (it.name, p) not in renamed - ends))
        for it in now.switches
    )
    return replace(now, cables=tuple(cables), switches=switches)
