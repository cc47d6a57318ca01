"""ICMP echo from every endpoint to its gateway: how many routers answer."""

import os
import socket
import struct
import time
from typing import Any

from fabricgen.lab.engine.kernel import inside


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
    count = 0
    while True:
        try:
            data = line.recv(2048)
        except BlockingIOError:
            return count
        body = data[(data[0] & 15) * 4 :]
        kind, _, _, whose, which = struct.unpack("!BBHHH", body[:8])
        count += kind == 0 and whose == own and which == number & 0xFFFF
