"""Spines that go one after the other: `--one-batch` drains them before, `--drain` for people."""

import json

import pytest
from tests.deploy.fakes.temper import Temper
from tests.deploy.verbs.conftest import Work
from tests.deploy.verbs.test_choreography import batches, frontend, planned

LINKS = "  addressing: {links: 10.80.0.0/20}\n  underlay: {links: numbered}\n"
DETOUR = "set as-path prepend"


def prepending(work: Work) -> set[str]:
    """Return the switches that run a detour."""
    return {name for name, runs in work.everything().items() if DETOUR in runs}


def test_addresses_of_links_change_spine_by_spine_each_drained_before(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    frontend(work, "  underlay: {links: numbered}\n")
    assert work.fabricgen("push", "site", "--yes", "--one-batch") == 0
    work.intend("  underlay: {links: numbered}\n", LINKS)
    code, plan = planned(work, "--one-batch")
    assert (code, batches(plan)) == (2, [["fe-spine1"]])
    said = capsys.readouterr().out
    assert "step 1 of 6: fe-spine1 is drained: neighbors use all other paths" in said
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    assert "5 steps left: run `fabricgen plan --one-batch` again" in capsys.readouterr().out
    assert prepending(work) == {"fe-spine1"}
    assert "10.80." not in "".join(work.everything().values())
    _, plan = planned(work, "--one-batch")
    said = capsys.readouterr().out
    assert plan["batches"][0]["window"]["cables"]
    assert batches(plan) == [["fe-leaf01", "fe-leaf02", "fe-spine1"]]
    assert "sessions will go down and stay down; no traffic on them" in said
    assert "servers behind" not in said
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    assert work.fabricgen("push", "site", "--yes", "--one-batch", "--steps") == 0
    assert prepending(work) == set()
    assert "10.72." not in "".join(work.everything().values())
    assert work.fabricgen("plan", "site") == 0


def test_what_has_no_other_way_goes_undrained_and_says_so(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    frontend(work, "  overlay: {l2vni_base: 20000}\n")
    planned(work, "--one-batch")
    assert (
        "no switch is drained before the window: VLAN 10 changes on all its leafs"
        in capsys.readouterr().out
    )


def test_a_spine_is_drained_until_a_plan_without_it(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    before = work.everything()
    code, plan = planned(work, "--drain", "fe-spine2")
    assert (code, batches(plan)) == (2, [["fe-spine2"]])
    assert "fe-spine2 is drained: neighbors use all other paths" in capsys.readouterr().out
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    assert prepending(work) == {"fe-spine2"}
    assert work.fabricgen("plan", "site", "--drain", "fe-spine2") == 0
    assert work.fabricgen("push", "site", "--yes") == 0
    assert work.everything() == before


@pytest.mark.parametrize(
    ("names", "why"),
    [
        (
            ["fe-leaf01"],
            "fe-leaf01 cannot be drained: fe-leaf01-h1 has no bond with another active leaf",
        ),
        (["fe-spine1", "fe-spine2"], "fe-spine1 cannot be drained: no switch is redundant with it"),
        (["fe-spine*"], "--drain: unknown switch 'fe-spine*' in this plan"),
    ],
)
def test_what_cannot_be_drained_is_refused(
    work: Work, capsys: pytest.CaptureFixture[str], names: list[str], why: str
) -> None:
    words = [word for name in names for word in ("--drain", name)]
    assert work.fabricgen("plan", "site", *words) == 1
    assert f"error: {why}" in capsys.readouterr().err


@pytest.mark.parametrize("name", ["fe-spine1", "fe-spine2"])
def test_a_window_that_drains_spines_itself_drains_no_other_beside_its_turn(
    work: Work, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    """Else both would be drained at once, or the turn of one that stays drained would never end."""
    frontend(work, "  underlay: {links: numbered}\n")
    assert work.fabricgen("push", "site", "--yes", "--one-batch") == 0
    assert work.fabricgen("push", "site", "--yes", "--drain", name) == 0
    assert work.fabricgen("plan", "site", "--one-batch", "--drain", name) == 0
    work.intend("  underlay: {links: numbered}\n", LINKS)
    capsys.readouterr()
    assert work.fabricgen("plan", "site", "--one-batch", "--drain", name) == 1
    assert "drains one spine at a time: omit --drain" in capsys.readouterr().err
    assert work.fabricgen("push", "site", "--yes", "--one-batch", "--steps") == 0
    assert work.fabricgen("plan", "site") == 0


def test_a_spine_is_not_drained_when_the_other_one_does_not_answer(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """It may be dead: `--drain` is refused, and a window says that nobody stands in."""
    work.give("fe-spine2", Temper(gone=True))
    assert work.fabricgen("plan", "site", "--drain", "fe-spine1") == 1
    why = "fe-spine1 cannot be drained: no state from the redundant switch fe-spine2"
    assert f"error: {why}" in capsys.readouterr().err
    assert work.fabricgen("plan", "site", "--drain", "fe-spine1", "--limit", "fe-spine1") == 2


def test_a_window_beside_a_spine_that_does_not_answer_says_that_it_does_not(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    frontend(work, "  underlay: {links: numbered}\n")
    assert work.fabricgen("push", "site", "--yes", "--one-batch") == 0
    work.intend("  underlay: {links: numbered}\n", LINKS)
    work.give("fe-spine2", Temper(gone=True))
    assert work.fabricgen("plan", "site", "--one-batch") == 4
    said = capsys.readouterr().out
    assert "no switch is drained before the window: fe-spine2 has no state snapshot" in said
    assert "the other end, fe-spine2, was not reached" in said
    assert work.fabricgen("plan", "site", "--one-batch", "--limit", "fe-spine1") == 4
    assert "the other end, fe-leaf01, fe-leaf02, is not in this plan" in capsys.readouterr().out


def test_who_is_drained_is_said_by_drift_and_by_a_plan_that_ends_it(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody may have a hand in it, whoever plans what else there is."""
    drain = ("--drain", "fe-spine2", "--drain", "fe-spine2")
    assert work.fabricgen("push", "site", "--yes", *drain) == 0
    assert "step 1 of 1: fe-spine2 is drained: " in capsys.readouterr().out
    assert work.fabricgen("drift", "site") == 2
    assert "fe-spine2 drained; run `plan` without --drain" in capsys.readouterr().out
    assert work.fabricgen("drift", "site", "--format", "json") == 2
    assert "fe-spine2 drained" in json.loads(capsys.readouterr().out)["between"]
    assert work.fabricgen("plan", "site") == 2
    back = "drained: this plan restores the traffic of fe-spine2"
    assert back in capsys.readouterr().err
    assert work.fabricgen("plan", "site", *drain) == 0
    assert work.fabricgen("plan", "site", "--limit", "fe-spine1") == 0
    assert "drained" not in capsys.readouterr().err


LINK = "  switches: {fe-leaf01: {links: {fe-spine1: {state: drained}}}}\ntenants:"
BOTH, LEFT = (("swp29", "swp30"), ("swp30",))
"""The leaf's ports to both spines, and to the one whose link is not drained."""


def ways(work: Work, *looks: tuple[str, ...]) -> None:
    """Say by which ports the leaf sends to the other leaf, look by look."""
    told = [{"10.64.0.2/32": ports} for ports in looks]
    (work.folder / "switches" / "fe-leaf01" / "ways").write_text(json.dumps(told))


def test_a_push_that_drains_a_link_waits_until_nothing_is_sent_over_it(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.intend("tenants:", LINK)
    ways(work, *(BOTH,) * 8, LEFT)
    assert work.fabricgen("push", "site", "--yes") == 0
    assert json.loads((work.folder / "switches" / "fe-leaf01" / "ways").read_text()) == [
        {"10.64.0.2/32": list(LEFT)}
    ]
    assert prepending(work) == {"fe-leaf01", "fe-spine1"}


def test_a_push_is_undone_that_drains_a_link_which_is_still_used(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    work.intend("tenants:", LINK)
    ways(work, BOTH)
    assert work.fabricgen("push", "site", "--yes", "--health-timeout", "1") == 5
    said = "".join(capsys.readouterr())
    assert "still sends to 10.64.0.2/32 over swp29, whose link is drained" in said
    assert "fe-spine1" not in prepending(work)
