"""Sends a frame of stdin's lines into a port each, and prints its TOS byte behind the port's marks.

A packet socket of one protocol hears what has passed the hook of nftables at ingress; one of all
protocols would hear it before (net/core/dev.c, __netif_receive_skb_core).
"""

import ctypes
import os
import socket
import sys

_TYPES = {4: 0x0800, 6: 0x86DD}
_UDP, _NEWNET = 17, 0x40000000
_ADDRESSES = bytes.fromhex("ffffffffffff020000000001")


def packet(family: int, tos: int) -> bytes:
    """Return a packet without payload; its checksum is right."""
    if family == 6:
        first = (6 << 28 | tos << 20).to_bytes(4)
        return first + bytes([0, 0, _UDP, 1]) + bytes(15) + b"\1" + bytes(15) + b"\2"
    head = bytes([0x45, tos, 0, 20, 0, 0, 0, 0, 1, _UDP, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2])
    total = sum(int.from_bytes(head[at : at + 2]) for at in range(0, 20, 2))
    while total >> 16:
        total = (total & 0xFFFF) + (total >> 16)
    return head[:10] + (0xFFFF - total).to_bytes(2) + head[12:]


def heard(end: socket.socket, family: int) -> int:
    """Return the TOS byte of our packet: a kernel says things of its own."""
    while True:
        seen = end.recv(128)
        if seen[9 if family == 4 else 6] == _UDP:
            return seen[1] if family == 4 else (int.from_bytes(seen[:2]) >> 4) & 0xFF


def passed(port: str, vlan: int, family: int, tos: int) -> int:
    """Send one packet and return its TOS byte behind the marks."""
    kind = _TYPES[family]
    tag = b"" if not vlan else (0x8100 << 16 | vlan).to_bytes(4)
    with socket.socket(socket.AF_PACKET, socket.SOCK_DGRAM, socket.htons(kind)) as end:
        end.bind((port, kind))
        end.settimeout(20)
        SENDER.sendto(_ADDRESSES + tag + kind.to_bytes(2) + packet(family, tos), (port, 0))
        return heard(end, family)


def in_space(path: str) -> socket.socket:
    """Return a socket of another network namespace; this program stays in its own."""
    own = os.open("/proc/self/ns/net", os.O_RDONLY)
    for place in (os.open(path, os.O_RDONLY), own):
        if place == own:
            made = socket.socket(socket.AF_PACKET, socket.SOCK_RAW)
        assert not ctypes.CDLL(None).setns(place, _NEWNET)
    return made


if __name__ == "__main__":
    SENDER = in_space("/run/netns/servers")
    for line in sys.stdin:
        name, *numbers = line.split()
        print(passed(name, *map(int, numbers)))  # noqa: T201 - the answer
