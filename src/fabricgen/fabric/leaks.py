"""Routes that one VRF takes from another: what is listed, and nothing else passes between them."""

from __future__ import annotations

from typing import NamedTuple

from fabricgen.fabric.addressing import Ip
from fabricgen.fabric.because import Because
from fabricgen.record import record

OUTSIDE = 5000
"""The numbers of prefixes from outside begin above every VLAN id."""


class TakenPrefix(NamedTuple):
    """A prefix that is taken, with the hosts in it where it is a subnet; `longest` bounds those.

    sequence: its number in a prefix list, from what stays: of a subnet the id of its VLAN, of what
    comes from outside `OUTSIDE` and ten times its place in the intent.
    """

    sequence: int
    prefix: Ip
    longest: int

    @property
    def outside(self) -> bool:
        """Tell whether it is there while a router outside tells it, and not by design."""
        return self.sequence > OUTSIDE

    def holds(self, value: int) -> bool:
        """Tell whether it leads to an IPv4 address."""
        first, last = self.prefix.network
        return first <= value <= last


@record(eq=False, kw_only=True)
class Taken:
    """What a VRF takes from another, the source. id, vni: those of the source."""

    source: str
    id: int
    vni: int
    prefixes: tuple[TakenPrefix, ...]
    because: Because

    @property
    def listed(self) -> tuple[tuple[tuple[str, str]], ...]:
        """Return the meaning of its prefix list: what passes, with its least and longest length."""
        return tuple(
            (("permit", f"{rule.prefix.prefix},{rule.prefix.length}-{rule.longest}"),)
            for rule in self.prefixes
        )

    def list_of(self, taker: str) -> str:
        """Name the prefix list on a switch; no VRF has `_` in its name."""
        return f"{taken_by(taker)}_{self.source}"


def taken_by(vrf: str) -> str:
    """Name the route map of all that a VRF takes."""
    return f"TAKE-{vrf}"
