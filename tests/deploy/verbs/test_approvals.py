"""`fabricgen approve`, and pushes by a team's rules: plan, approve, push, each by whoever may."""

import json
import re
import subprocess
from pathlib import Path

import pytest
from tests.deploy.verbs.conftest import Work
from tests.deploy.verbs.staff import Staff

from fabricgen.operate.deploy.journal.journal import Journal


def test_a_plan_that_was_approved_is_pushed(
    staff: Staff, capsys: pytest.CaptureFixture[str]
) -> None:
    """And the journal keeps who signed what of it, with the signatures."""
    staff.plan()
    sha = json.loads((staff.work.folder / "plan.json").read_text())["sha256"]
    assert staff.approve() == 0
    assert f"bob approved {sha} until" in capsys.readouterr().out
    assert staff.push() == 0
    with Journal.open(staff.work.folder / "site/.fabricgen/journal.db") as journal:
        signed = journal.signed(journal.history()[0].id)
    assert [(str(each.act), each.who) for each in signed] == [
        *(("plan", "ann"), ("approve", "bob"), ("push", "pipeline")),
    ]
    assert {each.plan for each in signed} == {sha}
    assert all("SSH SIGNATURE" in each.signature for each in signed)


def test_anybody_can_look_at_an_approval(staff: Staff) -> None:
    """With OpenSSH alone, as docs/operate/approvals.md says."""
    staff.plan()
    staff.approve()
    (staff.work.folder / "allowed_signers").write_text(f"bob {staff.public('bob')}\n")
    page = (Path(__file__).parents[3] / "docs" / "operate" / "approvals.md").read_text()
    (command,) = re.findall(r"```\n(sed .*?)```", page, re.DOTALL)
    shown = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=True)
    assert shown.stdout.startswith('Good "fabricgen-plan" signature for bob with ED25519 key')


def test_a_plan_that_nobody_approved_waits(
    staff: Staff, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what is missing, and who is to do it."""
    staff.plan()
    assert staff.push() == 4
    assert "refused: 0 of 1 approvals are valid; run `fabricgen approve`" in capsys.readouterr().err
    assert staff.work.requests().count("write") == 0


def test_as_many_approve_as_are_needed(staff: Staff) -> None:
    """Of distinct people."""
    staff.rule(approvals={"needed": 2})
    staff.plan("pipeline")
    assert staff.approve("bob") == 0
    assert staff.push() == 4
    assert staff.approve("cyn") == 0
    assert staff.push() == 0


def test_who_may_not_approve_is_told_at_once(
    staff: Staff, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing is written."""
    staff.plan()
    plan = json.loads((staff.work.folder / "plan.json").read_text())["id"]
    for name, said in (
        ("eve", "eve lacks the right to approve: see `may` in team.yaml"),
        ("stranger", "belongs to no person in team.yaml"),
        ("ann", f"refused: ann created plan {plan} and cannot approve it"),
        ("none", "is not an SSH key"),
    ):
        assert staff.approve(name) == 4
        assert said in capsys.readouterr().err
    assert [path.name for path in staff.folder.iterdir()] == ["ann.plan"]


def test_an_approval_holds_no_longer_than_the_rules_let_it(
    staff: Staff, capsys: pytest.CaptureFixture[str]
) -> None:
    """`--for` shortens it."""
    staff.plan()
    assert staff.approve("bob", "--for", "9") == 4
    assert "limits an approval to 8 hours" in capsys.readouterr().err
    assert staff.approve("bob", "--for", "2") == 0


def test_without_rules_nobody_is_asked(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    """A site without team.yaml is pushed as ever; there is no glass to break."""
    work.rename_tenant()
    work.plan()
    assert work.fabricgen("approve", "plan.json", "--key", "any", "--yes") == 1
    assert "plans need no signature" in capsys.readouterr().err
    push = ("push", "site", "--plan", "plan.json")
    assert work.fabricgen(*push, "--break-glass", "fire", "--key", "any") == 64
    assert work.fabricgen(*push) == 0


def test_whoever_may_breaks_the_glass_loudly(
    staff: Staff, capsys: pytest.CaptureFixture[str]
) -> None:
    """With a reason, in the journal; approvals are not asked for then."""
    staff.plan()
    assert staff.push("cyn", "--break-glass", " ") == 64
    capsys.readouterr()
    assert staff.push("cyn", "--break-glass", "rail 3 is down") == 0
    said = capsys.readouterr().err
    assert "BREAK GLASS: cyn pushes without approvals, windows and freezes: rail 3" in said
    with Journal.open(staff.work.folder / "site/.fabricgen/journal.db") as journal:
        (signed,) = journal.signed(journal.history()[0].id)
    assert (signed.act, signed.reason) == ("break-glass", "rail 3 is down")


def test_a_way_back_needs_no_second_person(
    staff: Staff, capsys: pytest.CaptureFixture[str]
) -> None:
    """But whoever may push: by the journal, and from the switches alone."""
    before = staff.work.everything()
    staff.plan()
    staff.approve()
    assert staff.push() == 0
    identity = json.loads((staff.work.folder / "plan.json").read_text())["id"]
    back = ("rollback", identity, "site", "--yes")
    assert staff.work.fabricgen(*back) == 4
    assert "team.yaml restricts pushes: sign with --key" in capsys.readouterr().err
    assert staff.work.fabricgen(*back, "--key", staff.key("bob"), "--from-switches") == 4
    assert staff.work.fabricgen(*back, "--key", staff.key("pipeline")) == 0
    assert staff.work.everything() == before


def test_an_approval_that_ends_stops_the_push_between_batches(
    staff: Staff, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The first batch stays, the second is not begun, and is named."""
    staff.plan()
    staff.approve()
    staff.jump(monkeypatch, 9)
    before = staff.work.everything()
    assert staff.push() == 4
    said = capsys.readouterr().out
    assert "not begun: 0 of 1 approvals are valid; expired: bob" in said
    assert "canceled: fe-leaf02" in said
    after = staff.work.everything()
    assert [name for name in before if before[name] != after[name]] == ["fe-leaf01"]


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("-o", "plan.json"), 4, "refused: bob lacks the right to plan: see `may` in team.yaml"),
        ((), 64, "--key needs -o FILE: it signs the written plan"),
    ],
)
def test_who_may_not_plan_hears_it_before_a_switch_is_asked(
    staff: Staff, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, said: str
) -> None:
    """Looking at a large site takes minutes."""
    assert staff.work.fabricgen("plan", "site", *words, "--key", staff.key("bob")) == code
    assert said in capsys.readouterr().err
    assert not staff.work.requests()
