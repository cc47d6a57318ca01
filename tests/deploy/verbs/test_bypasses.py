"""Every way around a team's rules that was thought of: each is refused, and no switch touched."""

from __future__ import annotations

import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from tests.deploy.fakes.temper import Temper
from tests.deploy.verbs.staff import MAY, make_key

from fabricgen.operate.deploy.journal.journal import Journal, journal_of
from fabricgen.operate.deploy.journal.records import Kind
from fabricgen.operate.deploy.journal.tables import PUSHES, SIGNED
from fabricgen.operate.deploy.plan.document import identified, read_plan, write_plan
from fabricgen.operate.deploy.team import authorization as leave
from fabricgen.operate.deploy.team.signed import NAMESPACE

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from tests.deploy.verbs.staff import Staff

    Attempt = Callable[[Staff, pytest.MonkeyPatch], object]

SECONDS = "%Y-%m-%dT%H:%M:%SZ"


def forged(staff: Staff, key: str = "bob", namespace: str = NAMESPACE, **said: str) -> Path:
    """Write an approval by hand: what it says, and by whose key, is up to the test."""
    start = datetime.now(UTC)
    until = (start + timedelta(hours=8)).strftime(SECONDS)
    words = {"act": "approve", "plan": read_plan(staff.work.folder / "plan.json").sha256}
    words |= {"site": "small", "who": "bob", "made": start.strftime(SECONDS), "until": until}
    text = f"{NAMESPACE} 1\n"
    text += "".join(f"{word} {it}\n" for word, it in {**words, "reason": "", **said}.items())
    sign = ["ssh-keygen", "-Y", "sign", "-n", namespace, "-f", staff.key(key)]
    signature = subprocess.run(sign, input=text, capture_output=True, text=True, check=True)
    path = staff.beside("x.approve")
    path.write_text(text + signature.stdout)
    return path


def replanned(staff: Staff, **changed: Any) -> None:
    """Change the plan, hash and all, under the signatures that it has."""
    path = staff.work.folder / "plan.json"
    write_plan(path, identified(read_plan(path).model_copy(update=changed)))


def moved(monkeypatch: pytest.MonkeyPatch, hours: float) -> None:
    """Set this machine's clock."""
    monkeypatch.setattr(leave, "now", lambda: datetime.now(UTC) + timedelta(hours=hours))


def edited(path: Path, old: str, new: str) -> None:
    """Change a file."""
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new))


def linked(path: Path) -> None:
    """Put a link in the place of a file or folder."""
    aside = path.parents[1] / f"{path.name}.aside"
    path.rename(aside)
    path.symlink_to(aside)


def hours(number: float) -> str:
    """Return a moment from now."""
    return (datetime.now(UTC) + timedelta(hours=number)).strftime(SECONDS)


def overtaken(staff: Staff) -> None:
    """Let the journal know a push of tomorrow: this machine's clock was set back."""
    with Journal.open(journal_of(staff.work.folder / "site")) as journal:
        with journal.lock("small", "plan", "ann") as held:
            held.start(Kind.PUSH, "0.1.0", "plan")
        with journal._database.writing() as connection:
            tomorrow = datetime.now(UTC) + timedelta(days=1)
            connection.execute(PUSHES.update().values(started=tomorrow))


def two_needed(staff: Staff, **people: object) -> None:
    """Plan and approve anew, where two have to approve."""
    staff.rule(approvals={"needed": 2}, **people)
    staff.plan()
    staff.approve()


def twice(staff: Staff) -> None:
    """Hand in the one approval under two names."""
    two_needed(staff)
    shutil.copy(staff.beside("bob.approve"), staff.beside("cyn.approve"))


def cut(path: Path) -> None:
    """Take the signature away."""
    path.write_text(path.read_text().partition("-----BEGIN")[0])


def crowded(folder: Path) -> None:
    """Put a hundred files beside the signatures."""
    for number in range(101):
        (folder / str(number)).touch()


def two_keys(staff: Staff) -> None:
    """Give bob a second key, and have him approve with both."""
    second = make_key(staff.work.folder / "second")
    own = {name: {"keys": [staff.public(name)]} for name in ("ann", "cyn", "pipeline", "eve")}
    keys = [staff.public("bob"), second.with_suffix(".pub").read_text().strip()]
    two_needed(staff, people={**own, "bob": {"keys": keys}})
    shutil.copy(staff.beside("bob.approve"), staff.beside("bob.first"))
    staff.work.fabricgen("approve", "plan.json", "--yes", "--key", str(second))


