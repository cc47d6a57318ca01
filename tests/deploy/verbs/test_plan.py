"""`fabricgen plan`, `drift` and `diff --live`: what would change, without changing anything."""

import json
from collections.abc import Iterable

import pytest
from tests.deploy.fakes.temper import ROOT, Temper
from tests.deploy.verbs.conftest import HASH, LEAFS, Work

from fabricgen.operate.deploy.fleet import Fleet, Outcome
from fabricgen.operate.deploy.plan.document import Entry

READS = {"open", "close", "facts", "config", "claim", "load", "compare", "discard", "health"}


def test_nothing_to_change_is_exit_code_0(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    """Every switch runs what is rendered."""
    assert work.fabricgen("plan", "site") == 0
    assert "0 of 4 switches change" in capsys.readouterr().out


def test_a_plan_names_what_changes_and_how_much_it_hurts(work: Work) -> None:
    """One tenant's subnet: the leafs, not the spines."""
    work.rename_tenant()
    plan = work.plan()
    changing = [entry for entry in plan["switches"] if entry["state"] == "changes"]
    assert [entry["switch"] for entry in changing] == list(LEAFS)
    assert {entry["risk"] for entry in changing} == {"session-reset"}
    assert all("-    address 10.10.10.1/24" in entry["diff"] for entry in changing)
    assert [batch["switches"] for batch in plan["batches"]] == [[name] for name in LEAFS]


def test_looking_changes_nothing(work: Work) -> None:
    """Every request that plan, drift, diff --live and push --dry-run send is a look."""
    work.rename_tenant()
    for words in (
        ("plan", "site"),
        ("drift", "site"),
        ("diff", "site", "--live"),
        ("push", "site", "--dry-run"),
    ):
        assert work.fabricgen(*words) == 2
    assert set(work.requests()) <= READS
    assert len(work.requests()) > 100


def test_a_switch_that_does_not_answer_is_named(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """The others are looked at; the exit code says that not all is known."""
    work.rename_tenant()
    work.give("fe-spine2", Temper(gone=True))
    assert work.fabricgen("plan", "site") == 3
    said = capsys.readouterr().out
    assert "unreachable: fe-spine2: no answer" in said
    assert "2 of 4 switches change: 2 session-reset; 1 unknown" in said


def test_drift_names_who_was_changed_by_hand(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """And prints the lines."""
    path = work.running("fe-spine1")
    path.write_text(path.read_text().replace("bgp router-id", "bgp router-id 9.9.9.9\n ! was"))
    assert work.fabricgen("drift", "site", "--format", "json") == 2
    said = json.loads(capsys.readouterr().out)
    states = {row["switch"]: row["state"] for row in said["switches"]}
    assert states == dict.fromkeys(work.everything(), "as rendered") | {"fe-spine1": "drifted"}


def test_drift_has_its_meaning_its_place_and_its_risk(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """In each format, beside the lines of the switch."""
    path = work.running("fe-leaf01")
    path.write_text(path.read_text().replace("10.10.10.1/24", "10.10.10.9/24"))
    meant = (
        "interface vlan10: address lacks 10.10.10.1/24 and has 10.10.10.9/24, which the design "
        "does not have"
    )
    assert work.fabricgen("drift", "site", "--format", "json") == 2
    rows = json.loads(capsys.readouterr().out)["switches"]
    (drift,) = [each for row in rows for each in row["meaning"]]
    assert drift == {
        "said": meant,
        "risk": "session-reset",
        "effect": "sessions, tunnels and hosts that use the old value lose it",
        "intent": "site/site.yaml:14",
        "object": ["interface", "vlan10"],
        "attribute": "address",
        "running": "10.10.10.9/24",
        "rendered": "10.10.10.1/24",
    }
    assert work.fabricgen("drift", "site") == 2
    lines = capsys.readouterr().out.splitlines()
    assert f"  session-reset        {meant} (site/site.yaml:14)" in lines
    assert "-    address 10.10.10.9/24" in lines
    assert work.fabricgen("drift", "site", "--format", "markdown") == 2
    assert f"- session-reset: {meant} (site/site.yaml:14). " in capsys.readouterr().out


def test_equal_differences_of_many_ports_are_one_line(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    path = work.running("fe-spine1")
    path.write_text(path.read_text().replace("    mtu 9214", "    mtu 1500"))
    assert work.fabricgen("drift", "site") == 2
    meant = [line for line in capsys.readouterr().out.splitlines() if "MTU is" in line]
    assert len(meant) == 2  # ports in use, and ports that are shut
    assert all(" more: MTU is 1500, but the design has 9214" in line for line in meant)


def test_the_state_is_compared_when_somebody_asks(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """A fake has no state: it is unread, and the exit code is the one of switches not reached."""
    assert work.fabricgen("drift", "site") == 0
    assert "state" not in capsys.readouterr().out
    assert work.fabricgen("drift", "site", "--state") == 3
    said = capsys.readouterr().out
    assert "not read: fe-spine1: its driver cannot read the state" in said
    assert said.endswith("4 switches: 4 as rendered\n")


def test_running_switches_are_reviewed_by_meaning(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.rename_tenant()
    assert work.fabricgen("diff", "site", "--live") == 2
    said = capsys.readouterr().out
    assert said.startswith("what    ")
    assert f"2x {', '.join(LEAFS)} (session-reset, " in said


def test_a_switch_without_an_answer_is_not_known_in_a_review(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.rename_tenant()
    work.give("fe-spine2", Temper(gone=True))
    assert work.fabricgen("diff", "site", "--live") == 3
    assert "note    frontend/fe-spine2: not known: unreachable" in capsys.readouterr().out


@pytest.mark.parametrize("nameless", ["", ".", "/"])
def test_a_plan_is_a_file(work: Work, capsys: pytest.CaptureFixture[str], nameless: str) -> None:
    """A variable of a script may be empty."""
    work.rename_tenant()
    assert work.fabricgen("plan", "site", "-o", nameless) == 1
    assert "it is a folder, not a file" in capsys.readouterr().err
    assert work.fabricgen("push", "site", "--plan", nameless) == 1
    assert "it is a folder, not a file" in capsys.readouterr().err


def test_a_limit_that_names_nothing_is_an_error(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rather than a plan of nothing."""
    assert work.fabricgen("plan", "site", "--limit", "nobody*") == 1
    assert "--limit nobody* matches no switch or fabric" in capsys.readouterr().err


def test_a_wrong_inventory_is_said_with_its_place(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """File, line and column, all faults at once, and nothing is asked."""
    (work.folder / "inventory" / "groups.yaml").write_text(
        "linux:\n  usrname: admin\n  port: 70000\n"
    )
    assert work.fabricgen("plan", "site") == 1
    said = capsys.readouterr().err
    assert "inventory/groups.yaml:2:3 FG101 unknown key 'usrname'" in said
    assert "did you mean 'username'?" in said
    assert "inventory/groups.yaml:3:9 FG103 groups.linux.port: must be at most 65,535" in said
    assert work.requests() == []


def test_an_inventory_of_another_site_is_refused(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """And nobody goes unchecked by a word that stands for all."""
    (work.folder / "inventory" / "groups.yaml").write_text("nxos: {}\n")
    (work.folder / "inventory" / "hosts.yaml").write_text("fe-leaf1: {}\n")
    defaults = work.folder / "inventory" / "defaults.yaml"
    defaults.write_text(defaults.read_text() + "insecure: true\n")
    assert work.fabricgen("plan", "site") == 1
    said = capsys.readouterr().err
    assert "groups.yaml:1:1 FG105 unknown platform or fabric 'nxos'" in said
    assert "hosts.yaml:1:1 FG105 unknown switch 'fe-leaf1'" in said
    assert "defaults.yaml:3:11 FG103 `insecure` is allowed per host only" in said


def test_two_fabrics_are_refused_before_anybody_is_asked(
    work: Work, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With the two words that help; and each of them does."""
    asked: list[str] = []

    def asks(
        _: Fleet, names: Iterable[str], *__: object, **___: object
    ) -> dict[str, Outcome[Entry]]:
        asked.extend(names)
        return {}

    monkeypatch.setattr(Fleet, "look", asks)
    monkeypatch.setenv("FABRIC_ADMIN_HASH", HASH)
    lab = str(ROOT / "intent" / "lab")
    for words in (("plan", lab), ("push", lab, "--yes")):
        assert work.fabricgen(*words) == 1
        said = capsys.readouterr().err
        assert "one plan changes frontend and backend" in said
        assert (
            "use `--limit frontend` or `--limit backend` for one fabric, or `--all-fabrics`" in said
        )
    assert not asked
    assert work.fabricgen("plan", lab, "--limit", "frontend") == 0
    assert {name[:2] for name in asked} == {"fe"}
    assert work.fabricgen("plan", lab, "--all-fabrics") == 0
    assert {name[:2] for name in asked} == {"fe", "be"}


def test_a_driver_that_there_is_not_is_said_with_its_place(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Once, in the inventory, and not by each switch."""
    (work.folder / "inventory" / "groups.yaml").write_text("linux: {driver: fak}\n")
    (work.folder / "inventory" / "hosts.yaml").write_text("fe-leaf01: {driver: nxos}\n")
    assert work.fabricgen("plan", "site") == 1
    said = capsys.readouterr().err
    assert (
        "groups.yaml:1:17 FG105 unknown driver 'fak': available are eos, sonic, linux, fake;"
        in said
    )
    assert "did you mean 'fake'?" in said
    assert "hosts.yaml:1:21 FG105 unknown driver 'nxos'" in said
    assert work.requests() == []


def test_what_a_driver_needs_and_is_not_told_is_a_sentence(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """The driver `fake` needs a folder; what the user is told is no bare name."""
    (work.folder / "inventory" / "defaults.yaml").write_text("driver: fake\n")
    assert work.fabricgen("plan", "site") == 3
    said = capsys.readouterr().out
    assert (
        "failed: fe-leaf01: driver 'fake' needs the option 'folder': add it in inventory/" in said
    )
