"""`fabricgen rollback --from-switches`: the way back when everything but the switches is gone."""

import json
import math
import shutil
from collections.abc import Callable

import pytest
from tests.deploy.fakes.driver import FakeDriver
from tests.deploy.fakes.temper import Temper
from tests.deploy.verbs.conftest import LEAFS, Work

from fabricgen.nos.driver import Kept
from fabricgen.operate.deploy.journal.journal import Journal, journal_of
from fabricgen.operate.deploy.journal.records import Phase, Result

NAMED = tuple(f"--switch={name}=linux@192.0.2.1" for name in LEAFS)
ALONE = ("site", "--from-switches", "--yes", "--health-timeout", "1")


@pytest.fixture
def plan(work: Work) -> str:
    """Push a change to both leafs; return the plan's id."""
    work.rename_tenant()
    made = work.plan()
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    return str(made["id"])


def unset(work: Work, monkeypatch: pytest.MonkeyPatch) -> None:
    """Lose the secret that the files need."""
    del work
    monkeypatch.delenv("ADMIN_HASH")


def broken(work: Work, _: pytest.MonkeyPatch) -> None:
    """Break the intent."""
    (work.folder / "site" / "site.yaml").write_text("site: [\n")


def lost(work: Work, _: pytest.MonkeyPatch) -> None:
    """Lose the intent, and the journal that is beside it."""
    shutil.rmtree(work.folder / "site")


def removed(work: Work, _: pytest.MonkeyPatch) -> None:
    """Take a switch out of the intent that the inventory still names."""
    (work.folder / "inventory" / "hosts.yaml").write_text("fe-leaf02: {port: 2222}\n")
    work.intend("leafs: 1-2", "leafs: 1-1")


def forgotten(work: Work, _: pytest.MonkeyPatch) -> None:
    """Lose the journal."""
    shutil.rmtree(work.folder / "site" / ".fabricgen")


def damaged(work: Work, _: pytest.MonkeyPatch) -> None:
    """Have the journal damaged."""
    (work.folder / "site" / ".fabricgen" / "journal.db").write_text("no journal at all\n" * 99)


LOSSES: dict[str, tuple[Callable[[Work, pytest.MonkeyPatch], None], tuple[str, ...], str]] = {
    "a secret is unset": (unset, (), ""),
    "the intent is broken": (
        broken,
        NAMED,
        "to restore without the intent, use `rollback --from-switches`",
    ),
    "the intent is lost": (lost, NAMED, "no push yet; use `rollback --from-switches`"),
    "a switch is removed": (removed, NAMED, "--from-switches"),
    "the journal is lost": (forgotten, (), "no push yet; use `rollback --from-switches`"),
    "the journal is damaged": (
        damaged,
        ("--journal", "new.db"),
        "the file is not a journal; use `rollback --from-switches`",
    ),
}
"""What is gone, what the way back needs then, and what a rollback by the journal says of it."""


ODD = {
    "no time": Kept("0123456789ab", math.nan),
    "a time after all": Kept("0123456789ab", 1e300),
    "a word for a time": Kept("0123456789ab", "soon"),  # type: ignore[arg-type]
    "a plan of half a character": Kept("\ud800", None),
    "a plan that moves the cursor": Kept("\x1b[2J", None),
    "no plan": Kept(["0123456789ab"], None),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD)
@pytest.mark.parametrize("words", [(), ("--rebuild-journal",)], ids=["list", "rebuild"])
def test_what_a_switch_says_oddly_is_neither_listed_nor_written_down(
    work: Work,
    plan: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    odd: Kept,
    words: tuple[str, ...],
) -> None:
    """The others are listed; a time that is none was a traceback."""
    own = FakeDriver.keeps

    def keeps(driver: FakeDriver) -> tuple[Kept, ...]:
        return (odd,) if driver.place.name == LEAFS[0] else own(driver)

    monkeypatch.setattr(FakeDriver, "keeps", keeps)
    capsys.readouterr()
    assert work.fabricgen("rollback", "site", "--from-switches", *words) == 3
    said = capsys.readouterr()
    assert f"failed: {LEAFS[0]}: invalid checkpoint on the switch" in said.err
    assert f"before plan {plan}, " in said.out
    assert f": {LEAFS[1]}\n" in said.out


