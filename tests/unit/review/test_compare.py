"""Devices whose changes differ in values only are one block; each has its own verdict."""

import pytest

from fabricgen.core.tree.risk import Risk
from fabricgen.review.compare import Comparison, compare

Tree = dict[str, dict[str, str]]
PORT = "interface Ethernet{n}\n   description to gpu{n}\n   mtu 9100\n!\n"


def leaf(number: int, more: str = "") -> dict[str, str]:
    return {"eos.cfg": f"hostname leaf{number}\nvlan 10\n!\n{more}end\n"}


BEFORE = {f"frontend/leaf{n}": leaf(n) for n in range(1, 130)}


def changed(**special: dict[str, str]) -> Tree:
    made = {f"frontend/leaf{n}": leaf(n, "vlan 20\n!\n") for n in range(1, 130)}
    return made | {f"frontend/{name}": files for name, files in special.items()}


def sizes(found: Comparison) -> list[tuple[str, int]]:
    return [(block.status, len(block.folders)) for block in found.blocks]


def test_equal_trees_have_no_block() -> None:
    found = compare(BEFORE, BEFORE, ("frontend/x",))
    assert (found.blocks, found.total) == ((), 130)


def test_switches_with_one_template_are_one_block() -> None:
    found = compare(BEFORE, changed(leaf7={"eos.cfg": "hostname leaf7\n!\nend\n"}))
    assert sorted(sizes(found)) == [("changed", 1), ("changed", 128)]
    block = max(found.blocks, key=lambda each: len(each.folders))
    assert (block.added, block.removed) == (128, 0)


def test_values_of_each_switch_are_rows() -> None:
    old = {f"f/leaf{n}": leaf(n) for n in (1, 2)}
    new = {f"f/leaf{n}": leaf(n, PORT.format(n=n)) for n in (1, 2)}
    (block,) = compare(old, new).blocks
    (shape,) = block.shapes
    assert shape.place == ("interface {1}",)
    assert shape.added == ("description to {2}", "mtu 9100")
    assert shape.rows == (("leaf1", "Ethernet1", "gpu1"), ("leaf2", "Ethernet2", "gpu2"))


def test_new_and_removed_switches_are_blocks_without_text() -> None:
    new = {**BEFORE, "frontend/leaf999": leaf(999)}
    del new["frontend/leaf1"]
    found = compare(BEFORE, new)
    assert sorted(sizes(found)) == [("new", 1), ("removed", 1)]
    assert all(block.shapes == () for block in found.blocks)


def test_the_radius_counts_each_device_by_its_highest_risk() -> None:
    found = compare(
        BEFORE, changed(leaf9={"eos.cfg": "service routing protocols model multi-agent\n"})
    )
    assert found.radius[Risk.HITLESS] == 128
    assert sum(found.radius.values()) == 129


def port(number: int, *, shut: bool, mtu: int = 9100) -> dict[str, str]:
    down = "   shutdown\n" if shut else ""
    return leaf(number, f"interface Ethernet1\n   mtu {mtu}\n{down}!\n")


def test_the_same_lines_on_a_shut_port_are_another_block() -> None:
    old = {"f/leaf1": port(1, shut=True), "f/leaf2": port(2, shut=False)}
    new = {"f/leaf1": port(1, shut=True, mtu=9214), "f/leaf2": port(2, shut=False, mtu=9214)}
    found = compare(old, new)
    assert sorted((block.risk, block.folders) for block in found.blocks) == [
        (Risk.HITLESS, ("f/leaf1",)),
        (Risk.SESSION_RESET, ("f/leaf2",)),
    ]


LIMIT = "router bgp 1\n   neighbor 10.0.0.1 maximum-routes {n}\n!\n"


def test_a_limit_that_rises_on_one_switch_and_falls_on_another_is_judged_twice() -> None:
    old = {f"f/leaf{n}": leaf(n, LIMIT.format(n=100)) for n in (1, 2)}
    new = {f"f/leaf{n}": leaf(n, LIMIT.format(n=limit)) for n, limit in ((1, 200), (2, 50))}
    found = compare(old, new)
    assert len(found.judged) == 2
    assert len(found.blocks) == len({id(each) for each in found.blocks}) > 1


def test_changes_of_a_member_have_its_own_values() -> None:
    old = {f"f/leaf{n}": leaf(n, PORT.format(n=4) + LIMIT.format(n=1)) for n in (1, 2)}
    texts = {
        n: leaf(n, PORT.format(n=4) + LIMIT.format(n=1).replace("10.0.0.1", f"10.0.{n}.1"))
        for n in (1, 2)
    }
    found = compare(old, {f"f/leaf{n}": files for n, files in texts.items()})
    (first,) = found.judged
    other = next(folder for folder in found.devices if folder != first)
    places = " ".join(" ".join(each.where) for each in found.changes(other))
    assert f"10.0.{other[-1]}.1" in places


@pytest.mark.parametrize("side", [0, 1])
def test_every_changed_switch_is_in_one_block(side: int) -> None:
    trees = (BEFORE, changed(leaf3=leaf(3)))
    found = compare(trees[side], trees[1 - side])
    folders = [folder for block in found.blocks for folder in block.folders]
    assert sorted(folders) == sorted(found.devices)
    assert len(folders) == len(set(folders)) == 128
