"""Ping servers through VRFs from sockets, so that no state remains on the switch.

A raw socket of ICMP (RFC 792) uses the routing of the VRF whose device it is bound to
(docs.kernel.org/networking/vrf.html). It sends the given bytes behind the IPv4 header.
"""

from __future__ import annotations

import contextlib
import os
import select
import socket
import struct
import time
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_RATE = 100.0  # packets a second
_ROUNDS = 3  # in which a silent server is pinged
_WAIT = 1.0  # seconds for the answers to a round
_REQUEST, _REPLY = 8, 0
_PAYLOAD = bytes(56)  # as ping(8) sends by default


class Echo(NamedTuple):
    """One ping: the VRF, its source address, and its target address."""

    vrf: str
    source: str
    far: str


class Echoes:
    """The sockets of one probe run; `stack` closes them."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self._ends: dict[tuple[str, str], socket.socket] = {}
        self._token = os.getpid() & 0xFFFF

    def hear(self, asked: Mapping[int, Echo]) -> set[int]:
        """Ping in several rounds until each server has answered; return the answered pings."""
        heard: set[int] = set()
        for _ in range(_ROUNDS):
            for number in sorted(asked.keys() - heard):
                with contextlib.suppress(OSError):  # no such VRF, address or route
                    self._at(asked[number]).sendto(self._packet(number), (asked[number].far, 0))
                self._listen(1 / _RATE, asked, heard, early=False)
            self._listen(_WAIT, asked, heard, early=True)
        return heard

    def _at(self, echo: Echo) -> socket.socket:
        """Return the socket of a VRF and a source. OSError: the switch lacks one of them."""
        key = (echo.vrf, echo.source)
        if key not in self._ends:
            end = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
            try:
                end.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, echo.vrf.encode())
                end.bind((echo.source, 0))
            except OSError:
                end.close()
                raise
            self._ends[key] = self._stack.enter_context(end)
        return self._ends[key]

    def _packet(self, number: int) -> bytes:
        head = struct.pack("!BBHHH", _REQUEST, 0, 0, self._token, number & 0xFFFF)
        return (
            struct.pack(
                "!BBHHH", _REQUEST, 0, checksum(head + _PAYLOAD), self._token, number & 0xFFFF
            )
            + _PAYLOAD
        )

    def _listen(
        self, seconds: float, asked: Mapping[int, Echo], heard: set[int], *, early: bool
    ) -> None:
        """Listen for some seconds. `early`: or until all have answered."""
        end = time.monotonic() + seconds
        while not (early and heard >= asked.keys()):
            left = end - time.monotonic()
            if left <= 0:
                return
            for one in select.select(list(self._ends.values()), [], [], left)[0]:
                far, number = self._answered(one)
                if number in asked and asked[number].far == far:
                    heard.add(number)

    def _answered(self, end: socket.socket) -> tuple[str, int]:
        """Return the sender of an answer and its ping; empty if the packet is no such answer."""
        with contextlib.suppress(OSError):
            packet, (far, _) = end.recvfrom(256)
            length = (packet[0] & 0xF) * 4 if packet else 0
            if len(packet) >= length + 8:
                kind, _, _, token, number = struct.unpack_from("!BBHHH", packet, length)
                if (kind, token) == (_REPLY, self._token):
                    return str(far), int(number)
        return "", -1


def checksum(data: bytes) -> int:
    """Return the checksum of ICMP (RFC 1071)."""
    total: int = sum(struct.unpack(f"!{len(data) // 2}H", data))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return ~total & 0xFFFF


def echoes(asked: Sequence[Mapping[str, str]], stack: contextlib.ExitStack) -> list[bool]:
    wanted = {
        number: Echo(one["vrf"], one["source"], one["far"]) for number, one in enumerate(asked)
    }
    answered = Echoes(stack).hear(wanted) if wanted else set()
    return [number in answered for number in wanted]