@pytest.mark.parametrize(("lose", "words", "says"), LOSSES.values(), ids=LOSSES)
def test_the_switches_alone_give_back_every_byte(
    work: Work,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    lose: Callable[[Work, pytest.MonkeyPatch], None],
    words: tuple[str, ...],
    says: str,
) -> None:
    """And a rollback by the journal succeeds, or says what else to do."""
    before = work.everything()
    work.rename_tenant()
    plan = work.plan()["id"]
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    lose(work, monkeypatch)
    if says:
        assert work.fabricgen("rollback", plan, "site", "--yes") == 1
        assert says in capsys.readouterr().err
    assert work.fabricgen("rollback", plan, *ALONE, *words) == 0
    assert work.everything() == before
    assert "done: 2 confirmed" in capsys.readouterr().out


def test_the_limit_is_kept_and_who_does_not_answer_is_exit_code_3(work: Work, plan: str) -> None:
    """Nobody else is asked; who is silent may keep the plan, too."""
    for path in work.folder.glob("switches/*/requests"):
        path.unlink()
    now = work.everything()
    work.give("fe-spine1", Temper(gone=True))
    limits = ("--limit=fe-leaf02", "--limit=fe-spine1")
    assert work.fabricgen("rollback", plan, *ALONE, *limits) == 3
    assert {path.parent.name for path in work.folder.glob("switches/*/requests")} == {LEAFS[1]}
    assert {name for name, text in work.everything().items() if text != now[name]} == {LEAFS[1]}