def revoked(staff: Staff) -> None:
    """Take the key of bob away after he approved."""
    people = ("ann", "cyn", "pipeline", "eve")
    own = {name: {"keys": [staff.public(name)]} for name in people}
    staff.rule(people={**own, "bob": {"keys": [staff.public("stranger")]}})


def without(staff: Staff, name: str) -> None:
    """Take a signature away."""
    staff.beside(name).unlink()


APPROVED: dict[str, tuple[Attempt, str]] = {
    "the plan was edited": (lambda staff, _: replanned(staff, floor=0), "another plan"),
    "the plan names other rules": (lambda staff, _: replanned(staff, policy="0" * 64), "team.yaml"),
    "the plan names no rules": (lambda staff, _: replanned(staff, policy=None), "team.yaml"),
    "the plan is of another site": (
        lambda staff, _: replanned(staff, site="large"),
        "belongs to site large",
    ),
    "the plan was made anew": (lambda staff, _: staff.plan(), "another plan"),
    "the plan is not made yet": (
        lambda staff, _: replanned(staff, made="2099-01-01T00:00:00+00:00"),
        "is dated 2099-01-01T00:00:00+00:00, in the future: check the clock",
    ),
    "another end was written": (
        lambda staff, _: edited(staff.beside("bob.approve"), "until ", "until 2"),
        "not a fabricgen signature",
    ),
    "another name was written": (
        lambda staff, _: edited(staff.beside("bob.approve"), "who bob", "who cyn"),
        "does not match a key of cyn",
    ),
    "signature expired": (lambda _, monkeypatch: moved(monkeypatch, 8.1), "signature expired at"),
    "the clock is behind": (
        lambda _, monkeypatch: moved(monkeypatch, -1),
        "in the future: check the clock",
    ),
    "the journal is later": (
        lambda staff, _: overtaken(staff),
        "clock of this machine is behind the journal",
    ),
    "it is a link": (lambda staff, _: linked(staff.beside("bob.approve")), "a link"),
    "its folder is a link": (lambda staff, _: linked(staff.folder), "a link"),
    "it is huge": (
        lambda staff, _: edited(staff.beside("bob.approve"), "act", "act" + " " * 2**20),
        "more than 16384 bytes",
    ),
    "there are many": (
        lambda staff, _: crowded(staff.folder),
        "more than 100 files",
    ),
    "its key was revoked": (lambda staff, _: revoked(staff), "team.yaml changed since"),
    "the rules were removed": (lambda staff, _: staff.file.unlink(), "team.yaml changed since"),
    "the rules were loosened": (lambda staff, _: staff.rule(approvals={"own": True}), "team.yaml"),
    "the rules are a link": (lambda staff, _: linked(staff.file), "a link"),
    "the planner is not known": (
        lambda staff, _: without(staff, "ann.plan"),
        "no authorized planner",
    ),
    "two are needed, one signed twice": (lambda staff, _: twice(staff), "1 of 2 approvals"),
    "two are needed, one has two keys": (lambda staff, _: two_keys(staff), "1 of 2 approvals"),
}

