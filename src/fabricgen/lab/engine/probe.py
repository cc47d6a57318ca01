"""Real packets: one process with sockets in every host's network; who hears whom, how, and when."""

from __future__ import annotations

import os
import select
import socket
import struct
import time
from dataclasses import dataclass, field
from typing import Any, Self

from fabricgen.lab.engine.kernel import inside
from fabricgen.lab.engine.world import LabError

PORT = 47910
_HEAD = struct.Struct("!IIIdB")  # pair, sequence, run, time sent, DSCP
_IP_RECVTTL, _IP_MTU_DISCOVER, _DONT_FRAGMENT = 12, 10, 2
_BUFFER = 4 << 20
_HEADERS = 28  # IPv4 and UDP


@dataclass(slots=True)
class Post:
    """Both sockets of one endpoint: it sends from one and hears with the other."""

    address: str
    sender: socket.socket
    hearer: socket.socket

    @classmethod
    def at(cls, planned: dict[str, Any]) -> Post:
        """Open them in the host's network."""
        with inside(planned["host"]):
            sender, hearer = (socket.socket(socket.AF_INET, socket.SOCK_DGRAM) for _ in "12")
        for each in (sender, hearer):
            each.setblocking(False)  # noqa: FBT003 - the socket module's way
        hearer.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        hearer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, _BUFFER)
        hearer.setsockopt(socket.IPPROTO_IP, socket.IP_RECVTOS, 1)
        hearer.setsockopt(socket.IPPROTO_IP, _IP_RECVTTL, 1)
        sender.setsockopt(socket.IPPROTO_IP, _IP_MTU_DISCOVER, _DONT_FRAGMENT)
        hearer.bind((planned["address"], PORT))
        sender.bind((planned["address"], 0))
        return cls(planned["address"], sender, hearer)

    def close(self) -> None:
        """Close both."""
        self.sender.close()
        self.hearer.close()


