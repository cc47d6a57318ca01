"""Send test packets, report their receivers, paths and times, and read port counters.

A measurement may request the counters of ports (`watch`) and slower ports (`slowed`). Both are read
and undone here, so no client can leave a port slow.
"""

import contextlib
import math
import select
import socket
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

from fabricgen.operate.lab.engine.counters import counters, growth, slowed
from fabricgen.operate.lab.engine.echo import echo, oversize
from fabricgen.operate.lab.engine.kernel import inside
from fabricgen.operate.lab.engine.probe_sockets import HEADERS, PORT, Heard, Packet, Posts, sending
from fabricgen.operate.lab.engine.world import LabError


def spray(ask: dict[str, Any]) -> list[int]:
    """Send one packet on each of `flows` flows per path; return the number of arrivals by path.

    ways: [[space, address], [space, address]], from and to. size: bytes with the IP header.
    """
    body = bytes(ask["size"] - HEADERS)
    with contextlib.ExitStack() as stack:
        hearers: list[socket.socket] = []
        for _, (space, address) in ask["ways"]:
            with inside(space):
                hearer = stack.enter_context(socket.socket(socket.AF_INET, socket.SOCK_DGRAM))
            hearer.setblocking(False)  # noqa: FBT003 - the socket module takes the argument by position
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


_SETTLES = 0.05
"""Seconds between the last packet and the read of counters: a packet may still be in a queue."""

_ONE = threading.Lock()
"""Two simultaneous measurements would receive and count each other's packets."""

ENOUGH = threading.Event()
"""Ends steady flows early."""


def measure(plan: dict[str, Any], ask: dict[str, Any]) -> Any:
    """Run one measurement."""
    if ask["kind"] not in _KINDS:
        raise LabError(f"unknown measurement {ask['kind']!r}")
    kind = _KINDS[ask["kind"]]
    if not _ONE.acquire(blocking=False):
        raise LabError("another measurement is running in this lab: wait for its end")
    with contextlib.ExitStack() as stack:
        stack.callback(_ONE.release)
        if "slowed" in ask:
            stack.enter_context(slowed(**ask["slowed"]))
        if "watch" not in ask:
            return kind(plan, ask)
        before = counters(ask["watch"])
        answer = kind(plan, ask)
        time.sleep(_SETTLES)
        return {"answer": answer, "counted": growth(before, counters(ask["watch"]))}


def matrix(endpoints: list[dict[str, Any]], ask: dict[str, Any]) -> dict[str, Any]:
    """Send a packet per pair and repeat it for silent pairs: `rounds` times, `wait` s apart.

    pairs: numbers of endpoints. size: bytes with the IP header, one for all or one per pair. The
    answer contains the received packets by index of the pair.
    """
    pairs = [(a, b) for a, b in ask["pairs"]]
    sizes = ask["size"] if isinstance(ask["size"], list) else [ask["size"]] * len(pairs)
    heard: dict[int, Heard] = {}
    with Posts(endpoints, _ends(endpoints, pairs)) as posts:
        for number in range(ask["rounds"]):
            for place, ends in enumerate(pairs):
                if place not in heard:
                    posts.send(
                        Packet(pair=place, number=number, size=sizes[place], tos=ask["dscp"] << 2),
                        ends,
                    )
                    posts.hear(0, heard)
            end = time.monotonic() + ask["wait"]
            while (left := end - time.monotonic()) > 0 and len(heard) < len(pairs):
                posts.hear(left, heard)
    return {str(place): each.as_data() for place, each in heard.items()}


