"""What the intent says of single switches and the fabric in; the states of its switches out."""

from collections.abc import Mapping

from fabricgen.compile.design.findings import Findings
from fabricgen.core.diagnostics import Code
from fabricgen.intent.model.intent import AnyFabric
from fabricgen.intent.paths import at
from fabricgen.model.fabric.because import Because
from fabricgen.model.fabric.standing import missed
from fabricgen.model.fabric.state import Standing, State
from fabricgen.model.fabric.switch import Fabric

_RULES = {
    State.PLANNED: "a switch that is planned is not there yet",
    State.DRAINED: "a drained switch offers every way as longer than any other",
    State.DEAD: "a dead switch is not waited for",
}


def states_of(words: AnyFabric, fabric: Fabric) -> Mapping[str, Standing]:
    """Return the state of each switch that is not simply active, by name."""
    found = {}
    for switch in fabric.topology.switches:
        said = words.switches.get(switch.key)
        state = State(said.state) if said is not None and said.state else State.ACTIVE
        if state is not State.ACTIVE:
            path = (*at(*fabric.place, "switches"), switch.key, "state")
            found[switch.name] = Standing(state=state, because=Because((path,), _RULES[state]))
    return found


def judge_states(words: AnyFabric, fabric: Fabric, findings: Findings) -> None:
    """Say whose traffic has no other way, as all that stand in are planned, drained or dead."""
    for switch in fabric.topology.switches:
        own = fabric.states.get(switch.name)
        if own is None or own.state is State.PLANNED:
            continue
        path, why = own.because.main, missed(fabric, switch, fabric.idle)
        accepted = words.switches[switch.key].accept_loss
        if own.state is State.DEAD and why:
            findings.warn(Code.DEAD_AND_MISSED, f"{switch.name} is dead: {why}", path)
        elif own.state is State.DRAINED and why and not accepted:
            hint = "`accept_loss: true` beside it lets them, or drain the others later"
            hint = hint if switch.is_leaf else "drain them one after the other"
            findings.error(Code.NO_OTHER_WAY, f"{switch.name} cannot be drained: {why}", path, hint)
        elif accepted and not why:
            text = f"nothing is lost while {switch.name} is drained, so nothing is to be accepted"
            findings.error(
                Code.NOTHING_TO_ACCEPT, text, (*path[:-1], "accept_loss"), "leave it out"
            )
