"""Answers what the snapshots of all switches show about a link, a session and a switch."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from fabricgen.core.tree.facts import Key, Value
from fabricgen.nos.show import ENABLED, SHUT, UP
from fabricgen.prove.incidents.graph import Cable, End, Graph
from fabricgen.prove.incidents.model import Cause, Found, Seen, Thing, is_unread
from fabricgen.prove.incidents.parts import session_parts
from fabricgen.prove.runs import strangers


class View:
    """The snapshots of all switches, their graph, and the causes that are known so far.

    Attributes:
        seen: The switches that answered.
        silent: The switches that did not answer, with the reason.
        causes: Known causes.
    """

    def __init__(self, graph: Graph, seen: Mapping[str, Seen], silent: Mapping[str, str]) -> None:
        """Set the graph and the snapshots."""
        self.graph, self.seen, self.silent = graph, seen, silent
        self.causes: list[Cause] = []
        self._by_part: dict[Thing, list[Cause]] = defaultdict(list)

    def add(self, causes: Iterable[Cause]) -> None:
        """Add causes."""
        for cause in causes:
            self.causes.append(cause)
            for part in cause.lost:
                self._by_part[part].append(cause)

    def explaining(self, parts: Iterable[Thing]) -> Iterator[Cause]:
        """Yield the known causes that take away one of some parts."""
        for part in parts:
            yield from self._by_part.get(part, ())

    def is_explained(self, *parts: Thing) -> bool:
        """Return whether a known cause takes away one of some parts."""
        return any(part in self._by_part for part in parts)

    def findings(self) -> Iterator[Found]:
        """Yield every finding, switch by switch."""
        for each in self.seen.values():
            yield from each.findings

    def values(self) -> Iterator[Found]:
        """Yield every finding about a value or an object, without unread state."""
        return (each for each in self.findings() if not is_unread(each))

    def link(self, end: End) -> str:
        """Return the state of a port; empty if unread."""
        return str(self._shown(end[0], ("interface", end[1]), "link"))

    def is_down(self, end: End) -> bool:
        """Return whether a port has no link, although the model expects one."""
        seen = self.seen.get(end[0])
        own = seen.expected.facts.get(("interface", end[1]), {}) if seen is not None else {}
        return own.get("link") == UP and self.link(end) in {ENABLED, SHUT}

    def is_shut(self, end: End) -> bool:
        """Return whether a port is shut that the model opens."""
        seen = self.seen.get(end[0])
        own = seen.expected.facts.get(("interface", end[1]), {}) if seen is not None else {}
        return own.get("link") in {UP, ENABLED} and self.link(end) == SHUT

    def is_up(self, switch: str, session: Key) -> bool | None:
        """Return whether a session, or its BFD session, is up; None if unread or not expected."""
        seen = self.seen.get(switch)
        wanted = seen.expected.facts.get(session, {}).get("state") if seen is not None else None
        if seen is None or wanted is None:
            return None
        if seen.expected.about.get((session[0], "state")) in seen.observed.unread:
            return None
        return self._shown(switch, session, "state") == wanted

    def has_neighbor(self, end: End) -> bool | None:
        """Return whether a port receives LLDP; None if unread or not expected."""
        seen = self.seen.get(end[0])
        key = "cable", end[1]
        if seen is None or key not in seen.expected.facts or seen.expected.may_lack(key):
            return None
        if seen.expected.about.get(("cable", "far")) in seen.observed.unread:
            return None
        return key in seen.observed.facts

    def stranger(self, end: End) -> tuple[str, ...]:
        """Return the wrong neighbor of a port; empty if there is none."""
        seen = self.seen.get(end[0])
        wanted = seen.expected.facts.get(("cable", end[1]), {}).get("far") if seen else None
        shown = self._shown(end[0], ("cable", end[1]), "far")
        found = strangers(wanted, shown or None) if wanted else []
        return next((each for each in found if each[0]), ())

    def sessions_on(self, cable: Cable) -> Iterator[tuple[str, Key]]:
        """Yield the underlay sessions of a cable at both ends."""
        for end in cable.ends:
            for key in self.graph.sessions.get(end, ()):
                yield end[0], key

    def signs(self, cable: Cable) -> list[bool]:
        """Return every sign that a cable carries packets (true) or carries none (false)."""
        links = [not self.is_down(end) for end in cable.ends if self.link(end)]
        sessions = [self.is_up(*each) for each in self.sessions_on(cable)]
        heard = [self.has_neighbor(end) for end in cable.ends]
        return [*links, *(each for each in (*sessions, *heard) if each is not None)]

    def is_dark(self, cable: Cable) -> bool:
        """Return whether a cable has no link, or neither sessions nor LLDP."""
        if any(map(self.is_down, cable.ends)):
            return True
        heard = [self.has_neighbor(end) for end in cable.ends]
        return self.is_quiet(cable) and False in heard and True not in heard

    def is_quiet(self, cable: Cable) -> bool:
        """Return whether all sessions on a cable are down."""
        states = [self.is_up(*each) for each in self.sessions_on(cable)]
        return False in states and True not in states

    def needs(self, switch: str, session: Key) -> Iterator[Thing]:
        """Yield what a session needs in order to be up."""
        return session_parts(self.graph, switch, session)

    def _shown(self, switch: str, key: Key, attribute: str) -> Value:
        seen = self.seen.get(switch)
        return "" if seen is None else seen.observed.facts.get(key, {}).get(attribute, "")
