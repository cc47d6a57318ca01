"""What changes on every switch in; whether it goes from the leafs up or down to them, and why, out.

What is used is carried before: an MTU that grows goes downwards, so that what a leaf sends is taken
by those above it. What is taken away goes upwards: a leaf sends no larger frames, and no VLAN's,
before those above it carry them no more.
"""

from collections.abc import Iterable, Iterator

from fabricgen.core.record import record
from fabricgen.operate.deploy.choreography.terms import MTU, VLAN, VNI, VRF, Changed


@record()
class Direction:
    """The order of tiers. why: in a sentence, empty where nothing asks for one."""

    upwards: bool
    why: str = ""


def direction_of(looks: Iterable[Changed]) -> Direction:
    """Return in which order tiers go; downwards where both are asked for, and said so."""
    asked = {each for changes in looks for each in _asked(changes)}
    up = [why for upwards, why in sorted(asked) if upwards]
    down = [why for upwards, why in sorted(asked) if not upwards]
    if up and down:
        both = f"{' and '.join(up)}, which would go upwards, and {' and '.join(down)}"
        return Direction(upwards=False, why=f"downwards: {both}; a plan of each has its own order")
    if up:
        return Direction(upwards=True, why=f"from the leafs up: {' and '.join(up)}")
    return Direction(upwards=False, why=f"down to the leafs: {' and '.join(down)}" if down else "")


def _asked(changes: Changed) -> Iterator[tuple[bool, str]]:
    for item, (was, will) in changes.items():
        if item.word == MTU and str(was).isdecimal() and str(will).isdecimal():
            lowered = int(str(will)) < int(str(was))
            yield lowered, f"an MTU is {'lowered' if lowered else 'raised'}"
        elif item.kind in (VLAN, VRF) and item.word == VNI and will is None:
            yield True, f"a {item.kind.upper()} is removed"
