"""What of a switch works at one moment in; what a change took away from it out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping


@dataclass(frozen=True, slots=True)
class Health:
    """One look. Everything is named as the switch names it.

    sessions: established BGP sessions, `vrf peer`. bfd: sessions that are up. cables: LLDP
    neighbours, `port host port`. links: ports that are up. routes: prefixes by session and family
    that were received. errors: counters that should stand still, by `port counter`: receive and
    transmit errors, drops of lossless classes, pause storms. unread: what could not be asked.
    """

    sessions: frozenset[str] = frozenset()
    bfd: frozenset[str] = frozenset()
    cables: frozenset[str] = frozenset()
    links: frozenset[str] = frozenset()
    routes: Mapping[str, int] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
