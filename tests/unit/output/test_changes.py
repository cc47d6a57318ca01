"""The difference of two trees: what differs, and which switches share a change."""

import json

import pytest

from fabricgen.cli.formats.changes import show
from fabricgen.compile.output.changes import compare
from fabricgen.core.tree.risk import Risk

BEFORE = {f"frontend/leaf{n}/eos.cfg": f"hostname leaf{n}\nvlan 10\nend\n" for n in range(1, 130)}


def after(**special: str) -> dict[str, str]:
    made = {path: text.replace("vlan 10\n", "vlan 10\nvlan 20\n") for path, text in BEFORE.items()}
    made.update({f"frontend/{name}/eos.cfg": text for name, text in special.items()})
    return made


def test_no_difference_is_no_group() -> None:
    assert compare(BEFORE, BEFORE).groups == ()


def test_switches_with_the_same_change_are_one_group() -> None:
    changes = compare(BEFORE, after(leaf7="hostname leaf7\nend\n"))
    assert [(len(group.switches), group.added, group.removed) for group in changes.groups] == [
        (128, 1, 0),
        (1, 0, 1),
    ]


def test_new_gone_and_changed_switches_are_said() -> None:
    changed = {**BEFORE, "frontend/leaf999/eos.cfg": "hostname leaf999\n"}
    del changed["frontend/leaf1/eos.cfg"]
    changed["frontend/leaf2/eos.cfg"] += "!\n"
    changes = compare(BEFORE, changed)
    statuses = {group.switches[0]: group.files[0].status for group in changes.groups}
    assert statuses == {
        "frontend/leaf999": "new",
        "frontend/leaf1": "gone",
        "frontend/leaf2": "changed",
    }
    rows = json.loads(show(changes, "json"))["groups"]
    assert sorted(file["status"] for row in rows for file in row["files"]) == [
        *("changed", "gone", "new")
    ]


def test_the_text_says_how_many_share_a_change() -> None:
    said = show(compare(BEFORE, after()), "text")
    assert "129 switches share this change: leaf1, leaf2, leaf3, " in said
    assert said.count("+vlan 20") == 1


def test_the_markdown_fits_a_comment_and_cannot_be_broken_out_of() -> None:
    changed = {
        path: text + f"description ```@team</details> {number}x\n" * 40
        for number, (path, text) in enumerate(BEFORE.items())
    }
    said = show(compare(BEFORE, changed), "markdown")
    assert len(said) < 65_536
    assert "more changes do not fit" in said
    assert "````diff" in said


def test_a_group_says_its_risk_and_why() -> None:
    said = show(compare(BEFORE, after()), "text")
    assert said.startswith("hitless: 129 switches share this change: leaf1")
    assert "hitless              eos.cfg: vlan 20 (added)\n" in said
    assert said.endswith("blast radius: 129 hitless\n")


def test_the_blast_radius_counts_every_switch_by_its_worst_change() -> None:
    changed = after(leaf7="hostname leaf7\nend\n", leaf8="hostname x\nvlan 10\n")
    changed["frontend/leaf9/eos.cfg"] = "service routing protocols model multi-agent\nvlan 10\n"
    counted = compare(BEFORE, changed).radius
    assert list(counted.items()) == [
        (Risk.REBOOT, 1),
        (Risk.LOSSLESS_DISRUPTIVE, 0),
        (Risk.SESSION_RESET, 1),
        (Risk.HITLESS, 127),
    ]


def test_a_mere_change_of_order_is_said_to_be_one() -> None:
    moved = {path: "vlan 10\n" + text.replace("vlan 10\n", "") for path, text in BEFORE.items()}
    changes = compare(BEFORE, moved)
    assert [group.judged for group in changes.groups] == [()]
    assert "only order or comments differ" in show(changes, "text")
    assert "Only order or comments differ." in show(changes, "markdown")


def test_the_same_lines_on_a_shut_port_are_another_change() -> None:
    port = "interface Ethernet1/1\n   speed 400g-4\n{}"
    down = port.format("   shutdown\n")
    before = {"f/a/eos.cfg": port.format(""), "f/b/eos.cfg": down, "f/c/eos.cfg": down}
    changed = {path: text.replace("400g-4", "100g-4") for path, text in before.items()}
    found = {group.switches: group.risk for group in compare(before, changed).groups}
    assert found == {("f/b", "f/c"): Risk.HITLESS, ("f/a",): Risk.SESSION_RESET}


def test_the_json_has_every_rule_that_judged_with_its_source() -> None:
    data = json.loads(show(compare(BEFORE, after()), "json"))
    assert data["blast_radius"] == {
        "reboot": 0,
        "lossless-disruptive": 0,
        "session-reset": 0,
        "hitless": 129,
    }
    (group,) = data["groups"]
    assert group["risk"] == "hitless"
    (change,) = group["changes"]
    assert (change["file"], change["kind"], change["places"]) == ("eos.cfg", "added", ["vlan 20"])
    assert (change["risk"], change["known"]) == ("hitless", True)
    assert change["reason"]
    assert change["source"]


def test_the_json_is_versioned() -> None:
    data = json.loads(show(compare(BEFORE, after()), "json"))
    assert (data["format_version"], data["changed"]) == (1, 129)


@pytest.mark.parametrize(
    "line",
    ["router bgp {}", "   router-id 10.0.0.{}", '"bgp_asn": "{}"', "hostname leaf{}"],
    ids=["ASN", "router ID", "ASN of SONiC", "name"],
)
def test_a_change_that_differs_in_a_switch_s_own_number_is_shared(line: str) -> None:
    names = [f"frontend/leaf{number}/eos.cfg" for number in (1, 2)]
    before = dict.fromkeys(names, "vlan 10\n")
    own = [f"{line.format(number)}\n" for number in (1, 2)]
    after = {name: text + "vlan 10\n" for name, text in zip(names, own, strict=True)}
    (group,) = compare(before, after).groups
    assert group.switches == ("frontend/leaf1", "frontend/leaf2")


def test_a_change_that_differs_in_another_number_is_not_shared() -> None:
    names = [f"frontend/leaf{number}/eos.cfg" for number in (1, 2)]
    after = {name: f"vlan 2{at}\n" for at, name in enumerate(names)}
    assert len(compare(dict.fromkeys(names, "vlan 10\n"), after).groups) == 2
