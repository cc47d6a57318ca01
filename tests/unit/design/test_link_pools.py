"""A pool for links of an EVPN fabric holds the reserved links, and growth moves none of them."""

import pytest
from tests.unit.design.sites import Keys, findings, frontend, intent, only

from fabricgen.compile.design.site import design_site
from fabricgen.core.diagnostics import Code


def numbered(leafs: int, links: str, **more: object) -> Keys:
    """Return an EVPN fabric of so many leafs, two spines, and a pool for its links."""
    group = {"leafs": f"1-{leafs}", "servers": {"per_leaf": 4, "speed": "100G"}}
    keys = frontend(leaf_groups={"racks": group}, addressing={"links": links}, **more)
    keys["frontend"]["underlay"] = {"links": "numbered"}
    return keys


@pytest.mark.parametrize(
    ("leafs", "links", "growth"), [(8, "10.9.0.0/26", {}), (8, "10.9.0.0/27", {"spines": 2})]
)
def test_an_evpn_link_pool_is_as_large_as_the_reserved_links(
    leafs: int, links: str, growth: Keys
) -> None:
    keys = numbered(leafs, links, growth=growth)
    assert findings(keys) == []
    said = only(numbered(leafs + 1, links, growth=growth))
    assert said.code is Code.POOL_TOO_SMALL
    assert "addresses for links" in said.message


@pytest.mark.parametrize("links", ["10.9.0.0/25", "10.9.0.0/20"])
def test_growing_moves_no_link_address_of_an_evpn_fabric(links: str) -> None:
    small, more_leafs, more_spines = numbered(3, links), numbered(8, links), numbered(3, links)
    more_spines["frontend"]["spine"]["count"] = 4
    before = link_addresses(small)
    assert len(before) == 6
    for grown in (more_leafs, more_spines):
        assert before.items() < link_addresses(grown).items()


def test_a_large_pool_keeps_64_link_numbers_for_each_leaf() -> None:
    assert link_addresses(numbered(2, "10.9.0.0/20"))["fe-leaf02", "fe-spine1"] == "10.9.0.129/31"
    assert link_addresses(numbered(2, "10.9.0.0/21"))["fe-leaf02", "fe-spine1"] == "10.9.0.9/31"


def link_addresses(keys: Keys) -> dict[tuple[str, str], str]:
    """Return the lower address of each link by the names of its ends."""
    (fabric,) = design_site(intent(keys))[0].fabrics
    pairs = {}
    for link in fabric.topology.links:
        if not link.to_server:
            ends = fabric.addresses.link(link)
            assert ends is not None
            pairs[link.lower.name, link.upper.name] = str(ends[0])
    return pairs
