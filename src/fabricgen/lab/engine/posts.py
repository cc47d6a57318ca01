"""Sockets in the networks of hosts and switches; what each packet that arrives says of its way."""

import os
import select
import socket
import struct
import time
from dataclasses import dataclass, field
from typing import Any, Self

from fabricgen.lab.engine.kernel import inside

PORT = 47910
_HEAD = struct.Struct("!IIId")  # pair, number, run, time sent
_IP_RECVTTL, _IP_MTU_DISCOVER, _DONT_FRAGMENT = 12, 10, 2
_SO_RCVBUFFORCE, _BUFFER = 33, 4 << 20
"""Beyond the limit of 212,992 bytes: what a busy machine is late to hear is no loss (socket(7))."""
HEADERS = 28  # IPv4 and UDP


def sending(space: str, address: str) -> socket.socket:
    """Open a socket to send from, with a port of its own: to ECMP it is a flow of its own."""
    with inside(space):
        sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.setblocking(False)  # noqa: FBT003 - the socket module's way
    sender.setsockopt(socket.IPPROTO_IP, _IP_MTU_DISCOVER, _DONT_FRAGMENT)
    sender.bind((address, 0))
    return sender


@dataclass(slots=True)
class Post:
    """Both sockets of one endpoint: it sends from one and hears with the other."""

    address: str
    sender: socket.socket
    hearer: socket.socket

    @classmethod
    def at(cls, planned: dict[str, Any]) -> Self:
        """Open them in the host's network."""
        sender = sending(planned["host"], planned["address"])
        with inside(planned["host"]):
            hearer = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        hearer.setblocking(False)  # noqa: FBT003 - the socket module's way
        hearer.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        hearer.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER)
        hearer.setsockopt(socket.IPPROTO_IP, socket.IP_RECVTOS, 1)
        hearer.setsockopt(socket.IPPROTO_IP, _IP_RECVTTL, 1)
        hearer.bind((planned["address"], PORT))
        return cls(planned["address"], sender, hearer)

    def close(self) -> None:
        """Close both."""
        self.sender.close()
        self.hearer.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """One packet: its pair's place in the measurement, its number, its size with IP header."""

    pair: int
    number: int
    size: int
    tos: int


@dataclass(slots=True, kw_only=True)
class Heard:
    """What arrived of one pair. numbers: of the packets, as they were sent. delays in ms."""

    count: int = 0
    ttl: int = 0
    tos: int = 0
    marked: int = 0  # ECN CE
    size: int = 0
    numbers: set[int] = field(default_factory=set)
    delays: list[float] = field(default_factory=list)

    def note(self, number: int, size: int, ttl: int, tos: int, delay: float) -> None:
        """Count one packet."""
        self.count, self.ttl, self.size, self.tos = self.count + 1, ttl, size, tos
        self.marked += tos & 3 == 3
        self.numbers.add(number)
        self.delays.append(delay * 1000)

    def lost(self, sent: int) -> list[tuple[int, int]]:
        """Return the runs of packets that never arrived: the first one's number, and how many."""
        runs: list[tuple[int, int]] = []
        for number in range(sent):
            if number in self.numbers:
                continue
            if runs and sum(runs[-1]) == number:
                runs[-1] = (runs[-1][0], runs[-1][1] + 1)
            else:
                runs.append((number, 1))
        return runs

    def as_data(self) -> dict[str, Any]:
        """Return plain data."""
        ordered = sorted(self.delays) or [0.0]
        return {
            "count": self.count,
            "ttl": self.ttl,
            "dscp": self.tos >> 2,
            "marked": self.marked,
            "size": self.size,
            "p50_ms": round(ordered[len(ordered) // 2], 2),
            "p99_ms": round(ordered[int(len(ordered) * 0.99)], 2),
        }


class Posts:
    """The sockets of all endpoints that a measurement is about."""

    def __init__(self, endpoints: list[dict[str, Any]], used: set[int]) -> None:
        """Open them."""
        self.run = int.from_bytes(os.urandom(4))
        self.posts = {number: Post.at(endpoints[number]) for number in sorted(used)}
        self.by_descriptor = {post.hearer.fileno(): post for post in self.posts.values()}

    def __enter__(self) -> Self:
        """Use them for a while."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close them."""
        for post in self.posts.values():
            post.close()

    def send(
        self,
        packet: Packet,
        ends: tuple[int, int],
        sender: socket.socket | None = None,
    ) -> bool:
        """Send one packet; False when the host itself does not let it go."""
        sender = sender or self.posts[ends[0]].sender
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, packet.tos)
        head = _HEAD.pack(packet.pair, packet.number, self.run, time.monotonic())
        body = head + bytes(max(0, packet.size - HEADERS - len(head)))
        try:
            sender.sendto(body, (self.posts[ends[1]].address, PORT))
        except OSError:
            return False
        return True

    def hear_out(self, wait: float, heard: dict[int, Heard], wanted: int | None = None) -> None:
        """Take in what arrives for `wait` seconds, or until so many packets are there."""
        end = time.monotonic() + wait
        while (left := end - time.monotonic()) > 0:
            if wanted is not None and sum(each.count for each in heard.values()) >= wanted:
                return
            self.hear(left, heard)

    def hear(self, wait: float, heard: dict[int, Heard]) -> None:
        """Take in whatever arrives within `wait` seconds of silence."""
        ready, _, _ = select.select(list(self.by_descriptor), [], [], max(0.0, wait))
        for descriptor in ready:
            hearer = self.by_descriptor[descriptor].hearer
            while True:
                try:
                    data, more, _, _ = hearer.recvmsg(65535, 128)
                except BlockingIOError:
                    break
                now = time.monotonic()
                if len(data) < _HEAD.size:
                    continue
                pair, number, run, sent = _HEAD.unpack(data[: _HEAD.size])
                if run == self.run:
                    facts = {kind: value for level, kind, value in more if level == 0}
                    ttl = int.from_bytes(facts[socket.IP_TTL][:1])
                    tos = facts[socket.IP_TOS][0]
                    known = heard.setdefault(pair, Heard())
                    known.note(number, len(data) + HEADERS, ttl, tos, now - sent)
