"""Plans that a journal keeps, and who is behind them; in SQLite and in PostgreSQL."""

import zlib
from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import select

from fabricgen.operate.deploy.journal import plans
from fabricgen.operate.deploy.journal.journal import Journal
from fabricgen.operate.deploy.journal.plans import KEPT
from fabricgen.operate.deploy.journal.records import JournalFailure, Kind, Phase, Result, Step
from fabricgen.operate.deploy.journal.tables import PLANS


def test_a_plan_is_kept_as_it_was_pushed(journal: Journal) -> None:
    text = '{"said": "né"}\n' * 1000
    assert journal.plan("plan1") is None
    with journal.lock("berlin1", "plan1", "ann") as held:
        held.keep("another")
        held.keep(text)
    with journal.lock("berlin1", "plan2", "ann") as held:
        held.keep("of another plan")
    assert journal.plan("plan1") == text
    with journal._database.reading() as connection:
        kept = connection.scalar(select(PLANS.c.document).where(PLANS.c.id == "plan1"))
    assert kept is not None
    assert len(kept) < len(text) / 50


def test_plans_that_no_push_may_go_on_with_are_dropped(journal: Journal) -> None:
    for plan in ("plan1", "plan2"):
        with journal.lock("berlin1", plan, "ann") as held:
            held.keep(plan)
    old = datetime.now(UTC) - KEPT - timedelta(hours=1)
    with journal._database.writing() as connection:
        connection.execute(PLANS.update().where(PLANS.c.id == "plan1").values(kept=old))
    with journal.lock("berlin1", "plan3", "ann") as held:
        held.keep("plan3")
    assert [journal.plan(f"plan{number}") for number in (1, 2, 3)] == [None, "plan2", "plan3"]


@pytest.mark.parametrize("document", [b"no plan", zlib.compress(b"cut off")[:-3], b""])
def test_a_plan_that_was_damaged_is_refused(journal: Journal, document: bytes) -> None:
    with journal.lock("berlin1", "plan1", "ann") as held:
        held.keep("whole")
    with journal._database.writing() as connection:
        connection.execute(PLANS.update().values(document=document))
    with pytest.raises(JournalFailure, match="damaged"):
        journal.plan("plan1")


def test_a_plan_is_not_unpacked_beyond_what_one_may_be(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A row of a few bytes may hold gigabytes."""
    with journal.lock("berlin1", "plan1", "ann") as held:
        held.keep("x" * 5000)
    monkeypatch.setattr(plans, "LARGEST", 4999)
    with pytest.raises(JournalFailure, match="damaged; select another journal with --journal"):
        journal.plan("plan1")
    with journal.lock("berlin1", "plan1", "ann") as held:
        held.keep("x" * 5000)
    assert journal.plan("plan1") is None


def ended(journal: Journal, plan: str, kind: Kind = Kind.PUSH, **phases: Phase) -> str:
    """Push a plan; each switch ends in a phase."""
    with journal.lock("berlin1", plan, "ann") as held:
        identity = held.start(kind, "0.1.0", plan)
        held.record(identity, [Step(switch=name, phase=Phase.PLANNED) for name in phases])
        held.record(identity, [Step(switch=name, phase=each) for name, each in phases.items()])
        held.end(identity, Result.FAILED)
    return identity


def test_a_switch_is_behind_from_the_first_push_it_missed_to_the_next_it_takes(
    journal: Journal,
) -> None:
    ended(journal, "plan1", a=Phase.CONFIRMED, b=Phase.UNREACHABLE, c=Phase.ROLLED_BACK)
    ended(journal, "unlock", Kind.UNLOCK, a=Phase.FAILED)
    second = ended(journal, "plan2", b=Phase.CANCELED, d=Phase.UNKNOWN)
    with journal.lock("berlin1", "look", "ann") as held:
        held.restore("lost", None, [Step(switch="e", phase=Phase.KEPT)])
    found = [
        (each.step.switch, each.since.plan, each.push.plan, each.step.phase)
        for each in journal.behind("berlin1")
    ]
    assert found == [
        ("b", "plan1", "plan2", Phase.CANCELED),
        ("c", "plan1", "plan1", Phase.ROLLED_BACK),
        ("d", "plan2", "plan2", Phase.UNKNOWN),
    ]
    assert {each.push.id for each in journal.behind()} >= {second}
    assert journal.behind("paris1") == []
    ended(journal, "plan3", b=Phase.CONFIRMED, c=Phase.SKIPPED)
    ended(journal, "back", Kind.ROLLBACK, d=Phase.CONFIRMED)
    assert journal.behind("berlin1") == []
    ended(journal, "plan4", b=Phase.PLANNED)
    assert [each.since.plan for each in journal.behind("berlin1")] == ["plan4"]
