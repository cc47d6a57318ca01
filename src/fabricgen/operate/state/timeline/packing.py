"""Compress states and changes for the database, and decompress them within limits."""

import json
import zlib
from collections import defaultdict
from collections.abc import Iterable, Mapping
from hashlib import blake2b
from typing import Any

from fabricgen.core.record import record
from fabricgen.core.tree.facts import Attributes, Facts, Key
from fabricgen.operate.state.timeline.changes import Change, Event, Net, Sums, compare

LARGEST = 256 * 2**20
"""Limit of decompression in bytes."""


def squeeze(content: Any) -> bytes:
    """Compress JSON."""
    return zlib.compress(json.dumps(content, separators=(",", ":")).encode())


def expand(blob: bytes) -> Any:
    """Decompress JSON; raise ValueError for other bytes."""
    return json.loads(inflate(blob))


def inflate(blob: bytes) -> bytes:
    """Decompress bytes; raise ValueError if they are damaged or too large."""
    unpacking = zlib.decompressobj()
    try:
        whole = unpacking.decompress(blob, LARGEST)
    except zlib.error as error:
        raise ValueError(str(error)) from None
    if not unpacking.eof:
        raise ValueError("the state is incomplete or too large")
    return whole


def _frozen(value: Any) -> Any:
    """Return the tuples of a value; JSON has lists."""
    return tuple(map(_frozen, value)) if isinstance(value, list) else value


def texts_of(facts: Mapping[Key, Attributes]) -> dict[str, str]:
    """Return the facts of each kind as one text. Equal facts have equal texts."""
    kinds: dict[str, list[Any]] = defaultdict(list)
    for key in sorted(facts):
        kinds[key[0]].append((key[1:], facts[key]))
    return {
        kind: json.dumps(rows, separators=(",", ":"), sort_keys=True)
        for kind, rows in kinds.items()
    }


@record()
class Chunk:
    """Compressed facts of one kind, and the digest of their text."""

    digest: str
    blob: bytes

    def facts(self, kind: str) -> Facts:
        """Return the facts."""
        return {
            (kind, *names): {name: _frozen(value) for name, value in own.items()}
            for names, own in expand(self.blob)
        }


State = dict[str, Chunk]
"""The facts of a switch by kind, so that a comparison decompresses only kinds that differ."""


def state_of(texts: Mapping[str, str], before: Mapping[str, Chunk]) -> State:
    """Return the state of texts. Unchanged kinds keep their chunk."""
    state = {}
    for kind, text in texts.items():
        digest = blake2b(text.encode(), digest_size=12).hexdigest()
        old = before.get(kind)
        same = old is not None and old.digest == digest
        state[kind] = old if old and same else Chunk(digest, zlib.compress(text.encode()))
    return state


def state_blob(state: State) -> bytes:
    """Return a state as one text of bytes: a line of JSON, and the chunks."""
    head = {kind: [chunk.digest, len(chunk.blob)] for kind, chunk in state.items()}
    chunks = b"".join(chunk.blob for chunk in state.values())
    return json.dumps(head, separators=(",", ":")).encode() + b"\n" + chunks


def state_from(blob: bytes) -> State:
    """Split a state into chunks."""
    head, _, rest = blob.partition(b"\n")
    state, start = {}, 0
    for kind, (digest, length) in json.loads(head).items():
        state[kind] = Chunk(digest, rest[start : start + length])
        start += length
    return state


def facts_of(state: State) -> Facts:
    """Return all facts of a state."""
    return {key: own for kind, chunk in state.items() for key, own in chunk.facts(kind).items()}


def changes_between(before: State, after: State) -> list[Change]:
    """Return the changed values of the kinds that differ."""
    found: list[Change] = []
    for kind in sorted(before.keys() | after.keys()):
        old, new = before.get(kind), after.get(kind)
        if old is None or new is None or old.digest != new.digest:
            found += compare(old.facts(kind) if old else {}, new.facts(kind) if new else {})
    return found


def events_blob(events: Iterable[Event]) -> bytes:
    """Compress events."""
    return squeeze(
        [
            [each.look, each.since, each.at, each.clock, each.sessions, each.changes, each.more]
            for each in events
        ]
    )


def events_from(blob: bytes) -> list[Event]:
    """Decompress events."""
    return [
        Event(
            look=look,
            since=since,
            at=at,
            clock=clock,
            sessions=tuple(sessions),
            changes=tuple(Change(*map(_frozen, each)) for each in changes),
            more=more,
        )
        for look, since, at, clock, sessions, changes, more in expand(blob)
    ]


class Day:
    """The sum of the changes of one day, or of several days.

    Values stay JSON until they are needed, because a month of 500 switches has 15,000 days. Values
    that came back are only counted.
    """

    def __init__(self, returned: int = 0, rows: dict[str, list[Any]] | None = None) -> None:
        """Start with rows of old value, new value, window and sessions."""
        self.returned, self.rows = returned, {} if rows is None else rows

    @classmethod
    def load(cls, blob: bytes) -> "Day":
        """Decompress a day."""
        return cls(*expand(blob))

    def blob(self) -> bytes:
        """Compress the day."""
        self._drop()
        return squeeze([self.returned, self.rows])

    def add(self, event: Event) -> None:
        """Add the changes of a later look."""
        window = event.since, event.at, event.sessions
        rows = {
            json.dumps(each.spot, separators=(",", ":")): [each.old, each.new, *window]
            for each in event.changes
        }
        self.merge(Day(0, rows))

    def merge(self, later: "Day") -> None:
        """Add a later day."""
        self.returned += later.returned
        rows = self.rows
        for spot, row in later.rows.items():
            if earlier := rows.get(spot):
                row[0] = earlier[0]
            rows[spot] = row

    def sums(self) -> Sums:
        """Return the values that differ."""
        self._drop()
        found: Sums = {}
        for spot, (old, new, since, at, sessions) in self.rows.items():
            key, attribute = json.loads(spot)
            net = Net(_frozen(old), _frozen(new), since, at, tuple(sessions))
            found[tuple(key), attribute] = net
        return found

    def _drop(self) -> None:
        """Drop the values that came back."""
        same = [spot for spot, (old, new, *_) in self.rows.items() if _frozen(old) == _frozen(new)]
        self.returned += len(same)
        for spot in same:
            del self.rows[spot]
