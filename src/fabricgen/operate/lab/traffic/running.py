"""Compares the running state with the model: interfaces, addresses, sessions, VNIs and routes."""

from collections.abc import Iterator, Mapping

from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.proof import Proof, judged
from fabricgen.prove.verifier import Look, Verifier

_CABLE = ("cable",)
PATIENCE = 30
"""Seconds: on a busy machine BFD may have reset a session a moment ago."""


def running(bench: Bench) -> Iterator[Proof]:
    """Look at every switch as `lab status` does, until nothing moves any more."""
    return judge(Verifier(bench.client.ask, bench.expected).settle(PATIENCE))


def judge(looks: Mapping[str, Look]) -> Iterator[Proof]:
    """Return a line for the switches' state, and one for the cables that LLDP sees."""
    differences = [each for look in looks.values() for each in look.differences]
    same = sum(not look.differences for look in looks.values())
    yield judged(
        "running state",
        f"{same} of {len(looks)} switches run as the model says: interfaces, addresses, BGP, BFD, "
        "VRFs, VNIs, routes and queues",
        (each.sentence for each in differences if each.key[:1] != _CABLE),
    )
    wanted = sum(len(look.expected.of("cable")) for look in looks.values())
    seen = sum(
        len(cable["far"])
        for look in looks.values()
        for key, cable in look.observed.of("cable").items()
        if key in look.expected.of("cable")  # a link between sites has a switch at its end, too
    )
    yield judged(
        "cabling",
        f"LLDP sees {seen} neighbors, the model has {wanted} between switches",
        (each.sentence for each in differences if each.key[:1] == _CABLE),
    )
