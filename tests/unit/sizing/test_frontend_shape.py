"""A frontend has two leafs at least, few spines with several links each, and room for growth."""

from collections import Counter

import pytest
from tests.unit.sizing.asking import needs

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Failure
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Fabric
from fabricgen.model.fabric.topology import Role, Server
from fabricgen.plan.sizing.candidates import candidate, roomy
from fabricgen.plan.sizing.designs import design_of
from fabricgen.plan.sizing.needs import judge

SLOW = ("--frontend-ports", "1", "--frontend-speed", "25G")


def frontend(servers: int, *words: str) -> Fabric:
    """Return the frontend that the written intent compiles to, without any error."""
    fitted = roomy(needs("--servers", str(servers), *words))
    result = compile_site(load_texts(candidate(fitted, design_of("rail-only")).files))
    assert result.ok, [item.message for item in result.findings]
    assert result.site is not None
    (fabric,) = (each for each in result.site.fabrics if each.name == "frontend")
    return fabric


def shape(fabric: Fabric) -> tuple[int, int, set[int]]:
    """Return the number of leafs and of spines, and the links of a leaf to a spine."""
    roles = Counter(switch.role for switch in fabric.topology.switches)
    pairs = Counter(
        (link.lower.name, link.upper.name) for link in fabric.topology.links if not link.to_server
    )
    return roles[Role.LEAF], roles[Role.SPINE], set(pairs.values())


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (SLOW, (2, 2, {4})),
        (("--frontend-ports", "1"), (4, 2, {8})),
        (("--frontend-ports", "2"), (8, 4, {4})),
        (("--frontend-ports", "1", "--frontend-switch", "SN4600C"), (2, 2, {16})),
    ],
)
def test_64_servers_without_oversubscription_take_few_spines(
    words: tuple[str, ...], expected: tuple[int, int, set[int]]
) -> None:
    """The first frontend was one leaf with sixteen spines, each with two ports in use."""
    found = frontend(64, "--frontend-ratio", "1", *words)
    assert shape(found) == expected


@pytest.mark.parametrize("servers", [2, 3, 16, 31, 64, 100])
@pytest.mark.parametrize("ratio", ["1", "2.5"])
def test_a_frontend_has_two_leafs_and_no_spine_too_many(servers: int, ratio: str) -> None:
    """Half of the spines cannot take the links of all leafs, unless one spine would be left."""
    found = frontend(servers, *SLOW, "--frontend-ratio", ratio)
    leafs, spines, links = shape(found)
    (each,) = links
    assert leafs >= 2
    assert spines == 2 or leafs * each * 2 > len(found.topology.switches[-1].model.usable)


def test_a_frontend_takes_the_servers_that_it_is_to_grow_to() -> None:
    """120 servers of one port need five leafs; their links do not fit on two spines."""
    small = frontend(64, "--frontend-ports", "1", "--frontend-ratio", "1", "--growth", "1.9")
    full = frontend(121, "--frontend-ports", "1", "--frontend-ratio", "1")
    assert shape(small)[1:] == shape(full)[1:] == (4, {4})


@pytest.mark.parametrize("words", [(), ("--frontend-leafs", "2")])
def test_ports_of_a_server_on_two_leafs(words: tuple[str, ...]) -> None:
    found = frontend(10, "--frontend-ports", "2", *words)
    leafs: dict[str, set[str]] = {}
    for link in found.topology.links:
        if isinstance(link.lower, Server):
            leafs.setdefault(link.lower.name, set()).add(link.upper.name)
    assert {len(each) for each in leafs.values()} == {2}
    assert shape(found)[0] % 2 == 0


def test_ports_of_a_server_on_one_leaf() -> None:
    found = frontend(10, "--frontend-ports", "2", "--frontend-leafs", "1")
    ends = Counter(
        (link.lower.name, link.upper.name) for link in found.topology.links if link.to_server
    )
    assert set(ends.values()) == {2}


def test_an_odd_number_of_ports_is_not_spread_over_two_leafs() -> None:
    with pytest.raises(Failure, match="3 ports of a server cannot be divided over 2 leafs"):
        judge(needs("--servers", "8", "--frontend-ports", "3", "--frontend-leafs", "2"))
