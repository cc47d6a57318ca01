"""Who is asked beside a batch: as few as see each cable and each VLAN of it, within the limit."""

from functools import cache
from pathlib import Path

import pytest

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.model.fabric.switch import Site
from fabricgen.operate.deploy.push import neighbors
from fabricgen.operate.deploy.push.neighbors import chosen

ROOT = Path(__file__).resolve().parents[4]


@cache
def lab() -> Site:
    site = compile_site(load_site(ROOT / "intent/lab")).site
    assert site is not None
    return site


def everyone() -> frozenset[str]:
    return frozenset(each.name for fabric in lab().fabrics for each in fabric.topology.switches)


def test_a_leaf_is_seen_by_its_spines_and_by_two_leafs_with_its_vrfs() -> None:
    found = chosen(lab(), ["fe-leaf01"], everyone() - {"fe-leaf01"})
    assert set(found.names) == {"fe-leaf02", "fe-leaf03", "fe-spine1", "fe-spine2"}
    assert (found.seen, found.of) == (6, 6)
    assert found.sentence == (
        "checking 4 neighbors, too, which see 6 of 6 cables and VLANs that the batch shares with "
        "others"
    )


def test_a_spine_is_seen_by_its_leafs() -> None:
    found = chosen(lab(), ["fe-spine1"], everyone() - {"fe-spine1"})
    assert found.names == ("fe-leaf01", "fe-leaf02", "fe-leaf03", "fe-leaf04")


def test_nobody_of_the_batch_or_beyond_the_limit_is_asked() -> None:
    found = chosen(lab(), ["fe-leaf01", "fe-leaf02"], {"fe-leaf03"})
    assert found.names == ("fe-leaf03",)
    assert (found.seen, found.of) == (4, 8)
    none = chosen(lab(), ["fe-leaf01"], frozenset())
    assert (none.names, none.seen) == ((), 0)


def test_what_shares_nothing_asks_nobody() -> None:
    frontend = [name for name in everyone() if name.startswith("fe-")]
    assert chosen(lab(), frontend, everyone() - set(frontend)).sentence == (
        "no neighbor is checked; the batch shares 0 cables and VLANs with others"
    )


def test_at_most_so_many_are_asked_those_first_that_see_most(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(neighbors, "MOST", 1)
    found = chosen(lab(), ["fe-leaf01"], everyone() - {"fe-leaf01"})
    assert found.names == ("fe-leaf02",)
    assert (found.seen, found.of) == (4, 6)
