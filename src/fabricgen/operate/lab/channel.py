"""Multiplex many streams as frames on the one line between supervisor and engine.

The line is a socket if the lab runs on this kernel, and a serial line if it runs on another. A
frame is its payload's length and its stream's number, 4 bytes each, the kind, and the payload.

At most WINDOW frames of at most LARGEST bytes are in flight towards the engine, which reports each
frame that it has read. A serial line of user-mode-linux that was once full (4,096 bytes) receives
nothing more.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import asyncio

_HEAD = struct.Struct("!IIc")
LARGEST = 1024
"""Largest payload in bytes; longer data is split into several frames."""
WINDOW = 2
"""Limit of unread frames towards the engine."""


class Kind(Enum):
    """Content of a frame: a JSON message, bytes of a stream, the end of a stream, or a receipt."""

    MESSAGE = b"J"
    PART = b"P"  # of a message whose rest follows
    BYTES = b"D"
    END = b"E"
    READ = b"R"  # the engine has read one more frame


@dataclass(frozen=True, slots=True)
class Frame:
    """One frame."""

    stream: int
    kind: Kind
    payload: bytes = b""

    @property
    def message(self) -> dict[str, Any]:
        """Return the payload of a complete message."""
        content: dict[str, Any] = json.loads(self.payload)
        return content

    def pack(self) -> bytes:
        """Return the bytes on the line."""
        return _HEAD.pack(len(self.payload), self.stream, self.kind.value) + self.payload


def message(stream: int, content: dict[str, Any]) -> Iterator[Frame]:
    """Split a message into frames."""
    data = json.dumps(content).encode()
    last = (len(data) - 1) // LARGEST * LARGEST
    for start in range(0, last, LARGEST):
        yield Frame(stream, Kind.PART, data[start : start + LARGEST])
    yield Frame(stream, Kind.MESSAGE, data[last:])


def pieces(stream: int, data: bytes) -> Iterator[Frame]:
    """Split bytes into frames."""
    for start in range(0, len(data), LARGEST):
        yield Frame(stream, Kind.BYTES, data[start : start + LARGEST])


class Joiner:
    """Joins the parts of messages, stream by stream."""

    def __init__(self) -> None:
        """Start without parts."""
        self._parts: dict[int, list[bytes]] = {}

    def join(self, frame: Frame) -> Frame | None:
        """Return a complete frame, None while parts are missing."""
        if frame.kind is Kind.PART:
            self._parts.setdefault(frame.stream, []).append(frame.payload)
            return None
        if frame.kind is Kind.MESSAGE and frame.stream in self._parts:
            parts = self._parts.pop(frame.stream)
            return Frame(frame.stream, frame.kind, b"".join((*parts, frame.payload)))
        return frame


async def read_frame(reader: asyncio.StreamReader) -> Frame:
    """Read one frame; raise asyncio.IncompleteReadError if the line is closed."""
    length, stream, kind = _HEAD.unpack(await reader.readexactly(_HEAD.size))
    return Frame(stream, Kind(kind), await reader.readexactly(length))
