"""The largest flow is the smallest cut, searched through all of them."""

import random
from itertools import combinations

import pytest
from tests.unit.survive import naive

from fabricgen.prove.failures.flow import SINK, SOURCE, Arcs, add_arc, largest_flow

NODES = [SOURCE, "a", "b", "c", "d", SINK]


def smallest_cut(capacity: dict[tuple[str, str], int]) -> int:
    inner = NODES[1:-1]
    sides = (
        {SOURCE, *some} for size in range(len(inner) + 1) for some in combinations(inner, size)
    )
    return min(
        sum(each for (tail, head), each in capacity.items() if tail in side and head not in side)
        for side in sides
    )


@pytest.mark.parametrize("seed", range(60))
def test_it_is_the_smallest_cut(seed: int) -> None:
    draw = random.Random(seed)
    capacity = {
        (tail, head): draw.choice([0, 1, 2, 5, 9])
        for tail in NODES
        for head in NODES
        if tail != head
    }
    arcs, plain = Arcs(), naive.Arcs()
    for (tail, head), each in capacity.items():
        add_arc(arcs, tail, head, each)
        ends = {SOURCE: "s", SINK: "t"}
        plain.setdefault(ends.get(tail, tail), {})[ends.get(head, head)] = each
    assert largest_flow(arcs) == naive.flow(plain) == smallest_cut(capacity)


def test_nothing_flows_where_nothing_is_joined() -> None:
    arcs = Arcs()
    add_arc(arcs, SOURCE, "a", 5)
    add_arc(arcs, "b", SINK, 5)
    assert largest_flow(arcs) == 0
    assert largest_flow(Arcs()) == 0
