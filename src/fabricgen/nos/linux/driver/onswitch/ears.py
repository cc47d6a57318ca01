"""Send probe packets from raw sockets and collect the answers.

A socket needs no device, address or route of its own. It ends with its process, so no state remains
on the switch.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import select
import socket
import struct
import time
import zlib
from typing import TYPE_CHECKING, Callable, NamedTuple

from fabricgen.nos.linux.driver.onswitch import frames

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_RATE = 100.0  # packets a second
_ROUNDS = 3  # in which a silent end is probed
_WAIT = 1.0  # seconds for the answers to a round
_SOURCES = 49152, 16384  # first port and number of ports for senders (RFC 7348, section 5)
_ALL_FRAMES = 3  # ETH_P_ALL of linux/if_ether.h: received before a bridge takes them
_OUTGOING = 4  # PACKET_OUTGOING of linux/if_packet.h
_FILTER = 26  # SO_ATTACH_FILTER of asm-generic/socket.h
# Load the ethertype; if it is ARP, keep the frame; else drop it (linux/bpf_common.h).
_ARP = ((0x28, 0, 0, 12), (0x15, 0, 1, frames.ETHERTYPE), (0x06, 0, 0, 128), (0x06, 0, 0, 0))


class Packet(NamedTuple):
    """One probe. `at`: the device of its answer. `answers`: whether a reply there belongs to it.

    `frames`: frames to send by `out`.
    """

    at: str
    answers: Callable[[frames.Reply], bool]
    out: socket.socket
    frames: Sequence[bytes]


class Ears:
    """The sockets of one probe run; `stack` closes them."""

    def __init__(self, stack: contextlib.ExitStack) -> None:
        self._stack = stack
        self._at: dict[str, socket.socket] = {}
        self._token = os.urandom(3).hex(":")
        self._names = 0

    def at(self, device: str) -> socket.socket:
        """Return the socket that receives and sends ARP at a device. OSError without the device."""
        if device not in self._at:
            ear = self._stack.enter_context(socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0))
            lines = b"".join(struct.pack("HBBI", *line) for line in _ARP)
            kept = ctypes.create_string_buffer(lines, len(lines))
            program = struct.pack("HL", len(_ARP), ctypes.addressof(kept))
            ear.setsockopt(socket.SOL_SOCKET, _FILTER, program)
            ear.bind((device, _ALL_FRAMES))
            self._at[device] = ear
        return self._at[device]

    def name(self) -> str:
        """Return a MAC that no other probe has, here or elsewhere: a local one (IEEE 802)."""
        self._names += 1
        return f"06:{self._token}:{self._names >> 8:02x}:{self._names & 0xFF:02x}"

    def tunnel(self, source: str, far: tuple[str, int], flow: str) -> socket.socket:
        """Return a UDP socket of the underlay. Each flow has a fixed port, so a fixed path."""
        out = self._stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
        out.setsockopt(socket.SOL_SOCKET, socket.SO_BINDTODEVICE, b"")  # in any VRF of sshd
        out.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # two flows may have one port
        first, many = _SOURCES
        out.bind((source, first + zlib.crc32(flow.encode()) % many))
        out.connect(far)
        return out

    def hear(self, packets: Mapping[int, Packet]) -> set[int]:
        """Send several rounds until each probe is answered; return the answered ones."""
        heard: set[int] = set()
        for _ in range(_ROUNDS):
            for number in sorted(packets.keys() - heard):
                with contextlib.suppress(OSError):  # no route, or the device is down
                    for frame in packets[number].frames:
                        packets[number].out.send(frame)
                self._listen(1 / _RATE, packets, heard, early=False)
            self._listen(_WAIT, packets, heard, early=True)
        return heard

    def _listen(
        self, seconds: float, packets: Mapping[int, Packet], heard: set[int], *, early: bool
    ) -> None:
        """Listen for some seconds. `early`: or until all are answered."""
        end = time.monotonic() + seconds
        while not (early and heard >= packets.keys()):
            left = end - time.monotonic()
            if left <= 0:
                return
            for ear in select.select(list(self._at.values()), [], [], left)[0]:
                heard |= _answered(ear, packets)


def _answered(ear: socket.socket, packets: Mapping[int, Packet]) -> set[int]:
    """Return the probes that a frame answers."""
    with contextlib.suppress(OSError):  # the device is removed, or down
        frame, (device, _, kind, *_) = ear.recvfrom(128)
        reply = frames.reply(frame) if kind != _OUTGOING else None
        if reply is not None:
            return {
                number for number, one in packets.items() if one.at == device and one.answers(reply)
            }
    return set()
