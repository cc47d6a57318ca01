"""List the queues that a running port must show, from the traffic classes of the design.

It does not use the lowering of tc.batch. A queue that both produce is designed and rendered.
"""

from collections.abc import Iterator

from fabricgen.core.tree.facts import Attributes, Facts, Value
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.qos import Marking, Qos, TrafficClass
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.linux.names import port_name
from fabricgen.nos.linux.show.queues import ROOT, Served, marked, services

_PRIORITIES = range(16)
_GUARANTEED = 5
"""Percent of the line guaranteed to a strict class of HTB; the others share the rest."""
_BYTES_PER_PERCENT = 100
_CERTAIN = 0.99999
"""tc keeps a probability in 32 bits, in which 1 is 0 (iproute2 tc/tc_red.c)."""


def planned(switch_slice: SwitchSlice) -> Facts:
    """Return the queues of each port in use; equal ones are one object."""
    qos = switch_slice.qos
    if qos is None:
        return {}
    offloaded = "driver" in switch_slice.switch.model.platforms.get("linux", {})
    alike: dict[tuple[int, int], Attributes] = {}
    facts: Facts = {}
    for item in switch_slice.interfaces:
        if item.use is not Use.UNUSED:
            kind = item.port.speed, item.sends
            if kind not in alike:
                alike[kind] = _queues(qos, item, offloaded=offloaded)
            facts["queues", port_name(item.port)] = alike[kind]
    return facts


def _queues(qos: Qos, item: Interface, *, offloaded: bool) -> Attributes:
    """Return the queues of a port: strict classes first, the highest number at the top."""
    order = sorted(qos.classes, key=lambda each: (0 if each.strict else 1, -each.number))
    handles = {each.number: f"{ROOT}{place}" for place, each in enumerate(order, 1)}
    rest = qos.best_effort.number
    facts: Attributes = {
        "scheduler": "ets" if offloaded else "htb",
        "default": handles[rest],
        **services(_served(order, item, offloaded=offloaded)),
    }
    if offloaded:
        bands = {each.number: str(place) for place, each in enumerate(order)}
        facts["bands"] = " ".join(bands.get(number, bands[rest]) for number in _PRIORITIES)
    for each in order:
        if marks := each.marking.get(item.port.speed) if each.marking else None:
            facts[f"marking {handles[each.number]}"] = _marks(each, marks)
        for dscp in each.dscps if each.number != rest else ():
            facts |= {f"dscp {version} {dscp}": handles[each.number] for version in (4, 6)}
    return facts


def _served(order: list[TrafficClass], item: Interface, *, offloaded: bool) -> Iterator[Served]:
    """Yield each band with its weight: bytes of a round, or bits per second of HTB."""
    left = 100 - _GUARANTEED * len([each for each in order if each.strict])
    for place, each in enumerate(order, 1):
        share = each.share or 0
        weight = _BYTES_PER_PERCENT * share if offloaded else item.sends * left * share // 10_000
        yield f"{ROOT}{place}", None if each.strict else weight


def _marks(each: TrafficClass, marks: Marking) -> Value:
    chance = min(marks.probability / 100, _CERTAIN)
    return marked(marks.minimum, marks.maximum, chance, nodrop=each.paused is not None)
