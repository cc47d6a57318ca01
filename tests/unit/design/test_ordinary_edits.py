"""An ordinary edit of an intent changes the switches and servers that it is about, and no other."""

from __future__ import annotations

import shutil
from itertools import pairwise
from typing import TYPE_CHECKING

import pytest
from bench.drills import CATALOG, site_of
from bench.edits import ALL, EDITS, ETH, of_groups, of_kind

from fabricgen.compile.compiler import compile_site, files
from fabricgen.intent.load import load_site
from fabricgen.operate.lab.layout import lay_out

if TYPE_CHECKING:
    from pathlib import Path

Tree = dict[str, str]
SPINES = frozenset({"fe-spine1", "fe-spine2"})
LEAFS = frozenset({"fe-leaf01", "fe-leaf02", "fe-leaf03"})
SERVERS = frozenset(f"h{number}" for number in range(1, 7))
NOBODY = frozenset[str]()
CHANGES: dict[str, list[frozenset[str]]] = {
    "move": [frozenset({"fe-leaf01", "fe-leaf03"}), NOBODY],
    "nic": [LEAFS | SERVERS],
    "upgrade": [
        frozenset({"fe-spine1"}),
        LEAFS | frozenset({"fe-spine1"}),
        LEAFS,
    ],
    "upgraded": [
        frozenset({"fe-spine2"}),
        LEAFS | frozenset({"fe-spine2"}),
        LEAFS,
        LEAFS,
    ],
    "model": [SPINES | frozenset({"fe-leaf03"}), NOBODY],
    "link": [frozenset({"fe-leaf02", "fe-spine1"})] * 5,
    "split": [NOBODY],
}
"""Whose files each step of a drill changes."""


def tree(folder: Path, name: str, text: str) -> Tree:
    """Return the rendered files of an intent, by path."""
    _, site = site_of(folder, name, text)
    return {file.path: file.text for _, own in files(site) for file in own}


def owners(one: Tree, other: Tree) -> set[str]:
    """Return whose files differ."""
    return {
        path.split("/")[1] for path in one.keys() | other.keys() if one.get(path) != other.get(path)
    }


@pytest.mark.parametrize("name", EDITS)
def test_only_these_switches_and_servers_change(name: str, tmp_path: Path) -> None:
    edit = EDITS[name]
    texts = [edit.before, *(step.intent for step in edit.steps)]
    trees = [tree(tmp_path, str(number), text) for number, text in enumerate(texts)]
    found = [owners(one, other) for one, other in pairwise(trees)]
    assert found == CHANGES[name]


def lines(trees: Tree, switch: str) -> set[str]:
    """Return what a switch says of its addresses, numbers and tenants, without its ports."""
    own = [text for path, text in trees.items() if path.startswith(f"frontend/{switch}/etc/frr/")]
    return {line for text in own for line in text.splitlines() if "swp" not in line}


def test_a_leaf_of_another_model_keeps_its_numbers(tmp_path: Path) -> None:
    edit = EDITS["model"]
    before = tree(tmp_path, "before", edit.before)
    after = tree(tmp_path, "after", edit.steps[0].intent)
    assert lines(before, "fe-leaf03") == lines(after, "fe-leaf03")


def test_a_faster_spine_keeps_its_numbers(tmp_path: Path) -> None:
    before = tree(tmp_path, "before", EDITS["upgrade"].before)
    after = tree(tmp_path, "after", EDITS["upgraded"].steps[-1].intent)
    for switch in SPINES | LEAFS:
        assert lines(before, switch) == lines(after, switch)


def test_when_all_spines_are_upgraded_no_port_with_a_cable_moves(tmp_path: Path) -> None:
    *_, last, whole = (step.intent for step in EDITS["upgraded"].steps)
    cables = []
    for name, text in (("last", last), ("whole", whole)):
        _, site = site_of(tmp_path, name, text)
        cables.append(lay_out(site, name=name, lifted=None, files=()).cables)
    assert cables[0] == cables[1]


