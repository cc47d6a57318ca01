"""The order of a push from two rendered trees: what a plan would do, before any switch is asked."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from tests.deploy.fakes.temper import make_fakes
from tests.deploy.verbs.conftest import HASH, SITE, Work, equipped

from fabricgen.compile.compiler import compile_site, files, folder_of
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.switch import Site
from fabricgen.review import order as module
from fabricgen.review.model import Order
from fabricgen.review.order import order

ROOT = Path(__file__).parents[3] / "intent"
Tree = dict[str, dict[str, str]]

VNI = ("frontend.yaml", "frontend:\n", "frontend:\n  overlay: {l2vni_base: 20000}\n")
MTU = ("frontend.yaml", "frontend:\n", "frontend:\n  underlay: {mtu: 9000}\n")
NTP = ("site.yaml", "10.255.0.251]", "10.255.0.252]")
PAIR = ("frontend.yaml", "leafs: 1-3", "leafs: 1-3,5-6")
SPINES = ("frontend.yaml", "count: 2", "count: 3")
WATCHDOG = ("backend.yaml", "  roce:\n", "  roce:\n    watchdog: {enabled: false}\n")
NEW_ASNS = "  underlay: {asn: {first: 4210000000, last: 4219999999}}\n"
ASN = ("frontend.yaml", "frontend:\n", f"frontend:\n{NEW_ASNS}")


def compiled(folder: Path) -> tuple[Site, Tree]:
    """Return a site and all its files by folder."""
    made = compile_site(load_site(folder))
    assert made.site is not None
    assert made.ok, made.findings
    tree: Tree = {}
    for owner, own in files(made.site):
        below = folder_of(owner)
        tree[below] = {each.path.removeprefix(f"{below}/"): each.text for each in own}
    return made.site, tree


def ordered(before: Path, after: Path) -> Order:
    """Return the order of a push between two sites."""
    (one, old), (other, new) = compiled(before), compiled(after)
    changed = {folder for folder in old.keys() | new.keys() if old.get(folder) != new.get(folder)}
    sides = [{name: own for name, own in side.items() if name in changed} for side in (old, new)]
    return order(one, other, (sides[0], sides[1]))


def edited(folder: Path, example: str, *edits: tuple[str, str, str]) -> tuple[Path, Path]:
    """Copy an example and edit the copy; return both."""
    copy = folder / example
    shutil.copytree(ROOT / example, copy)
    for name, old, new in edits:
        text = (copy / name).read_text()
        assert old in text
        (copy / name).write_text(text.replace(old, new, 1))
    return ROOT / example, copy


def switches(made: Order) -> list[str]:
    """Return the switches in their order."""
    return [name for batch in made.batches for name in batch.switches]


def test_a_vni_cannot_change_batch_by_batch_and_the_option_that_helps_is_named(
    tmp_path: Path,
) -> None:
    made = ordered(*edited(tmp_path, "full", VNI))
    assert {batch.fabric for batch in made.batches} == {"frontend"}
    jobs, *_ = made.together
    assert "frontend: VLAN 100 training-jobs: VNI 10100 on 7 leafs, VNI 20100 on 1 leaf" in jobs
    assert "64 servers cannot all reach each other" in jobs
    assert "`plan --one-batch` changes all ends in one batch" in jobs
    assert (made.first, made.unknown) == ((), "")


def test_a_lower_mtu_goes_from_the_leafs_up_and_servers_lower_it_before(tmp_path: Path) -> None:
    made = ordered(*edited(tmp_path, "lab", MTU))
    first = made.batches[0]
    assert switches(made)[-2:] == ["fe-spine1", "fe-spine2"]
    assert first.why.endswith("from the leafs up: an MTU is lowered")
    assert "8 cables will lose frames that are larger than the smaller MTU" in first.warnings[0]
    (servers,) = made.first
    assert servers.endswith(
        "apply them before the first batch (from the leafs up: an MTU is lowered)"
    )
    assert made.together == ()


def test_a_higher_mtu_goes_down_to_the_leafs_and_servers_raise_it_after(tmp_path: Path) -> None:
    before, after = edited(tmp_path, "lab", MTU)
    made = ordered(after, before)
    assert switches(made)[:2] == ["fe-spine1", "fe-spine2"]
    (servers,) = made.first
    assert "apply them after the last batch (down to the leafs" in servers


def test_a_new_leaf_pair_boots_and_is_cabled_before_the_first_batch(tmp_path: Path) -> None:
    made = ordered(*edited(tmp_path, "lab", PAIR))
    boot, cables, _ = made.first
    assert "boot with the files of `export bootstrap`: fe-leaf05, fe-leaf06 (new)" in boot
    assert cables.startswith("frontend: connect 4 new cables between switches before the first")
    assert switches(made) == ["fe-spine1", "fe-spine2", "fe-leaf05", "fe-leaf06"]
    assert (made.together, made.unknown) == ((), "")


def test_a_removed_switch_is_in_no_batch_and_goes_last_by_hand(tmp_path: Path) -> None:
    before, after = edited(tmp_path, "lab", PAIR)
    made = ordered(after, before)
    assert switches(made) == ["fe-spine1", "fe-spine2"]
    assert made.first[-1].startswith(
        "after the last batch, disconnect fe-leaf05, fe-leaf06 by hand"
    )


def test_a_dead_switch_is_in_no_batch_although_its_files_may_change(tmp_path: Path) -> None:
    dead = ("frontend.yaml", "frontend:\n", DEAD)
    made = ordered(*edited(tmp_path, "lab", dead, NTP))
    assert "fe-spine2" not in switches(made)
    assert "disconnect fe-spine2 by hand (absent by state)" in made.first[-1]


DEAD = "frontend:\n  switches: {fe-spine2: {state: dead}}\n"


def test_a_planned_switch_that_gets_active_is_new_with_its_designed_files(tmp_path: Path) -> None:
    before, after = edited(tmp_path, "lab", ("frontend.yaml", "frontend:\n", DEAD))
    made = ordered(after, before)
    assert "fe-spine2" in switches(made)
    assert "fe-spine2 (new)" in made.first[0]


def test_each_of_two_fabrics_has_batches_and_a_separate_plan(tmp_path: Path) -> None:
    backend = ("backend.yaml", "backend:\n", "backend:\n  underlay: {mtu: 9000}\n")
    made = ordered(*edited(tmp_path, "lab", VNI, backend))
    fabrics = list(dict.fromkeys(batch.fabric for batch in made.batches))
    assert fabrics == ["frontend", "backend"]
    assert made.first[0] == (
        "each fabric has a separate plan: `--limit frontend`, `--limit backend`"
    )
    assert all(sentence.startswith("frontend: ") for sentence in made.together)


def test_a_time_server_needs_batches_only(tmp_path: Path) -> None:
    made = ordered(*edited(tmp_path, "lab", NTP))
    assert len(switches(made)) == 12
    assert not any(batch.warnings for batch in made.batches if batch.fabric == "frontend")
    assert (made.together, made.unknown) == ((), "")
    assert [each.partition(":")[0] for each in made.first] == ["each fabric has a separate plan"]


def test_asns_go_by_steps_and_the_batches_are_those_of_the_first(tmp_path: Path) -> None:
    made = ordered(*edited(tmp_path, "lab", ASN))
    (step,) = made.first
    assert step == (
        "frontend changes by steps. The batches belong to step 1 of 3, and 2 more plans must "
        "follow: the neighbors of fe-leaf01 and 5 more accept any ASN"
    )
    assert len(switches(made)) == 6


def test_what_the_update_tool_of_a_switch_may_refuse_is_a_reload_alone_in_its_batch(
    tmp_path: Path,
) -> None:
    made = ordered(*edited(tmp_path, "full", WATCHDOG))
    assert all(len(batch.switches) == 1 for batch in made.batches)
    assert (
        "be-spine1, be-spine2, be-spine3, be-spine4 and 12 more may need a reload"
        in (made.first[0])
    )


def test_new_switches_of_sonic_have_no_files_to_compare_with(tmp_path: Path) -> None:
    rails = ("backend.yaml", "  rails_per_leaf: 2 ", "  rails_per_leaf: 1 ")
    made = ordered(*edited(tmp_path, "full", rails))
    assert "be-su01-leaf8 and 4 more (new)" in made.first[0]
    assert made.unknown == ""
    assert "by a reload" not in next(
        batch.why for batch in made.batches if "be-su01-leaf5" in batch.switches
    )


def test_another_model_is_another_box_that_boots_and_needs_no_reload(tmp_path: Path) -> None:
    """The configuration of the old box is not running on the new one."""
    model = ("oob.yaml", "spine: {model: 7050CX3-32S,", "spine: {model: S5232F-ON,")
    made = ordered(*edited(tmp_path, "full", model))
    assert "oob-spine1, oob-spine2 (another box or network OS)" in made.first[0]
    assert not any("oob-spine" in each and "reload" in each for each in made.first)


def test_a_server_moves_after_the_push_of_its_new_leaf(tmp_path: Path) -> None:
    before, after = (tmp_path / side for side in ("a", "b"))
    for side, moved in ((before, ""), (after, ", moved: {1: {leaf: 3, place: 3}}")):
        side.mkdir()
        (side / "site.yaml").write_text(MOVED.replace("MOVED", moved))
    made = ordered(before, after)
    assert any(
        "push fe-leaf03 first (`push --limit fe-leaf03`), move the cables of h1" in each
        for each in made.first
    )


MOVED = """\
site:
  name: small
  management: {subnet: 10.255.0.0/24}
