"""Derive the health of a switch from its sessions, LLDP neighbors and counters."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from fabricgen.core.tree.facts import Facts, Key
from fabricgen.nos.health import Health
from fabricgen.nos.show import ESTABLISHED, FORMED, SHUT, UP, Observed
from fabricgen.nos.traffic import Traffic


def neighbors(shown: Mapping[str, Any]) -> Facts:
    """Return the LLDP neighbor of each port: its name, and the names of its port.

    The name of a neighbor that sends none is empty. json0 makes a list of every value, also of
    single and absent ones.
    """
    heard: dict[str, list[tuple[str, ...]]] = {}
    for lldp in shown.get("lldp", ()):
        for interface in lldp.get("interface", ()):
            heard.setdefault(interface["name"], []).append(_neighbor(interface))
    return {("cable", port): {"far": tuple(ends)} for port, ends in heard.items()}


def _neighbor(interface: Mapping[str, Any]) -> tuple[str, ...]:
    chassis, ports = interface.get("chassis", ()), interface.get("port", ())
    return (next(_values(chassis, "name"), ""), *_values(ports, "id"), *_values(ports, "descr"))


def _values(items: Sequence[Mapping[str, Any]], key: str) -> Iterator[str]:
    for item in items:
        yield from (str(each["value"]) for each in item.get(key, ()) if "value" in each)


def links_of(seen: Observed) -> dict[str, bool]:
    """Return whether each port that is not shut is up."""
    return {
        key[1]: own["link"] == UP
        for key, own in seen.of("interface").items()
        if own.get("link", SHUT) != SHUT
    }


def pairs_of(seen: Observed) -> dict[str, bool]:
    """Return whether the MLAG pair works, by its domain."""
    return {
        str(own.get("domain", "pair")): own["state"] == FORMED
        for own in seen.of("pair").values()
        if "state" in own
    }


def health(
    seen: Observed,
    *,
    links: Mapping[str, bool],
    traffic: Traffic,
    errors: Mapping[str, int] | None = None,
    unread: Iterable[str] | None = None,
    pairs: Mapping[str, bool] | None = None,
) -> Health:
    """Return the health of a snapshot.

    No name of a family has a blank, so the text before the last blank of a route is its session.

    Args:
        seen: The snapshot.
        links: Ports that are not shut, as from `links_of`.
        traffic: Traffic of the snapshot, as from `traffic_of` (nos/shared/traffic.py).
        errors: Counters that should not grow and that are no measures of the snapshot.
        unread: Sentences about unread parts, if the snapshot does not name them.
        pairs: State of MLAG pairs, if it is no fact of the snapshot.
    """
    sessions = {key: own["state"] == ESTABLISHED for key, own in seen.of("session").items()}
    return Health(
        sessions={_name(key): up for key, up in sessions.items()},
        bfd={_name(key): own["state"] == UP for key, own in seen.of("bfd").items()},
        pairs=pairs_of(seen) if pairs is None else pairs,
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
            if up and key in seen.pulses  # a value that could not be counted is unread
            for family, received, _ in seen.pulses[key].prefixes
        },
        errors=errors or {},
        unread=tuple(unread if unread is not None else _unread(seen)),
        traffic=traffic,
        observed=seen,
    )


def _unread(seen: Observed) -> Iterator[str]:
    yield from (f"{part}: {why}" for part, why in seen.unread.items())


def _name(key: Key) -> str:
    return " ".join(filter(None, key[1:]))