FORGED: dict[str, tuple[Attempt, str]] = {
    "by the planner": (lambda staff, _: forged(staff, "ann", who="ann"), "ann created the plan"),
    "by one who may not": (lambda staff, _: forged(staff, "eve", who="eve"), "eve lacks the right"),
    "by a stranger": (lambda staff, _: forged(staff, "stranger"), "not match a key of bob"),
    "by a stranger, by name": (
        lambda staff, _: forged(staff, "stranger", who="stranger"),
        "stranger lacks the right to approve",
    ),
    "by anybody": (lambda staff, _: forged(staff, "stranger", who="*"), "not a fabricgen"),
    "by two at once": (lambda staff, _: forged(staff, "eve", who="bob,eve"), "not a fabricgen"),
    "by two lines": (lambda staff, _: forged(staff, "eve", who="eve\nwho bob"), "not a fabricgen"),
    "by a louder name": (lambda staff, _: forged(staff, who="BOB"), "not a fabricgen"),
    "by a name with an end": (lambda staff, _: forged(staff, who="bob "), "not a fabricgen"),
    "for git": (lambda staff, _: forged(staff, namespace="git"), "not match a key of bob"),
    "for a file": (lambda staff, _: forged(staff, namespace="file"), "not match a key of bob"),
    "of another plan": (lambda staff, _: forged(staff, plan="0" * 64), "another plan"),
    "over another hash": (
        lambda staff, _: edited(
            forged(staff, plan="0" * 64),
            "0" * 64,
            read_plan(staff.work.folder / "plan.json").sha256,
        ),
        "not match a key of bob",
    ),
    "of another site": (lambda staff, _: forged(staff, site="large"), "for site large"),
    "of tomorrow": (lambda staff, _: forged(staff, made=hours(1), until=hours(9)), "in the future"),
    "of yesterday": (
        lambda staff, _: forged(staff, made=hours(-9), until=hours(-1)),
        "signature expired",
    ),
    "for ever": (lambda staff, _: forged(staff, until=hours(9)), "longer than the 8 hours"),
    "for another act": (lambda staff, _: forged(staff, act="push"), "not an approval"),
    "with more lines": (lambda staff, _: forged(staff, reason="x\nand more"), "not a fabricgen"),
    "with no signature": (lambda staff, _: cut(forged(staff)), "not a fabricgen"),
}


def refused(staff: Staff, capsys: pytest.CaptureFixture[str], said: str, *words: str) -> None:
    """Push, and see that it is refused with a sentence before a switch is asked anything."""
    before, asked = staff.work.everything(), len(staff.work.requests())
    capsys.readouterr()
    assert staff.push("pipeline", *words) in (1, 4)
    assert said in capsys.readouterr().err
    assert staff.work.everything() == before
    assert len(staff.work.requests()) == asked


@pytest.mark.parametrize(("attempt", "said"), APPROVED.values(), ids=APPROVED)
def test_what_was_approved_is_what_is_pushed(
    staff: Staff,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    attempt: Attempt,
    said: str,
) -> None:
    """Plan, approval, clock or rules are others than when it was approved."""
    staff.plan()
    assert staff.approve() == 0
    attempt(staff, monkeypatch)
    refused(staff, capsys, said)


@pytest.mark.parametrize(("attempt", "said"), FORGED.values(), ids=FORGED)
def test_an_approval_by_hand_does_not_count(
    staff: Staff,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    attempt: Attempt,
    said: str,
) -> None:
    """Unless it is as good as one by `fabricgen approve`."""
    staff.plan()
    attempt(staff, monkeypatch)
    refused(staff, capsys, said)


def test_an_approval_by_hand_counts_when_it_is_right(staff: Staff) -> None:
    """So the forgeries fail for what is wrong with them."""
    staff.plan()
    forged(staff)
    assert staff.push() == 0


PUSHERS = {
    "nobody": ((), "team.yaml restricts pushes"),
    "one who may not": (("--key", "bob"), "bob lacks the right to push"),
    "a stranger": (("--key", "stranger"), "belongs to no person in team.yaml"),
    "one who may not break the glass": (
        ("--key", "pipeline", "--break-glass", "fire"),
        "pipeline lacks the right to break glass",
    ),
}


@pytest.mark.parametrize(("words", "said"), PUSHERS.values(), ids=PUSHERS)
def test_who_may_not_push_does_not(
    staff: Staff, capsys: pytest.CaptureFixture[str], words: tuple[str, ...], said: str
) -> None:
    """Whatever was approved."""
    staff.plan()
    staff.approve()
    before = staff.work.everything()
    given = [staff.key(word) if place == 1 else word for place, word in enumerate(words)]
    assert staff.work.fabricgen("push", "site", "--plan", "plan.json", *given) == 4
    assert said in capsys.readouterr().err
    assert staff.work.everything() == before


def test_a_plan_of_the_moment_is_not_pushed(staff: Staff) -> None:
    """Nobody can have approved it."""
    before = staff.work.everything()
    assert staff.work.fabricgen("push", "site", "--yes", "--key", staff.key("pipeline")) == 4
    assert staff.work.everything() == before


RULES: dict[str, tuple[Any, str]] = {
    "a name for everybody": ({"people": {"*": {"keys": []}}}, "must be a name"),
    "a key of two": (None, "this key is listed twice"),
    "an authority": ("cert-authority ", "must be a public SSH key"),
    "a key of two lines": ("ssh-ed25519 AAAA\n", "must be a public SSH key"),
    "nobody": ({"may": {**MAY, "push": ["mallory"]}}, "unknown person 'mallory'"),
    "too few": ({"approvals": {"needed": 4}}, "4 approvals are required, but only 3 people may"),
    "a word that is not known": ({"may": {"aprove": []}}, "did you mean 'approve'?"),
}


