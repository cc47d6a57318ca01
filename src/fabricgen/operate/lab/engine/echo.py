"""Send ICMP echoes and oversize packets from endpoints, and count the answers."""

import contextlib
import os
import socket
import struct
import time
from collections.abc import Iterator
from typing import Any

from fabricgen.operate.lab.engine.kernel import inside
from fabricgen.operate.lab.engine.probe_sockets import Heard, Packet, Posts, version_of
from fabricgen.operate.lab.engine.wires import batch

_RECVERR = {socket.IPPROTO_IP: 11, socket.IPPROTO_IPV6: 25}
_MSG_ERRQUEUE = 0x2000
_ERROR = struct.Struct("=IBBBBII")  # linux/errqueue.h, struct sock_extended_err
_TOO_BIG = {socket.IPPROTO_IP: (2, 3, 4), socket.IPPROTO_IPV6: (3, 2, 0)}
"""SO_EE_ORIGIN_ICMP or _ICMP6, and type and code: RFC 792, fragmentation needed and DF set; RFC
4443, packet too big.
"""
_OFFENDER = {
    socket.IPPROTO_IP: (socket.AF_INET, slice(4, 8)),
    socket.IPPROTO_IPV6: (socket.AF_INET6, slice(8, 24)),
}
"""Position of the router's address in the following struct sockaddr (ip(7), ipv6(7))."""


def oversize(plan: dict[str, Any], ask: dict[str, Any]) -> list[dict[str, Any]]:
    """Send one packet per pair that is a byte larger than its sender's MTU.

    The MTU of the sender's links is increased by a byte for this test. The answer contains for each
    pair whether the packet arrived, or the router and the MTU of its ICMP error.
    """
    endpoints, pairs = plan["endpoints"], [(a, b) for a, b in ask["pairs"]]
    hosts = {each["name"]: each for each in plan["hosts"]}
    used = {end for pair in pairs for end in pair}
    refusals: dict[int, tuple[str, int]] = {}
    heard: dict[int, Heard] = {}
    names = {endpoints[end]["host"] for end in used}
    with _stretched([hosts[name] for name in sorted(names)]), Posts(endpoints, used) as posts:
        for place, (a, b) in enumerate(pairs):
            sender = posts.posts[a].sender
            level = version_of(endpoints[a]["address"]).level
            sender.setsockopt(level, _RECVERR[level], 1)
            posts.send(Packet(pair=place, number=0, size=endpoints[a]["mtu"] + 1, tos=0), (a, b))
            end = time.monotonic() + ask["wait"]
            while place not in refusals and place not in heard and time.monotonic() < end:
                posts.hear(0.02, heard)
                if refusal := _refusal(sender):
                    refusals[place] = refusal
    return [
        {
            "heard": place in heard,
            "by": refusals.get(place, ("", 0))[0],
            "mtu": refusals.get(place, ("", 0))[1],
        }
        for place in range(len(pairs))
    ]


@contextlib.contextmanager
def _stretched(hosts: list[dict[str, Any]]) -> Iterator[None]:
    """Increase the MTU of hosts by a byte, lower links first; restore it in reverse order."""
    try:
        for host in hosts:
            batch((_mtu(each, 1) for each in host["interfaces"]), host["name"])
        yield
    finally:
        for host in hosts:
            batch((_mtu(each, 0) for each in reversed(host["interfaces"])), host["name"])


def _mtu(interface: dict[str, Any], more: int) -> str:
    return f"link set {interface['name']} mtu {interface['mtu'] + more}"


def _refusal(sender: socket.socket) -> tuple[str, int] | None:
    """Return the router and the MTU of a received "packet too big"; None without one."""
    try:
        _, more, _, _ = sender.recvmsg(0, 512, _MSG_ERRQUEUE)
    except BlockingIOError:
        return None
    for level, kind, value in more:
        if kind == _RECVERR.get(level):
            _, origin, what, code, _, mtu, _ = _ERROR.unpack(value[: _ERROR.size])
            if (origin, what, code) == _TOO_BIG[level]:
                family, place = _OFFENDER[level]
                return socket.inet_ntop(family, value[_ERROR.size :][place]), mtu
    return None


_REQUEST = {socket.AF_INET: 8, socket.AF_INET6: 128}
_REPLY = {socket.AF_INET: 0, socket.AF_INET6: 129}
"""Types of messages (RFC 792, RFC 4443)."""
_PROTOCOL = {socket.AF_INET: socket.IPPROTO_ICMP, socket.AF_INET6: socket.IPPROTO_ICMPV6}


def echo(endpoints: list[dict[str, Any]], ask: dict[str, Any]) -> list[int]:
    """Ping each endpoint's gateway once; return the numbers of answers in order."""
    opened = []
    for number, planned in enumerate(endpoints):
        with inside(planned["host"]):
            family = version_of(planned["address"]).family
            line = socket.socket(family, socket.SOCK_RAW, _PROTOCOL[family])
        line.setblocking(False)  # noqa: FBT003 - the socket module takes the argument by position
        line.bind((planned["address"], 0))
        opened.append((number + 1, line, planned["gateway"]))
    try:
        for warm in (True, False):  # the first time resolves the neighbor
            own = int.from_bytes(os.urandom(2))
            for number, line, gateway in opened:
                line.sendto(_icmp(_REQUEST[line.family], own, number), (gateway, 0))
            time.sleep(ask["wait"])
            counts = [_answers(line, own, number) for number, line, _ in opened]
            del warm
    finally:
        for _, line, _ in opened:
            line.close()
    return counts


def _icmp(kind: int, own: int, number: int) -> bytes:
    """Make an echo request with its checksum (RFC 1071); the kernel sets that of ICMPv6."""
    head = struct.pack("!BBHHH", kind, 0, 0, own, number & 0xFFFF)
    total = sum(struct.unpack("!4H", head))
    total = (total & 0xFFFF) + (total >> 16)
    return struct.pack("!BBHHH", kind, 0, ~total & 0xFFFF, own, number & 0xFFFF)


def _answers(line: socket.socket, own: int, number: int) -> int:
    count = 0
    while True:
        try:
            data = line.recv(2048)
        except BlockingIOError:
            return count
        # the kernel removes the IPv6 header
        body = data[(data[0] & 15) * 4 :] if line.family == socket.AF_INET else data
        kind, _, _, whose, which = struct.unpack("!BBHHH", body[:8])
        count += kind == _REPLY[line.family] and whose == own and which == number & 0xFFFF
