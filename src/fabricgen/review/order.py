"""Computes the order of a push without switches, with the choreography of `plan`.

The files of side A take the place of the running configuration. Each fabric has its own plan.
"""

from collections.abc import Iterator, Mapping

from fabricgen.compile.compiler import folder_of
from fabricgen.compile.output.manifest import sha256
from fabricgen.compile.output.risks import changes_of
from fabricgen.core.tree.judge import worst
from fabricgen.core.units import counted, natural, shortened
from fabricgen.model.fabric.switch import Fabric, Site
from fabricgen.model.fabric.topology import Switch
from fabricgen.operate.deploy.batches.plan import BatchRequest
from fabricgen.operate.deploy.batches.sizes import Refused
from fabricgen.operate.deploy.coordination.terms import compared
from fabricgen.operate.deploy.plan.document import Entry, Plan, Split
from fabricgen.operate.deploy.plan.make import course_of, planned
from fabricgen.operate.deploy.plan.switch_preview import SwitchPreview
from fabricgen.review.compare import Files, Tree
from fabricgen.review.model import Batch, Order

MOST = 256
"""Number of changed switches of a fabric whose settings are compared with other switches."""
_NAMES = 4


def order(before: Site, after: Site, trees: tuple[Tree, Tree]) -> Order:
    """Return the order of a push, as `plan` computes it for each fabric.

    Args:
        before: Side A.
        after: Side B.
        trees: Files of the changed devices on both sides, by folder.
    """
    batches: list[Batch] = []
    first: list[str] = [*_devices(before, after)]
    together: list[str] = []
    unknown: list[str] = []
    for fabric in after.fabrics:
        changed = [switch for switch in fabric.present if _differs(switch, trees)]
        if not changed:
            continue
        try:
            plan = _planned(after, fabric, trees, len(changed))
        except Refused as refused:
            unknown.append(f"{fabric.name}: {refused}")
            continue
        batches += _batches(plan)
        first += _steps(fabric, plan)
        together += [_split(each) for each in plan.splits if each.breaks]
        if len(changed) > MOST:
            number = counted(len(changed), "switch")
            unknown.append(f"{fabric.name}: settings of {number} , on which others depend")
    return Order(
        batches=tuple(batches),
        first=tuple(first),
        together=tuple(dict.fromkeys(together)),
        unknown="; ".join(unknown),
    )


def _differs(switch: Switch, trees: tuple[Tree, Tree]) -> bool:
    one, other = (tree.get(folder_of(switch), {}) for tree in trees)
    return one != other


def _planned(site: Site, fabric: Fabric, trees: tuple[Tree, Tree], number: int) -> Plan:
    """Return the plan of one fabric.

    Raises:
        Refused: The plan cannot succeed.
    """
    wish = BatchRequest()
    looks = tuple(_look(switch, trees, complete=number <= MOST) for switch in fabric.present)
    course = course_of(site, looks, wish)
    return planned(site, looks, wish, course=course)


def _look(switch: Switch, trees: tuple[Tree, Tree], *, complete: bool) -> SwitchPreview:
    """Return what `plan` would see of a switch that runs the files of side A."""
    before, after = (tree.get(folder_of(switch), {}) for tree in trees)
    entry = Entry(
        switch=switch.name,
        fabric=switch.fabric,
        platform=switch.platform,
        state="same",
        running=_digest(before),
        rendered=_digest(after),
    )
    if before == after:
        return SwitchPreview(entry)
    risk = worst(changes_of(switch.platform, before, after)).word if complete else None
    entry = entry.model_copy(update={"state": "changes", "risk": risk})
    if not complete or not before:
        return SwitchPreview(entry)
    return SwitchPreview(entry, compared(switch.platform, before, after)[0])


def _digest(files: Files) -> str:
    return sha256("".join(f"{path}\0{text}" for path, text in sorted(files.items())))


def _batches(plan: Plan) -> Iterator[Batch]:
    for each in plan.batches:
        yield Batch(
            fabric=each.fabric, switches=each.switches, why=each.why, warnings=each.warnings
        )


def _steps(fabric: Fabric, plan: Plan) -> Iterator[str]:
    if plan.step is not None:
        number = f"step {plan.step.number} of {plan.step.of}"
        yield f"{fabric.name} needs {plan.step.of} plans. {number}: {plan.step.said}"
    yield from (f"{fabric.name}: {each}" for each in plan.bound)


def _split(each: Split) -> str:
    """Return a setting that interrupts something while its ends differ."""
    return f"{each.fabric}: {each.what} differs between batches ({each.differs}). {each.effect}"


def _devices(before: Site, after: Site) -> Iterator[str]:
    """Yield the manual work for new and removed switches."""
    ones, others = (_switches(site) for site in (before, after))
    if new := natural(others.keys() - ones.keys()):
        yield (
            f"install {shortened(new, _NAMES)} and lay the cables first; "
            "`fabricgen export bootstrap` writes the first-boot files"
        )
    if gone := natural(ones.keys() - others.keys()):
        yield f"take out {shortened(gone, _NAMES)} after the last batch"


def _switches(site: Site) -> Mapping[str, Switch]:
    return {it.name: it for fabric in site.fabrics for it in fabric.topology.switches}