def test_without_a_plan_it_lists_what_the_switches_keep(
    work: Work, plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Changing nothing; who does not answer is named, with exit code 3."""
    capsys.readouterr()
    writes = work.requests().count("write commit")
    assert work.fabricgen("rollback", "site", "--from-switches") == 0
    said = capsys.readouterr().out
    assert f"before plan {plan}, 20" in said
    assert "fe-leaf01, fe-leaf02\n4 of 4 switches answered; checkpoints of 1 plan\n" in said
    assert work.requests().count("write commit") == writes
    work.give("fe-spine1", Temper(gone=True))
    assert work.fabricgen("rollback", "site", "--from-switches", "--format", "json") == 3
    said, said_aside = capsys.readouterr()
    assert json.loads(said)["kept"][0]["switches"] == list(LEAFS)
    assert "unreachable: fe-spine1: no answer" in said_aside


def test_a_lost_journal_is_rebuilt_from_what_the_switches_keep(
    work: Work, plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Plans, switches and times, once; pushes know again whose claims there are dead."""
    work.intend("10.10.11.0/24", "10.10.12.0/24")
    later = work.plan()["id"]
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    forgotten(work, pytest.MonkeyPatch())
    words = ("rollback", "site", "--from-switches", "--rebuild-journal")
    assert work.fabricgen(*words) == 0
    assert "wrote 2 plans to the journal" in capsys.readouterr().err
    assert work.fabricgen(*words) == 0
    assert "wrote 0 plans to the journal" in capsys.readouterr().err
    with Journal.open(journal_of(work.folder / "site")) as journal:
        pushes = journal.history()
        states = journal.states(pushes[0].id)
    assert [push.plan for push in pushes] == [later, plan]
    assert {push.result for push in pushes} == {Result.REBUILT}
    assert {name: step.phase for name, step in states.items()} == dict.fromkeys(LEAFS, Phase.KEPT)
    assert work.fabricgen("rollback", later, "site", "--yes") == 1
    assert (
        f"the journal has no switch that plan {later} changed; "
        "use `rollback --from-switches`, which needs only the switches"
    ) in capsys.readouterr().err
    claim = {"plan": later, "who": "ops@jump1", "pid": 1}
    (work.folder / "switches" / LEAFS[0] / "claim").write_text(json.dumps(claim))
    assert work.fabricgen("plan", "site") == 0, "its push is known to be dead"


def test_what_would_go_too_is_shown_before_anything_changes(
    work: Work, plan: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A later plan and a hand's edit; who says no keeps both."""
    work.intend("10.10.11.0/24", "10.10.12.0/24")
    later = work.plan()["id"]
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    path = work.running(LEAFS[0])
    path.write_text(path.read_text() + "by hand\n")
    now = work.everything()
    capsys.readouterr()
    monkeypatch.setattr("click.confirm", _no)
    words = ("rollback", plan, "site", "--from-switches")
    assert work.fabricgen(*words) == 130
    said = capsys.readouterr().out
    assert f"fe-leaf01\n  also removes the changes of later plans: {later}\n" in said
    assert "\n  -by hand\n" in said
    assert work.everything() == now
    assert work.fabricgen(*words, "--yes") == 0
    assert "by hand" not in path.read_text()
    assert "10.10.10.1" in path.read_text()


def _no(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_only_what_was_shown_goes(work: Work, plan: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A switch that is changed while one reads is refused."""
    path = work.running(LEAFS[0])

    def meanwhile(*_: object, **__: object) -> bool:
        path.write_text(path.read_text() + "by hand\n")
        return True

    monkeypatch.setattr("click.confirm", meanwhile)
    assert work.fabricgen("rollback", plan, "site", "--from-switches", f"--limit={LEAFS[0]}") == 4
    assert path.read_text().endswith("by hand\n")


def test_a_commit_that_was_cut_off_is_undone(work: Work, plan: str) -> None:
    """No journal knows its push, and its process is gone: no timer would."""
    before = work.everything()
    assert work.fabricgen("rollback", plan, *ALONE) == 0
    old = work.everything()
    for name in LEAFS:
        place = work.folder / "switches" / name
        shutil.copy(place / "running", place / "checkpoints" / "dead")
        (place / "running").write_text(before[name])
        (place / "commit").write_text(json.dumps({"plan": "dead", "gone": True, "until": 1e12}))
    shutil.rmtree(work.folder / "site" / ".fabricgen")
    assert work.fabricgen("rollback", "dead", *ALONE) == 0
    assert work.everything() == old


def test_a_commit_whose_timer_runs_is_left_to_it(
    work: Work, plan: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody may be at it."""
    place = work.folder / "switches" / LEAFS[0]
    (place / "commit").write_text(json.dumps({"plan": "theirs", "until": 1e12}))
    assert work.fabricgen("rollback", plan, *ALONE) == 3
    said = capsys.readouterr().err
    assert (
        "busy: fe-leaf01: unconfirmed commit of plan theirs: the timer of the switch undoes it in "
        in said
    )
    assert " s, `fabricgen resume` or a push with its journal does" in said
    assert (place / "commit").exists()


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("site",), 64, "give PLAN-ID and SITE"),
        (("1", "2", "site"), 64, "give PLAN-ID and SITE"),
        (("1", "site", "--switch=a=linux@b"), 64, "need --from-switches"),
        (("1", "site", "--rebuild-journal"), 64, "need --from-switches"),
        (("1", "site", "--from-switches", "--rebuild-journal"), 64, "does not take a PLAN-ID"),
        (
            ("site", "--from-switches", "--switch=a"),
            64,
            "use NAME=PLATFORM@ADDRESS; platforms: eos, sonic",
        ),
        (("site", "--from-switches", "--switch=a=nxos@b"), 64, "NAME=PLATFORM@ADDRESS"),
        (
            ("feed", "site", "--from-switches"),
            1,
            "no switch has a checkpoint from before plan feed",
        ),
        (
            ("feed", "nowhere", "--from-switches"),
            1,
            "name the switches by --switch NAME=PLATFORM@ADDRESS",
        ),
    ],
)
def test_what_cannot_be_is_said(
    work: Work, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], code: int, said: str
) -> None:
    """In one line."""
    assert work.fabricgen("rollback", *words) == code
    assert said in capsys.readouterr().err
