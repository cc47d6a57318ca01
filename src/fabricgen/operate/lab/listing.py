"""List the labs of this user: running, booting, silent or stale."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from fabricgen.operate.lab.client import LabClient, LabFailure
from fabricgen.operate.lab.place import Place, places

_PATIENCE = 5.0  # seconds to wait for the engine, which usually answers in milliseconds
REACHABLE, SILENT, BOOTING, STALE = "reachable", "silent", "booting", "stale"


@dataclass(frozen=True, slots=True, kw_only=True)
class ListedLab:
    """One lab.

    Attributes:
        site: Folder of the intent that was booted; empty while the lab boots.
        since: Seconds of the epoch at the end of the boot; None while the lab boots.
        frr: Version of FRR on the switches; empty while the lab boots.
    """

    name: str
    folder: str
    state: str
    site: str
    switches: tuple[str, ...]
    since: int | None
    frr: str

    def as_data(self) -> dict[str, Any]:
        """Return the lab as plain data."""
        return asdict(self)


def listed_labs() -> list[ListedLab]:
    """Return all labs by name, including stale ones."""
    return [_listed(place) for place in places()]


def _listed(place: Place) -> ListedLab:
    try:
        noted: Mapping[str, Any] = place.facts()
    except (LabFailure, OSError, ValueError):
        noted = {}
    return ListedLab(
        name=place.name,
        folder=str(place.folder),
        state=_state(place, noted),
        site=noted.get("site", ""),
        switches=tuple(noted.get("switches", ())),
        since=noted.get("since"),
        frr=noted.get("frr", ""),
    )


def _state(place: Place, noted: Mapping[str, Any]) -> str:
    """Return whether the lab answers, boots, or remains from an ended machine."""
    if not place.alive:
        return BOOTING if place.held else STALE
    if not noted:
        return BOOTING
    try:
        LabClient(place.socket, _PATIENCE).call("broken")
    except (LabFailure, OSError):
        return SILENT
    return REACHABLE
