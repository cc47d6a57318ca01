"""Measure how long flows lose packets when a cable or a spine fails.

The verdict is that traffic recovers and that the restored network matches the design again.
Milliseconds are printed next to the BFD budget and never decide: they depend on the machine that
runs the lab.
"""

import contextlib
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

from fabricgen.model.fabric.switch import Fabric
from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.traffic.bench import Bench, Spot, watched
from fabricgen.operate.lab.traffic.proof import Proof, judged, not_asked
from fabricgen.prove.verifier import Verifier

FLOWS, RATE, SIZE = 8, 50, 200  # flows per direction, packets a second, bytes
BEFORE = 1.5  # seconds of traffic before the failure
AFTER = {"cable": 8.0, "switch": 20.0}  # seconds after the failure; a switch has daemons to start
TAIL = 1.0  # last seconds, in which no packet may be lost
PATIENCE = 90  # seconds for the restored network to settle


@dataclass(frozen=True, slots=True, kw_only=True)
class Failure:
    """One failure. what: description before the name. kind: cable | switch."""

    what: str
    name: str
    silent: bool
    kind: str


def convergence(bench: Bench) -> Iterator[Proof]:
    """Fail and restore three objects in each fabric with two paths between leafs."""
    for fabric in bench.fabrics:
        leafs = bench.two_ways(fabric.name)
        if leafs is None:
            why = "no leaf has more than one path to another in this lab"
            yield not_asked(f"{fabric.name}: convergence", why)
            continue
        flows = _flows(bench, fabric.name, leafs)
        for failure in _failures(bench, leafs, flows):
            yield from _broken(bench, fabric, failure, flows)


def _flows(bench: Bench, fabric: str, leafs: tuple[str, str]) -> list[dict[str, Any]]:
    """Return flows in both directions between two leafs, with different hosts if possible."""
    flows = []
    for way in (leafs, leafs[::-1]):
        pairs = bench.between(fabric, *way)
        step = max(1, len(pairs) // FLOWS)
        chosen = [pairs[number * step % len(pairs)] for number in range(FLOWS)]
        flows += [{"pair": (pair.source, pair.target)} for pair in chosen]
    return [{**each, "size": SIZE, "tos": 0, "rate": RATE} for each in flows]


def _failures(
    bench: Bench, leafs: tuple[str, str], flows: list[dict[str, Any]]
) -> Iterator[Failure]:
    """Find the busiest uplink for each failure; fail its cable, and then its spine."""
    for what, silent, kind in (
        ("cut", False, "cable"),
        ("silent loss on", True, "cable"),
        ("dead", True, "switch"),
    ):
        spot = busiest(_counted(bench, bench.leaving(*leafs), flows))
        name = ":".join(spot) if kind == "cable" else bench.cables[spot][0]
        yield Failure(what=what, name=name, silent=silent, kind=kind)


def _counted(
    bench: Bench, uplinks: list[Spot], flows: list[dict[str, Any]]
) -> Mapping[str, Mapping[str, Any]]:
    seen = bench.probe("flows", flows=flows, seconds=1, watch=watched(uplinks))
    counted: Mapping[str, Mapping[str, Any]] = seen["counted"]
    return counted


def busiest(counted: Mapping[str, Mapping[str, Any]]) -> Spot:
    """Return the port that sent most bytes."""
    sent = {
        (switch, port): each["bytes"]
        for switch, ports in counted.items()
        for port, each in ports.items()
    }
    return max(sent, key=lambda spot: sent[spot])


def _broken(
    bench: Bench, fabric: Fabric, failure: Failure, flows: list[dict[str, Any]]
) -> Iterator[Proof]:
    name = f"{fabric.name}: {failure.what} {failure.name}"
    bfd = fabric.routing.bfd
    budget = int(bfd.interval) * bfd.multiplier if bfd else None
    client = bench.client
    try:
        seen = meanwhile(
            bench,
            flows,
            failure.kind,
            lambda: client.call("fail", name=failure.name, silent=failure.silent),
        )
        yield judge(bench, name, flows, seen, budget)
        seen = meanwhile(
            bench, flows, failure.kind, lambda: client.call("restore", name=failure.name)
        )
    finally:
        with contextlib.suppress(LabFailure):  # already restored
            client.call("restore", name=failure.name)
    yield judge(bench, f"{fabric.name}: {failure.name} healed", flows, seen, None)
    yield judged(
        f"{fabric.name}: {failure.name} as before",
        "all switches match the model again",
        settled(Verifier(client.ask, bench.expected)),
    )


def settled(verifier: Verifier) -> list[str]:
    """Wait, and return the remaining differences when no more disappear.

    Routes with missing paths contradict the model, so `settle` does not wait for them. They are
    awaited here, because BGP retries a lost session only after a while.
    """
    end = time.monotonic() + PATIENCE
    while True:
        looks = verifier.settle(max(0.0, end - time.monotonic()))
        left = [each.sentence for look in looks.values() for each in look.differences]
        if not left or time.monotonic() > end:
            return left


def meanwhile(bench: Bench, flows: list[dict[str, Any]], kind: str, act: Any) -> Mapping[str, Any]:
    """Run flows, act a moment after their start, and return their results."""
    seconds = BEFORE + AFTER[kind]
    with ThreadPoolExecutor(1) as pool:
        probe = pool.submit(bench.probe, "flows", flows=flows, seconds=seconds)
        time.sleep(BEFORE)
        act()
        seen: dict[str, Any] = probe.result()
    return {**seen, "seconds": seconds}


def judge(
    bench: Bench,
    name: str,
    flows: Sequence[Mapping[str, Any]],
    seen: Mapping[str, Any],
    budget: int | None,
) -> Proof:
    """Find the flows that still lose packets at the end; report the duration of each loss."""
    tail = 1000 * (seen["seconds"] - TAIL)
    faults = []
    losses = []
    for flow, runs in zip(flows, seen["lost"], strict=True):
        losses.append(sum(length for _, length in runs))
        if any(begin + length > tail for begin, length in runs):
            one, other = (bench.endpoint(end).name for end in flow["pair"])
            faults.append(f"{one} → {other}: still loses packets at the end")
    hurt = [loss for loss in losses if loss]
    sentence = f"{len(hurt)} of {len(losses)} flows lose packets"
    if hurt:
        sentence += f", for {_span(hurt)} ms in this lab, whose FRR has no ASIC"
    if budget is not None:
        sentence += f" (BFD budget {budget} ms)"
    sentence += f"; in the last second {len(faults) or 'none'} lose any"
    return judged(name, sentence, faults, lost_ms=losses, budget_ms=budget)


def _span(losses: Sequence[int]) -> str:
    low, high = min(losses), max(losses)
    return str(low) if low == high else f"{low} to {high}"