servers:
  h: {count: 6, names: "h{number}", ports: {eth: {fabric: frontend, speed: 100G, per_leaf: 2MOVED}}}
frontend:
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 2}
  leaf_groups: {hosts: {leafs: 1-3}}
tenants:
  red:
    vrfs: {red: {id: 1, vlans: {web: {id: 10, subnet: 10.10.10.0/24}}}}
    attachments: [{servers: h, access: web, addresses: static}]
"""


def test_a_renamed_switch_is_neither_new_nor_removed(tmp_path: Path) -> None:
    names = '  names: {leaf: "l{index}", previous_name: {leaf: "fe-leaf{index:02}"}}\n'
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a" / "site.yaml").write_text(SITE)
    (tmp_path / "b" / "site.yaml").write_text(
        SITE.replace("  leaf_groups:\n", f"{names}  leaf_groups:\n")
    )
    made = ordered(tmp_path / "a", tmp_path / "b")
    assert {"l1", "l2"} <= {*switches(made)}
    assert not [each for each in made.first if "(new)" in each or "disconnect" in each]


def test_more_switches_than_the_limit_have_batches_and_say_what_is_not_computed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "LIMIT", 9)
    made = ordered(*edited(tmp_path, "full", VNI))
    assert len(switches(made)) == 10
    assert made.together == ()
    assert "are not computed for 10 switches (the limit is 9)" in made.unknown


def test_equal_sides_have_no_order() -> None:
    assert ordered(ROOT / "lab", ROOT / "lab") == Order()


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    """Return fake switches that run side A, in the current folder."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ADMIN_HASH", HASH)
    made = equipped(tmp_path, SITE)
    shutil.copytree(tmp_path / "site", tmp_path / "before")
    return made


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("frontend:\n", "frontend:\n  overlay: {l2vni_base: 20000}\n"),
        ("frontend:\n", "frontend:\n  underlay: {mtu: 9000}\n"),
        ("frontend:\n", f"frontend:\n{NEW_ASNS}"),
        ("10.10.10.0/24", "10.10.11.0/24"),
        ("leafs: 1-2,", "leafs: 1-4,"),
        ("    users:\n", "    ntp: [10.255.0.250]\n    users:\n"),
        ("vlans: {web:", "vlans: {more: {id: 11, subnet: 10.10.12.0/24}, web:"),
    ],
    ids=("vni", "mtu", "asn", "subnet", "leafs", "ntp", "vlan"),
)
def test_the_order_is_that_of_a_plan_of_switches_that_run_side_a(
    work: Work, old: str, new: str
) -> None:
    work.intend(old, new)
    make_fakes(
        work.folder / "switches",
        {name: f"hostname {name}\n" for name in ("fe-leaf03", "fe-leaf04") if "1-4" in new},
    )
    made = ordered(work.folder / "before", work.folder / "site")
    work.fabricgen("plan", "site", "-o", "plan.json")
    plan: dict[str, Any] = json.loads((work.folder / "plan.json").read_text())
    assert [(list(each.switches), each.why) for each in made.batches] == [
        (each["switches"], each["why"]) for each in plan["batches"]
    ]
    breaking = [split for split in plan["splits"] if split["breaks"]]
    assert len(made.together) == len(breaking) + len(plan["bound"])
    assert all(
        split["effect"] in sentence
        for split, sentence in zip(breaking, made.together, strict=False)
    )
    assert any("to step 1 of 3" in each for each in made.first) is (plan["step"] is not None)
