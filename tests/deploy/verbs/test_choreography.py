"""What has two ends: `plan` says what breaks in between, `push` refuses it, a window does it."""

import json
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.deploy.fakes.temper import Temper
from tests.deploy.verbs.conftest import HASH, LEAFS, SITE, Work, equipped

VNI = "  overlay: {l2vni_base: 20000}\n"
ASN = "  underlay: {asn: {first: 4210000000, last: 4219999999}}\n"
SAID = (
    "VLAN 10 red-web: VNI 10010 on 1 leaf, VNI 20010 on 1 leaf, "
    "from batch 1 to batch 2 (duration unknown)"
)
CUT = "2 servers cannot all reach each other"


def frontend(work: Work, line: str) -> None:
    """Add a line to the frontend of the intent."""
    work.intend("frontend:\n", "frontend:\n" + line)


def planned(work: Work, *words: str) -> tuple[int, dict[str, Any]]:
    """Make a plan; return the exit code and the document."""
    code = work.fabricgen("plan", "site", "-o", "plan.json", *words)
    return code, json.loads((work.folder / "plan.json").read_text())


def batches(plan: dict[str, Any]) -> list[list[str]]:
    return [batch["switches"] for batch in plan["batches"]]


def test_a_vlan_that_would_be_cut_between_batches_is_said_and_refused(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """By plan with exit code 4; by push before any switch is asked."""
    frontend(work, VNI)
    code, plan = planned(work)
    said = capsys.readouterr().out
    assert code == 4
    assert f"split: {SAID}: {CUT}" in said
    assert (
        f"this plan cannot succeed in these batches: {SAID}: {CUT}; "
        "use `plan --one-batch` to change all ends in one batch\n"
    ) in said
    (split,) = [each for each in plan["splits"] if each["breaks"]]
    assert (split["begins"], split["ends"], split["servers"]) == (1, 2, 2)
    asked = len(work.requests())
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 4
    assert f"refused: this plan cannot succeed in these batches: {SAID}" in capsys.readouterr().err
    assert len(work.requests()) == asked


def test_a_window_changes_all_ends_in_one_batch_and_nobody_else(work: Work) -> None:
    """The spines, which have no VLAN, stand in no window; push carries it out."""
    frontend(work, VNI)
    code, plan = planned(work, "--one-batch")
    assert (code, batches(plan)) == (2, [list(LEAFS)])
    (batch,) = plan["batches"]
    assert batch["window"] == {"vlans": [10], "vrfs": [], "cables": False}
    assert plan["splits"][0]["seconds"] is None
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    assert all("vni20010" in work.everything()[leaf] for leaf in LEAFS)
    assert work.fabricgen("plan", "site") == 0


def test_how_long_it_takes_is_what_batches_of_this_site_took(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """The median of those that the journal knows, for each batch until the ends agree."""
    frontend(work, VNI)
    planned(work, "--one-batch")
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    journal = work.folder / "site" / ".fabricgen" / "journal.db"
    with sqlite3.connect(journal) as database:
        database.execute(
            "UPDATE fabricgen_steps SET at = datetime(at, '+40 seconds') WHERE phase = 'confirmed'"
        )
    work.intend(VNI, "")
    capsys.readouterr()
    _, plan = planned(work)
    assert 38 <= plan["splits"][0]["seconds"] <= 45
    assert f"from batch 1 to batch 2 (about {plan['splits'][0]['seconds']} s)" in (
        capsys.readouterr().out
    )


def test_a_window_goes_back_as_one(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    """And a part of it does not."""
    before = work.everything()
    frontend(work, ASN)
    _, plan = planned(work, "--one-batch")
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    words = ("rollback", plan["id"], "site", "--yes")
    assert work.fabricgen(*words, "--limit", "fe-spine*") == 1
    assert "changed together in one batch" in capsys.readouterr().err
    assert work.everything() != before
    assert work.fabricgen(*words) == 0
    assert work.everything() == before


@pytest.mark.parametrize("limit", [["fe-leaf01"], ["fe-leaf01", "fe-spine*"]])
@pytest.mark.parametrize("words", [(), ("--one-batch",)])
def test_an_end_outside_the_plan_cannot_be_helped_by_a_window(
    work: Work, capsys: pytest.CaptureFixture[str], limit: Sequence[str], words: tuple[str, ...]
) -> None:
    """It is named."""
    frontend(work, VNI)
    only = [word for name in limit for word in ("--limit", name)]
    code, plan = planned(work, *only, *words)
    assert code == 4
    assert plan["splits"][0]["outside"] == ["fe-leaf02"]
    said = capsys.readouterr().out
    assert "cannot succeed: VLAN 10 red-web: the other end, fe-leaf02, is not in this plan" in said


def test_asns_of_a_whole_frontend_can_go_in_one_window(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Every session ends with the first of its ends; without that word it goes by steps."""
    frontend(work, ASN)
    code, plan = planned(work, "--one-batch")
    assert "8 sessions will go down and stay down; 2 servers behind" in capsys.readouterr().out
    assert plan["step"] is None
    assert (code, batches(plan)) == (2, [[*LEAFS, "fe-spine1", "fe-spine2"]])
    assert plan["batches"][0]["window"] == {"vlans": [], "vrfs": [], "cables": True}


def test_timers_of_bfd_differ_for_a_while_and_break_nothing(work: Work) -> None:
    """They are negotiated: the plan says so, and succeeds."""
    frontend(work, "  underlay: {bfd: {multiplier: 5}}\n")
    code, plan = planned(work)
    assert code == 2
    (split,) = plan["splits"]
    assert (split["what"], split["breaks"], split["source"]) == (
        "BFD timers",
        False,
        "RFC 5880 section 6.8.2",
    )


def test_an_mtu_goes_down_from_the_leafs_up_and_back_the_other_way(work: Work) -> None:
    """It is carried before it is used, and used no more before it is carried no more."""
    low = "  underlay: {mtu: 9000}\n"
    frontend(work, low)
    code, plan = planned(work)
    assert (code, batches(plan)[0]) == (2, ["fe-leaf01"])
    assert ordered(plan, "from the leafs up: an MTU is lowered")
    (split,) = [each for each in plan["splits"] if each["what"] == "MTU"]
    assert (split["begins"], split["ends"], split["breaks"]) == (1, 4, False)
    assert split["differs"] == "9000 bytes and 9214 bytes"
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    work.intend(low, "")
    code, plan = planned(work)
    assert (code, batches(plan)[0]) == (2, ["fe-spine1"])
    assert ordered(plan, "down to the leafs: an MTU is raised")


@pytest.mark.parametrize(
    ("limit", "away"),
    [("fe-spine*", ["fe-leaf01", "fe-leaf02"]), ("fe-leaf01", ["fe-spine1", "fe-spine2"])],
)
def test_an_mtu_that_differs_from_ends_outside_the_limit_is_said_of_them(
    work: Work, capsys: pytest.CaptureFixture[str], limit: str, away: list[str]
) -> None:
    """No batch of this plan ends it; a plan of the others does, so it is not refused."""
    frontend(work, "  underlay: {mtu: 9000}\n")
    code, plan = planned(work, "--limit", limit)
    (split,) = plan["splits"]
    assert (code, split["ends"], split["outside"]) == (2, None, away)
    said = capsys.readouterr().out
    assert "split: MTU: 9000 bytes and 9214 bytes, from batch 1 on: " in said
    assert "behind; not in this plan: 2 of its ends\n" in said


def ordered(plan: dict[str, Any], why: str) -> bool:
    """Tell whether the first batch of each tier says why it goes first, and no other."""
    return [why in batch["why"] for batch in plan["batches"]] == [True, False] * 2


def test_both_directions_are_said(work: Work) -> None:
    """One leaf had its MTU lowered by hand: the others go down, it goes up."""
    path = work.running("fe-leaf01")
    path.write_text(path.read_text().replace("mtu 9214", "mtu 8000"))
    frontend(work, "  underlay: {mtu: 9000}\n")
    _, plan = planned(work)
    assert batches(plan)[0] == ["fe-spine1"]
    assert ordered(plan, "downwards: an MTU is lowered (upwards) and an MTU is raised")


def test_what_no_grammar_reads_is_named_and_nothing_claimed_of_it(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """Somebody added a line by hand."""
    path = work.running("fe-leaf01")
    path.write_text(path.read_text().replace("router bgp", "router isis core\n!\nrouter bgp", 1))
    code, plan = planned(work)
    assert (code, plan["splits"]) == (2, [])
    assert "not read: fe-leaf01: etc/frr/frr.conf:" in capsys.readouterr().out


def test_a_tenant_goes_leaf_by_leaf_without_a_window(work: Work) -> None:
    """Who has its VLAN no more is no end of it: nobody is cut by that."""
    work.intend(SITE[SITE.index("tenants:") :], "")
    code, plan = planned(work)
    assert (code, plan["splits"], batches(plan)) == (2, [], [[leaf] for leaf in LEAFS])
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    assert not any("vni10010" in text for text in work.everything().values())


def test_a_vlan_that_leaves_one_leaf_cuts_nobody(work: Work) -> None:
    """Where it is attached to the other one alone."""
    work.intend("servers: 1-1, access: web", "servers: 1-1, leafs: 1-1, access: web")
    code, plan = planned(work)
    assert (code, plan["splits"], batches(plan)) == (2, [], [["fe-leaf02"]])


def test_a_window_says_what_becomes_what(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    """All ends agree after it, so their values then would not say what it is for."""
    frontend(work, VNI)
    planned(work, "--one-batch")
    said = capsys.readouterr().out
    assert "VLAN 10 red-web: VNI 10010 becomes VNI 20010, while batch 1 changes" in said


def test_route_targets_go_by_steps_where_several_leafs_change_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In each step what a leaf was agrees with what the others of its batch become."""
    monkeypatch.setenv("ADMIN_HASH", HASH)
    monkeypatch.chdir(tmp_path)
    work = equipped(tmp_path, SITE.replace("leafs: 1-2", "leafs: 1-8"))
    frontend(work, "  overlay: {route_target_asn: 64001}\n")
    for _ in range(3):
        code, plan = planned(work)
        assert (code, plan["splits"]) == (2, [])
        assert max(map(len, batches(plan))) > 1
        assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    assert work.fabricgen("plan", "site") == 0


def test_a_vlan_that_gets_another_id_is_cut_between_its_leafs(work: Work) -> None:
    """Its subnet says that it is the same one; a window changes it, and the judge sees why."""
    work.intend("web: {id: 10,", "web: {id: 11,")
    code, plan = planned(work)
    (split,) = plan["splits"]
    assert (code, split["what"], split["breaks"]) == (4, "VLAN 11 red-web", True)
    assert split["differs"] == "VNI 10010 on 1 leaf, VNI 10011 on 1 leaf"
    code, plan = planned(work, "--one-batch")
    assert (code, batches(plan)) == (2, [list(LEAFS)])
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    assert work.fabricgen("plan", "site") == 0


@pytest.mark.parametrize(
    ("temper", "code", "why"),
    [
        (Temper(gone=True), 4, "needs the state of fe-leaf02"),
        (Temper(refuses="vni20010"), 4, "needs the state of fe-leaf02"),
        (Temper(lies=True), 5, "the window must change together, but fe-leaf02 cannot"),
    ],
    ids=["gone", "refuses", "lies"],
)
def test_a_window_changes_on_all_of_its_switches_or_none(
    work: Work, capsys: pytest.CaptureFixture[str], temper: Temper, code: int, why: str
) -> None:
    """Half of it is what it is there to avoid; the same plan goes once the other one is well."""
    before = work.everything()
    frontend(work, VNI)
    planned(work, "--one-batch")
    work.give("fe-leaf02", temper)
    assert work.fabricgen("push", "site", "--plan", "plan.json") == code
    assert why in capsys.readouterr().out
    assert work.everything() == before
    work.give("fe-leaf02", Temper())
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    assert all("vni20010" in work.everything()[leaf] for leaf in LEAFS)


def test_a_window_of_vlans_goes_back_as_one(work: Work, capsys: pytest.CaptureFixture[str]) -> None:
    """Its leafs could have gone together anyhow: that it was a window stands in the plan."""
    before = work.everything()
    frontend(work, VNI)
    _, plan = planned(work, "--one-batch")
    assert work.fabricgen("push", "site", "--plan", "plan.json") == 0
    words = ("rollback", plan["id"], "site", "--yes")
    assert work.fabricgen(*words, "--limit", "fe-leaf01") == 1
    assert "changed together in one batch" in capsys.readouterr().err
    work.give("fe-leaf02", Temper(gone=True))
    after = work.everything()
    assert work.fabricgen(*words) == 3
    assert work.everything() == after
    work.give("fe-leaf02", Temper())
    assert work.fabricgen(*words) == 0
    assert work.everything() == before


def test_programs_and_reviewers_are_told_what_people_are(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """A refusal and a dry run as JSON; in a comment the batches that splits are counted in."""
    frontend(work, VNI)
    planned(work)
    capsys.readouterr()
    assert work.fabricgen("push", "site", "--plan", "plan.json", "--format", "json") == 4
    told = json.loads(capsys.readouterr().out)
    assert (told["result"], told["switches"]) == ("refused", {})
    assert CUT in told["said"]
    assert work.fabricgen("push", "site", "--dry-run", "--format", "json") == 4
    assert json.loads(capsys.readouterr().out)["splits"][0]["servers"] == 2
    assert work.fabricgen("plan", "site", "--format", "markdown") == 4
    assert "- batch 2: fe-leaf02\n" in capsys.readouterr().out


def test_what_no_grammar_reads_is_named_with_its_line(
    work: Work, capsys: pytest.CaptureFixture[str]
) -> None:
    """As an editor counts them."""
    path = work.running("fe-leaf01")
    lines = path.read_text().splitlines()
    first = next(number for number, line in enumerate(lines) if "etc/frr/frr.conf" in line)
    begins = next(number for number in range(first, len(lines)) if "hostname" in lines[number])
    path.write_text(
        "\n".join([*lines[: begins + 1], "router isis core", *lines[begins + 1 :]]) + "\n"
    )
    work.fabricgen("plan", "site")
    assert f"etc/frr/frr.conf:{begins - first + 1} router isis core" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("line", "limit"),
    [
        ("  addressing: {vteps: 10.66.0.0/16}\n", "fe-leaf01"),
        ("  underlay: {asn: {first: 4210000000}}\n", "fe-spine*"),
    ],
    ids=["another tunnel address", "any ASN is taken"],
)
def test_what_an_end_outside_the_plan_can_live_with_is_not_refused(
    work: Work, line: str, limit: str
) -> None:
    """The loopback that is called stays; whoever is taken with any ASN may keep the one it has."""
    frontend(work, line)
    code, plan = planned(work, "--limit", limit)
    assert (code, plan["splits"]) == (2, [])


def test_a_link_that_is_absent_from_now_on_ends_no_session_that_stays(work: Work) -> None:
    frontend(work, "  oversubscription: 8\n  switches: {fe-leaf02: {links: {fe-spine2: absent}}}\n")
    code, plan = planned(work)
    assert code == 2
    assert not [each for each in plan["splits"] if each["breaks"]]
