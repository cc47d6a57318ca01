"""What runs, beside the model: interfaces, addresses, sessions, VNIs, routes; and the cables."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fabricgen.lab.traffic.proof import judged
from fabricgen.proof.compare.cables import cables
from fabricgen.proof.compare.difference import Sides
from fabricgen.proof.verifier import Verifier

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from fabricgen.lab.traffic.bench import Bench
    from fabricgen.lab.traffic.proof import Proof
    from fabricgen.proof.verifier import Look

PATIENCE = 30
"""Seconds: on a busy machine BFD may have reset a session a moment ago."""


def running(bench: Bench) -> Iterator[Proof]:
    """Look at every switch as `lab status` does, until nothing moves any more."""
    return judge(Verifier(bench.client.ask, bench.expected).settle(PATIENCE))


def judge(looks: Mapping[str, Look]) -> Iterator[Proof]:
    """Return a line for the switches' state, and one for the cables that LLDP sees."""
    cabling = {name: set(cables(Sides(e.expected, e.observed))) for name, e in looks.items()}
    found = [(each, each in cabling[name]) for name, e in looks.items() for each in e.differences]
    same = sum(not look.differences for look in looks.values())
    yield judged(
        "running state",
        f"{same} of {len(looks)} switches run as the model says: interfaces, addresses, BGP, BFD, "
        "VRFs, VNIs, routes and queues",
        (each.sentence for each, of_cable in found if not of_cable),
    )
    wanted = sum(each.required for look in looks.values() for each in look.expected.neighbours)
    seen = sum(len(look.observed.neighbours) for look in looks.values())
    yield judged(
        "cabling",
        f"LLDP sees {seen} neighbours, the model has {wanted} between switches",
        (each.sentence for each, of_cable in found if of_cable),
    )
