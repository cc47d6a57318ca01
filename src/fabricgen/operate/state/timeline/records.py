"""Define the records of the timeline that other modules read and write."""

import socket
import time
from collections.abc import Mapping
from dataclasses import field
from datetime import UTC, datetime, timedelta

from fabricgen.core.record import record
from fabricgen.operate.state.timeline.changes import Event, Sums
from fabricgen.operate.state.timeline.snapshot import Source

RECORDING = "recording"
"""Lane of recorded answers. They are no state of the site now."""
RETAINED = timedelta(days=30)
"""Default age of the oldest change. Our choice: the size of 30 days is measured."""


def lane_of(lab: str | None) -> str:
    """Return the lane of the running switches of a site, or of its lab."""
    return f"lab {lab}" if lab else ""


@record(kw_only=True)
class Lane:
    """A site, and which of its states: `lane` is empty for its switches (records.lane_of)."""

    site: str
    lane: str = ""


@record(kw_only=True)
class Identity:
    """Identity of a look.

    Attributes:
        source: Reason of the look.
        who: Account of the user.
        host: Machine of the tool.
        tool: Time of the tool.
        taken: Value of `time.monotonic` when the last switch answered.
    """

    source: Source
    who: str
    host: str = field(default_factory=socket.gethostname)
    tool: datetime = field(default_factory=lambda: datetime.now(UTC))
    taken: float = field(default_factory=time.monotonic)


@record(kw_only=True)
class Written:
    """Result of a write. `outdated`: switches whose stored look is newer than this one."""

    switches: int
    changed: int
    outdated: tuple[str, ...] = ()


@record(kw_only=True)
class Past:
    """Changes of one switch since a time.

    Attributes:
        switch: Name of the switch.
        first: Time of its first look.
        at: Time of its last look.
        sums: Sum of the changes of each value that differs.
        returned: Number of changes that came back, at least.
        incomplete: Whether too many changes happened for a complete list.
    """

    switch: str
    first: float
    at: float
    sums: Sums
    returned: int = 0
    incomplete: bool = False


@record(kw_only=True)
class Moment:
    """One entry in the history of one switch, with the identity of its look if it is stored."""

    event: Event
    source: str = ""
    who: str = ""
    host: str = ""
    tool: datetime | None = None


@record(kw_only=True)
class Baseline:
    """A named state. `switches`: their number."""

    name: str
    who: str
    at: datetime
    switches: int


@record(kw_only=True)
class Against:
    """Comparison with a baseline.

    Attributes:
        at: Time of the baseline.
        pasts: Changes by switch, also those whose time is no longer stored (`since` is 0).
        absent: Switches that the baseline does not have.
    """

    at: float
    pasts: Mapping[str, Past]
    absent: tuple[str, ...]
