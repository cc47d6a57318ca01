"""Choose the next step of a change that keeps the old state working.

A step depends only on the running state, so an interrupted change continues without a record. The
step is the first one that some switch has not done. A switch without a snapshot counts as having
done nothing, and the plan reports the steps that wait for it.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import groupby

from fabricgen.model.fabric.transition import AS_DESIGNED, Transition
from fabricgen.nos.features import Unsupported
from fabricgen.operate.deploy.coordination.agreement import Course, Step, Term
from fabricgen.operate.deploy.coordination.renumber import renumbering
from fabricgen.operate.deploy.coordination.retarget import retargeting


def next_step(terms: Iterable[Term], any_asn: Callable[[str], Unsupported | None]) -> Course:
    """Return the next step, if any, and the reasons against steps.

    Changes of several kinds or fabrics proceed in parallel: the step is that of the slowest.
    any_asn: returns why the neighbors of a switch cannot accept any ASN.
    """
    steps, reasons = [], []
    for _, group in groupby(sorted(terms, key=_fabric), key=_fabric):
        mine = tuple(group)
        for found in (renumbering(mine, any_asn), retargeting(mine)):
            if isinstance(found, str):
                reasons.append(found)
            elif found is not None:
                steps.append(found)
    return Course(joined(steps) if steps else None, tuple(reasons))


def _fabric(term: Term) -> str:
    return term.fabric


def joined(steps: Sequence[Step]) -> Step:
    """Return the step that combines all of these."""
    kept: dict[str, Transition] = {}
    for step in steps:
        for name, own in step.kept.items():
            kept[name] = _both(kept.get(name, AS_DESIGNED), own)
    slowest = max(steps, key=lambda step: step.left)
    return Step(
        number=slowest.number,
        of=slowest.of,
        said="; ".join(dict.fromkeys(step.said for step in steps)),
        kept=kept,
        waits=tuple(sorted({name for step in steps for name in step.waits})),
    )


def _both(one: Transition, other: Transition) -> Transition:
    """Join the retained settings of two changes; they never set the same field."""
    said = {
        field: value
        for field in ("imports", "exports", "asn", "strangers", "asns", "addresses", "drained")
        if (value := getattr(other, field))
    }
    return replace(one, **said)
