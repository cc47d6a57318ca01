"""List the limits of SONiC's software PFC watchdog on a switch, by chip, release and ports.

Sources: issues of sonic-net/sonic-buildimage and sonic-net/sonic-utilities, read in November 2026
and all open then; `sonic-pfcwd.yang` of each release. No issue names a release without its fault,
so all releases are assumed to have it.
"""

from collections.abc import Iterator, Mapping

from fabricgen.core.record import record
from fabricgen.model.catalog.switches import model_names, switch_model
from fabricgen.model.lossless.watchdog import growth
from fabricgen.nos.sonic.releases import RELEASES
from fabricgen.nos.sonic.updater import asic_of

THX = frozenset({"Tomahawk4", "Tomahawk5", "Tomahawk6"})
"""Chips on which storms of all priorities are left and entered again: sonic-buildimage #29203."""
SHARED_PROFILE = "Tomahawk6"
"""The chip whose ports have one PFC profile together: sonic-buildimage #29221."""
MANY = 448
"""Ports from which on `pfcwd start_default` writes a poll that YANG refuses: #25033."""
_CHIPS = {"th4": "Tomahawk4", "th5": "Tomahawk5", "th6": "Tomahawk6"}
_DEFAULT_POLL = 200  # sonic-utilities pfcwd/main.py: DEFAULT_POLL_INTERVAL, milliseconds
_LEAST = 100
_MOST = {"detection_time": 5000, "restoration_time": 60_000}


def longest_poll(release: str) -> int:
    """Return the longest poll that sonic-pfcwd.yang of a release takes, in milliseconds."""
    return 3000 if release < "202511" else 1000


@record(kw_only=True)
class Watched:
    """The watchdog of one switch.

    priorities: how many each port pauses. ports: how many one process polls. detection,
    restoration: milliseconds.
    """

    chip: str
    release: str
    priorities: int
    ports: int
    action: str
    detection: int
    restoration: int


def flaws(seen: Watched) -> Iterator[str]:
    """Yield what the software watchdog of a release does badly there."""
    here = f"SONiC {seen.release} on {seen.chip}"
    if seen.chip in THX and seen.action == "drop":
        each = seen.detection + seen.restoration
        which = (
            "a port pauses one priority here, so every storm is of that kind"
            if seen.priorities == 1
            else f"a port pauses {seen.priorities} priorities here"
        )
        yield (
            f"{here}: the PFC watchdog leaves a storm and enters it again while all paused "
            f"priorities of a port storm (sonic-buildimage #29203); {which}. A cycle takes "
            f"{seen.detection:,} + {seen.restoration:,} = {each:,} ms or more, and for "
            f"{seen.detection:,} ms of each the queue is stuck"
        )
    if seen.chip == SHARED_PROFILE and seen.action == "drop":
        yield (
            f"{here}: a storm on one port changes the PFC of all {seen.ports} ports, and storms on "
            "other ports are not seen meanwhile (sonic-buildimage #29221)"
        )
    if seen.ports > MANY:
        wanted = _DEFAULT_POLL * growth(seen.ports)
        yield (
            f"SONiC {seen.release}: one process polls {seen.ports} ports. `pfcwd start_default` "
            f"counts {_DEFAULT_POLL} x {growth(seen.ports)} = {wanted:,} ms for a poll, and this "
            f"release takes {longest_poll(seen.release):,} (sonic-buildimage #25033). A poll of "
            "1,000 ms was not measured on so many ports"
        )


def refused(table: Mapping[str, Mapping[str, str]], release: str) -> Iterator[tuple[str, str]]:
    """Yield each timer of PFC_WD that cannot work in a release: its field, and why."""
    poll = _number(table.get("GLOBAL", {}).get("POLL_INTERVAL"))
    most = longest_poll(release)
    if poll is not None and not _LEAST <= poll <= most:
        why = (
            f"sonic-pfcwd.yang of {release} takes {_LEAST} to {most:,} ms (sonic-buildimage #25034)"
        )
        yield "POLL_INTERVAL", f"POLL_INTERVAL is {poll:,} ms; {why}"
    told: set[str] = set()
    for port, row in table.items():
        for field, limit in _MOST.items() if port != "GLOBAL" else ():
            time = _number(row.get(field))
            if time is None:
                continue
            said = f"{field} is {time:,} ms"
            if not _LEAST <= time <= limit:
                said += f"; sonic-pfcwd.yang of {release} takes {_LEAST} to {limit:,} ms"
            elif poll is not None and time < poll:
                said += f", shorter than the poll of {poll:,} ms: no poll falls into it"
                said += " (sonic-buildimage #27865)"
            else:
                continue
            if said not in told:
                told.add(said)
                yield field, f"{port}: {said}"


def chip_of(hwsku: str) -> str:
    """Return the chip of an hwsku: as the updaters list it, else as the catalog has it."""
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
