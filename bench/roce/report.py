"""What was asked and what was counted in; the result as Markdown out."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

_ECN = ("not ECT", "ECT(1)", "ECT(0)", "CE")
# What soft RoCE counts when a packet was lost, late or refused (rxe_hw_counters.c).
_TROUBLE = {
    "sent again": ("completer_retry_err", "duplicate_request"),
    "out of order": ("out_of_seq_request", "rcvd_seq_err"),
    "given up": ("retry_exceeded_err", "retry_rnr_exceeded_err", "send_err"),
}


def report(ask: dict[str, Any], result: dict[str, Any]) -> str:
    """Return the whole result."""
    here, there = ask["ends"]
    switches = ", ".join(each["name"] for each in ask["plan"]["switches"])
    last = f"{ask['last']['switch']}:{ask['last']['port']}"
    kernel, frr, perftest = (result[word] for word in ("kernel", "frr", "perftest"))
    lines = [
        f"Linux {kernel}, {frr}, perftest {perftest}; qemu without KVM. Switches: {switches}.",
        f"From {here['name']} ({here['address']}) to {there['name']} ({there['address']}).",
        f"{last}, the last port, is slowed to 1/{ask['factor']:,}: {result['rate']}/s.",
    ]
    for run in result["runs"]:
        lines += ["", *_run(ask, run)]
    return "\n".join(lines)


def _run(ask: dict[str, Any], run: dict[str, Any]) -> Iterator[str]:
    tclass, (here, there) = run["tclass"], (end["device"] for end in ask["ends"])
    yield (
        f"**{run['name']}**: traffic class {tclass} (DSCP {tclass >> 2}, {_ECN[tclass & 3]}), "
        f"queue pairs {run['queue_pairs']}, on each {run['messages']} messages of "
        f"{run['bytes']:,} bytes; {run['bits_per_second'] / 1e6:.2f} Mbit/s arrive"
    )
    yield ""
    yield "| | packets | DSCP | TTL | ECN |"
    yield "|--|--|--|--|--|"
    for title, device, way, kind in (
        (f"data leaves {here}", here, "out", "data"),
        (f"data reaches {there}", there, "in", "data"),
        (f"answers leave {there}", there, "out", "answer"),
        (f"answers reach {here}", here, "in", "answer"),
    ):
        seen = [x for x in run["seen"][device] if (x["way"], x["kind"]) == (way, kind)]
        total = sum(each["packets"] for each in seen)
        dscp, ttl = _values(seen, "dscp"), _values(seen, "ttl")
        yield f"| {title} | {total:,} | {dscp} | {ttl} | {_ecn(seen)} |"
    yield ""
    cnps = sum(x["packets"] for nic in run["seen"].values() for x in nic if x["kind"] == "CNP")
    yield f"Congestion notifications {cnps}; soft RoCE: " + ", ".join(
        f"{word} {sum(counts[name] for counts in run['rxe'].values() for name in names)}"
        for word, names in _TROUBLE.items()
    )
    yield ""
    yield from _queues(ask, run)


def _values(seen: Iterable[dict[str, Any]], key: str) -> str:
    return ", ".join(str(value) for value in sorted({each[key] for each in seen}))


def _ecn(seen: Iterable[dict[str, Any]]) -> str:
    counts = Counter[int]()
    for each in seen:
        counts[each["ecn"]] += each["packets"]
    return ", ".join(f"{_ECN[bits]} {number:,}" for bits, number in sorted(counts.items()))


def _queues(ask: dict[str, Any], run: dict[str, Any]) -> Iterator[str]:
    """Write a line for each neighbor a switch sent to: packets by class, marks, drops."""
    classes = ask["classes"]
    words = ["egress", *classes.values(), "marked", "dropped"]
    yield f"| {' | '.join(words)} |"
    yield "|--" * len(words) + "|"
    ports = run["queues"]
    for (switch, peer), names in _neighbors(ask).items():
        mine = [ports[switch][name] for name in names]
        counts = [sum(port[each]["packets"] for port in mine) for each in classes]
        marked = sum(port[each].get("marked", 0) for port in mine for each in classes)
        dropped = sum(port[each]["dropped"] for port in mine for each in classes)
        title = f"{switch} to {peer}, {len(names)} port{'s' * (len(names) > 1)}"
        cells = [title, *(f"{number:,}" for number in (*counts, marked, dropped))]
        yield f"| {' | '.join(cells)} |"


def _neighbors(ask: dict[str, Any]) -> dict[tuple[str, str], list[str]]:
    """Return the ports of each switch by whom they lead to; NICs that stay silent are left out."""
    switches = {each["name"] for each in ask["plan"]["switches"]}
    nics = {(end["host"], end["device"]) for end in ask["ends"]}
    found: dict[tuple[str, str], list[str]] = {}
    for cable in ask["plan"]["cables"]:
        a, b = (cable["a"], cable["a_port"]), (cable["b"], cable["b_port"])
        if cable["a"] in switches:
            found.setdefault((cable["a"], cable["b"]), []).append(cable["a_port"])
        if cable["a"] in switches or a in nics:
            found.setdefault((b[0], a[0] if a not in nics else ":".join(a)), []).append(b[1])
    return dict(sorted(found.items(), key=lambda each: (_along(ask, *each[0]), each[0])))


def _along(ask: dict[str, Any], switch: str, peer: str) -> int:
    """Return how far along the way there and back a switch sends to a peer."""
    here, there = ask["ends"]
    way = (
        switch == here["leaf"] and ":" not in peer,
        peer == there["leaf"],
        switch == there["leaf"] and ":" in peer,
        switch == there["leaf"],
        peer == here["leaf"],
        True,
    )
    return way.index(True)
