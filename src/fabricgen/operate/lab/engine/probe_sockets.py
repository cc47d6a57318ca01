"""Opens sockets in the networks of hosts and switches and reads the path of arriving packets."""

import os
import select
import socket
import struct
import time
from collections.abc import Container
from dataclasses import dataclass, field
from typing import Any, Self

from fabricgen.operate.lab.engine.kernel import inside

PORT = 47910
_HEAD = struct.Struct("!IIId")  # pair, number, run, time sent
_DONT_FRAGMENT = 2
_SO_RCVBUFFORCE, _BUFFER = 33, 4 << 20
"""Beyond the limit of 212,992 bytes: what a busy machine is late to hear is no loss (socket(7))."""
HEADERS = 28  # IPv4 and UDP


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """How Linux is asked in one IP version (ip(7), ipv6(7)). headers: bytes of IP and UDP.

    asked: options without which a packet does not say its TTL and TOS, or what they are in IPv6.
    hops, tos: the messages that say them; tos is also the option of what is sent.
    """

    family: socket.AddressFamily
    level: int
    headers: int
    mtu_discover: int
    asked: tuple[int, ...]
    hops: int
    tos: int


_IP_RECVTTL, _IP_MTU_DISCOVER, _IPV6_MTU_DISCOVER = 12, 10, 23
_FOUR = Version(
    family=socket.AF_INET,
    level=socket.IPPROTO_IP,
    headers=HEADERS,
    mtu_discover=_IP_MTU_DISCOVER,
    asked=(_IP_RECVTTL, socket.IP_RECVTOS),
    hops=socket.IP_TTL,
    tos=socket.IP_TOS,
)
_SIX = Version(
    family=socket.AF_INET6,
    level=socket.IPPROTO_IPV6,
    headers=48,
    mtu_discover=_IPV6_MTU_DISCOVER,
    asked=(socket.IPV6_RECVHOPLIMIT, socket.IPV6_RECVTCLASS),
    hops=socket.IPV6_HOPLIMIT,
    tos=socket.IPV6_TCLASS,
)


def version_of(address: str) -> Version:
    """Return the words for the version of an address."""
    return _SIX if ":" in address else _FOUR


def sending(space: str, address: str) -> socket.socket:
    """Open a socket to send from, with a port of its own: to ECMP it is a flow of its own."""
    version = version_of(address)
    with inside(space):
        sender = socket.socket(version.family, socket.SOCK_DGRAM)
    sender.setblocking(False)  # noqa: FBT003 - the socket module's way
    sender.setsockopt(version.level, version.mtu_discover, _DONT_FRAGMENT)
    sender.bind((address, 0))
    return sender


@dataclass(slots=True, kw_only=True)
class Post:
    """Both sockets of one endpoint: it sends from one and hears with the other."""

    number: int
    address: str
    sender: socket.socket
    hearer: socket.socket

    @classmethod
    def at(cls, number: int, planned: dict[str, Any]) -> Self:
        """Open them in the host's network. number: of the endpoint."""
        address = planned["address"]
        sender, version = sending(planned["host"], address), version_of(address)
        with inside(planned["host"]):
            hearer = socket.socket(version.family, socket.SOCK_DGRAM)
        hearer.setblocking(False)  # noqa: FBT003 - the socket module's way
        hearer.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        hearer.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER)
        for option in version.asked:
            hearer.setsockopt(version.level, option, 1)
        hearer.bind((address, PORT))
        return cls(number=number, address=address, sender=sender, hearer=hearer)

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
    """What arrived of one pair. numbers: of the packets, as they were sent. delays in ms.

    by: the endpoints that heard it; more than one may have the address.
    """

    count: int = 0
    ttl: int = 0
    tos: int = 0
    marked: int = 0  # ECN CE
    size: int = 0
    by: set[int] = field(default_factory=set)
    numbers: set[int] = field(default_factory=set)
    delays: list[float] = field(default_factory=list)

    def note(self, number: int, size: int, ttl: int, tos: int, delay: float) -> None:
        """Count one packet."""
        self.count, self.ttl, self.size, self.tos = self.count + 1, ttl, size, tos
        self.marked += tos & 3 == 3
        self.numbers.add(number)
        self.delays.append(delay * 1000)

    def lost(self, count: int, unsent: Container[int] = ()) -> list[tuple[int, int]]:
        """Return the runs of packets that never arrived: the first one's number, and how many."""
        runs: list[tuple[int, int]] = []
        for number in range(count):
            if number in self.numbers or number in unsent:
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
            "by": sorted(self.by),
            "p50_ms": round(ordered[len(ordered) // 2], 2),
            "p99_ms": round(ordered[int(len(ordered) * 0.99)], 2),
        }


class Posts:
    """The sockets of all endpoints that a measurement is about."""

    def __init__(self, endpoints: list[dict[str, Any]], used: set[int]) -> None:
        """Open them."""
        self.run = int.from_bytes(os.urandom(4))
        self.posts = {number: Post.at(number, endpoints[number]) for number in sorted(used)}
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
        version = version_of(self.posts[ends[0]].address)
        sender.setsockopt(version.level, version.tos, packet.tos)
        head = _HEAD.pack(packet.pair, packet.number, self.run, time.monotonic())
        body = head + bytes(max(0, packet.size - version.headers - len(head)))
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
            post = self.by_descriptor[descriptor]
            version = version_of(post.address)
            while True:
                try:
                    data, more, _, _ = post.hearer.recvmsg(65535, 128)
                except BlockingIOError:
                    break
                now = time.monotonic()
                if len(data) < _HEAD.size:
                    continue
                pair, number, run, sent = _HEAD.unpack(data[: _HEAD.size])
                if run == self.run:
                    known = heard.setdefault(pair, Heard())
                    known.by.add(post.number)
                    size = len(data) + version.headers
                    facts = {kind: value[0] for at, kind, value in more if at == version.level}
                    known.note(number, size, facts[version.hops], facts[version.tos], now - sent)
