"""Decides the polarity, the gender and the jacket of each piece of cable.

Optics with MPO have pins, and a joint needs exactly one plug with pins (IEC 61754-7;
philisun.com/blog/how-to-identify-mpo-connector-gender-male-vs-female). A cord has equal ends, so it
has no pins, and the port that it meets in a panel has them.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from fabricgen.core.record import record
from fabricgen.model.cabling.cables import Cable, End
from fabricgen.model.cabling.fibers import grade
from fabricgen.model.catalog.optics import connectors

METHOD = "B"
"""Usual method of TIA-568.3: type-B trunks, and equal cords at both ends."""
PINNED, UNPINNED = "pinned", "unpinned"
OTHER: Mapping[str, str] = {PINNED: UNPINNED, UNPINNED: PINNED}
"""The gender that a plug mates with."""
JACKETS: Mapping[str, tuple[str, str]] = {
    "LSZH": ("LSZH", "LSZH"),
    "riser": ("OFNR", "CMR"),
    "plenum": ("OFNP", "CMP"),
}
"""Marking of fiber and of copper pairs for each jacket (NEC 770.179 and 800.179; IEC 60754)."""


@record()
class Finish:
    """Properties of a piece that are not in its name. `gender`: of its MPO plugs."""

    polarity: str = ""
    gender: str = ""
    jacket: str = ""


NO_FINISH = Finish()
FINISH = ("polarity", "gender", "jacket")
"""Columns of a finish."""


def finished(finish: Finish) -> tuple[str, ...]:
    """Return the cells of a finish."""
    return finish.polarity, finish.gender, finish.jacket


def cable_finish(cable: Cable) -> Finish:
    """Return the finish of a cable from port to port. A cable with fixed ends has none."""
    if not grade(cable):
        return Finish(jacket=jacket_of(cable))
    ends = [plug_name(end) for end in (cable.near, cable.far)]
    is_mpo = {name.startswith("MPO") for name in ends if name}
    polarity = _cord_type(is_mpo=True in is_mpo, crossed=True) if len(is_mpo) == 1 else ""
    return Finish(polarity, gender_of(ends), jacket_of(cable))


def end_finish(cable: Cable, end: End) -> Finish:
    """Return the finish of a cable from port to port, with the gender of one end."""
    return replace(cable_finish(cable), gender=gender_of([plug_name(end)]))


def cord_finish(cable: Cable, end: End) -> Finish:
    """Return the finish of the cord at one end of a channel.

    Method A needs one crossed pair: the cord at the lower end is of type B, or A-to-A with LC. With
    method B both cords are equal (TIA-568.3, polarity of array and duplex systems;
    htfwdm.com/info/proper-polarization-connectivity-in-mtp-system-53208646.html).
    """
    assert cable.channel is not None
    assert cable.way is not None
    name = connectors(cable.way.near if end is cable.near else cable.way.far)[1]
    is_mpo, is_a = name.startswith("MPO"), cable.channel.polarity == "A"
    crossed = not is_a or (end is cable.far) == is_mpo
    return Finish(_cord_type(is_mpo=is_mpo, crossed=crossed), gender_of([name]), jacket_of(cable))


def _cord_type(*, is_mpo: bool, crossed: bool) -> str:
    """Return the type of a cord: B and A-B exchange both directions, and A and A-A do not."""
    straight, cross = ("A", "B") if is_mpo else ("A-A", "A-B")
    return cross if crossed else straight


def plug_name(end: End) -> str:
    """Return the plug of a cable at an end; empty if the optic is unknown."""
    return connectors(end.optic)[1] if end.optic is not None else ""


def gender_of(plugs: Iterable[str]) -> str:
    """Return the gender of a cable with these plugs; empty without MPO."""
    return UNPINNED if any(plug.startswith("MPO") for plug in plugs) else ""


def jacket_of(cable: Cable) -> str:
    """Return the marking of a cable's jacket; empty if it is not chosen."""
    if cable.jacket not in JACKETS:
        return ""
    fiber, copper = JACKETS[cable.jacket]
    if cable.medium == "twisted-pair":
        return copper
    return fiber if grade(cable) else ""
