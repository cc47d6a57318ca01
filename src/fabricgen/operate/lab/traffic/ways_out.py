"""Prove that the next external router takes over when one fails."""

import contextlib
from collections.abc import Iterator

from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.outside.routers import Router, routers
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.convergence import RATE, SIZE, judge, meanwhile, settled
from fabricgen.operate.lab.traffic.outside import Packet, leaving, packets
from fabricgen.operate.lab.traffic.proof import Proof, judged
from fabricgen.prove.verifier import Verifier


def ways_out(bench: Bench) -> Iterator[Proof]:
    """Fail and restore each external router with a redundant path."""
    every = routers(bench.site, bench.plan.names)
    for router in every:
        left = [each for each in every if each is not router]
        if moving := moved(leaving(bench, every), leaving(bench, left)):
            yield from _lost(bench, router, left, moving)


def moved(before: list[Packet], after: list[Packet]) -> list[Packet]:
    """Return the packets whose receiver changes."""
    now = {(each.source, each.target): each.hearers for each in after}
    return [
        each
        for each in before
        for then in (now.get((each.source, each.target), frozenset()),)
        if each.hearers and then and not each.hearers & then
    ]


def _lost(
    bench: Bench, router: Router, left: list[Router], moving: list[Packet]
) -> Iterator[Proof]:
    """Yield the losses of flows, and the path of packets during the failure and after it.

    Without a BGP session the link goes down as well, because no other signal shows the failure.
    """
    flows = [
        {"pair": (each.source, each.target), "size": SIZE, "tos": 0, "rate": RATE}
        for each in moving
    ]
    bfd = router.tables[0].fabric.routing.bfd
    budget = int(bfd.interval) * bfd.multiplier if bfd is not None else None
    client, name = bench.client, router.name
    heard = all(each.speaks for table in router.tables for each in table.sessions)
    try:
        seen = meanwhile(
            bench, flows, "switch", lambda: client.call("fail", name=name, silent=heard)
        )
        yield judge(bench, f"dead {name}", flows, seen, budget)
        yield from packets(bench, left, f"without {name}: ")
        client.call("restore", name=name)
    finally:
        with contextlib.suppress(LabFailure):  # already restored
            client.call("restore", name=name)
    yield judged(
        f"{name} as before",
        "all switches match the model again",
        settled(Verifier(client.ask, bench.expected)),
    )
    yield from packets(bench, routers(bench.site, bench.plan.names), f"{name} healed: ")
