"""`fabricgen history`, as people and pipelines read it."""

import json
import os
import pty
import re
import subprocess
import sys
import termios
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import uuid4

import pytest
from tests.cli.calling import ROOT, TENANTS, call

from fabricgen.operate.deploy.journal.journal import Journal, journal_of
from fabricgen.operate.deploy.journal.records import Act, Kind, Phase, Result, Signed, Step
from fabricgen.operate.deploy.journal.tables import LOCKS, Now

DOWN = "2 of 4 BGP sessions did not come back: default 10.0.0.1, default 10.0.0.3"
EVIL = "\x1b[2J\x1b[31m\x9b8m\u202egone"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """Make a site that was pushed once badly and once well, and whose lock was taken once."""
    with Journal.open(journal_of(tmp_path)) as journal:
        with journal.lock("bern4", "3f9ac1d2e4b0", "ann") as held:
            bad = held.start(Kind.PUSH, "0.1.0", "x")
            held.record(bad, [Step(switch="leaf1", phase=Phase.CONFIRMED, batch=1)])
            held.record(
                bad,
                [Step(switch="leaf2", phase=Phase.ROLLED_BACK, batch=2, message=f"{DOWN} {EVIL}")],
            )
            held.end(bad, Result.ROLLED_BACK)
        row = {"site": "bern4", "token": "x", "who": "bob", "host": "ops2", "machine": "m"}
        dead = {"pid": 1, "born": "1", "plan": "plan0", "since": Now()}
        with journal._database.writing() as connection:
            connection.execute(LOCKS.insert().values(**row, **dead, heartbeat=Now()))
            connection.exec_driver_sql(
                "UPDATE fabricgen_locks SET heartbeat = '2026-01-01 00:00:00.000000'"
            )
        with journal.lock("bern4", "3f9ac1d2e4b0", "ann") as held:
            good = held.start(Kind.ROLLBACK, "0.1.0", "x")
            held.record(
                good, [Step(switch=f"leaf{each}", phase=Phase.SKIPPED, batch=1) for each in (1, 2)]
            )
            held.end(good, Result.DONE)
    return tmp_path


def identities(site: Path) -> list[str]:
    with Journal.open(journal_of(site)) as journal:
        return [push.id for push in journal.history()]


def test_each_push_is_a_line_that_says_who_what_when_and_how_it_ended(site: Path) -> None:
    good, bad = identities(site)
    said = call("history", str(site))
    assert said.code == 0
    head, *lines = (line.split("  ") for line in said.out.splitlines())
    assert [word.strip() for word in head if word] == [
        "when (UTC)",
        "push",
        "what",
        "who",
        "result",
    ]
    first, taken, last = ([word.strip() for word in line if word] for line in lines)
    host = os.uname().nodename
    assert first[1:] == [good, "rollback 3f9ac1d2e4b0 of x", f"ann@{host}", "done: 2 skipped"]
    assert last[1:4] == [bad, "push 3f9ac1d2e4b0", f"ann@{host}"]
    assert last[4] == "rolled-back: 1 confirmed, 1 rolled-back"
    assert taken[1] == "lock for 3f9ac1d2e4b0"
    assert taken[3].startswith("taken from bob@ops2, plan plan0: silent for ")


def test_a_push_by_its_id_switch_by_switch(site: Path) -> None:
    _, bad = identities(site)
    said = call("history", str(site), bad).out
    assert f"{bad}: push of plan 3f9ac1d2e4b0 to bern4, rolled-back\n" in said
    lines = said.splitlines()[-2:]
    assert [line.split()[1:4] for line in lines] == [
        ["1", "leaf1", "confirmed"],
        ["2", "leaf2", "rolled-back:"],
    ]
    assert f"rolled-back: {DOWN}" in lines[1]


def test_what_a_switch_said_does_not_steer_the_terminal(site: Path) -> None:
    _, bad = identities(site)
    assert not set("\x1b\x9b\u202e") & set(call("history", str(site), bad).out)


@pytest.mark.parametrize("columns", [80, 120])
def test_no_line_is_longer_than_the_terminal(site: Path, columns: int) -> None:
    _, bad = identities(site)
    for words in ([str(site)], [str(site), bad]):
        lines = on_a_terminal(columns, "history", *words).splitlines()
        assert lines
        assert max(map(len, lines)) <= columns, lines


def on_a_terminal(columns: int, *words: str) -> str:
    try:
        ours, theirs = pty.openpty()
    except OSError as error:
        pytest.skip(f"no terminal can be made here: {error}")
    termios.tcsetwinsize(theirs, (50, columns))
    environment = {key: value for key, value in os.environ.items() if key != "COLUMNS"}
    process = subprocess.Popen(
        [sys.executable, "-m", "fabricgen", *words],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        env=environment | {"NO_COLOR": "1"},
    )
    os.close(theirs)
    said = b""
    while True:
        try:
            part = os.read(ours, 65536)
        except OSError:  # EIO: the other end is closed
            break
        said += part
    os.close(ours)
    assert process.wait() == 0
    return said.decode()


def test_machines_get_every_step(site: Path) -> None:
    good, bad = identities(site)
    listed = json.loads(call("history", str(site), "--format", "json").out)
    assert listed["format_version"] == 1
    assert [each["id"] for each in listed["pushes"]] == [good, bad]
    assert listed["pushes"][1]["switches"] == {"confirmed": 1, "rolled-back": 1}
    assert listed["pushes"][0]["started"].endswith("+00:00")
    assert [each["of_who"] for each in listed["takeovers"]] == ["bob"]
    one = json.loads(call("history", str(site), bad, "--format", "json").out)
    assert one["push"]["result"] == "rolled-back"
    assert [step["phase"] for step in one["steps"]] == ["confirmed", "rolled-back"]


