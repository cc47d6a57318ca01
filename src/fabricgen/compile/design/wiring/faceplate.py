"""Lay out the ports of a switch and check that both ends of a link meet."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code, IntentPath, Stop, did_you_mean_model
from fabricgen.core.record import record
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.model.fabric import FabricWords
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.model.catalog.cages import Cage, Mode
from fabricgen.model.catalog.optics import Optic, Socket, shipped_optics, ways
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.topology import Link, Port, Switch, Topology

# Ports of one speed and one number of lanes have one signal on each lane. Where the lanes differ,
# only optics that support it join the ports. 100G is two lanes of PAM4 on QSFP56 and four of NRZ on
# QSFP28 (IEEE 802.3 clauses 136 and 92).


@lru_cache(maxsize=256)
def met(near: SwitchModel, far: SwitchModel, speed: BitsPerSecond) -> int | None:
    """Return the number of local ports that connect to remote ports; None if none do.

    Of all splits it is the one with the most ports at both ends, for either direction.
    """
    if near.name > far.name:
        both = _best(far, near, speed)
        return both[1] if both else None
    both = _best(near, far, speed)
    return both[0] if both else None


def _best(near: SwitchModel, far: SwitchModel, speed: BitsPerSecond) -> tuple[int, int] | None:
    found = [
        (one.count, other.count)
        for one in _shared_modes(near, speed)
        for other in _shared_modes(far, speed)
        if _joined(_socket(near, one), one.lanes, _socket(far, other), other.lanes)
    ]
    return max(found, key=lambda pair: (pair[0] * pair[1], pair), default=None)


def _shared_modes(model: SwitchModel, speed: BitsPerSecond) -> list[Mode]:
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
    """Return whether a cable joins two ports, as far as the forms of their cages are known."""
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
        f"no cable connects {link.lower.name} port {port.label} and {link.upper.name} port "
        f"{upper.label}: {port.speed} is {port.lanes} lane(s) here and {upper.lanes} there, and "
        "no optics in the catalog convert one into the other",
        words.at(link.upper.role),
        "use another `breakout` or `links.speed`",
    )


@record()
class Bank:
    """Block of cages with the same use: `each` interfaces of `speed` per cage."""

    speed: BitsPerSecond
    each: int
    cages: int


NONE: Mapping[int, Bank] = {}
"""No cages for management ports."""


@record(kw_only=True)
class Faceplate:
    """All ports of a switch in faceplate order, with the ports for below and above.

    Cages for below count from the first one, cages for above end at the last one; so both can grow.
    banks: ports for below with several speeds. managed: management ports. peer: ports to the other
    leaf of an MLAG pair.
    """

    ports: tuple[Port, ...]
    down: tuple[Port, ...]
    up: tuple[Port, ...]
    banks: tuple[tuple[Port, ...], ...] = ()
    managed: tuple[Port, ...] = ()
    peer: tuple[Port, ...] = ()


def find_model(words: FabricWords, name: str, path: IntentPath, findings: Findings) -> SwitchModel:
    """Return the catalog's model, or stop with the nearest names."""
    model = words.catalog.switch(name)
    if name in words.catalog.refused:
        findings.whole = False
        raise Stop(name)
    if model is None:
        raise findings.stop(
            Code.UNKNOWN_REFERENCE,
            f"no switch model {name!r} in the catalog",
            path,
            did_you_mean_model(name, words.catalog.switch_names()),
        )
    return model


def per_cage(
    model: SwitchModel,
    speed: BitsPerSecond,
    path: IntentPath,
    findings: Findings,
    breakout: str | None = None,
    far: Sequence[SwitchModel] = (),
) -> int:
    """Return how many interfaces of `speed` one usable cage gives, or stop.

    far: the models at the other ends, whose ports a cable has to join.
    """
    if breakout is not None:
        count, wished = breakout.split("x")
        if wished != str(speed):
            raise findings.stop(
                Code.SPEED_NOT_ON_MODEL,
                f"the breakout {breakout} does not provide the {speed} ports that are needed here",
                path,
            )
        if not all(cage.mode(speed, int(count)) for cage in model.usable):
            raise findings.stop(
                Code.SPEED_NOT_ON_MODEL,
                f"{model.name} has no mode {breakout}; it has {_modes(model)}",
                path,
            )
        return int(count)
    counts = {mode.count for cage in model.usable if (mode := cage.mode(speed))}
    if not model.has_speed(speed) or len(counts) != 1:
        raise findings.stop(
            Code.SPEED_NOT_ON_MODEL,
            f"{model.name} has no {speed} ports; it has {_modes(model)}",
            path,
        )
    meeting = [met(model, each, speed) for each in far]
    return min((each for each in meeting if each), default=counts.pop())


