"""A change that is made before it is broken: step after step, each an ordinary plan."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.deploy.fakes.temper import Temper
from tests.deploy.verbs.conftest import LEAFS, Work

LEAF_ASNS = "  underlay: {asn: {first: 4210000000}}\n"
TARGETS = "  overlay: {route_target_asn: 64001}\n"
SPINES = ("fe-spine1", "fe-spine2")


def intended(work: Work, line: str) -> None:
    work.intend("frontend:\n", "frontend:\n" + line)


def document(work: Work) -> dict[str, Any]:
    made: dict[str, Any] = json.loads((work.folder / "plan.json").read_text())
    return made


def test_asns_change_in_three_plans_and_each_says_which_it_is(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    intended(work, LEAF_ASNS)
    seen = []
    while work.fabricgen("plan", "site", "-o", "plan.json") == 2:
        plan = document(work)
        step = plan["step"]
        said = f"step {step['number']} of 3: {step['said']}"
        assert said in capsys.readouterr().out
        changing = [each["switch"] for each in plan["switches"] if each["state"] == "changes"]
        seen.append((said, changing))
        assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
        again = "run `fabricgen plan` again for the next one"
        ends = {1: f"2 steps left: {again}", 2: f"1 step left: {again}", 3: "confirmed"}
        assert capsys.readouterr().out.splitlines()[-1].endswith(ends[step["number"]])
        drift = work.fabricgen("drift", "site")
        assert drift == (0 if step["number"] == 3 else 2)
        done = f"{step['number']} of 3 steps of a change are done"
        between = f"{done}; run `fabricgen plan` for the next step: "
        assert (between in capsys.readouterr().out) == (step["number"] < 3)
    assert seen == [
        ("step 1 of 3: the neighbors of fe-leaf01 and 1 more accept any ASN", [*SPINES]),
        ("step 2 of 3: new ASN for fe-leaf01 and 1 more, batch by batch", [*LEAFS]),
        ("step 3 of 3: neighbors expect exact ASNs again", [*SPINES]),
    ]


def renumbered(work: Work, name: str) -> None:
    """Give a switch another ASN by hand."""
    path = work.running(name)
    (asn,) = {*re.findall(r"^router bgp (\d+)", path.read_text(), re.MULTILINE)}
    path.write_text(path.read_text().replace(f"router bgp {asn}", "router bgp 4299999999"))


def test_an_asn_that_was_changed_by_hand_is_mended_at_once(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its sessions are refused now: a step before it would only keep them down."""
    before = work.everything()
    renumbered(work, "fe-leaf01")
    assert work.fabricgen("plan", "site", "-o", "plan.json") == 2
    plan = document(work)
    assert (plan["step"], [each["switches"] for each in plan["batches"]]) == (None, [["fe-leaf01"]])
    assert "ASN of fe-leaf01: 4200000000 and 4299999999, " in (said := capsys.readouterr().out)
    assert "now to batch 1: 4 sessions will go down and stay down; 1 server behind" in said
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    assert work.everything() == before


def test_beside_a_renumbering_who_is_refused_now_goes_first(work: Work) -> None:
    """The others keep their ASN in the first step, it has nothing to keep."""
    renumbered(work, "fe-leaf01")
    intended(work, LEAF_ASNS)
    assert work.fabricgen("plan", "site", "-o", "plan.json") == 2
    plan = document(work)
    assert plan["step"]["said"] == "the neighbors of fe-leaf02 accept any ASN"
    assert plan["step"]["kept"]["fe-leaf02"]["asn"] is not None
    assert "fe-leaf01" not in plan["step"]["kept"]
    assert work.fabricgen("push", "site", "--yes", "--steps") == 0
    assert work.fabricgen("plan", "site") == 0


@pytest.mark.parametrize("line", [LEAF_ASNS, TARGETS, LEAF_ASNS + TARGETS])
def test_one_push_goes_through_all_steps(
    work: Work, capsys: pytest.CaptureFixture[str], line: str
) -> None:
    intended(work, line)
    assert work.fabricgen("push", "site", "--yes", "--steps") == 0
    said = capsys.readouterr().out
    assert [said.count(f"step {number} of 3: ") for number in (1, 2, 3)] == [1, 1, 1]
    assert "steps left" not in said
    assert work.fabricgen("plan", "site") == 0
    assert "external" not in "".join(work.everything().values())


def test_route_targets_overlap_while_they_change(work: Work) -> None:
    """Both are imported before the new one is exported, beside the old one; then that goes."""
    intended(work, TARGETS)
    for imports, exports in ((2, 1), (2, 2), (1, 1)):
        assert work.fabricgen("push", "site", "--yes") == 0
        for leaf in LEAFS:
            text = work.running(leaf).read_text()
            assert text.count("route-target import 64") == 2 * imports  # a VLAN and its VRF
            assert text.count("route-target export 64") == 2 * exports


def test_a_step_that_was_not_reached_by_all_is_made_again(work: Work) -> None:
    """A spine did not answer in the first one; nobody goes on without it."""
    intended(work, LEAF_ASNS)
    work.give("fe-spine2", Temper(gone=True))
    assert work.fabricgen("push", "site", "--yes", "--steps") == 3
    assert work.fabricgen("plan", "site", "-o", "plan.json") == 3
    plan = document(work)
    assert (plan["step"]["number"], plan["step"]["waits"]) == (1, ["fe-spine2"])
    assert not plan["batches"]
    work.give("fe-spine2", Temper())
    assert work.fabricgen("push", "site", "--yes", "--steps") == 0
    assert work.fabricgen("plan", "site") == 0


def test_a_plan_whose_step_was_edited_is_none(work: Work, tmp_path: Path) -> None:
    """What switches keep is part of what its hash is of."""
    intended(work, LEAF_ASNS)
    assert work.fabricgen("plan", "site", "-o", "plan.json") == 2
    path = tmp_path / "plan.json"
    text = path.read_text()
    assert '"strangers"' in text
    path.write_text(text.replace('"strangers": [\n     "fe-leaf01",', '"strangers": [', 1))
    assert path.read_text() != text
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 1
    assert work.fabricgen("push", "site", "--plan", "plan.json", "--steps") == 64


def test_a_part_that_can_only_wait_for_others_is_not_done(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nothing changes on it, and it is not what the intent says; no window helps that either."""
    intended(work, LEAF_ASNS)
    assert work.fabricgen("plan", "site", "--limit", "fe-leaf01") == 4
    said = capsys.readouterr().out
    assert "it waits for fe-spine1, fe-spine2, not in this plan" in said
    assert "--one-batch" not in said
    assert work.fabricgen("push", "site", "--limit", "fe-leaf01", "--yes") == 4
    assert "none of 1 switch; step 1 waits for fe-spine1, fe-spine2" in (capsys.readouterr().out)


def test_a_step_is_not_taken_back_under_a_later_one(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its neighbors would expect what the later step brought; the last step goes back first."""
    before = work.everything()
    intended(work, LEAF_ASNS)
    plans = []
    for _ in range(3):
        assert work.fabricgen("plan", "site", "-o", "plan.json") == 2
        plans.append(document(work)["id"])
        assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    between = work.everything()
    assert work.fabricgen("rollback", plans[1], "site", "--yes") == 1
    assert f"run `fabricgen rollback {plans[2]} site` first" in capsys.readouterr().err
    assert work.everything() == between
    for plan in reversed(plans):
        assert work.fabricgen("rollback", plan, "site", "--yes") == 0
    assert work.everything() == before
