"""Finds the cable behind a port: its ends, panels, parts and work orders."""

from collections.abc import Iterator, Mapping

from fabricgen.core.diagnostics import did_you_mean
from fabricgen.core.record import record
from fabricgen.model.cabling.cables import Cable, End
from fabricgen.nos.lowering import Heard, heard_in
from fabricgen.plan.cabling import Plan
from fabricgen.plan.documents.cabling import cable_facts, interface_of, printed
from fabricgen.plan.documents.fibers import joints_by_run, panel_facts
from fabricgen.plan.documents.orders import order_path

Facts = Mapping[str, object]
"""Facts of one cable, named as the columns of cabling.csv and panels.csv."""


@record(kw_only=True)
class Answer:
    """The cables at a port. `hint`: the nearest known name, if there are none."""

    cables: tuple[Facts, ...] = ()
    hint: str = ""


def cables_at(plan: Plan, where: str) -> Answer:
    """Return the cables at `DEVICE:PORT`.

    PORT is the interface name of the platform, the label at the cage, the number of a cage with all
    its ports, or the NIC of a server.
    """
    device, _, port = where.partition(":")
    heard, found = heard_in(plan.site), dict[str, Cable]()
    ports: dict[str, None] = {}
    devices: dict[str, None] = {}
    for cable in plan.laid:
        for end in (cable.near, cable.far):
            for name, own in _names(end, heard):
                devices[name] = None
                if name == device:
                    ports |= dict.fromkeys(own)
                    if port in own:
                        found[cable.name] = cable
    if found:
        return Answer(cables=tuple(_facts(plan, cable) for cable in found.values()))
    if device in devices:
        return Answer(hint=f"{device}: {did_you_mean(port, ports)}")
    return Answer(hint=did_you_mean(device, devices))


def _names(end: End, heard: Heard) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield each name of a device with the names of its port.

    The management port of a switch is also a port of the switch.
    """
    spelled = (interface_of(end), printed(end), str(end.place.cage))
    yield end.name, tuple(filter(None, spelled))
    if end.owner is not None and end.port is not None:
        name, port = heard(end.owner, end.port)
        yield name, (port,)


def _facts(plan: Plan, cable: Cable) -> Facts:
    grades = {each.name: run.grade for run in plan.pieces for each in run.cables}
    facts = {**cable_facts(cable, grades[cable.name]), "speed": str(cable.speed)}
    joints = joints_by_run(plan.patching)
    for patched in plan.patching.patched:
        if patched.cable is cable:
            facts |= panel_facts(patched, plan.site.floor, joints)
    parts = (run.part.called for run in plan.pieces if cable in run.cables)
    facts["parts"] = list(dict.fromkeys(parts))
    for side, end in (("a", cable.near), ("b", cable.far)):
        if end.stand is not None:
            facts[f"{side}_work_order"] = order_path(end.stand.rack)
    return {name: fact for name, fact in facts.items() if fact not in ("", None)}