def test_a_server_that_moved_keeps_its_name_and_addresses(tmp_path: Path) -> None:
    edit = EDITS["move"]
    before = tree(tmp_path, "before", edit.before)
    after = tree(tmp_path, "after", edit.steps[0].intent)
    assert "h1" not in owners(before, after)
    assert any(path.startswith("hosts/h1/") for path in after)


REFUSED = (
    ("9: {leaf: 3, place: 3}", "FG105", "server 9 of h: the kind has 6 servers"),
    ("2: {leaf: 4, place: 3}", "FG105", "server 2 of h: its group has no leaf 4"),
    ("2: {leaf: 3, place: 2}", "FG305", "server 2 of h: server 6 is at place 2 there"),
    (
        "2: {leaf: 3, place: 3}, 3: {leaf: 3, place: 3}",
        "FG305",
        "server 3 of h: server 2 is moved there, too",
    ),
)


@pytest.mark.parametrize(("words", "code", "said"), REFUSED)
def test_a_server_does_not_move_where_none_can_be(
    words: str, code: str, said: str, tmp_path: Path
) -> None:
    ports = f"eth: {{fabric: frontend, speed: 100G, per_leaf: 2, moved: {{{words}}}}}"
    assert (code, said) in refusals(tmp_path, of_kind(ports))


def test_two_servers_change_places(tmp_path: Path) -> None:
    swapped = "1: {leaf: 3, place: 1}, 5: {leaf: 1, place: 1}"
    ports = f"eth: {{fabric: frontend, speed: 100G, per_leaf: 2, moved: {{{swapped}}}}}"
    _, site = site_of(tmp_path, "site", of_kind(ports))
    where = {it.lower.name: it.upper.name for it in site.fabrics[0].topology.links}
    assert (where["h1"], where["h5"]) == ("fe-leaf03", "fe-leaf01")


def refusals(folder: Path, text: str) -> list[tuple[str, str]]:
    """Return the code and sentence of every finding of an intent that is refused."""
    (folder / "site.yaml").write_text(text)
    shutil.copytree(CATALOG, folder / "catalog")
    result = compile_site(load_site(folder))
    assert not result.ok
    return [(str(each.code), each.message) for each in result.findings]


def test_a_faster_spine_takes_no_cage_of_a_slower_one(tmp_path: Path) -> None:
    words = "links: {speed: 100G}\n  switches: {fe-spine4: {speed: 400G}}"
    text = of_groups(ALL, words, "SN4700").replace("count: 2", "count: 4")
    said = "fe-spine4 at 400G needs cage 32 of its leafs, which has links of fe-spine3"
    assert ("FG305", said) in refusals(tmp_path, text)


def test_a_leaf_has_no_speed_of_its_own(tmp_path: Path) -> None:
    text = of_groups(ALL, "switches: {fe-leaf01: {speed: 100G}}")
    said = "fe-leaf01 is not a spine with tenants, so all links of its tier have one speed"
    assert ("FG103", said) in refusals(tmp_path, text)


def test_growth_moves_no_cable_where_a_server_moved_and_a_spine_is_faster(tmp_path: Path) -> None:
    moved = of_kind(ETH.replace("2}", "2, moved: {1: {leaf: 3, place: 3}}}"))
    grown = moved.replace("count: 6", "count: 8").replace("leafs: 1-3", "leafs: 1-4")
    faster = EDITS["upgraded"].before
    pairs = ((moved, grown), (faster, faster.replace("leafs: 1-3", "leafs: 1-4")))
    for number, texts in enumerate(pairs):
        sites = [site_of(tmp_path, f"{number}{n}", text)[1] for n, text in enumerate(texts)]
        old, new = (lay_out(it, name="lab", lifted=None, files=()).cables for it in sites)
        assert {*old} < {*new}
