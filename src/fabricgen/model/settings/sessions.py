"""Declares the settings of BGP sessions with the outside: how many prefixes may come."""

from typing import Annotated, Literal

from fabricgen.core.record import record
from fabricgen.model.settings.setting import Setting


@record(kw_only=True)
class MaxPrefixes:
    """How many prefixes a peer may send, and what happens to one that sends more."""

    count: Annotated[
        int,
        Setting(
            text="The most that may come.",
            fact="most",
            bounds={"ge": 1, "le": 2_000_000},
            required=True,
        ),
    ] = 12_000
    action: Annotated[
        Literal["warn", "end"] | None,
        Setting(
            text="Must be said. `warn`: a line in the log. `end`: the session ends, until "
            "somebody clears it.",
            fact="beyond",
        ),
    ] = None
