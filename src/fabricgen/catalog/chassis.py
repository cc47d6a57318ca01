"""What a model's file says of the box in; its watts and its latency out, each with its source."""

from collections.abc import Mapping
from typing import Any

from fabricgen.record import record


@record(kw_only=True)
class Watts:
    """What a switch draws, as its maker prints it; None where that is not known.

    typical: without optics, or with passive copper. maximum: with all that its cages may draw.
    """

    typical: int | None
    maximum: int | None
    source: str


@record(kw_only=True)
class Latency:
    """Nanoseconds that a packet takes through an idle switch, as its maker prints it."""

    nanoseconds: int
    source: str


def read_watts(facts: Mapping[str, Any]) -> Watts | None:
    """Read the watts of a model, None where its file has none."""
    said = facts.get("watts")
    if said is None:
        return None
    return Watts(typical=said.get("typical"), maximum=said.get("maximum"), source=said["source"])


def read_latency(facts: Mapping[str, Any]) -> Latency | None:
    """Read the latency of a model, None where its file has none."""
    said = facts.get("latency")
    return None if said is None else Latency(**said)
