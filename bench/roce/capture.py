"""A NIC in; how many RoCEv2 packets of which DSCP, ECN bits and TTL passed it, each way, out."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
import time
from collections import Counter
from typing import Any

from fabricgen.operate.lab.engine.world import LabError

_ALL = 0x0003  # ETH_P_ALL of linux/if_ether.h
_SOL_PACKET, _PACKET_STATISTICS = 263, 6  # linux/if_packet.h
_ROCE = 4791  # UDP, InfiniBand architecture specification, annex A17
_BUFFER = 32 << 20
_SO_RCVBUFFORCE = 33
_HEADERS = 54  # Ethernet, IPv4, UDP, BTH
_ETHERNET = 14
_OUT = 4  # PACKET_OUTGOING
# Opcodes: SEND of a reliable connection, first to only with immediate, and its acknowledgment
# (rdma/ib_pack.h); RoCEv2's congestion notification packet (InfiniBand specification, annex A17).
_SEND = range(6)
_KINDS = {0x11: "answer", 0x81: "CNP"}


class Capture:
    """Counts what passes a NIC from its making until `end`."""

    def __init__(self, device: str) -> None:
        """Begin."""
        self.device, self._seen = device, Counter[tuple[str, int, int, int, str]]()
        self._socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(_ALL))
        self._socket.setsockopt(socket.SOL_SOCKET, _SO_RCVBUFFORCE, _BUFFER)
        self._socket.bind((device, _ALL))
        self._socket.settimeout(0.5)
        self._first = self._last = 0.0  # data
        self._bytes = 0
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._count, daemon=True)
        self._thread.start()

    def _count(self) -> None:
        while not self._over.is_set():
            with contextlib.suppress(TimeoutError):
                while True:
                    head, origin = self._socket.recvfrom(_HEADERS)
                    self._note(head, "out" if origin[2] == _OUT else "in")

    def _note(self, head: bytes, way: str) -> None:
        if len(head) < _HEADERS or head[12:14] != b"\x08\x00" or head[23] != socket.IPPROTO_UDP:
            return
        (port,) = struct.unpack("!H", head[36:38])
        if port == _ROCE:
            tos, ttl = head[15], head[22]
            kind = "data" if head[42] in _SEND else _KINDS.get(head[42], "other")
            self._seen[way, tos >> 2, tos & 3, ttl, kind] += 1
            if kind == "data":
                self._last = time.monotonic()
                self._first = self._first or self._last
                self._bytes += int.from_bytes(head[16:18]) + _ETHERNET

    @property
    def rate(self) -> float:
        """Bits of data packets per second, from the first to the last."""
        return self._bytes * 8 / (self._last - self._first) if self._last > self._first else 0.0

    def end(self) -> list[dict[str, Any]]:
        """Stop; return the counts. LabError when the kernel had to leave packets out."""
        self._over.set()
        self._thread.join()
        said = self._socket.getsockopt(_SOL_PACKET, _PACKET_STATISTICS, 8)
        self._socket.close()
        _, missed = struct.unpack("II", said)
        if missed:
            raise LabError(f"{self.device}: {missed} packets passed uncounted")
        words = ("way", "dscp", "ecn", "ttl", "kind")
        return [
            {**dict(zip(words, key, strict=True)), "packets": number}
            for key, number in sorted(self._seen.items())
        ]
