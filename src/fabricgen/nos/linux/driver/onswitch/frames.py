"""Build and read ARP frames, also inside of VXLAN.

ARP: RFC 826. A request from address 0 announces no binding (RFC 5227, 2.1.1), so no table of a
receiver changes. VXLAN: RFC 7348, section 5.
"""

from __future__ import annotations

import socket
import struct
from typing import NamedTuple

ETHERTYPE = 0x0806
NOBODY = "0.0.0.0"  # noqa: S104 - the sender of a probe, not a listening address
_HEAD = struct.pack("!HHBB", 1, 0x0800, 6, 4)  # Ethernet, IPv4, their lengths
_REQUEST, _REPLY = 1, 2
_LONG = 42
_VNI_IS_THERE = 0x08000000


class Reply(NamedTuple):
    """An answer. `to`: MAC of the frame. `mac`, `address`: the binding that it reports."""

    to: str
    mac: str
    address: str


def octets(mac: str) -> bytes:
    return bytes.fromhex(mac.replace(":", ""))


def request(to: str, mac: str, address: str, asked: str) -> bytes:
    """Return an ARP request to one MAC for an address. `mac`, `address`: of the sender."""
    own = octets(mac) + socket.inet_aton(address)
    told = struct.pack("!H", ETHERTYPE) + _HEAD + struct.pack("!H", _REQUEST)
    return octets(to) + octets(mac) + told + own + bytes(6) + socket.inet_aton(asked)


def reply(frame: bytes) -> Reply | None:
    told = struct.pack("!H", ETHERTYPE) + _HEAD + struct.pack("!H", _REPLY)
    if len(frame) < _LONG or frame[12:22] != told:
        return None
    return Reply(frame[:6].hex(":"), frame[22:28].hex(":"), socket.inet_ntoa(frame[28:32]))


def tunneled(vni: int, frame: bytes) -> bytes:
    """Return the payload of a UDP packet to a VTEP."""
    return struct.pack("!II", _VNI_IS_THERE, vni << 8) + frame
