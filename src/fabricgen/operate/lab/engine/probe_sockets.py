"""Open sockets in the networks of hosts and switches and read the path of arriving packets."""

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
_HEAD = struct.Struct("!IIId")  # pair, number, run, time of sending
_DONT_FRAGMENT = 2
_SO_RCVBUFFORCE, _BUFFER = 33, 4 << 20
"""Above the limit of 212,992 bytes, so that a busy machine does not lose packets (socket(7))."""
HEADERS = 28  # IPv4 and UDP


@dataclass(frozen=True, slots=True, kw_only=True)
class Version:
    """Socket options of Linux for one IP version (ip(7), ipv6(7)). headers: bytes of IP and UDP.

    asked: options to receive TTL and TOS, or their IPv6 equivalents. hops, tos: types of these
    messages; tos is also the option for sending.
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
    """Return the options for the IP version of an address."""
    return _SIX if ":" in address else _FOUR


def sending(space: str, address: str) -> socket.socket:
    """Open a socket with its own source port, so that ECMP treats it as its own flow."""
    version = version_of(address)
    with inside(space):
        sender = socket.socket(version.family, socket.SOCK_DGRAM)
    sender.setblocking(False)  # noqa: FBT003 - the socket module takes the argument by position
    sender.setsockopt(version.level, version.mtu_discover, _DONT_FRAGMENT)
    sender.bind((address, 0))
    return sender


@dataclass(slots=True, kw_only=True)
class Post:
    """Both sockets of one endpoint, to send and to receive."""

    number: int
    address: str
    sender: socket.socket
    hearer: socket.socket

    @classmethod
    def at(cls, number: int, planned: dict[str, Any]) -> Self:
        """Open the sockets in the network of the host. number: of the endpoint."""
        address = planned["address"]
        sender, version = sending(planned["host"], address), version_of(address)
        with inside(planned["host"]):
            hearer = socket.socket(version.family, socket.SOCK_DGRAM)
        hearer.setblocking(False)  # noqa: FBT003 - the socket module takes the argument by position
        hearer.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        hearer.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER)
        for option in version.asked:
            hearer.setsockopt(version.level, option, 1)
        hearer.bind((address, PORT))
        return cls(number=number, address=address, sender=sender, hearer=hearer)

    def close(self) -> None:
        """Close both sockets."""
        self.sender.close()
        self.hearer.close()


@dataclass(frozen=True, slots=True, kw_only=True)
class Packet:
    """One packet: its pair's index in the measurement, its number, its size with IP header."""

    pair: int
    number: int
    size: int
    tos: int


@dataclass(slots=True, kw_only=True)
class Heard:
    """Arrived packets of one pair. numbers: of the packets. delays: in ms.

    by: the receiving endpoints; more than one may have the address.
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
        """Return the series of lost packets: the number of the first one, and the count."""
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
    """The sockets of all endpoints in a measurement."""

    def __init__(self, endpoints: list[dict[str, Any]], used: set[int]) -> None:
        """Open the sockets."""
        self.run = int.from_bytes(os.urandom(4))
        self.posts = {number: Post.at(number, endpoints[number]) for number in sorted(used)}
        self.by_descriptor = {post.hearer.fileno(): post for post in self.posts.values()}

    def __enter__(self) -> Self:
        """Return the open sockets."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the sockets."""
        for post in self.posts.values():
            post.close()

    def send(
        self,
        packet: Packet,
        ends: tuple[int, int],
        sender: socket.socket | None = None,
    ) -> bool:
        """Send one packet; return False when the host itself rejects it."""
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
        """Receive packets for `wait` seconds, or until the expected number has arrived."""
        end = time.monotonic() + wait
        while (left := end - time.monotonic()) > 0:
            if wanted is not None and sum(each.count for each in heard.values()) >= wanted:
                return
            self.hear(left, heard)

    def hear(self, wait: float, heard: dict[int, Heard]) -> None:
        """Receive packets until `wait` seconds of silence."""
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
