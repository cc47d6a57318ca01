"""List the limits of SONiC's software PFC watchdog on a switch, by chip, release and ports.

Sources are issues of sonic-net/sonic-buildimage and sonic-net/sonic-utilities, read in November
2026 and all open then, and `sonic-pfcwd.yang` of each release. No issue names a release without its
fault, so all releases are assumed to have it.
"""

from collections.abc import Iterator, Mapping

from fabricgen.core.record import record
from fabricgen.model.catalog.switches import model_names, switch_model
from fabricgen.model.lossless.watchdog import growth
from fabricgen.nos.sonic.releases import RELEASES
from fabricgen.nos.sonic.updater import asic_of

THX = frozenset({"Tomahawk4", "Tomahawk5", "Tomahawk6"})
"""Chips on which storms of all priorities end and begin repeatedly: sonic-buildimage #29203."""
SHARED_PROFILE = "Tomahawk6"
"""The chip whose ports share one PFC profile: sonic-buildimage #29221."""
MANY = 448
"""Number of ports from which `pfcwd start_default` writes a poll that YANG refuses: #25033."""
_CHIPS = {"th4": "Tomahawk4", "th5": "Tomahawk5", "th6": "Tomahawk6"}
_DEFAULT_POLL = 200  # sonic-utilities pfcwd/main.py: DEFAULT_POLL_INTERVAL, milliseconds
_LEAST = 100
_MOST = {"detection_time": 5000, "restoration_time": 60_000}


def longest_poll(release: str) -> int:
    """Return the longest poll in sonic-pfcwd.yang of a release, in milliseconds."""
    return 3000 if release < "202511" else 1000


@record(kw_only=True)
class Watched:
    """The watchdog of one switch.

    Attributes:
        priorities: Number of PFC priorities of each port.
        ports: Number of ports that one process polls.
        detection, restoration: Milliseconds.
    """

    chip: str
    release: str
    priorities: int
    ports: int
    action: str
    detection: int
    restoration: int


def flaws(seen: Watched) -> Iterator[str]:
    """Yield faults of the release's software watchdog on the switch."""
    here = f"SONiC {seen.release} on {seen.chip}"
    if seen.chip in THX and seen.action == "drop":
        each = seen.detection + seen.restoration
        which = (
            "a port pauses one priority here, so every storm is of this kind"
            if seen.priorities == 1
            else f"a port pauses {seen.priorities} priorities here"
        )
        yield (
            f"{here}: if all paused priorities of a port storm, the PFC watchdog ends and begins "
            f"the storm repeatedly (sonic-buildimage #29203); {which}. A cycle takes at least "
            f"{seen.detection:,} + {seen.restoration:,} = {each:,} ms, and for "
            f"{seen.detection:,} ms of each the queue is stuck"
        )
    if seen.chip == SHARED_PROFILE and seen.action == "drop":
        yield (
            f"{here}: a storm on one port changes the PFC of all {seen.ports} ports, and hides "
            "storms on other ports (sonic-buildimage #29221)"
        )
    if seen.ports > MANY:
        wanted = _DEFAULT_POLL * growth(seen.ports)
        yield (
            f"SONiC {seen.release}: one process polls {seen.ports} ports. `pfcwd start_default` "
            f"computes {_DEFAULT_POLL} x {growth(seen.ports)} = {wanted:,} ms for a poll, but this "
            f"release allows {longest_poll(seen.release):,} (sonic-buildimage #25033). A poll of "
            "1,000 ms was not measured on so many ports"
        )


def refused(table: Mapping[str, Mapping[str, str]], release: str) -> Iterator[tuple[str, str]]:
    """Yield each timer of PFC_WD that cannot work in a release: its field, and the reason."""
    poll = _number(table.get("GLOBAL", {}).get("POLL_INTERVAL"))
    most = longest_poll(release)
    if poll is not None and not _LEAST <= poll <= most:
        why = f"sonic-pfcwd.yang of {release} has {_LEAST} to {most:,} ms (sonic-buildimage #25034)"
        yield "POLL_INTERVAL", f"POLL_INTERVAL is {poll:,} ms; {why}"
    told: set[str] = set()
    for port, row in table.items():
        for field, limit in _MOST.items() if port != "GLOBAL" else ():
            time = _number(row.get(field))
            if time is None:
                continue
            said = f"{field} is {time:,} ms"
            if not _LEAST <= time <= limit:
                said += f"; sonic-pfcwd.yang of {release} allows {_LEAST} to {limit:,} ms"
            elif poll is not None and time < poll:
                said += f", shorter than the poll of {poll:,} ms: it may contain no poll"
                said += " (sonic-buildimage #27865)"
            else:
                continue
            if said not in told:
                told.add(said)
                yield field, f"{port}: {said}"


def chip_of(hwsku: str) -> str:
    """Return the chip of an hwsku, from the updaters' lists or from the catalog."""
    for release in reversed(RELEASES):
        if asic := asic_of(hwsku, release):
            return _CHIPS.get(asic, asic)
    models = (switch_model(name) for name in model_names())
    return next(
        (
            model.asic
            for model in models
            if model is not None and any(sku.name == hwsku for sku in model.skus.get("sonic", ()))
        ),
        "",
    )


def _number(text: object) -> int | None:
    return int(text) if isinstance(text, str) and text.isdecimal() else None
