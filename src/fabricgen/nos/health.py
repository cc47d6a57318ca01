"""Compare the health of a switch before and after a change and report what failed."""

from collections.abc import Iterator, Mapping
from dataclasses import field

from fabricgen.core.record import record
from fabricgen.nos.show import Observed
from fabricgen.nos.traffic import Traffic


@record(kw_only=True)
class Health:
    """One health snapshot. Every name is as on the switch.

    A part that a change removes from the configuration is absent afterwards. Its absence is no
    loss.

    Attributes:
        sessions: State of each configured BGP session, by `vrf peer`.
        bfd: State of each BFD session.
        pairs: State of the MLAG pair, by its domain.
        links: State of each port that is not shut.
        cables: LLDP neighbors, `port host port`.
        routes: Received prefixes of established sessions, by `vrf peer family`.
        errors: Counters that should not grow and that are no measures of the snapshot, by `port
            counter`.
        unread: Parts that could not be read, with reasons.
        traffic: State of the overlay and the LAGs.
        observed: The snapshot for the comparison with the model, on platforms with a reader.
    """

    sessions: Mapping[str, bool] = field(default_factory=dict)
    bfd: Mapping[str, bool] = field(default_factory=dict)
    pairs: Mapping[str, bool] = field(default_factory=dict)
    links: Mapping[str, bool] = field(default_factory=dict)
    cables: frozenset[str] = frozenset()
    routes: Mapping[str, int] = field(default_factory=dict)
    errors: Mapping[str, int] = field(default_factory=dict)
    unread: tuple[str, ...] = ()
    traffic: Traffic = field(default_factory=Traffic)
    observed: Observed | None = None


def lost(before: Health, after: Health) -> tuple[str, ...]:
    """Return a sentence for each part that worked before and fails now; empty if healthy.

    Growth is no loss. `grown` compares error counters, because that needs time.
    """
    return (
        *_down("BGP session", before.sessions, after.sessions),
        *_down("BFD session", before.bfd, after.bfd),
        *_down("MLAG pair", before.pairs, after.pairs),
        *_down("port", before.links, after.links),
        *_cables(before, after),
        *_routes(before, after),
        *(f"could not be read: {reason}" for reason in after.unread if reason not in before.unread),
    )


def grown(before: Health, after: Health, allowed: int) -> tuple[str, ...]:
    """Return a sentence for each error counter that grew by more than the allowed number.

    A smaller counter was cleared and counts from zero.
    """
    sentences = []
    for name, now in after.errors.items():
        then = before.errors.get(name, 0)
        more = now - then if now >= then else now
        if more > allowed:
            sentences.append(f"{name} grew by {more}")
    return tuple(sentences)


def _down(what: str, before: Mapping[str, bool], after: Mapping[str, bool]) -> Iterator[str]:
    for name, up in before.items():
        if up and after.get(name) is False:
            yield f"{what} {name} is down"


def _cables(before: Health, after: Health) -> Iterator[str]:
    for cable in sorted(before.cables - after.cables):
        port = cable.partition(" ")[0]
        if after.links.get(port, not after.links):  # a port that is shut now has no neighbor
            yield f"LLDP no longer sees {cable}"


def _routes(before: Health, after: Health) -> Iterator[str]:
    """Yield tables that a session filled before and that are empty now. Fewer routes are normal."""
    for name, count in before.routes.items():
        session = name.rpartition(" ")[0]
        if count and after.sessions.get(session) and not after.routes.get(name):
            yield f"BGP session {name} no longer receives routes (before: {count})"
