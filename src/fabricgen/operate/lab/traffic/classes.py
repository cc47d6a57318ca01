"""Prove that packets of every DSCP queue in their class on every switch."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from fabricgen.core.tree.facts import Attributes, Value
from fabricgen.model.fabric.qos import Qos
from fabricgen.model.fabric.switch import Fabric
from fabricgen.operate.lab.traffic.bench import Bench, Spot, watched
from fabricgen.operate.lab.traffic.proof import Proof, judged, not_asked

COUNT = 8
SIZE = 3000
"""More bytes than BFD, BGP and LLDP send meanwhile, so that bytes identify the packets.
"""
OTHERS = (0, 10, 34, 46, 63)
"""Tested DSCPs in addition to those with a class of their own and their neighbors."""
ECT = 2  # ECT(0), as used by RoCE: the two ECN bits must not matter


@dataclass(frozen=True, slots=True)
class Step:
    """Ports that together see every packet once. where: description; count: packets of one DSCP."""

    where: str
    spots: tuple[Spot, ...]
    count: int


def classes(bench: Bench) -> Iterator[Proof]:
    """Send packets around the leafs with one DSCP after the other, and read every queue."""
    for fabric in bench.fabrics:
        name = f"{fabric.name}: DSCP to class"
        if fabric.qos is None:
            yield not_asked(name, "the fabric has no traffic classes")
        elif not bench.ring(fabric.name):
            why = "no two hosts of this lab may reach each other"
            written = "ports rewrite the DSCP of all hosts of this lab"
            yield not_asked(name, written if bench.marked else why)
        else:
            yield _one(bench, fabric, name)


def _one(bench: Bench, fabric: Fabric, name: str) -> Proof:
    assert fabric.qos is not None
    path = list(steps(bench, fabric.name))
    ring = [(pair.source, pair.target) for pair in bench.ring(fabric.name)]
    size = bench.fitting(fabric.name, SIZE)
    answers = bench.probe(
        "classes",
        pairs=ring,
        dscps=asked(fabric.qos),
        count=COUNT,
        size=size,
        ecn=ECT,
        wait=1,
        ports=watched([spot for step in path for spot in step.spots]),
    )
    return judge(name, path, bench.queues, answers, size)


def asked(qos: Qos) -> list[int]:
    """Return the DSCPs with a class of their own, adjacent DSCPs, and some others."""
    own = {dscp for item in qos.classes if item is not qos.best_effort for dscp in item.dscps}
    near = {beside for dscp in own for beside in (dscp - 1, dscp + 1) if 0 <= beside < 64}
    return sorted(own | near | set(OTHERS))


def steps(bench: Bench, fabric: str) -> Iterator[Step]:
    """Return the path of the ring's packets: each leaf's uplinks, the spines, each last port."""
    above: Counter[Spot] = Counter()
    depth = 0
    for pair in bench.ring(fabric):
        source, target = bench.endpoint(pair.source), bench.endpoint(pair.target)
        stages = bench.stages(source.leaf, target.leaf)
        if stages:
            yield Step(f"{source.leaf} up", tuple(stages[0]), COUNT)
        above.update(spot for stage in stages[1:] for spot in stage)
        depth += len(stages[1:])
        yield Step(f"{target.leaf} to {target.host}", tuple(bench.last(target)), COUNT)
    if above:
        yield Step("the spines", tuple(sorted(above)), COUNT * depth)


def judge(
    name: str,
    path: Sequence[Step],
    queues: Mapping[Spot, Attributes],
    answers: Mapping[str, Mapping[str, Any]],
    size: int = SIZE,
) -> Proof:
    """Compare the packets of each queue with the class that the model gives the DSCP there."""
    faults = []
    for word, answer in answers.items():
        dscp = int(word)
        if answer["kept"] != answer["heard"]:
            faults.append(f"DSCP {dscp}: rewritten in {answer['heard'] - answer['kept']} packets")
        for step in path:
            faults += _at(step, dscp, queues, answer["counted"], size)
    ports = len({spot for step in path for spot in step.spots})
    sentence = (
        f"packets of {len(answers)} DSCPs ({', '.join(answers)}) use only the model's class, "
        f"on {ports} ports of leafs and spines"
    )
    return judged(name, sentence, faults, dscps=list(map(int, answers)), ports=ports)


def _at(
    step: Step,
    dscp: int,
    queues: Mapping[Spot, Attributes],
    counted: Mapping[str, Any],
    size: int,
) -> Iterator[str]:
    right = 0
    for switch, port in step.spots:
        plan = queues[switch, port]
        wanted = class_of(plan, dscp)
        for handle, queue in counted[switch][port]["queues"].items():
            packets = queue["bytes"] // size
            if handle == wanted:
                right += packets
            elif packets:
                yield (
                    f"{switch}:{port}: {packets} packets of DSCP {dscp} are in class "
                    f"{handle}, expected class {wanted}"
                )
    if right < step.count:
        yield f"{step.where}: {right} of {step.count} packets of DSCP {dscp} are in their class"


def class_of(plan: Attributes, dscp: int) -> Value:
    """Return the class of an IPv4 packet at a port."""
    return plan.get(f"dscp 4 {dscp}", plan["default"])
