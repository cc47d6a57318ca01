"""The difference of two trees: what differs, and which switches share a change."""

from __future__ import annotations

import json

from fabricgen.cli.formats.changes import show
from fabricgen.output.changes import compare

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


def test_new_and_gone_switches_are_said() -> None:
    changed = {**BEFORE, "frontend/leaf999/eos.cfg": "hostname leaf999\n"}
    del changed["frontend/leaf1/eos.cfg"]
    statuses = {
        group.switches[0]: group.files[0].status for group in compare(BEFORE, changed).groups
    }
    assert statuses == {"frontend/leaf999": "new", "frontend/leaf1": "gone"}


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


def test_the_json_is_versioned() -> None:
    data = json.loads(show(compare(BEFORE, after()), "json"))
    assert (data["format_version"], data["changed"]) == (1, 129)
