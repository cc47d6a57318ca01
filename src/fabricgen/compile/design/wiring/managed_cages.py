"""A leaf group that keeps cages for management ports, and its model in; how they are used out."""

from collections.abc import Mapping

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.wiring.faceplate import Bank
from fabricgen.core.diagnostics import Code
from fabricgen.core.units import spans
from fabricgen.intent.model.frontend import Frontend
from fabricgen.model.catalog.switches import SwitchModel
from fabricgen.model.fabric.managed import SHARED_BLOCK


def cages_of(words: Frontend, group: str) -> tuple[int, ...]:
    """Return the cages that a group keeps for management ports."""
    oob = words.unless_refused("oob")
    cages: Mapping[str, tuple[int, ...]] = oob.cages if oob is not None else {}
    return cages.get(group, ())


def room_before(model: SwitchModel, cages: tuple[int, ...]) -> int:
    """Return how many usable cages stand before the first one that is kept."""
    return sum(cage.number < min(cages, default=len(model.cages) + 1) for cage in model.usable)


def managed_cages(
    words: Frontend,
    group: str,
    model: SwitchModel,
    used: tuple[int, int, int],
    findings: Findings,
) -> dict[int, Bank]:
    """Return what the cages that a group keeps are used as, or stop.

    used: how many cages at the front are for servers, how many at the end for uplinks, and how many
    are to stay free for appliances.
    """
    cages = cages_of(words, group)
    if words.oob is None or not cages:
        return {}
    path, speed = words.at("oob", "cages", group), words.oob.speed
    down, up, reserve = used
    able = {cage.number for cage in model.usable if cage.mode(speed, 1) is not None}
    if wrong := sorted(set(cages) - able):
        raise findings.stop(
            Code.SPEED_NOT_ON_MODEL,
            f"cage {wrong[0]} of {model.name} does not run at {speed}",
            path,
            f"those that do: {spans(sorted(able))}" if able else "use a leaf with such ports",
        )
    numbers = [cage.number for cage in model.usable]
    free = [each for each in numbers[down : len(numbers) - up] if each < SHARED_BLOCK]
    if taken := sorted(set(cages) - set(free)):
        raise findings.stop(
            Code.PORT_USED_TWICE,
            f"cage {taken[0]} is kept for management ports and for "
            + ("servers" if taken[0] in numbers[:down] else "uplinks"),
            path,
            f"free cages: {spans(free)}" if free else "this leaf has no free cage",
        )
    if len(free) - len(cages) < reserve:
        raise findings.stop(
            Code.PORTS_EXHAUSTED,
            f"{len(cages)} cages for management ports and {reserve} that are reserved are more "
            f"than the {len(free)} that are free",
            path,
        )
    return dict.fromkeys(cages, Bank(speed, 1, len(cages)))
