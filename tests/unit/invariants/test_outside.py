"""Policies towards routers outside: alike for both families, and communities do not pass."""

from pathlib import Path

import pytest

from fabricgen.diagnostics import Code, Severity
from fabricgen.judge.judged import judged

HEAD = """frr version 10.3
hostname leaf{number}
router bgp 6500{number}
router bgp 6500{number} vrf red
"""
SESSION = """ neighbor {peer} remote-as 64496
 neighbor {peer} description isp
 address-family {family} unicast
  neighbor {peer} activate
  neighbor {peer} route-map IN-{family} in
 exit-address-family
"""
POLICY = """bgp as-path access-list FROM-{family} seq 5 permit _64496$
route-map IN-{family} permit 10
 match as-path FROM-{family}
 set community none
 set extcommunity none
 set local-preference 200
exit
"""
PEERS = {"ipv4": "10.9.{number}.0", "ipv6": "2001:db8:{number}::"}


def leaf(number: int) -> str:
    """Return the file of a leaf with a session of each family to one router."""
    text = HEAD.format(number=number)
    for family, peer in PEERS.items():
        text += SESSION.format(peer=peer.format(number=number), family=family)
    return text + "".join(POLICY.format(family=family) for family in PEERS)


def unlike(folder: Path) -> list[str]:
    """Return what is said of members that are unlike the others."""
    every = (each for result in judged(folder).examined for each in result.findings)
    found = [each for each in every if each.code is Code.UNLIKE_ITS_CLASS]
    assert all(each.severity is Severity.NOTE for each in found)
    return [each.message for each in found]


@pytest.mark.parametrize(
    ("old", "new", "word"),
    [
        (" set local-preference 200\nexit\n", "exit\n", "preference"),
        ("FROM-ipv4 seq 5 permit _64496$", "FROM-ipv4 seq 5 permit _64497$", "origins"),
        (" set community none\n", " set community 65001:1\n", "communities"),
    ],
)
def test_policies_of_both_families_decide_alike(
    old: str, new: str, word: str, tmp_path: Path
) -> None:
    (tmp_path / "frr.conf").write_text(leaf(1))
    assert unlike(tmp_path) == []
    (tmp_path / "frr.conf").write_text(leaf(1).replace(old, new, 1))
    assert any(f"{word} of its policy (in)" in each for each in unlike(tmp_path))


@pytest.mark.parametrize("kind", ["community", "extcommunity"])
def test_communities_of_others_are_removed_by_all_or_by_none(kind: str, tmp_path: Path) -> None:
    for number in (1, 2):
        place = tmp_path / f"leaf{number}" / "frr.conf"
        place.parent.mkdir()
        place.write_text(leaf(number))
    assert unlike(tmp_path) == []
    place.write_text(leaf(2).replace(f" set {kind} none\n", "", 1))
    (said,) = [each for each in unlike(tmp_path) if "in its policy" in each]
    assert f"leaf2 to 10.9.2.0 has in its policy (in) none; 3 like it have {kind} removed" in said


def test_a_router_of_one_family_has_nothing_to_be_compared_with(tmp_path: Path) -> None:
    text = leaf(1).replace("description isp", "description other", 1)
    (tmp_path / "frr.conf").write_text(text.replace(" set local-preference 200\nexit\n", "exit\n"))
    assert unlike(tmp_path) == []
