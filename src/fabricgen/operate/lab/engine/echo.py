"""ICMP echo from every endpoint to its gateway: how many routers answer, over IPv4 or IPv6."""

import os
import socket
import struct
import time
from typing import Any

from fabricgen.operate.lab.engine.kernel import inside
from fabricgen.operate.lab.engine.posts import version_of

_REQUEST = {socket.AF_INET: 8, socket.AF_INET6: 128}
_REPLY = {socket.AF_INET: 0, socket.AF_INET6: 129}
"""Types of messages (RFC 792, RFC 4443)."""
_PROTOCOL = {socket.AF_INET: socket.IPPROTO_ICMP, socket.AF_INET6: socket.IPPROTO_ICMPV6}


def echo(endpoints: list[dict[str, Any]], ask: dict[str, Any]) -> list[int]:
    """Ask each endpoint's gateway once, by ICMP echo; how many answers came, in order."""
    opened = []
    for number, planned in enumerate(endpoints):
        with inside(planned["host"]):
            family = version_of(planned["address"]).family
            line = socket.socket(family, socket.SOCK_RAW, _PROTOCOL[family])
        line.setblocking(False)  # noqa: FBT003 - the socket module's way
        line.bind((planned["address"], 0))
        opened.append((number + 1, line, planned["gateway"]))
    try:
        for warm in (True, False):  # the first time resolves the neighbour
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
    """Make an echo request with its checksum (RFC 1071); that of ICMPv6 is the kernel's."""
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
        # of IPv6 the kernel keeps the header
        body = data[(data[0] & 15) * 4 :] if line.family == socket.AF_INET else data
        kind, _, _, whose, which = struct.unpack("!BBHHH", body[:8])
        count += kind == _REPLY[line.family] and whose == own and which == number & 0xFFFF
