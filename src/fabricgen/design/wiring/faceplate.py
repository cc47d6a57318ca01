"""How the cages of a switch are used: a model and the speeds down and up in, its ports out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.diagnostics import Code, IntentPath, did_you_mean_model
from fabricgen.fabric.topology import Port
from fabricgen.record import record
from fabricgen.units import BitsPerSecond

if TYPE_CHECKING:
    from fabricgen.catalog.switches import Cage, Mode, SwitchModel
    from fabricgen.design.findings import Findings
    from fabricgen.intent.model.fabric import FabricWords


@record()
class Bank:
    """A block of cages used alike: `each` interfaces of `speed` per cage."""

    speed: BitsPerSecond
    each: int
    cages: int


@record()
class Faceplate:
    """All ports of a switch in faceplate order, and those meant for below and above.

    Cages for below count from the first one, cages for above end at the last one; so both can grow.
    """

    ports: tuple[Port, ...]
    down: tuple[Port, ...]
    up: tuple[Port, ...]


def find_model(words: FabricWords, name: str, path: IntentPath, findings: Findings) -> SwitchModel:
    """Return the catalog's model, or stop with the nearest names."""
    model = words.catalog.switch(name)
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
) -> int:
    """Return how many interfaces of `speed` one usable cage gives, or stop."""
    if breakout is not None:
        count, wished = breakout.split("x")
        if wished != str(speed):
            raise findings.stop(
                Code.SPEED_NOT_ON_MODEL,
                f"the breakout {breakout} does not give the {speed} ports that are needed here",
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
    return counts.pop()


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


def faceplate(model: SwitchModel, down: Bank | None, up: Bank | None) -> Faceplate:
    """Lay out a switch: a bank for below and one for above; what is left is unused.

    Where all that is used is split alike, so is the rest: a SONiC SKU ships whole boxes so, and no
    split changes when the next cage is used. Otherwise the rest stays native.
    """
    usable = model.usable
    splits = {(bank.speed, bank.each) for bank in (down, up) if bank is not None and bank.cages}
    alike = splits.pop() if len(splits) == 1 else None
    banks = {cage.number: down for cage in usable[: down.cages]} if down else {}
    if up is not None:
        banks.update({cage.number: up for cage in usable[len(usable) - up.cages :]})
    ports_of: dict[int, list[Port]] = {}
    for cage in model.cages:
        bank = banks.get(cage.number)
        wanted = (bank.speed, bank.each) if bank else alike
        mode = cage.modes[0] if cage.service or wanted is None else cage.mode(*wanted)
        assert mode is not None  # per_cage() has seen to it
        ports_of[cage.number] = _ports_of(cage, mode)
    every = tuple(port for ports in ports_of.values() for port in ports)
    return Faceplate(
        every,
        tuple(port for port in every if down and banks.get(port.cage) is down),
        tuple(port for port in every if up and banks.get(port.cage) is up),
    )


def _ports_of(cage: Cage, mode: Mode) -> list[Port]:
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
