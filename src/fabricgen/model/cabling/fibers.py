"""Finds the fibers of a cable: count, grade, plugs at each end and delay."""

from fabricgen.model.cabling.cables import Cable, End
from fabricgen.model.catalog.optics import Optic, connectors

DELAY = 5
"""ns per meter: light in glass of refractive index 1.48 needs 4.9, copper pairs about the same."""
GRADES = (
    ("multimode", 30.0, "OM3"),
    ("multimode", float("inf"), "OM4"),
    ("single-mode", float("inf"), "OS2"),
)
"""Grade of fiber up to a length in meters, as a vendor of AI clusters requires: OM3 to 30 m, OM4
beyond, OS2, with one attenuation for OM3 and OM4 (docs.nvidia.com/networking/display/
intrcnctcabreqndr400eth, MPO/LC Cable Requirements). Reach and loss in the catalog apply to OM4.
Trunks stay when optics are changed, so their whole channel is OM4.
"""


def fibers_of(cable: Cable) -> int | None:
    """Return the number of fibers in use; None without fiber, or if unknown."""
    if cable.way is None or cable.way.near.is_cable:
        return None
    ends = ((cable.way.near, cable.near), (cable.way.far, cable.far))
    counts = [optic.fibers // end.place.subs for optic, end in ends if optic.fibers is not None]
    return min(counts) if len(counts) == len(ends) else None


def grade(cable: Cable) -> str:
    """Return the fiber grade: OM3, OM4, OS2; empty without fiber."""
    meters = float("inf") if cable.channel is not None else cable.length.meters
    found = (name for medium, most, name in GRADES if medium == cable.medium and meters <= most)
    return next(found, "")


PlugKey = tuple[str, int | str, int]
"""A plug: its owner, the cage or NIC, and the plug number of its optic."""


def plugs_of(end: End, optic: Optic) -> tuple[PlugKey, ...]:
    """Return the plugs of a cable at one end; cables that share a plug share its key."""
    place, count = end.place, connectors(optic)[0]
    first = place.sub * count // place.subs
    last = max(first + 1, (place.sub + 1) * count // place.subs)
    return tuple((end.name, place.cage, number) for number in range(first, last))