@pytest.mark.parametrize(("rule", "said"), RULES.values(), ids=RULES)
def test_rules_that_let_anybody_in_are_none(
    staff: Staff,
    capsys: pytest.CaptureFixture[str],
    rule: Any,
    said: str,
) -> None:
    """They are refused at their line."""
    if isinstance(rule, dict):
        staff.rule(**rule)
    else:
        key = staff.public("ann") if rule is None else f"{rule}{staff.public('eve')}"
        people = {name: {"keys": [staff.public(name)]} for name in ("ann", "pipeline", "cyn")}
        staff.rule(people={**people, "bob": {"keys": [key]}})
    assert staff.work.fabricgen("plan", "site", "-o", "plan.json") == 1
    told = capsys.readouterr()
    assert said in told.err + told.out
    assert "inventory/team.yaml:" in told.err + told.out


def left_behind(staff: Staff, *glass: str) -> tuple[str, ...]:
    """Push while a leaf is away, then bring it back; return the words that go on with it."""
    staff.plan()
    assert glass or staff.approve() == 0
    staff.work.give("fe-leaf02", Temper(gone=True))
    by = ("cyn", "--break-glass", *glass) if glass else ("pipeline",)
    assert staff.push(*by) == 3
    staff.work.give("fe-leaf02", Temper())
    with Journal.open(journal_of(staff.work.folder / "site")) as journal:
        return "resume", journal.history()[0].id, "site"


def resigned(staff: Staff, **changed: str) -> None:
    """Change what the journal says that people signed."""
    with (
        Journal.open(journal_of(staff.work.folder / "site")) as journal,
        journal._database.writing() as connection,
    ):
        connection.execute(SIGNED.update().where(SIGNED.c.who == "bob").values(**changed))


RESUMED: dict[str, tuple[Attempt, tuple[str, ...], str]] = {
    "its approval ended": (lambda _, it: moved(it, 9), ("pipeline",), "signature expired"),
    "the rules were loosened": (lambda staff, _: staff.rule(approvals={}), ("pipeline",), "team"),
    "its approval is by another, in the journal": (
        lambda staff, _: resigned(staff, who="cyn"),
        ("pipeline",),
        "0 of 1 approvals",
    ),
    "its approval is none any more, in the journal": (
        lambda staff, _: resigned(staff, act="push"),
        ("pipeline",),
        "0 of 1 approvals",
    ),
    "by one who may not push": (lambda *_: None, ("bob",), "bob lacks the right to push"),
    "by nobody": (lambda *_: None, (), "team.yaml restricts pushes"),
}


@pytest.mark.parametrize(("attempt", "by", "said"), RESUMED.values(), ids=RESUMED)
def test_what_goes_on_was_approved_and_still_is(
    staff: Staff,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    attempt: Attempt,
    by: tuple[str, ...],
    said: str,
) -> None:
    """`resume` asks all that `push` does, by the signatures that the journal keeps."""
    words = left_behind(staff)
    attempt(staff, monkeypatch)
    before = staff.work.everything()
    capsys.readouterr()
    keys = [word for name in by for word in ("--key", staff.key(name))]
    assert staff.work.fabricgen(*words, *keys) in (1, 4)
    assert said in capsys.readouterr().err
    assert staff.work.everything() == before


def test_a_glass_is_broken_for_one_push(staff: Staff, capsys: pytest.CaptureFixture[str]) -> None:
    """Going on with it needs an approval, or another one who breaks it."""
    words = left_behind(staff, "rail 3 is down")
    assert staff.work.fabricgen(*words, "--key", staff.key("pipeline")) == 4
    assert "0 of 1 approvals" in capsys.readouterr().err
    glass = ("--key", staff.key("cyn"), "--break-glass", "rail 3 is still down")
    assert staff.work.fabricgen(*words, *glass) == 0


def test_what_was_approved_goes_on(staff: Staff) -> None:
    """So the attempts fail for what is wrong with them."""
    words = left_behind(staff)
    assert staff.work.fabricgen(*words, "--key", staff.key("pipeline")) == 0
