"""Declares the settings of external BGP sessions: prefix limits."""

from typing import Literal

from fabricgen.core.record import record
from fabricgen.model.settings.setting import required, setting


@record(kw_only=True)
class MaxPrefixes:
    """How many prefixes a peer may send, and what happens to one that sends more."""

    count: int = required("The most that may come.", fact="most", ge=1, le=2_000_000)
    action: Literal["warn", "end"] | None = setting(
        None,
        "Must be said. `warn`: a line in the log. `end`: the session ends, until somebody clears "
        "it.",
        fact="beyond",
    )
