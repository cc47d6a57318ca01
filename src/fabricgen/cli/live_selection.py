"""Define the options of a path on running switches."""

from pathlib import Path

from fabricgen.core.record import record


@record(kw_only=True)
class LiveSelection:
    """Running switches of a path.

    Attributes:
        live: Whether they are asked at all.
        dscp: DSCP of the packet. None: the usual one of its fabric.
        recordings: Recorded answers instead of running switches.
        inventory: Folder with logins.
        lab: Name of a lab.
    """

    live: bool
    dscp: int | None
    recordings: Path | None
    inventory: Path
    lab: str | None