def flows(endpoints: list[dict[str, Any]], ask: dict[str, Any]) -> dict[str, Any]:
    """Send steady flows for `seconds` or until `ENOUGH`: each {pair, size, tos, rate (per second)}.

    Every flow has its own port. late: seconds after which a packet is not sent any more, since a
    paused sender would send all due packets at once; by default all packets are sent. lost: series
    of packets that did not arrive, with the time of the first one and the duration in ms. stood:
    pauses of the sender longer than `late`, with time and duration in ms.
    """
    wanted, late = ask["flows"], ask.get("late", math.inf)
    pairs = [(flow["pair"][0], flow["pair"][1]) for flow in wanted]
    heard: dict[int, Heard] = {}
    slots, kept_back = [0] * len(wanted), [set[int]() for _ in wanted]
    stood: list[list[int]] = []
    ENOUGH.clear()
    with Posts(endpoints, _ends(endpoints, pairs)) as posts, contextlib.ExitStack() as stack:
        senders = [
            stack.enter_context(sending(endpoints[a]["host"], endpoints[a]["address"]))
            for a, _ in pairs
        ]
        begin = time.monotonic()
        end = begin + ask["seconds"]
        due = [begin] * len(wanted)
        while (now := time.monotonic()) < end and not ENOUGH.is_set():
            if now - min(due) > late:
                stood.append([round(1000 * (at - begin)) for at in (min(due), now)])
            for place, flow in enumerate(wanted):
                while due[place] <= now:
                    number = slots[place]
                    packet = Packet(pair=place, number=number, size=flow["size"], tos=flow["tos"])
                    if now - due[place] > late:
                        kept_back[place].add(number)
                    else:
                        posts.send(packet, pairs[place], senders[place])
                    slots[place] += 1
                    due[place] += 1 / flow["rate"]
            posts.hear(min(due) - time.monotonic(), heard)
        sent = [count - len(unsent) for count, unsent in zip(slots, kept_back, strict=True)]
        posts.hear_out(ask.get("drain", 0.5), heard, sum(sent))
    return {
        "sent": sent,
        "stood": [[since, until - since] for since, until in stood],
        "heard": {str(place): each.as_data() for place, each in heard.items()},
        "lost": [
            [
                [round(1000 * first / flow["rate"]), round(1000 * count / flow["rate"])]
                for first, count in heard.get(place, Heard()).lost(slots[place], kept_back[place])
            ]
            for place, flow in enumerate(wanted)
        ],
    }


def classes(endpoints: list[dict[str, Any]], ask: dict[str, Any]) -> dict[str, Any]:
    """Send `count` packets per pair and DSCP, one DSCP after the other, each in its own flow.

    The answer contains by DSCP the number of arrivals and the packets of each queue of the `ports`.
    """
    pairs = [(a, b) for a, b in ask["pairs"]]
    results = {}
    with Posts(endpoints, _ends(endpoints, pairs)) as posts:
        for dscp in ask["dscps"]:
            heard: dict[int, Heard] = {}
            before = counters(ask["ports"])
            for place, (a, b) in enumerate(pairs):
                for number in range(ask["count"]):
                    with sending(endpoints[a]["host"], endpoints[a]["address"]) as sender:
                        packet = Packet(
                            pair=place, number=number, size=ask["size"], tos=dscp << 2 | ask["ecn"]
                        )
                        posts.send(packet, (a, b), sender)
                    posts.hear(0, heard)
            posts.hear_out(ask["wait"], heard, ask["count"] * len(pairs))
            results[str(dscp)] = {
                "heard": sum(each.count for each in heard.values()),
                "kept": sum(each.count for each in heard.values() if each.tos >> 2 == dscp),
                "counted": growth(before, counters(ask["ports"])),
            }
    return results


def _ends(endpoints: list[dict[str, Any]], pairs: Iterable[tuple[int, int]]) -> set[int]:
    """Return the participants: senders, and all endpoints with a destination address."""
    ends = [*pairs]
    asked = {endpoints[target]["address"] for _, target in ends}
    return {source for source, _ in ends} | {
        number for number, each in enumerate(endpoints) if each["address"] in asked
    }


_KINDS: dict[str, Callable[[dict[str, Any], dict[str, Any]], Any]] = {
    "matrix": lambda plan, ask: matrix([*plan["endpoints"], *plan["beyond"]], ask),
    "flows": lambda plan, ask: flows([*plan["endpoints"], *plan["beyond"]], ask),
    "echo": lambda plan, ask: echo(plan["endpoints"], ask),
    "classes": lambda plan, ask: classes(plan["endpoints"], ask),
    "oversize": oversize,
    "spray": lambda _, ask: spray(ask),
}