def _modes(model: SwitchModel) -> str:
    return ", ".join(f"{mode.count}x{mode.speed}" for mode in model.usable[0].modes)


def common_speed(
    lower: SwitchModel,
    upper: SwitchModel,
    wish: BitsPerSecond | None,
    path: IntentPath,
    findings: Findings,
) -> BitsPerSecond:
    """Return the speed of the links between two models: the wish, or the fastest both have."""
    both = [speed for speed in lower.speeds() if lower.has_speed(speed) and upper.has_speed(speed)]
    if wish is None and both:
        return both[0]
    if wish in both:
        return wish
    lacking = f"{wish} links" if wish else "a common link speed"
    raise findings.stop(
        Code.SPEED_NOT_ON_MODEL,
        f"{lower.name} and {upper.name} do not both have {lacking}; "
        f"in common: {', '.join(str(item) for item in both) or 'none'}",
        path,
    )


def faceplate(
    model: SwitchModel,
    down: Bank | Sequence[Bank] | None,
    up: Bank | None,
    managed: Mapping[int, Bank] = NONE,
    peer: Bank | None = None,
) -> Faceplate:
    """Lay out a switch: banks for below and one for above; the rest is unused.

    managed: management ports by cage, between both. peer: ports in front of those above.

    Where all used cages are split in the same way, so are the others: a SONiC SKU ships complete
    boxes like this, and no split changes when the next cage is used. Otherwise the rest stays
    native.
    """
    usable = model.usable
    below = [down] if isinstance(down, Bank) else list(down or ())
    every_bank = [*below, up] if up is not None else below
    splits = {(bank.speed, bank.each) for bank in every_bank if bank.cages}
    alike = splits.pop() if len(splits) == 1 and not managed else None
    banks: dict[int, Bank] = {}
    for bank in below:
        banks.update({cage.number: bank for cage in usable[len(banks) :][: bank.cages]})
    if up is not None:
        last = len(usable) - up.cages
        banks.update({cage.number: up for cage in usable[last:]})
        if peer is not None:
            banks.update({cage.number: peer for cage in usable[last - peer.cages : last]})
    banks.update(managed)
    split: dict[int, list[Port]] = {}
    for cage in model.cages:
        used = banks.get(cage.number)
        wanted = (used.speed, used.each) if used else alike
        mode = cage.modes[0] if cage.service or wanted is None else cage.mode(*wanted)
        if mode is None:  # per_cage() has seen to those in use; another form cannot be split so
            mode = cage.modes[0]
        split[cage.number] = ports_of(cage, mode)
    every = tuple(port for ports in split.values() for port in ports)
    parts = [tuple(port for port in every if banks.get(port.cage) is bank) for bank in every_bank]
    banks_below = tuple(parts[: len(below)])
    return Faceplate(
        ports=every,
        down=tuple(port for part in banks_below for port in part),
        up=parts[-1] if up is not None else (),
        banks=banks_below,
        managed=tuple(port for port in every if port.cage in managed),
        peer=tuple(port for port in every if peer and banks.get(port.cage) is peer),
    )


def ports_of(cage: Cage, mode: Mode) -> list[Port]:
    """Return the ports of a cage that is used so."""
    step = cage.lanes // mode.count
    return [
        Port(
            cage=cage.number,
            sub=sub,
            subs=mode.count,
            lane=sub * step,
            lanes=mode.lanes,
            speed=mode.speed,
            service=cage.service,
        )
        for sub in range(mode.count)
    ]
