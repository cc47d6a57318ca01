"""An exchange of nodes is believed when it is proven, whatever their colors say."""

import pytest

from fabricgen.prove.failures.network import Net
from fabricgen.prove.failures.swaps import exchanged, proven, symmetry_of

LEAF, SPINE = 2, 4


def net(links: dict[tuple[str, str], int]) -> Net:
    """Return a graph of leafs (l…) and spines (s…) with these capacities."""
    made = Net()
    for name in sorted({name for pair in links for name in pair}):
        made.add((name,), LEAF if name.startswith("l") else SPINE)
    for (one, other), capacity in links.items():
        made.near[made.node[one]][made.node[other]] = capacity
        made.near[made.node[other]][made.node[one]] = capacity
    return made


def ring(names: list[str]) -> dict[tuple[str, str], int]:
    return dict.fromkeys(zip(names, names[1:] + names[:1], strict=True), 100)


def test_two_rings_of_one_color_are_not_alike() -> None:
    """Each node has two neighbors of the other kind, in a ring of four and in one of eight."""
    long = ["l1", "s1", "l2", "s2", "l3", "s3", "l4", "s4"]
    made = net(ring(long) | ring(["l5", "s5", "l6", "s6"]))
    found = symmetry_of(made)
    assert found.colors.of[made.node["l1"]] == found.colors.of[made.node["l5"]]
    assert exchanged(found, made.node["l1"], made.node["l5"], whole=True) is None
    kinds = {found.failures.first((made.node[name],)) for name in ("l1", "l5")}
    assert len(kinds) == 2


def test_leafs_with_crossed_capacities_are_not_alike_by_themselves() -> None:
    made = net({("l1", "s1"): 100, ("l1", "s2"): 200, ("l2", "s1"): 200, ("l2", "s2"): 100})
    one, other = made.node["l1"], made.node["l2"]
    assert not proven(made, {one: other, other: one})
    assert exchanged(symmetry_of(made), one, other, whole=True) is None
    spines = made.node["s1"], made.node["s2"]
    assert proven(made, {one: other, other: one, spines[0]: spines[1], spines[1]: spines[0]})


@pytest.mark.parametrize("capacity", [100, 200])
def test_spines_with_the_same_leafs_are_alike(capacity: int) -> None:
    leafs = [f"l{number}" for number in range(4)]
    links = {(leaf, "s1"): 100 for leaf in leafs} | {(leaf, "s2"): capacity for leaf in leafs}
    made = net(links)
    found = symmetry_of(made)
    kinds = {found.failures.first((made.node[name],)) for name in ("s1", "s2")}
    assert (len(kinds) == 1) is (capacity == 100)


def test_an_exchange_keeps_the_endpoints_of_servers_together() -> None:
    """Leafs 1 and 2 have as many endpoints, and not of servers that go to the same other leafs."""
    links = {(leaf, spine): 100 for leaf in ("l1", "l2", "l3", "l4") for spine in ("s1", "s2")}
    made = net(links)
    servers = {"a": "13", "b": "13", "c": "14", "d": "23", "e": "24", "f": "24"}
    for leaf in "1234":
        ends = tuple(f"{name}:{leaf}" for name, leafs in servers.items() if leaf in leafs)
        node = made.add(ends, 0, 100)
        made.near[node][made.node[f"l{leaf}"]] = 100
        made.near[made.node[f"l{leaf}"]][node] = 100 * len(ends)
    for name, leafs in servers.items():
        made.ends[name] = dict.fromkeys(f"{name}:{leaf}" for leaf in leafs)
    one, other = made.node["l1"], made.node["l2"]
    found = symmetry_of(made)
    assert exchanged(found, one, other, whole=False) is not None
    assert exchanged(found, one, other, whole=True) is None
