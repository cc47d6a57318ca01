"""A diff that renders only what may differ says what a diff of all files says.

The edits are those of the corpus and the steps by which drawn sites grow.
"""

import os
from collections.abc import Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.longer import drawn
from tests.property.whole_growth import STEPS, grown
from tests.property.whole_sites import CATALOG, Whole, sites

from fabricgen.compile.compiler import Compiled, compile_site, files, host_slices, slices
from fabricgen.compile.output.unchanged import Likeness
from fabricgen.core.diagnostics import Diagnostic
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.switch import Site
from fabricgen.review.compare import compare
from fabricgen.review.side import folders_of
from fabricgen.review.sides import read_sides

ROOT = Path(__file__).resolve().parents[2]
EDITS = (ROOT / "tests" / "corpus" / "edits.txt").read_text().splitlines()
COUNT = int(os.environ.get("FABRICGEN_SITES", "5"))


def complete(folder: Path) -> tuple[dict[str, str], tuple[Diagnostic, ...]]:
    """Return all files of a site, and its findings."""
    done: Compiled = compile_site(load_site(folder))
    made = files(done.site) if done.ok and done.site is not None else ()
    return {file.path: file.text for _, own in made for file in own}, done.findings


def check_equal(before: Path, after: Path) -> int:
    """Compare both paths; return how many folders the short one did not render."""
    (old, first), (new, second) = complete(before), complete(after)
    sides = read_sides(str(before), str(after))
    assert [side.findings for side in sides] == [first, second]
    if not old or not new:
        return 0
    short = compare(sides[0].tree, sides[1].tree, sides[0].unchanged)
    whole = compare(folders_of(old), folders_of(new))
    assert short == whole
    return len(sides[0].unchanged)


def written(folder: Path, texts: Mapping[str, str]) -> Path:
    for name, text in texts.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text)
    return folder


def texts_of(site: str) -> dict[str, str]:
    """Return the intent of an example."""
    folder = ROOT / "intent" / site
    every = (path for path in folder.rglob("*") if path.is_file())
    return {str(path.relative_to(folder)): path.read_text() for path in every}


OF_SERVERS = ("lag: true", "roce: {}", "queue_pairs: 8", "names:")
"""Edits that change servers by more than their VLANs."""


@pytest.mark.parametrize(
    "edit", [line for line in EDITS if drawn(line, 4) or any(word in line for word in OF_SERVERS)]
)
def test_an_edit_of_an_example(edit: str, tmp_path: Path) -> None:
    site, file, old, new = edit.replace("\\n", "\n").split(" | ")
    texts = texts_of(site)
    changed = {**texts, file: texts[file].replace(old, new, 1)}
    check_equal(written(tmp_path / "a", texts), written(tmp_path / "b", changed))


@pytest.mark.parametrize(("one", "other"), [("lab", "tenants"), ("storage", "lab")])
def test_two_sites_with_other_owners(one: str, other: str) -> None:
    check_equal(ROOT / "intent" / one, ROOT / "intent" / other)


def test_equal_sites_render_nothing() -> None:
    folder = ROOT / "intent" / "tenants"
    sides = read_sides(str(folder), str(folder))
    assert [side.files for side in sides] == [{}, {}]
    assert check_equal(folder, folder) == len(sides[0].unchanged) > 0


@settings(max_examples=COUNT)
@given(whole=sites(), data=st.data())
def test_a_drawn_site_that_grows(
    whole: Whole, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    step = data.draw(st.sampled_from(STEPS))
    later = grown(whole, step, data.draw)
    folders = [
        written(
            tmp_path_factory.mktemp("site"),
            {**CATALOG, "site.yaml": yaml.safe_dump(each.words, sort_keys=False)},
        )
        for each in (whole, later or whole)
    ]
    check_equal(*folders)


ATTACHED = st.fixed_dictionaries(
    {
        "group": st.just("hosts"),
        "leafs": st.sampled_from(["1-2", "2-4", "4-4", "1-4"]),
        "servers": st.sampled_from(["1-2", "2-4", "3-3", "1-4"]),
        "trunk": st.sampled_from([["a"], ["b"], ["b", "c"], ["c"]]),
    },
    optional={"addresses": st.just("static")},
)
VLANS = {name: {"id": 10 + n, "subnet": f"10.1.{n}.0/24"} for n, name in enumerate("abc")}


@settings(max_examples=8 * COUNT, deadline=None)
@given(attachments=st.lists(ATTACHED, min_size=1, max_size=4), data=st.data())
def test_attachments_that_come_go_and_change(
    attachments: list[dict[str, Any]],
    data: st.DataObject,
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    at = data.draw(st.integers(0, len(attachments)))
    later = [*attachments[:at], *data.draw(st.lists(ATTACHED, max_size=2)), *attachments[at + 1 :]]
    role = {"model": "7050CX3-32S", "platform": "eos"}
    group = {"leafs": "1-4", "servers": {"per_leaf": 4, "speed": "25G"}}
    folders = []
    for each in (attachments, later):
        words = {
            "site": {"name": "drawn", "management": {"subnet": "10.0.0.0/16"}},
            "frontend": {
                "leaf": role,
                "spine": {**role, "count": 2},
                "leaf_groups": {"hosts": group},
            },
            "tenants": {"t": {"vrfs": {"v": {"id": 1, "vlans": VLANS}}, "attachments": each}},
        }
        place = tmp_path_factory.mktemp("site")
        folders.append(written(place, {"site.yaml": yaml.safe_dump(words, sort_keys=False)}))
    check_equal(*folders)


def other(value: Any) -> Any:
    """Return another value of the same type; None where there is none."""
    match value:
        case bool():
            return not value
        case int() | float():
            return type(value)(value + 1) if type(value) in (int, float) else None
        case str():
            return value + "x" if type(value) is str else None
    return None


def mutants(value: Any, seen: set[tuple[type, str]]) -> Any:
    """Yield copies of a record that differ in one place: each field of each type once."""
    if isinstance(value, tuple):
        for at, each in enumerate(value):
            for mutant in mutants(each, seen):
                made = (*value[:at], mutant, *value[at + 1 :])
                yield type(value)(*made) if hasattr(value, "_fields") else made
    if not is_dataclass(value) or isinstance(value, type):
        return
    for field in fields(value):
        mine = getattr(value, field.name)
        changed = other(mine)
        if changed is not None and (type(value), field.name) not in seen:
            seen.add((type(value), field.name))
            yield replace(value, **{field.name: changed})
        for mutant in mutants(mine, seen):
            yield replace(value, **{field.name: mutant})


@pytest.mark.parametrize("name", ["tenants", "storage"])
def test_a_slice_with_another_value_anywhere_is_no_longer_equal(name: str) -> None:
    twins: list[Site] = []
    for _ in range(2):
        site = compile_site(load_site(ROOT / "intent" / name)).site
        assert site is not None
        twins.append(site)
    switches = [[each for _, each in slices(site)] for site in twins]
    every = [[*own, *host_slices(site)] for own, site in zip(switches, twins, strict=True)]
    like, seen = Likeness(), set[tuple[type, str]]()
    for one, twin in zip(*every, strict=True):
        assert like.equal(one, twin)
        for mutant in mutants(one, seen):
            assert not like.equal(mutant, twin)
            assert not like.equal(twin, mutant)
    assert len(seen) > 100
