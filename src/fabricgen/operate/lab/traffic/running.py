"""Compare the running state with the model: interfaces, addresses, sessions, VNIs and routes."""

from collections.abc import Iterator, Mapping

from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.proof import Proof, judged
from fabricgen.prove.verifier import Look, Verifier

_CABLE = ("cable",)
PATIENCE = 30
"""Seconds, because BFD may have just reset a session on a busy machine."""


def running(bench: Bench) -> Iterator[Proof]:
    """Compare every switch with the model, as `lab status` does, until the state is stable."""
    return judge(Verifier(bench.client.ask, bench.expected).settle(PATIENCE))


def judge(looks: Mapping[str, Look]) -> Iterator[Proof]:
    """Yield a line for the state of switches, and one for the cables in LLDP."""
    differences = [each for look in looks.values() for each in look.differences]
    same = sum(not look.differences for look in looks.values())
    yield judged(
        "running state",
        f"{same} of {len(looks)} switches match the model: interfaces, addresses, BGP, BFD, "
        "VRFs, VNIs, routes and queues",
        (each.sentence for each in differences if each.key[:1] != _CABLE),
    )
    wanted = sum(len(look.expected.of("cable")) for look in looks.values())
    seen = sum(
        len(cable["far"])
        for look in looks.values()
        for key, cable in look.observed.of("cable").items()
        if key in look.expected.of("cable")  # a link between sites also has a switch at its end
    )
    yield judged(
        "cabling",
        f"LLDP finds {seen} neighbors, expected {wanted} between switches",
        (each.sentence for each in differences if each.key[:1] == _CABLE),
    )