@dataclass(slots=True)
class Heard:
    """What arrived of one pair. gap: the longest silence, ms. delays in ms."""

    count: int = 0
    ttl: int = 0
    tos: int = 0
    marked: int = 0  # ECN CE
    size: int = 0
    last: float = 0.0
    gap: float = 0.0
    gap_at: float = 0.0
    delays: list[float] = field(default_factory=list)

    def note(self, size: int, ttl: int, tos: int, sent: float, now: float) -> None:
        """Count one packet."""
        if self.count and now - self.last > self.gap:
            self.gap, self.gap_at = now - self.last, self.last
        self.count, self.last, self.ttl, self.size = self.count + 1, now, ttl, size
        self.tos = tos
        self.marked += tos & 3 == 3
        self.delays.append((now - sent) * 1000)

    def close(self, end: float) -> None:
        """Count the silence up to the end of the measurement, too."""
        if self.count and end - self.last > self.gap:
            self.gap, self.gap_at = end - self.last, self.last

    def as_data(self) -> dict[str, Any]:
        """Return plain data."""
        ordered = sorted(self.delays) or [0.0]
        return {
            "count": self.count,
            "ttl": self.ttl,
            "dscp": self.tos >> 2,
            "marked": self.marked,
            "size": self.size,
            "gap_ms": round(self.gap * 1000, 1),
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

    def send(self, pair: int, ends: tuple[int, int], number: int, size: int, tos: int) -> bool:
        """Send one packet; False when the host itself has no way there."""
        sender = self.posts[ends[0]].sender
        sender.setsockopt(socket.IPPROTO_IP, socket.IP_TOS, tos)
        head = _HEAD.pack(pair, number, self.run, time.monotonic(), tos >> 2)
        body = head + bytes(max(0, size - _HEADERS - len(head)))
        try:
            sender.sendto(body, (self.posts[ends[1]].address, PORT))
        except OSError:
            return False
        return True

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
                pair, _, run, sent, _ = _HEAD.unpack(data[: _HEAD.size])
                if run == self.run:
                    facts = {kind: value for level, kind, value in more if level == 0}
                    ttl = int.from_bytes(facts[socket.IP_TTL][:1])
                    tos = facts[socket.IP_TOS][0]
                    known = heard.setdefault(pair, Heard())
                    known.note(len(data) + _HEADERS, ttl, tos, sent, now)


def measure(plan: dict[str, Any], ask: dict[str, Any]) -> Any:
    """Do one measurement."""
    kinds = {"matrix": matrix, "flows": flows, "echo": echo}
    if ask["kind"] not in kinds:
        raise LabError(f"no measurement {ask['kind']!r}")
    return kinds[ask["kind"]](plan["endpoints"], ask)


def matrix(endpoints: list[dict[str, Any]], ask: dict[str, Any]) -> dict[str, Any]:
    """Send a packet for each pair, again for those not heard; `rounds` times, `wait` s apart.

    pairs: numbers of endpoints. The answer has what was heard, by the pair's place in the list.
    """
    pairs = [(a, b) for a, b in ask["pairs"]]
    heard: dict[int, Heard] = {}
    with Posts(endpoints, {end for pair in pairs for end in pair}) as posts:
        for number in range(ask["rounds"]):
            for place, ends in enumerate(pairs):
                if place not in heard:
                    posts.send(place, ends, number, ask["size"], ask["dscp"] << 2)
                    posts.hear(0, heard)
            end = time.monotonic() + ask["wait"]
            while (left := end - time.monotonic()) > 0 and len(heard) < len(pairs):
                posts.hear(left, heard)
    return {str(place): each.as_data() for place, each in heard.items()}


def flows(endpoints: list[dict[str, Any]], ask: dict[str, Any]) -> dict[str, Any]:
    """Send steady flows for `seconds`: each {pair, size, tos, rate (packets a second)}."""
    wanted = ask["flows"]
    heard: dict[int, Heard] = {}
    sent = [0] * len(wanted)
    with Posts(endpoints, {end for flow in wanted for end in flow["pair"]}) as posts:
        begin = time.monotonic()
        end = begin + ask["seconds"]
        due = [begin] * len(wanted)
        while (now := time.monotonic()) < end:
            for place, flow in enumerate(wanted):
                while due[place] <= now:
                    posts.send(place, tuple(flow["pair"]), sent[place], flow["size"], flow["tos"])
                    sent[place] += 1
                    due[place] += 1 / flow["rate"]
            posts.hear(min(due) - time.monotonic(), heard)
        drain = time.monotonic() + ask.get("drain", 0.5)
        for each in heard.values():
            each.close(end)
        while (left := drain - time.monotonic()) > 0:
            posts.hear(left, heard)
    return {
        "sent": sent,
        "heard": {str(place): each.as_data() for place, each in heard.items()},
    }


def echo(endpoints: list[dict[str, Any]], ask: dict[str, Any]) -> list[int]:
    """Ask each endpoint's gateway once, by ICMP echo; how many answers came, in order."""
    opened = []
    for number, planned in enumerate(endpoints):
        with inside(planned["host"]):
            line = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
        line.setblocking(False)  # noqa: FBT003 - the socket module's way
        line.bind((planned["address"], 0))
        opened.append((number + 1, line, planned["gateway"]))
    try:
        for warm in (True, False):  # the first time resolves the neighbour
            own = int.from_bytes(os.urandom(2))
            for number, line, gateway in opened:
                line.sendto(_icmp(own, number), (gateway, 0))
            time.sleep(ask["wait"])
            counts = [_answers(line, own, number) for number, line, _ in opened]
            del warm
    finally:
        for _, line, _ in opened:
            line.close()
    return counts


def _icmp(own: int, number: int) -> bytes:
    """Make an echo request (RFC 792) with its checksum (RFC 1071)."""
    head = struct.pack("!BBHHH", 8, 0, 0, own, number & 0xFFFF)
    total = sum(struct.unpack("!4H", head))
    total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!BBHHH", 8, 0, ~total & 0xFFFF, own, number & 0xFFFF)


def _answers(line: socket.socket, own: int, number: int) -> int:
    found = 0
    while True:
        try:
            data = line.recv(2048)
        except BlockingIOError:
            return found
        body = data[(data[0] & 15) * 4 :]
        kind, _, _, whose, which = struct.unpack("!BBHHH", body[:8])
        found += kind == 0 and whose == own and which == number & 0xFFFF
