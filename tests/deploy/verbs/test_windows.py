"""Pushes outside of their window, and out of it: nothing is begun, nothing is left half."""

from datetime import UTC, datetime, timedelta

import pytest
from tests.deploy.verbs.staff import Staff

from fabricgen.operate.deploy.journal.journal import Journal, journal_of
from fabricgen.operate.deploy.team import authorization as leave

DAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]


def hour(number: float) -> str:
    """Return a time of the clock, from now, in UTC."""
    return f"{datetime.now(UTC) + timedelta(hours=number):%H:%M}"


def window(staff: Staff, begins: float, ends: float, *fabrics: str) -> None:
    """Let switches change every day between two hours from now."""
    each = {"days": DAYS, "from": hour(begins), "to": hour(ends), "fabrics": [*fabrics]}
    staff.rule(approvals=None, windows=[each])


def test_before_its_window_a_push_does_not_begin(
    staff: Staff, capsys: pytest.CaptureFixture[str]
) -> None:
    """Not one switch is asked; a window of another site's fabric is a mistake."""
    window(staff, 2, 4)
    staff.plan()
    asked = len(staff.work.requests())
    assert staff.push() == 4
    assert (
        "refused: no change window of frontend is open; windows: mon, tue"
        in capsys.readouterr().err
    )
    assert len(staff.work.requests()) == asked
    window(staff, -2, 2, "backend")
    assert staff.work.fabricgen("plan", "site") == 1
    assert "no fabric 'backend' in this site" in capsys.readouterr().err


def test_in_its_window_it_does(staff: Staff) -> None:
    """Without an approval, if none is needed."""
    window(staff, -2, 2)
    staff.plan()
    assert staff.push() == 0


def test_a_freeze_says_why(staff: Staff, capsys: pytest.CaptureFixture[str]) -> None:
    """Whoever may break the glass pushes all the same."""
    freeze = {"from": "2020-01-01T00:00Z", "to": "2099-01-01T00:00Z", "reason": "end of year"}
    staff.rule(freezes=[freeze])
    staff.plan()
    staff.approve()
    assert staff.push() == 4
    assert "frontend is frozen until 2099-01-01T00:00Z: end of year" in capsys.readouterr().err
    assert staff.push("cyn", "--break-glass", "rail 3 is down") == 0


def test_a_push_that_runs_out_of_its_window_ends_between_two_batches(
    staff: Staff, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first batch is whole, what is left is named; in the next window it comes."""
    window(staff, -2, 2)
    staff.plan()
    staff.jump(monkeypatch, 3)
    before = staff.work.everything()
    assert staff.push() == 4
    assert "canceled: fe-leaf02: not begun: no change window of frontend" in capsys.readouterr().out
    after = staff.work.everything()
    assert [name for name in before if before[name] != after[name]] == ["fe-leaf01"]
    with Journal.open(journal_of(staff.work.folder / "site")) as journal:
        push = journal.history()[0].id
    resume = ("resume", push, "site", "--key", staff.key("pipeline"))
    assert staff.work.fabricgen(*resume) == 4
    monkeypatch.setattr(leave, "now", lambda: datetime.now(UTC))
    assert staff.work.fabricgen(*resume) == 0
