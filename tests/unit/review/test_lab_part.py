"""Which switches a lab of a change boots."""

from tests.unit.lab.bench import site_of

from fabricgen.review.lab_part import affected_part

LAB = site_of("lab")


def test_a_leaf_boots_with_its_spines_and_one_unchanged_leaf() -> None:
    part = affected_part(LAB, LAB, ["fe-leaf01"])
    assert part.switches == ("fe-leaf01", "fe-leaf02", "fe-spine1", "fe-spine2")


def test_a_folder_names_its_switch() -> None:
    names = affected_part(LAB, LAB, ["frontend/fe-leaf01"]).switches
    assert names == affected_part(LAB, LAB, ["fe-leaf01"]).switches


def test_a_spine_boots_with_all_leafs_that_fit() -> None:
    part = affected_part(LAB, LAB, ["fe-spine1"])
    leafs = {f"fe-leaf0{n}" for n in range(1, 5)}
    assert set(part.switches) == {"fe-spine1", "fe-spine2", *leafs}


def test_a_changed_server_boots_its_leafs() -> None:
    names = affected_part(LAB, LAB, ["hosts/gpu0001"]).switches
    assert {"fe-leaf04", "be-su01-leaf1", "be-su01-leaf4"} <= set(names)


def test_no_more_switches_than_fit_and_each_other_one_is_named() -> None:
    changed = [f"be-su01-leaf{n}" for n in range(1, 5)]
    part = affected_part(LAB, LAB, changed, most=4)
    assert len(part.switches) == 4
    out = [name for name in changed if name not in part.switches]
    assert out
    assert all(any(name in note for note in part.notes) for name in out)
    assert part.uncovered == ()


def test_each_shape_has_a_representative_before_a_second_one_of_the_first() -> None:
    leafs = [f"be-su01-leaf{n}" for n in range(1, 5)]
    shapes = dict.fromkeys(leafs[:3], "one") | {leafs[3]: "other"}
    part = affected_part(LAB, LAB, leafs, shapes, most=4)
    assert set(part.switches) == {"be-spine1", "be-spine2", leafs[0], leafs[3]}


def test_a_shape_that_does_not_fit_is_uncovered() -> None:
    part = affected_part(LAB, LAB, ["fe-leaf01", "be-su01-leaf1"], most=3)
    (sentence,) = part.uncovered
    assert sentence.endswith(": fe-leaf01")
    assert "be-su01-leaf1" in part.switches


def test_a_spine_with_more_leafs_than_fit_names_the_others() -> None:
    part = affected_part(LAB, LAB, ["fe-spine1"], most=3)
    assert len(part.switches) == 3
    (note,) = part.notes
    assert note.startswith("2 unchanged neighbors of changed switches not booted: ")


def test_the_paths_between_pods_are_there() -> None:
    site = site_of("three-tier")
    leafs = [s for f in site.fabrics for s in f.topology.switches if s.is_leaf]
    one = leafs[0]
    part = affected_part(site, site, [one.name])
    roles = {s.role for f in site.fabrics for s in f.topology.switches if s.name in part.switches}
    assert {str(role) for role in roles} == {"leaf", "spine", "superspine"}
    assert len(part.switches) <= 12


def test_nothing_changed_boots_nothing() -> None:
    assert affected_part(LAB, LAB, []).switches == ()
