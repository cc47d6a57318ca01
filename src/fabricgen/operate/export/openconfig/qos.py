"""Write the traffic classes of a switch by openconfig-qos: DSCPs, queues, scheduler and ECN."""

from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.qos import Qos, TrafficClass
from fabricgen.nos.lowering import spell
from fabricgen.operate.export.openconfig.tree import Piece, Tree, entry, listed, pruned

SCHEDULER, CLASSIFIER = "PORTS", "DSCP"


def qos(piece: Piece) -> Tree:
    """Return the classes; nothing if the fabric has none."""
    own = piece.switch_slice
    design = own.qos
    if design is None:
        return {}
    ports = [item for item in own.interfaces if not item.closed]
    queues = [
        entry({"name": each.label, "queue-id": each.number}, "name") for each in design.classes
    ]
    groups = [
        entry({"name": each.label, "output-queue": each.label}, "name") for each in design.classes
    ]
    profiles = {
        name: each
        for item in ports
        for each in design.classes
        if (name := _profile(each, item)) is not None
    }
    marks = [_marking(name, each, ports) for name, each in profiles.items()]
    return pruned(
        {
            "forwarding-groups": listed("forwarding-group", groups),
            "queues": listed("queue", queues),
            "classifiers": listed("classifier", (_classifier(design, each) for each in (4, 6))),
            "queue-management-profiles": listed("queue-management-profile", marks),
            "scheduler-policies": listed("scheduler-policy", [_scheduler(design)]),
            "interfaces": listed("interface", (_port(piece, design, each) for each in ports)),
        }
    )


def _classifier(design: Qos, version: int) -> Tree:
    terms = [
        entry(
            {"id": each.label},
            "id",
            parts={
                "conditions": {f"ipv{version}": {"config": {"dscp-set": list(each.dscps)}}},
                "actions": {"config": {"target-group": each.label}},
            },
        )
        for each in design.classes
        if each.dscps
    ]
    config = {"name": f"{CLASSIFIER}-IPV{version}", "type": f"IPV{version}"}
    return entry(config, "name", parts={"terms": listed("term", terms)})


def _scheduler(design: Qos) -> Tree:
    """Return the scheduler: strict queues by number, then the others by their shares."""
    strict = sorted((each for each in design.classes if each.strict), key=lambda it: -it.number)
    rest = [each for each in design.classes if not each.strict]
    rows = [
        entry(
            {"sequence": number, "priority": "STRICT"},
            "sequence",
            parts={"inputs": listed("input", [_input(each)])},
        )
        for number, each in enumerate(strict)
    ]
    if rest:
        inputs = listed("input", map(_input, rest))
        rows.append(entry({"sequence": len(strict)}, "sequence", parts={"inputs": inputs}))
    parts = {"schedulers": listed("scheduler", rows)}
    return entry({"name": SCHEDULER}, "name", parts=parts)


def _input(each: TrafficClass) -> Tree:
    config = {
        "id": each.label,
        "input-type": "QUEUE",
        "queue": each.label,
        "weight": f"{each.share}" if each.share is not None else None,
    }
    return entry(config, "id")


def _profile(each: TrafficClass, item: Interface) -> str | None:
    """Return the name of the ECN profile of a queue; None without marking at the port's speed."""
    marked = each.marking is not None and item.port.speed in each.marking
    return f"{each.label}-{item.port.speed}" if marked else None


def _marking(name: str, each: TrafficClass, ports: list[Interface]) -> Tree:
    speed = next(item.port.speed for item in ports if _profile(each, item) == name)
    assert each.marking is not None  # only a marking class has a profile
    marking = each.marking[speed]
    config = {
        "min-threshold": f"{int(marking.minimum)}",
        "max-threshold": f"{int(marking.maximum)}",
        "enable-ecn": True,
        "drop": False,
        "max-drop-probability-percent": marking.probability,
    }
    return entry({"name": name}, "name", parts={"wred": {"uniform": {"config": config}}})


def _port(piece: Piece, design: Qos, item: Interface) -> Tree:
    name = spell(piece.switch_slice.switch, item.port)
    queues = [
        entry({"name": each.label, "queue-management-profile": profile}, "name")
        for each in design.classes
        if (profile := _profile(each, item)) is not None
    ]
    kinds = [f"IPV{version}" for version in (4, 6)] if item in piece.switch_slice.marked else []
    classifiers = [entry({"name": f"{CLASSIFIER}-{each}", "type": each}, "type") for each in kinds]
    output = {
        "queues": listed("queue", queues),
        "scheduler-policy": {"config": {"name": SCHEDULER}},
    }
    parts = {
        "interface-ref": {"config": {"interface": name}},
        "input": pruned({"classifiers": listed("classifier", classifiers)}),
        "output": pruned(output),
    }
    return entry({"interface-id": name}, "interface-id", parts=parts)
