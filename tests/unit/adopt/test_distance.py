"""How far a tree is from a network: nothing for its own, and more with every line that differs."""

import pytest
from tests.unit.adopt.examples import EXAMPLES, example, network, rendered, tree_of

from fabricgen.importer.distance import Measure, Written, distance
from fabricgen.importer.tree import merged, without


@pytest.mark.parametrize("name", EXAMPLES)
def test_an_example_is_what_it_renders(name: str) -> None:
    assert distance(tree_of(name), example(name).switches) == 0


def test_what_is_not_said_is_so_many_lines_away() -> None:
    tree, switches = tree_of("tenants"), example("tenants").switches
    measure = Measure(tree, switches)
    assert measure.of(without(tree, "site", "management", "ntp")) == 3 * len(measure.chosen)
    wrong = merged(tree, {"site": {"management": {"ntp": ["10.255.3.249", "10.255.3.251"]}}})
    assert measure.of(wrong) == 2 * len(measure.chosen)


def test_what_cannot_be_designed_is_as_far_as_can_be() -> None:
    tree, switches = tree_of("tenants"), example("tenants").switches
    measure = Measure(tree, switches)
    every = sum(each.size for each in measure.chosen.values())
    assert measure.of(without(tree, "frontend")) == every
    assert measure.of(without(tree, "frontend", "leaf")) == every


def test_order_comments_and_secrets_are_no_difference() -> None:
    texts, platforms = rendered(tree_of("tenants"))
    own = texts["frontend/fe-leaf01"]
    lines = own["eos.cfg"].replace("<<secret:env:FABRIC_ADMIN_HASH>>", "$6$abc").split("\n")
    first = next(at for at, line in enumerate(lines) if line.startswith("ntp server"))
    lines[first], lines[first + 1] = lines[first + 1], lines[first]
    own["eos.cfg"] = "! a remark\n" + "\n".join(lines)
    (switch,) = network({"frontend/fe-leaf01": own}, platforms).switches
    assert distance(tree_of("tenants"), [switch]) == 0
    clear = [line for line in Written(switch).text("eos.cfg").lines.values() if line.clear]
    assert clear
    assert not any("abc" in str(line) for line in clear)
