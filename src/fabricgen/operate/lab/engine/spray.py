"""Many flows between two addresses: for switches and hosts alike, told apart by their ports."""

import contextlib
import select
import socket
import time
from typing import Any

from fabricgen.operate.lab.engine.kernel import inside
from fabricgen.operate.lab.engine.posts import HEADERS, PORT, sending


def spray(ask: dict[str, Any]) -> list[int]:
    """Send one packet on each of `flows` flows a way; how many arrived, by way.

    ways: [[space, address], [space, address]], from and to. size: bytes with the IP header.
    """
    body = bytes(ask["size"] - HEADERS)
    with contextlib.ExitStack() as stack:
        hearers: list[socket.socket] = []
        for _, (space, address) in ask["ways"]:
            with inside(space):
                hearer = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            hearer.setblocking(False)  # noqa: FBT003 - the socket module's way
            hearer.bind((address, PORT))
            hearers.append(hearer)
        counts = [0] * len(hearers)
        for _ in range(ask["flows"]):
            for (space, address), (_, target) in ask["ways"]:
                with sending(space, address) as sender, contextlib.suppress(OSError):
                    sender.sendto(body, (target, PORT))
            _take(hearers, counts, 0)
        end = time.monotonic() + ask["wait"]
        while sum(counts) < ask["flows"] * len(counts) and (left := end - time.monotonic()) > 0:
            _take(hearers, counts, left)
    return counts


def _take(hearers: list[socket.socket], counts: list[int], wait: float) -> None:
    ready, _, _ = select.select(hearers, [], [], wait)
    for place, hearer in enumerate(hearers):
        while hearer in ready:
            try:
                hearer.recv(65535)
            except BlockingIOError:
                break
            counts[place] += 1
