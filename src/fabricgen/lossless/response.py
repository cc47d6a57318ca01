"""How long a peer may go on sending after pause: a speed in, bytes out."""

from __future__ import annotations

from enum import StrEnum


class PauseResponse(StrEnum):
    """Above 400G: the quanta SONiC ships, or quanta that keep the response time of 400G."""

    SHIPPED = "shipped"
    CONSERVATIVE = "conservative"
