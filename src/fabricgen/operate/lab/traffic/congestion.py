"""Prove with an incast which packets are marked, which wait and which are lost.

The model's ports have 100 Gbit/s and more, and a lab forwards a thousandth of that. So the classes
of one egress port are scaled down for the time of the measurement. Thresholds in bytes stay as
rendered.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from fabricgen.core.tree.facts import Attributes
from fabricgen.model.fabric.qos import Kind, Qos
from fabricgen.model.fabric.switch import Fabric
from fabricgen.operate.lab.traffic.bench import Bench, Spot
from fabricgen.operate.lab.traffic.classes import ECT, class_of
from fabricgen.operate.lab.traffic.proof import Proof, judged, not_asked

RATE = 20_000_000
"""bit/s of the slowed port: 280 jumbo frames a second, which a user-mode kernel forwards."""
SENDERS = 3
SECONDS = 3
BULK, SMALL = 8900, 200  # bytes of a packet that fills the queue, and of one that must not wait
SMALL_RATE = 50  # such packets a second
PLAIN = 0  # DSCP of best-effort traffic
PLAIN_PART = 0.1  # share of the port's rate


@dataclass(frozen=True, slots=True, kw_only=True)
class Incast:
    """The flows to one port. marked, strict: a DSCP of the marked and of the strict class."""

    spot: Spot
    plan: Attributes
    marked: int
    strict: int
    target: str

    @property
    def codes(self) -> tuple[int, ...]:
        """Return the DSCPs of the flows, one sender after the other."""
        return (*[self.marked] * SENDERS, self.strict, PLAIN)


def congestion(bench: Bench) -> Iterator[Proof]:
    """Overload the port of one host from several others, in each fabric with ECN marking."""
    for fabric in bench.fabrics:
        name = f"{fabric.name}: incast"
        codes = _codes(fabric.qos) if fabric.qos else None
        target, sources = _meeting(bench, fabric)
        if codes is None or target is None:
            why = (
                "no class has ECN marking"
                if codes is None
                else f"no {SENDERS} hosts can reach a common host"
            )
            yield not_asked(name, f"{why}, so no queue can be tested")
            continue
        spot = bench.last(bench.endpoint(target))[0]
        plan = bench.queues[spot]
        marked, strict = codes
        incast = Incast(
            spot=spot,
            plan=plan,
            marked=marked,
            strict=strict,
            target=bench.endpoint(target).name,
        )
        yield judge(name, incast, _measured(bench, incast, sources, target))


def _codes(qos: Qos) -> tuple[int, int] | None:
    """Return a DSCP with ECN marking and a strict one, preferably that of CNP."""
    marked = [item for item in qos.classes if item.marking and item.dscps]
    strict = sorted((item for item in qos.classes if item.strict), key=lambda c: c.kind != Kind.CNP)
    return (marked[0].dscps[0], strict[0].dscps[0]) if marked and strict else None


def _meeting(bench: Bench, fabric: Fabric) -> tuple[int | None, list[int]]:
    """Choose an endpoint that enough other hosts can reach, and one endpoint of each host."""
    by_target: dict[int, dict[str, int]] = {}
    for pair in bench.measured(fabric.name):
        sources = by_target.setdefault(pair.target, {})
        sources.setdefault(bench.endpoint(pair.source).host, pair.source)
        if len(sources) == SENDERS:
            return pair.target, list(sources.values())
    return None, []


def _measured(bench: Bench, incast: Incast, sources: list[int], target: int) -> Any:
    switch, port = incast.spot
    batch = bench.client.execute(switch, ("cat", "/etc/fabricgen/tc.batch")).stdout
    bulk = min(BULK, bench.endpoint(target).mtu)
    marks = next(each for name, each in incast.plan.items() if name.startswith("marking"))
    rates = (*[_overload(int(marks[1])) / SENDERS / bulk] * SENDERS, SMALL_RATE)
    return bench.probe(
        "flows",
        flows=[
            {
                "pair": (sources[place % SENDERS], target),
                "size": SMALL if dscp == incast.strict else bulk,
                "tos": dscp << 2 | ECT,
                "rate": rate,
            }
            for place, (dscp, rate) in enumerate(
                zip(incast.codes, (*rates, PLAIN_PART * RATE / 8 / bulk), strict=True)
            )
        ],
        seconds=SECONDS,
        drain=4,
        watch={switch: [port]},
        slowed={"switch": switch, "port": port, "rate": RATE, "batch": batch},
    )


def _overload(maximum: int) -> float:
    """Return the bytes per second that fill the queue past its maximum, but not to its limit.

    The limit is four times the maximum (in tc.batch), so the target is between the two.
    """
    left = (1 - PLAIN_PART) * RATE / 8 - SMALL * SMALL_RATE
    return left + 2.5 * maximum / SECONDS


def judge(name: str, incast: Incast, seen: Mapping[str, Any]) -> Proof:
    """Check ECN marking, losses, and the relative latency of classes, without a clock."""
    heard, sent = seen["answer"]["heard"], seen["answer"]["sent"]
    flows = [heard.get(str(place)) for place in range(len(sent))]
    bulk, strict, plain = flows[0], flows[SENDERS], flows[SENDERS + 1]
    if not (bulk and strict and plain):
        silent = [incast.codes[place] for place, flow in enumerate(flows) if not flow]
        faults = [f"no packet of DSCP {dscp} arrives at {incast.target}" for dscp in silent]
        return judged(name, f"to {incast.target}", faults)
    arrived = [flow for flow in flows[:SENDERS] if flow]
    marked, count = (sum(flow[word] for flow in arrived) for word in ("marked", "count"))
    faults = list(_faults(incast, seen, marked, {incast.strict: strict, PLAIN: plain}))
    switch, port = incast.spot
    sentence = (
        f"{SENDERS} hosts to {incast.target}: {marked} of {count} packets of DSCP "
        f"{incast.marked} are CE-marked; DSCP {incast.strict} waits {strict['p50_ms']} ms "
        f"(p99 {strict['p99_ms']} ms) while DSCP {incast.marked} waits {bulk['p50_ms']} ms "
        f"(p99 {bulk['p99_ms']} ms), and {_dropped(incast, seen, incast.strict)} packets of "
        f"the strict class are dropped; {switch}:{port} was slowed to {RATE // 10**6} Mbit/s "
        "with rendered thresholds, and its queues were restored"
    )
    figures = {"marked": marked, "count": count, "strict": strict, "bulk": bulk, "plain": plain}
    return judged(name, sentence, faults, **figures)


def _faults(
    incast: Incast, seen: Mapping[str, Any], marked: int, others: Mapping[int, Mapping[str, Any]]
) -> Iterator[str]:
    at = ":".join(incast.spot)
    if not marked:
        yield f"{at}: no packet of DSCP {incast.marked} is CE-marked, although its queue grew"
    for dscp, flow in others.items():
        if flow["marked"]:
            yield (
                f"{at}: {flow['marked']} packets of DSCP {dscp} are CE-marked, but its class has "
                "no marking"
            )
    sent, strict = seen["answer"]["sent"][SENDERS], others[incast.strict]
    if strict["count"] < sent or _dropped(incast, seen, incast.strict):
        yield f"{at}: {sent - strict['count']} of {sent} packets of DSCP {incast.strict} are lost"
    bulk = seen["answer"]["heard"]["0"]
    if 2 * strict["p50_ms"] > bulk["p50_ms"] or strict["p99_ms"] > bulk["p99_ms"]:
        yield (
            f"{at}: DSCP {incast.strict} waits {strict['p50_ms']} ms (p99 "
            f"{strict['p99_ms']}), hardly less than DSCP {incast.marked} with "
            f"{bulk['p50_ms']} ms (p99 {bulk['p99_ms']})"
        )


def _dropped(incast: Incast, seen: Mapping[str, Any], dscp: int) -> int:
    switch, port = incast.spot
    queue = seen["counted"][switch][port]["queues"].get(class_of(incast.plan, dscp), {})
    drops: int = queue.get("drops", 0)
    return drops
