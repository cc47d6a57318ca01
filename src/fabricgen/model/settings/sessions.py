"""Declares the settings of external BGP sessions: prefix limits."""

from typing import Literal

from fabricgen.core.record import record
from fabricgen.model.settings.setting import required, setting


@record(kw_only=True)
class MaxPrefixes:
    """Maximum prefixes from a peer, and the action above the maximum."""

    count: int = required("Maximum number of prefixes.", fact="most", ge=1, le=2_000_000)
    action: Literal["warn", "end"] | None = setting(
        None,
        "Required. `warn`: write a log message. `end`: close the session until an operator "
        "clears it.",
        fact="beyond",
    )
