"""A plan that somebody wrote by hand, hash and all: what is not so is refused, nothing is written.

Nobody approves plans here, so the program is all that reads them before a push.
"""

from collections.abc import Callable
from typing import Any

import pytest
from tests.deploy.fakes.temper import Temper
from tests.deploy.verbs.conftest import LEAFS, Work
from tests.deploy.verbs.staff import PUSH, Staff

from fabricgen.operate.deploy.plan.document import (
    RELOAD,
    Plan,
    PlannedBatch,
    Stage,
    Together,
    identified,
    read_plan,
    write_plan,
)

ASN = "  underlay: {asn: {first: 4210000000}}\n"
MTU = "  underlay: {mtu: 9000}\n"
VNI = "  overlay: {l2vni_base: 20000}\n"
TIMERS = "  underlay: {bfd: {multiplier: 5}}\n"
Parts = dict[str, Any]


def rewritten(work: Work, line: str, forge: Callable[[Plan], Parts], *words: str) -> None:
    """Plan a change of the intent, and write that plan anew with other parts and its own hash."""
    work.intend("frontend:\n", "frontend:\n" + line)
    path = work.folder / "plan.json"
    work.fabricgen("plan", "site", "-o", str(path), *words)
    plan = read_plan(path)
    write_plan(path, identified(plan.model_copy(update=forge(plan))))


def one_by_one(plan: Plan) -> tuple[PlannedBatch, ...]:
    """Put each switch of a window into a batch of its own."""
    (batch,) = plan.batches
    alone = {"window": None, "why": "the first of 2 leafs"}
    return tuple(batch.model_copy(update=alone | {"switches": (name,)}) for name in batch.switches)


def at_once(plan: Plan) -> tuple[PlannedBatch, ...]:
    """Make one window of all."""
    names = tuple(name for batch in plan.batches for name in batch.switches)
    window = Together(vlans=(10,), vrfs=("red",), cables=True)
    return (plan.batches[0].model_copy(update={"switches": names, "window": window}),)


def moved(plan: Plan) -> tuple[PlannedBatch, ...]:
    """Move the switch of the second batch into the first."""
    first, second, *others = plan.batches
    both = first.model_copy(update={"switches": (*first.switches, *second.switches)})
    return (both, *others)


def entries(plan: Plan, name: str, **parts: object) -> Parts:
    """Write something else of a switch."""
    told = (each.model_copy(update=parts if each.switch == name else {}) for each in plan.switches)
    return {"switches": tuple(told)}


FORGED: dict[str, tuple[str, Callable[[Plan], Parts], tuple[str, ...], str]] = {
    "its splits dropped": (
        VNI,
        lambda _: {"splits": ()},
        (),
        "the interruption of VLAN 10 red-web differs",
    ),
    "a split that is harmless dropped": (
        TIMERS,
        lambda _: {"splits": ()},
        (),
        "the interruption of BFD timers differs",
    ),
    "a split told shorter": (
        MTU,
        lambda plan: {"splits": tuple(it.model_copy(update={"ends": 2}) for it in plan.splits)},
        (),
        "the interruption of MTU differs",
    ),
    "a window claimed where ends can live apart": (
        MTU,
        lambda plan: {"batches": at_once(plan), "splits": (), "window": True},
        (),
        "batch 1 would contain fe-leaf01 (the first of 2 leafs",
    ),
    "a window hidden": (
        VNI,
        lambda plan: {"batches": one_by_one(plan), "splits": ()},
        ("--one-batch",),
        "batch 1 would contain fe-leaf01, fe-leaf02 (a window: ",
    ),
    "a window hidden, and that it was asked for": (
        VNI,
        lambda plan: {
            "batches": one_by_one(plan),
            "splits": (),
            "window": False,
            "bound": (),
        },
        ("--one-batch",),
        "batch 1 would contain fe-leaf01 (the first of 2 leafs)",
    ),
    "batches the other way round": (
        MTU,
        lambda plan: {"batches": plan.batches[::-1]},
        (),
        "batch 1 would contain fe-leaf01 (the first of 2 leafs",
    ),
    "a switch moved to another batch": (
        MTU,
        lambda plan: {"batches": moved(plan), "splits": ()},
        (),
        "batch 1 would contain fe-leaf01 (the first of 2 leafs",
    ),
    "a step skipped": (
        ASN,
        lambda plan: {
            "batches": one_by_one(plan),
            "splits": (),
            "window": False,
            "bound": (),
        },
        ("--one-batch",),
        "fe-spine1 differs from the plan",
    ),
    "a step too early": (
        ASN,
        lambda plan: {"step": plan.step and plan.step.model_copy(update={"number": 3})},
        (),
        "the next step is a different one",
    ),
    "a step that there is none of": (
        MTU,
        lambda _: {"step": Stage(number=3, of=3, said="all is well")},
        (),
        "the next step is a different one",
    ),
    "less risk": (
        MTU,
        lambda plan: entries(plan, "fe-leaf02", risk="hitless", reasons=()),
        (),
        "fe-leaf02 differs from the plan (risk, reasons), or a secret has changed",
    ),
    "all services started anew": (
        VNI,
        lambda plan: entries(plan, "fe-leaf02", path=RELOAD),
        ("--one-batch",),
        "fe-leaf02 differs from the plan (path), or a secret has changed",
    ),
    "a switch that the intent does not have": (
        MTU,
        lambda plan: {
            "switches": (
                *plan.switches,
                plan.switches[0].model_copy(update={"switch": "x", "state": "same"}),
            )
        },
        (),
        "switch x is not in this intent",
    ),
}


