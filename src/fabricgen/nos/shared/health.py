"""Facts of sessions and neighbours, and counters, in; the health of the switch out."""

from collections.abc import Iterable, Mapping

from fabricgen.core.tree.facts import Key
from fabricgen.nos.health import Health
from fabricgen.nos.show import ESTABLISHED, UP, Observed
from fabricgen.nos.traffic import Traffic


def health(
    seen: Observed,
    *,
    links: Mapping[str, bool],
    errors: Mapping[str, int],
    unread: Iterable[str],
    traffic: Traffic,
) -> Health:
    """Return what works. links: ports that are not shut. errors: counters that should stand still.

    No name of a family has a blank: what stands before the last one in a route is its session.
    """
    sessions = {key: own["state"] == ESTABLISHED for key, own in seen.of("session").items()}
    return Health(
        sessions={_name(key): up for key, up in sessions.items()},
        bfd={_name(key): own["state"] == UP for key, own in seen.of("bfd").items()},
        links=links,
        cables=frozenset(
            f"{port} {end[0]} {end[1]}"
            for (_, port), own in seen.of("cable").items()
            for end in own["far"]
            if end[1:]
        ),
        routes={
            f"{_name(key)} {family}": received
            for key, up in sessions.items()
            if up and key in seen.pulses  # what could not be counted is unread
            for family, received, _ in seen.pulses[key].prefixes
        },
        errors=errors,
        unread=tuple(unread),
        traffic=traffic,
        observed=seen,
    )


def _name(key: Key) -> str:
    return " ".join(filter(None, key[1:]))
