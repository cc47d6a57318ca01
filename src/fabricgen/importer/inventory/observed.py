"""Takes devices, cables and port speeds from the snapshots of running switches.

LLDP has the far end of a cable, also without an interface description. The switch itself has its
model and serial number.
"""

import re
from collections.abc import Iterable, Iterator, Mapping

from fabricgen.core.diagnostics import Position
from fabricgen.core.record import record
from fabricgen.core.tree.facts import Attributes
from fabricgen.importer.inventory.cells import LONGEST, Refused, harmless, host_name
from fabricgen.importer.inventory.model import Cable, Device, End
from fabricgen.importer.inventory.taken import model_of
from fabricgen.model.catalog.catalog import Catalog
from fabricgen.nos.show import SHUT, Observed

_MAC = re.compile(r"(?:[0-9a-f]{2}:){5}[0-9a-f]{2}|(?:[0-9a-f]{4}\.){2}[0-9a-f]{4}", re.IGNORECASE)


@record(kw_only=True)
class SwitchState:
    """Snapshot of one switch. `place`: its folder of recorded answers."""

    name: str
    platform: str
    place: str
    observed: Observed


def things(states: Iterable[SwitchState], catalog: Catalog) -> Iterator[Device | Cable]:
    """Yield each switch, and a cable for each LLDP neighbor. Invalid names yield nothing."""
    for each in states:
        place = Position(each.place, 1, 1)
        try:
            name = host_name(each.name)
        except Refused:
            continue
        yield _device(name, each, place, catalog)
        for key, own in each.observed.of("cable").items():
            yield from _cables(End(name, key[1]), own, place)


def _device(name: str, state: SwitchState, place: Position, catalog: Catalog) -> Device:
    own = state.observed.facts.get(("identity",), {})
    kind, serial = _text(own, "model"), _text(own, "serial")
    return Device(
        name=name,
        place=place,
        kind=kind or None,
        model=model_of(catalog, kind) if kind else None,
        platform=state.platform,
        serial=serial or None,
        observed=True,
    )


def _text(own: Attributes, name: str) -> str:
    value = own.get(name, "")
    try:
        return harmless(value)[:LONGEST] if isinstance(value, str) else ""
    except Refused:
        return ""


def _cables(near: End, own: Attributes, place: Position) -> Iterator[Cable]:
    """Yield the cables of a port. A neighbor has a name, then names of its port."""
    for far in own.get("far", ()):
        name, *ports = map(str, far) if isinstance(far, tuple) and far else ("",)
        there = next((each for each in ports if each and not _MAC.fullmatch(each)), "")
        try:
            ends = End(near.device, harmless(near.port)), End(host_name(name), harmless(there))
        except Refused:
            continue  # a neighbor without a valid host name is not a switch or server
        if there:
            yield Cable(near=ends[0], far=ends[1], place=place, heard=True)


def speeds(states: Iterable[SwitchState]) -> Mapping[tuple[str, str], str]:
    """Return the speed of each port that is not shut, by device and port in lower case."""
    return {
        (each.name.lower(), key[1].lower()): str(own["speed"])
        for each in states
        for key, own in each.observed.of("interface").items()
        if "speed" in own and own.get("link") != SHUT
    }
