"""Sessions, neighbours and counters as FRR and lldpd have them in; the health of the switch out."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.fabric.observed import ESTABLISHED
from fabricgen.nos.health import Health

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping

    from fabricgen.fabric.facts import Neighbour
    from fabricgen.fabric.observed import Bfd, Running


def health(
    sessions: Collection[Running],
    bfd: Iterable[Bfd],
    neighbours: Iterable[Neighbour],
    *,
    links: Mapping[str, bool],
    errors: Mapping[str, int],
    unread: Iterable[str],
) -> Health:
    """Return what works. links: ports that are not shut. errors: counters that should stand still.

    No name of a family has a blank: what stands before the last one in a route is its session.
    """
    return Health(
        sessions={_name(each): each.state == ESTABLISHED for each in sessions},
        bfd={
            " ".join(filter(None, (each.vrf, each.peer, each.interface))): each.up for each in bfd
        },
        links=links,
        cables=frozenset(
            f"{each.port} {each.name} {each.ports[0]}" for each in neighbours if each.ports
        ),
        routes={
            f"{_name(each)} {family.replace(' ', '-')}": received
            for each in sessions
            if each.state == ESTABLISHED
            for family, received, _ in each.pulse.prefixes
        },
        errors=errors,
        unread=tuple(unread),
    )


def _name(each: Running) -> str:
    return f"{each.session.vrf} {each.session.peer}"
