"""Two models and a speed in; how their cages are split so that a cable joins the ports out.

Ports of one speed and one number of lanes have one signal on each lane. Where lanes differ (100G is
two lanes of PAM4 on QSFP56, and four of NRZ on QSFP28: IEEE 802.3 clauses 136 and 92), only optics
that say so join them.
"""

from collections.abc import Iterable
from functools import lru_cache

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.model.catalog.cages import Mode
from fabricgen.model.catalog.optics import Optic, Socket, shipped_optics, ways
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.topology import Link, Port, Switch, Topology


@lru_cache(maxsize=256)
def met(near: SwitchModel, far: SwitchModel, speed: BitsPerSecond) -> int | None:
    """Return how many ports of the near cage meet those of the far one; None where none do.

    Of all splits it is that with the most ports at both ends, whichever end asks.
    """
    if near.name > far.name:
        both = _best(far, near, speed)
        return both[1] if both else None
    both = _best(near, far, speed)
    return both[0] if both else None


def _best(near: SwitchModel, far: SwitchModel, speed: BitsPerSecond) -> tuple[int, int] | None:
    found = [
        (one.count, other.count)
        for one in _modes(near, speed)
        for other in _modes(far, speed)
        if _joined(_socket(near, one), one.lanes, _socket(far, other), other.lanes)
    ]
    return max(found, key=lambda pair: (pair[0] * pair[1], pair), default=None)


def _modes(model: SwitchModel, speed: BitsPerSecond) -> list[Mode]:
    """Return the modes of that speed that every cage has."""
    first, *others = model.usable
    return [
        mode
        for mode in first.modes
        if mode.speed == speed and all(cage.mode(speed, mode.count) for cage in others)
    ]


def _socket(model: SwitchModel, mode: Mode) -> Socket:
    return Socket(forms=(model.usable[0].form,), modes=(f"{mode.count}x{mode.speed}",))


def _joined(near: Socket, lanes: int, far: Socket, others: int, own: Iterable[Optic] = ()) -> bool:
    """Tell whether a cable joins two ports, as far as the forms of their cages are known."""
    if lanes == others or not (near.forms[0] and far.forms[0]):
        return True
    return any(True for _ in ways(near, far, [*shipped_optics().values(), *own]))


def judge_meeting(words: AnyFabric, topology: Topology, findings: Findings) -> bool:
    """Report links between switches that no cable joins, once for each pair of models."""
    told, whole = set[object](), findings.whole
    optics = words.catalog.own_optics.values()
    for link in topology.links:
        lower, port = link.lower, link.lower_port
        if not isinstance(lower, Switch) or not isinstance(port, Port):
            continue
        upper = link.upper_port
        if port.lanes == upper.lanes:
            continue
        ends = _cage(lower, port), port.lanes, _cage(link.upper, upper), upper.lanes
        if ends not in told and not _joined(*ends, optics):
            _say(words, link, port, findings)
        told.add(ends)
    return whole and findings.whole


def _cage(switch: Switch, port: Port) -> Socket:
    form = switch.model.cages[port.cage - 1].form
    return Socket(forms=(form,), modes=(f"{port.subs}x{port.speed}",))


def _say(words: AnyFabric, link: Link, port: Port, findings: Findings) -> None:
    upper = link.upper_port
    findings.spoil(
        Code.NO_CABLE_JOINS,
        f"no cable joins {link.lower.name} port {port.label} and {link.upper.name} port "
        f"{upper.label}: {port.speed} is {port.lanes} lane(s) here and {upper.lanes} there, and "
        "no optics in the catalog turn one into the other",
        words.at(link.upper.role),
        "another `breakout` or `links.speed`",
    )