def test_the_last_leave_older_pushes_out(site: Path) -> None:
    good, _ = identities(site)
    listed = json.loads(call("history", str(site), "--last", "1", "--format", "json").out)
    assert [each["id"] for each in listed["pushes"]] == [good]
    assert listed["takeovers"] == []


def test_a_site_that_was_never_pushed_has_no_history_and_is_left_as_it_is(tmp_path: Path) -> None:
    said = call("history", str(tmp_path))
    assert (said.code, said.out) == (0, "")
    assert "nothing was pushed yet" in said.err
    assert json.loads(call("history", str(tmp_path), "--format", "json").out)["pushes"] == []
    assert list(tmp_path.iterdir()) == []


def test_without_a_site_it_is_the_folder_one_stands_in(
    site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(site)
    assert len(json.loads(call("history", "--format", "json").out)["pushes"]) == 2


@pytest.mark.parametrize(("words", "count"), [([TENANTS], 2), (["bern4"], 2), (["lyon1"], 0)])
def test_a_shared_journal_is_searched_for_the_site(
    site: Path, words: list[str], count: int
) -> None:
    shared = ["--journal", str(journal_of(site)), "--format", "json"]
    assert len(json.loads(call("history", *words, *shared).out)["pushes"]) == count


@pytest.mark.parametrize(
    ("words", "code", "told"),
    [
        (["nowhere"], 1, "nowhere is no folder; a site by its name needs --journal"),
        (["a", "b"], 64, "one SITE and one PUSH-ID at most"),
        (["--journal", "mysql://x"], 1, "a journal is a file or postgresql://host/database"),
    ],
)
def test_what_cannot_be_shown_is_one_line(words: list[str], code: int, told: str) -> None:
    said = call("history", *words)
    assert said.code == code
    assert told in said.err


def test_an_unknown_push_is_said(site: Path) -> None:
    said = call("history", str(site), "push-0")
    assert (said.code, said.out) == (1, "")
    assert "no push-0 in the journal" in said.err


def test_without_the_extra_the_remedy_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fabricgen.operate.deploy.journal.journal", None)
    said = call("history", TENANTS)
    assert said.code == 1
    assert "pip install '.[deploy]'" in said.err


def test_a_password_in_the_address_is_never_printed(monkeypatch: pytest.MonkeyPatch) -> None:
    canary = f"S3CRET-{uuid4()}"
    url = f"postgresql://ann:{canary}@127.0.0.1:1/fabricgen?sslpassword={canary}"
    monkeypatch.setenv("FABRICGEN_JOURNAL", url)
    for words in (["history"], ["history", "x", "--journal", url], ["history", "--help"]):
        said = call(*words)
        assert canary not in said.out + said.err


def test_an_audit_is_a_line_of_json_for_each_thing_that_happened(site: Path) -> None:
    """Oldest first; every field that docs/operate/journal.md names, and no other."""
    said = call("history", str(site), "--format", "jsonl")
    assert said.code == 0
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [line["record"] for line in lines] == [
        *("push", "step", "step", "push", "step", "step", "takeover"),
    ]
    good, bad = identities(site)
    assert [line.get("push") for line in lines] == [None, bad, bad, None, good, good, None]
    assert {line["format_version"] for line in lines} == {1}
    assert EVIL not in said.out
    assert lines[2]["message"] == f"{DOWN} {EVIL}"
    for record, keys in documented().items():
        for line in lines:
            if line["record"] == record:
                assert set(line) == {"format_version", "record", *keys}


def documented() -> dict[str, set[str]]:
    """Return the keys of each record, as docs/operate/journal.md has them."""
    page = (ROOT / "docs" / "operate" / "journal.md").read_text().partition("## Audit records")[2]
    rows = re.findall(r"^\| `(\w+)` \| (.*?) \|", page, re.MULTILINE)
    return {record: set(re.findall(r"`(\w+)`", keys)) for record, keys in rows}


def test_an_audit_has_what_people_signed(site: Path) -> None:
    """With the signature, so that it can be proven anew; in the text without."""
    made = datetime(2026, 11, 22, 20, tzinfo=UTC)
    signed = Signed(
        act=Act.BREAK_GLASS,
        plan="a" * 64,
        site="bern4",
        who="cyn",
        made=made,
        until=made + timedelta(hours=8),
        reason=f"rail 3 {EVIL}",
        signature="-----BEGIN",
    )
    with (
        Journal.open(journal_of(site)) as journal,
        journal.lock("bern4", "3f9ac1d2e4b0", "ann") as held,
    ):
        push = held.start(Kind.PUSH, "0.1.0", "x", [signed])
    (_, line) = map(
        json.loads, call("history", push, str(site), "--format", "jsonl").out.splitlines()
    )
    assert set(line) == {"format_version", "record", *documented()["signed"]}
    assert (line["push"], line["act"], line["who"]) == (push, "break-glass", "cyn")
    assert (line["made"], line["signature"]) == ("2026-11-22T20:00:00+00:00", "-----BEGIN")
    text = call("history", push, str(site)).out
    assert "break-glass: signed by cyn, 2026-11-22 20:00 UTC: rail 3 \\u001b" in text
    (whole,) = json.loads(call("history", push, str(site), "--format", "json").out)["signed"]
    assert whole["reason"] == f"rail 3 {EVIL}"


def test_an_audit_can_be_of_the_last_pushes_alone(site: Path) -> None:
    """Of no push there is there are no lines."""
    good, _ = identities(site)
    said = call("history", str(site), "--format", "jsonl", "--last", "1").out.splitlines()
    assert [json.loads(line).get("id", good) for line in said] == [good] * 3
    assert call("history", "push-0", str(site), "--format", "jsonl").code == 1
