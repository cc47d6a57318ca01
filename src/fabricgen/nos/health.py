"""Compares the health of a switch before and after a change and reports what failed."""

from collections.abc import Iterator, Mapping
from dataclasses import field

from fabricgen.core.record import record
from fabricgen.nos.show import Observed
from fabricgen.nos.traffic import Traffic


@record(kw_only=True)
class Health:
    """One look. Everything is named as the switch names it.

    sessions: every configured BGP session, `vrf peer`, and whether it is established. bfd: every
    BFD session, and whether it is up. pairs: the MLAG pair by its domain, and whether it is formed.
    links: every port that is not shut, and whether it is up.
    What a change removes from the configuration is not there any more; that is no loss.
    cables: LLDP neighbors, `port host port`. routes: received prefixes by established session and
    family, `vrf peer family`. errors: counters that should stand still, by `port counter`:
    receive and transmit errors, drops of lossless classes, pause storms. unread: what could not be
    asked, and why. traffic: what carries packets. observed: the look as it is compared with the
    model, on platforms that have a reader.
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
    """Return a sentence for everything that worked before and should work still; empty is well.

    More of anything is no loss. Counters of errors are judged by `grown`, which needs time to tell.
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
    """Return a sentence for every error counter that grew by more than is allowed.

    A counter that is smaller than before was cleared, and counts from nothing.
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
        if after.links.get(port, not after.links):  # of a port that is shut now none is expected
            yield f"LLDP no longer sees {cable}"


def _routes(before: Health, after: Health) -> Iterator[str]:
    """A table that a session filled and that is empty now; a change may well take single routes."""
    for name, count in before.routes.items():
        session = name.rpartition(" ")[0]
        if count and after.sessions.get(session) and not after.routes.get(name):
            yield f"BGP session {name} no longer brings routes (there were {count})"
