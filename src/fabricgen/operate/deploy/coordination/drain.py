"""Decide whether other switches are redundant with those that are to be drained.

A drained switch advertises every route with a longer path than any other, so its neighbors use it
only as a last resort (RFC 4271 section 9.1.2.2: the shorter AS path). Every receiver supports that.
GRACEFUL_SHUTDOWN (RFC 8326) is a community that each receiver has to be configured to honor.
"""

from collections.abc import Callable, Collection, Mapping

from fabricgen.model.fabric.redundancy import redundant_switches, traffic_without_path
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.model.fabric.transition import Transition
from fabricgen.nos.features import Feature, Unsupported
from fabricgen.nos.registry import nos_of
from fabricgen.operate.deploy.batches.sizes import Refused
from fabricgen.operate.deploy.coordination.agreement import Course, Step
from fabricgen.operate.deploy.coordination.steps import joined
from fabricgen.operate.deploy.coordination.terms import DRAIN, Changed, Item

Pick = Callable[[Collection[str]], Collection[str]]
"""Selects the switches that may be unavailable at once."""


def drained_by(looks: Mapping[str, Changed]) -> set[str]:
    """Return the switches that are drained now, but not by design."""
    return {name for name, changes in looks.items() if Item(DRAIN, "", DRAIN) in changes}


def undrainable(fabric: Fabric, names: Collection[str], silent: Collection[str]) -> str:
    """Return a sentence about a switch that cannot be drained with the others; empty if all can.

    silent: switches that do not answer and so are not redundant with others.
    """
    for switch in fabric.topology.switches:
        if switch.name in names and (why := _why_not(switch, fabric, names, silent)):
            return f"{switch.name} cannot be drained: {why}"
    return ""


def _why_not(
    switch: Switch, fabric: Fabric, names: Collection[str], silent: Collection[str]
) -> str:
    answer = nos_of(switch).answer(Feature.DRAIN, switch.release)
    if isinstance(answer, Unsupported):
        return answer.why
    away = {*names, *fabric.idle}
    why = traffic_without_path(fabric, switch, away | {*silent})
    if not why or traffic_without_path(fabric, switch, away):
        return why
    unseen = sorted(redundant_switches(fabric, switch).intersection(silent).difference(away))
    needed = [
        name for name in unseen if traffic_without_path(fabric, switch, away | {name})
    ] or unseen
    return f"no state from the redundant switch {' and '.join(needed)}"


def draining(
    site: Site,
    course: Course,
    names: Collection[str],
    there: Mapping[str, bool],
    pick: Pick,
) -> Course:
    """Return the course with drained switches; raise Refused if one cannot be drained.

    `there` has the switches of the plan, and whether each has a snapshot. `pick` selects the
    switches that may be drained at once.
    """
    if strangers := sorted(set(names) - there.keys()):
        raise Refused(f"--drain: unknown switch {strangers[0]!r} in this plan")
    silent = [name for name, answers in there.items() if not answers]
    for fabric in site.fabrics:
        if why := undrainable(fabric, names, silent):
            raise Refused(why)
    if left := sorted(set(names) - set(pick(names))):
        raise Refused(f"{left[0]} cannot be drained together with the others: see --min-available")
    until = f"{said(names)}; a plan without --drain restores traffic"
    step = Step(number=1, of=1, said=until, kept=drains(names))
    return Course(joined([step, *([course.step] if course.step else [])]), course.bound)


def drains(names: Collection[str]) -> dict[str, Transition]:
    """Return the transitions that drain switches."""
    return {name: Transition(drained=True) for name in names}


def said(names: Collection[str]) -> str:
    """Return a sentence about drained switches."""
    every = sorted(set(names))
    who = f"{' and '.join(every)} {'is' if len(every) == 1 else 'are'}"
    return f"{who} drained: neighbors use all other paths"
