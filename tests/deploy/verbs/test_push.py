"""`fabricgen push` and `rollback`: only what was reviewed, and back byte for byte."""

import json
import logging
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from tests.deploy.fakes.driver import FakeDriver
from tests.deploy.fakes.temper import Temper
from tests.deploy.verbs.conftest import HASH, LEAFS, Work

from fabricgen.operate.deploy.plan.document import (
    FORMAT,
    Split,
    Stage,
    identified,
    read_plan,
    write_plan,
)

PUSH = ("push", "site", "--plan", "plan.json")
AFTER = Split(
    fabric="frontend",
    what="VLAN 10",
    differs="",
    begins=99,
    ends=99,
    effect="",
    source="",
    breaks=True,
    servers=0,
    between=(),
    outside=(),
)


def edit(work: Work, change: Callable[[dict[str, object]], object]) -> None:
    """Change the plan on the disk."""
    path = work.folder / "plan.json"
    said = json.loads(path.read_text())
    change(said)
    path.write_text(json.dumps(said))


def test_a_plan_is_carried_out(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    """Then every switch runs what is rendered, and once more does nothing."""
    work.rename_tenant()
    work.plan()
    assert work.fabricgen(*PUSH) == 0
    assert "done: 2 confirmed" in capsys.readouterr().out
    assert work.fabricgen("plan", "site") == 0
    writes = [said for said in work.requests() if said.startswith("write")]
    assert work.fabricgen(*PUSH) == 0
    assert [said for said in work.requests() if said.startswith("write")] == writes


def test_nobody_pushes_what_nobody_reviewed(work: Work) -> None:
    """Without a plan, a terminal or --yes it is a wrong use."""
    work.rename_tenant()
    assert work.fabricgen("push", "site") == 64
    assert work.fabricgen("push", "site", "--yes") == 0


@pytest.mark.parametrize("form", ["text", "json"])
def test_a_plan_that_knows_no_switch_says_that_nothing_was_pushed(
    work: Work, capsys: pytest.CaptureFixture[str], form: str
) -> None:
    """Exit code 3, and nobody is asked again."""
    for name in work.everything():
        work.give(name, Temper(gone=True))
    assert work.fabricgen("plan", "site", "-o", "plan.json") == 3
    capsys.readouterr()
    assert work.fabricgen(*PUSH, "--format", form) == 3
    said = capsys.readouterr().out
    assert "changes none of 4 switches; 4 switches not reached, create a new plan" in said
    if form == "json":
        assert json.loads(said)["switches"][LEAFS[0]]["result"] == "unreachable"
    else:
        assert "unreachable: fe-leaf01: no answer" in said
    assert not (work.folder / "site" / ".fabricgen").exists()


def test_a_plan_without_changes_says_so(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    """Exit code 0; a dry run of a plan that was made shows it."""
    assert work.fabricgen("push", "site", "--yes") == 0
    assert "changes none of 4 switches\n" in capsys.readouterr().out
    work.rename_tenant()
    work.plan()
    capsys.readouterr()
    assert work.fabricgen(*PUSH, "--dry-run") == 2
    assert "2 of 4 switches change" in capsys.readouterr().out


STALE: dict[str, Callable[[Work], object]] = {
    "a switch was changed by hand": lambda work: work.running(LEAFS[0]).write_text("by hand\n"),
    "the intent was changed": lambda work: work.intend("10.10.11.0/24", "10.10.12.0/24"),
    "a switch was replaced": lambda work: work.give(LEAFS[0], Temper(hostname="fe-leaf77")),
}


@pytest.mark.parametrize("change", STALE.values(), ids=STALE)
def test_a_stale_plan_is_refused(work: Work, change: Callable[[Work], object]) -> None:
    """Exit code 4, and not one switch is written to."""
    work.rename_tenant()
    work.plan()
    change(work)
    before = work.everything()
    assert work.fabricgen(*PUSH) == 4
    assert work.everything() == before
    assert not [said for said in work.requests() if said.startswith("write")]


def test_an_old_plan_is_refused_before_anybody_is_asked(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Exit code 4, with how old it is; a longer age may be asked for."""
    work.rename_tenant()
    work.plan()
    path = work.folder / "plan.json"
    before = (datetime.now(UTC) - timedelta(hours=25)).isoformat(timespec="milliseconds")
    write_plan(path, identified(read_plan(path).model_copy(update={"made": before})))
    asked = len(work.requests())
    assert work.fabricgen(*PUSH) == 4
    assert (
        "is 25 hours old: create a new plan, or raise --max-age (now 24)" in capsys.readouterr().err
    )
    assert len(work.requests()) == asked
    assert work.fabricgen(*PUSH, "--max-age", "26") == 0


def test_a_plan_with_another_secret_is_stale(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    """The files are the same, what would reach the switch is not."""
    work.rename_tenant()
    work.plan()
    monkeypatch.setenv("ADMIN_HASH", HASH.replace("6f2c1e", "000000"))
    assert work.fabricgen(*PUSH) == 4


EDITS: dict[str, tuple[Callable[[dict[str, object]], object], str]] = {
    "a switch more": (lambda plan: plan["batches"][0]["switches"].append("x"), "was edited"),  # type: ignore[index]
    "no hash": (lambda plan: plan.pop("sha256"), "was edited"),
    "a newer format": (
        lambda plan: plan.update(format_version=FORMAT + 1),
        f"has format {FORMAT + 1}",
    ),
    "something unknown": (lambda plan: plan.update(extra=1), "not a valid plan: extra"),
    "something missing": (lambda plan: plan.pop("batches"), "not a valid plan: batches"),
    "another floor": (lambda plan: plan.update(floor=0), "was edited"),
}


@pytest.mark.parametrize(("change", "said"), EDITS.values(), ids=EDITS)
def test_an_edited_plan_is_no_plan(
    work: Work,
    capsys: pytest.CaptureFixture[str],
    change: Callable[[dict[str, object]], object],
    said: str,
) -> None:
    """It says so in one line."""
    work.rename_tenant()
    work.plan()
    edit(work, change)
    assert work.fabricgen(*PUSH) == 1
    assert said in capsys.readouterr().err


FORGED: dict[str, tuple[dict[str, object], str]] = {
    "no batches": ({"batches": ()}, "the batches do not contain each changing switch"),
    "a split after the end": ({"splits": (AFTER,)}, "a split names a batch outside of"),
    "a split that ends before it begins": (
        {"splits": (AFTER.model_copy(update={"begins": 1, "ends": -1}),)},
        "a split names a batch outside of",
    ),
    "a step too many": ({"step": Stage(number=4, of=3, said="")}, "invalid step 4 of 3"),
}


@pytest.mark.parametrize(("parts", "said"), FORGED.values(), ids=FORGED)
def test_a_plan_whose_parts_contradict_each_other_is_none_whatever_its_hash(
    work: Work, capsys: pytest.CaptureFixture[str], parts: dict[str, object], said: str
) -> None:
    """Whoever writes one by hand can write the hash as well."""
    work.rename_tenant()
    work.plan()
    path = work.folder / "plan.json"
    write_plan(path, identified(read_plan(path).model_copy(update=parts)))
    assert work.fabricgen(*PUSH) == 1
    assert f"not a valid plan: {said}" in capsys.readouterr().err


OF_ONE: dict[str, tuple[dict[str, object], str]] = {
    "a risk that is none": ({"risk": "none at all"}, "switches.2.risk: "),
    "no risk": ({"risk": None}, "the batches do not contain each changing switch"),
    "another's name": ({"switch": "fe-leaf02"}, "a switch is listed twice"),
}


@pytest.mark.parametrize(("parts", "said"), OF_ONE.values(), ids=OF_ONE)
def test_what_a_plan_says_of_a_switch_can_be_shown(
    work: Work, capsys: pytest.CaptureFixture[str], parts: dict[str, object], said: str
) -> None:
    """Once there was a traceback where the plan's changes are put together by their risk."""
    work.rename_tenant()
    work.plan()
    path = work.folder / "plan.json"
    plan = read_plan(path)
    told = (
        each.model_copy(update=parts if each.switch == "fe-leaf01" else {})
        for each in plan.switches
    )
    write_plan(path, identified(plan.model_copy(update={"switches": tuple(told)})))
    assert work.fabricgen(*PUSH) == 1
    assert f"not a valid plan: {said}" in capsys.readouterr().err


def test_a_plan_of_tomorrow_is_refused(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    """It would never be too old."""
    work.rename_tenant()
    work.plan()
    path = work.folder / "plan.json"
    after = (datetime.now(UTC) + timedelta(hours=25)).isoformat(timespec="milliseconds")
    write_plan(path, identified(read_plan(path).model_copy(update={"made": after})))
    assert work.fabricgen(*PUSH) == 4
    assert "in the future: check the clock of this machine" in capsys.readouterr().err


@pytest.mark.parametrize("words", [("--one-batch",), ("--batch", "1"), ("--limit", "fe-leaf01")])
def test_what_a_plan_says_that_was_made_is_not_said_again(
    work: Work, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]
) -> None:
    """It would be said in vain."""
    work.rename_tenant()
    work.plan()
    assert work.fabricgen(*PUSH, *words) == 64
    assert (
        f"{words[0]} cannot be combined with --plan: the plan already contains it"
        in capsys.readouterr().err
    )


def test_only_the_approved_plan_is_pushed(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    """Approval names the hash."""
    work.rename_tenant()
    plan = work.plan()
    assert work.fabricgen(*PUSH, "--sha", "0" * 12) == 1
    assert f"the SHA-256 of the plan: {plan['sha256']}" in capsys.readouterr().err
    assert work.fabricgen(*PUSH, "--sha", plan["sha256"][:12]) == 0


def test_a_shut_gate_is_exit_code_5(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    """The first leaf breaks: it runs what it ran, and the second is never touched."""
    work.rename_tenant()
    work.plan()
    work.give(LEAFS[0], Temper(breaks="10.10.11.1"))
    before = work.everything()
    assert work.fabricgen(*PUSH, "--health-timeout", "1") == 5
    assert work.everything() == before
    said = capsys.readouterr().out
    assert "rolled-back: fe-leaf01: BGP session default spine1 is down" in said
    assert "canceled: fe-leaf02: batch 1 was rolled back" in said


def test_one_that_does_not_answer_is_exit_code_3(work: Work) -> None:
    """It is the second; the first is done."""
    work.rename_tenant()
    work.plan()
    work.give(LEAFS[1], Temper(gone=True))
    assert work.fabricgen(*PUSH) == 3
    assert "10.10.11.1" in work.running(LEAFS[0]).read_text()


def test_a_rollback_gives_back_every_byte(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    """And a rollback of the rollback every byte of the plan."""
    work.rename_tenant()
    before = work.everything()
    plan = work.plan()
    assert work.fabricgen(*PUSH) == 0
    pushed = work.everything()
    assert work.fabricgen("rollback", plan["id"], "site", "--yes") == 0
    assert work.everything() == before
    back = capsys.readouterr().out.rpartition(" of ")[2].partition(":")[0]
    assert work.fabricgen("rollback", back, "site", "--yes") == 0
    assert work.everything() == pushed


def test_a_rollback_needs_no_secret_of_the_files(
    work: Work, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The switches keep what they ran, secrets and all."""
    work.rename_tenant()
    before = work.everything()
    plan = work.plan()
    assert work.fabricgen(*PUSH) == 0
    monkeypatch.delenv("ADMIN_HASH")
    assert work.fabricgen("rollback", plan["id"], "site", "--yes") == 0
    assert work.everything() == before
    assert "warning: env:ADMIN_HASH: " in capsys.readouterr().err


def test_a_rollback_overruns_nobody(work: Work) -> None:
    """What was changed since by hand is not undone with it."""
    work.rename_tenant()
    plan = work.plan()
    assert work.fabricgen(*PUSH) == 0
    work.running(LEAFS[1]).write_text("by hand\n")
    assert work.fabricgen("rollback", plan["id"], "site", "--yes") == 4
    assert work.running(LEAFS[1]).read_text() == "by hand\n"


def test_a_rollback_of_nothing_is_an_error(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    """No journal, or none that knows the plan."""
    assert work.fabricgen("rollback", "0123456789ab", "site", "--yes") == 1
    assert "no push yet" in capsys.readouterr().err


def test_events_are_json_for_machines(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    """One object a line; the last one has every switch's result."""
    work.rename_tenant()
    work.plan()
    capsys.readouterr()
    assert work.fabricgen(*PUSH, "--format", "json") == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert {line["event"] for line in lines[:-1]} >= {"batch", "committed", "gate", "ended"}
    assert {name: it["result"] for name, it in lines[-1]["switches"].items()} == dict.fromkeys(
        LEAFS, "confirmed"
    )


def test_no_secret_is_written_anywhere(
    work: Work, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not into output, plan, journal or errors; only the switches have it."""
    canary = HASH.rpartition("$")[2]
    work.rename_tenant()
    work.plan()
    work.give(LEAFS[1], Temper(refuses=HASH))
    work.fabricgen(*PUSH)
    work.fabricgen("drift", "site")
    work.fabricgen("diff", "site", "--live", "--format", "json")
    work.fabricgen("history", "site")
    monkeypatch.setenv("ADMIN_HASH", f"{HASH}0")
    work.fabricgen("plan", "site", "--format", "markdown")
    said = capfd.readouterr()
    assert canary not in said.out + said.err
    for path in work.folder.rglob("*"):
        if path.is_file() and "switches" not in path.parts:
            assert canary.encode() not in path.read_bytes(), path


def test_no_library_logs_a_secret(
    work: Work, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A driver that logs what it loads: the record has the placeholder, as long as the verb."""
    load = FakeDriver.load_replace_candidate

    def logged(driver: FakeDriver, filename: str | None = None, config: str | None = None) -> None:
        logging.getLogger("of.a.driver").warning("loading %s", config)
        load(driver, filename, config)

    monkeypatch.setattr(FakeDriver, "load_replace_candidate", logged)
    before = logging.getLogRecordFactory()
    assert work.fabricgen("plan", "site") == 0
    assert "<<secret:env:ADMIN_HASH>>" in caplog.text
    assert HASH not in caplog.text
    assert logging.getLogRecordFactory() is before


def test_the_history_says_which_plan_was_undone(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """And by which id that can be undone itself."""
    work.rename_tenant()
    plan = work.plan()["id"]
    assert work.fabricgen(*PUSH) == 0
    after = work.everything()
    assert work.fabricgen("rollback", plan, "site", "--yes") == 0
    capsys.readouterr()
    assert work.fabricgen("history", "site", "--last", "1") == 0
    (said,) = re.findall(rf"rollback (\w+) of {plan} ", capsys.readouterr().out)
    assert work.fabricgen("rollback", said, "site", "--yes") == 0
    assert work.everything() == after