@pytest.mark.parametrize(("line", "forge", "words", "said"), FORGED.values(), ids=FORGED)
def test_what_does_not_follow_from_what_runs_is_refused(
    work: Work,
    capsys: pytest.CaptureFixture[str],
    line: str,
    forge: Callable[[Plan], Parts],
    words: tuple[str, ...],
    said: str,
) -> None:
    """Exit code 4, by name, and no switch is changed."""
    before = work.everything()
    rewritten(work, line, forge, *words)
    capsys.readouterr()
    assert work.fabricgen(*PUSH) == 4
    assert said in capsys.readouterr().out
    assert work.everything() == before
    assert not [asked for asked in work.requests() if asked.startswith("write")]


@pytest.mark.parametrize("away", [Temper(gone=True), Temper(hostname="fe-spine77")])
def test_who_is_away_hides_nothing_that_ends(
    work: Work, capsys: pytest.CaptureFixture[str], away: Temper
) -> None:
    """A plan by which no end is cut goes on without a switch; one by which some is does not."""
    rewritten(work, VNI, lambda _: {"splits": ()})
    work.give("fe-spine1", away)
    assert work.fabricgen(*PUSH) == 4
    assert "needs the state of fe-spine1" in capsys.readouterr().out
    work.intend(VNI, "")
    work.rename_tenant()
    work.give("fe-spine1", Temper())
    work.plan()
    work.give("fe-spine1", away)
    assert work.fabricgen(*PUSH) == 0


def test_a_plan_of_another_fabricgen_that_words_it_otherwise_is_named(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """One that says the same goes on: what matters is what follows from what runs."""
    rewritten(work, MTU, lambda plan: {"tool": "0.0.0", "batches": plan.batches[::-1]})
    assert work.fabricgen(*PUSH) == 4
    assert " (of fabricgen 0.0.0, this is " in capsys.readouterr().out
    work.plan()
    path = work.folder / "plan.json"
    write_plan(path, identified(read_plan(path).model_copy(update={"tool": "0.0.0"})))
    assert work.fabricgen(*PUSH) == 0


def test_a_drained_spine_that_is_away_keeps_nobody_from_the_rest(work: Work) -> None:
    """Its hardware is out, and it stays in the words of every plan until it is back."""
    work.rename_tenant()
    work.give("fe-spine2", Temper(gone=True))
    drain = ("--drain", "fe-spine2")
    assert work.fabricgen("plan", "site", "-o", "plan.json", *drain) == 3
    assert work.fabricgen(*PUSH) == 3
    assert all("10.10.11." in work.everything()[leaf] for leaf in LEAFS)


def test_a_switch_that_was_changed_since_is_left_to_its_batch(work: Work) -> None:
    """Whoever writes that it runs something else gains nothing: it is not pushed to."""
    rewritten(work, VNI, lambda plan: entries(plan, "fe-leaf02", running="0" * 64) | {"splits": ()})
    before = work.everything()
    assert work.fabricgen(*PUSH) == 4
    assert work.everything() == before


def test_who_approved_a_plan_read_it(staff: Staff) -> None:
    """So it is not computed once more: the switches are asked when their batch comes."""
    staff.plan()
    staff.approve()
    asked = len(staff.work.requests())
    assert staff.push() == 0
    approved = len(staff.work.requests()) - asked
    staff.rule(approvals=None)
    staff.work.intend("10.10.11.0/24", "10.10.12.0/24")
    staff.plan()
    asked = len(staff.work.requests())
    assert staff.push() == 0
    assert len(staff.work.requests()) - asked > approved


def test_a_plan_that_was_begun_is_not_computed_again(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """The journal keeps it: its window goes on once the switch that it needs is back."""
    rewritten(work, VNI, lambda _: {}, "--one-batch")
    work.give(LEAFS[1], Temper(lies=True))
    assert work.fabricgen(*PUSH) == 5
    work.give(LEAFS[1], Temper(gone=True))
    before = work.everything()
    assert work.fabricgen(*PUSH) == 3
    assert "the window must change together, but fe-leaf02 cannot" in capsys.readouterr().out
    assert work.everything() == before
    work.give(LEAFS[1], Temper())
    assert work.fabricgen(*PUSH) == 0
