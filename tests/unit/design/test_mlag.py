"""From a leaf group with `kind: mlag`: cages, ASN, endpoint and VLANs, and what is no pair."""

import pytest
from tests.nos.eos.sites import MLAG, slices
from tests.nos.tenants import ONE_SIDED

from fabricgen.compile.design.site import design_site
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.interface import Use

ONE = """  one:
    count: 1
    ports: {front: {fabric: frontend, speed: 25G, per_leaf: 1, first: 33}}
"""
ALONE = """
  solo:
    vlans: {solo: {id: 300}}
    attachments: [{servers: one, access: solo}]
"""
GROUP = "multihoming: {kind: mlag}"


def refused(text: str) -> list[str]:
    """Return what is said of a site."""
    loaded = load_texts({"site.yaml": text})
    assert loaded.intent is not None
    found = (*loaded.findings, *design_site(loaded.intent)[1])
    return [finding.message for finding in found]


def test_both_leafs_are_one_to_all_others() -> None:
    pieces = slices(MLAG)
    first, second = (pieces[name] for name in ("fe-leaf01", "fe-leaf02"))
    assert (first.asn, first.vtep) == (second.asn, second.vtep)
    assert first.loopback != second.loopback
    assert [vlan.id for vlan in first.vlans] == [vlan.id for vlan in second.vlans]
    assert all(lag.mlag and lag.segment is None for lag in (*first.lags, *second.lags))
    assert first.pair is not None
    assert second.pair is not None
    assert (first.pair.local, first.pair.remote) == (second.pair.remote, second.pair.local)


def test_a_vlan_of_one_leaf_is_on_both() -> None:
    """A tunnel to the pair's endpoint ends on either."""
    text = MLAG.replace("trunk: [web, db], native: db}", "trunk: [web, db], native: db}" + ALONE)
    text = text.replace("servers:\n", f"servers:\n{ONE}", 1)
    vlans = {
        name: {vlan.id for vlan in switch_slice.vlans}
        for name, switch_slice in slices(text).items()
    }
    assert 300 in vlans["fe-leaf01"]
    assert vlans["fe-leaf01"] == vlans["fe-leaf02"]


def test_peer_links_stand_in_front_of_the_uplinks_and_move_nothing() -> None:
    before, after = (slices(text) for text in (MLAG.replace(GROUP, ""), MLAG))
    for name in ("fe-leaf01", "fe-leaf02"):
        one, other = before[name], after[name]
        peers = [item.port.cage for item in other.interfaces if item.use is Use.PEER]
        ups = [item.port.cage for item in other.interfaces if item.use is Use.FABRIC]
        assert peers == [27, 28]
        assert ups == [item.port.cage for item in one.interfaces if item.use is Use.FABRIC]
        assert [item.address for item in one.interfaces if item.address] == [
            item.address for item in other.interfaces if item.address
        ]
        assert (one.loopback, one.management) == (other.loopback, other.management)


def test_what_one_leaf_has_in_a_vrf_makes_both_speak_there() -> None:
    """The VRF has its own VLAN whichever others are there, and IPv6 where one of the two has it."""
    pieces = slices(ONE_SIDED)
    first, second = (pieces[name].pair for name in ("fe-leaf01", "fe-leaf02"))
    assert first is not None
    assert second is not None
    told = [(vrf.name, vrf.vlan, [str(own) for own, _ in vrf.ends]) for vrf in first.vrfs]
    assert told == [
        ("red", 3001, ["169.254.0.0/31", "fe80::1/64"]),
        ("blue", 3002, ["169.254.0.0/31"]),
    ]
    assert [[(far, own) for own, far in vrf.ends] for vrf in second.vrfs] == [
        [*vrf.ends] for vrf in first.vrfs
    ]
    assert [vrf.name for vrf in pieces["fe-leaf01"].vrfs] == ["red", "blue"]
    assert pieces["fe-leaf01"].vrfs == pieces["fe-leaf02"].vrfs


def test_a_vrf_of_vlans_alone_needs_no_word_between_the_leafs() -> None:
    pair = slices(MLAG)["fe-leaf01"].pair
    assert pair is not None
    assert not pair.vrfs


def test_an_answer_to_a_relay_of_one_leaf_gets_there_from_the_other() -> None:
    relay = "id: 1\n        dhcp_relay: {servers: [10.110.0.5], sources: 10.98.1.0/24}\n"
    pair = slices(MLAG.replace("id: 1\n", relay))["fe-leaf02"].pair
    assert pair is not None
    assert [(vrf.name, vrf.vlan) for vrf in pair.vrfs] == [("red", 3001)]


def test_segments_need_no_word_between_the_leafs() -> None:
    """Each leaf has an endpoint of its own there: what is sent to it is its own."""
    pieces = slices(ONE_SIDED.replace(", multihoming: {kind: mlag}", ""))
    assert all(switch_slice.pair is None for switch_slice in pieces.values())


def test_a_vlan_of_a_tenant_is_never_that_of_a_vrf_between_leafs() -> None:
    text = MLAG.replace("db: {id: 111", "db: {id: 3001")
    assert any("VLAN ids above 3000 are kept for transit VLANs" in each for each in refused(text))


BOOT = "bond: lacp, lacp_fallback: {}"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("native: db", "native: web", ""),
        (
            ", native: db",
            "",
            "db0001 is to boot by the ports of front, which carry no untagged VLAN",
        ),
        (
            "bond: lacp",
            "bond: active-backup",
            "servers.db.ports.front: `lacp_fallback` needs `bond: lac",
        ),
    ],
)
def test_a_server_boots_in_an_untagged_vlan(old: str, new: str, said: str) -> None:
    text = MLAG.replace("bond: lacp", BOOT).replace(old, new)
    assert [each[: len(said)] for each in refused(text)] == ([said] if said else [])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("leafs: 1-2", "leafs: 1-3", "3 leafs are no pairs, and 'leafs' is of MLAG pairs"),
        ("kind: mlag", "peer_links: 2", "`peer_links` needs `kind: mlag`"),
        ("kind: mlag", "kind: mlag, domain: '{leaf}'", "no word 'leaf' in this name pattern"),
        (
            "frontend:\n",
            "frontend:\n  roce: {}\n",
            "no pause and no class is set on the link between the leafs of a pair",
        ),
        (
            "  spine: {model: 7050CX3-32S, platform: eos, count: 2}\n",
            "  design: collapsed\n",
            "no MLAG pairs here: the leafs of a collapsed pair route to each other",
        ),
    ],
)
def test_what_is_no_pair_is_said(old: str, new: str, said: str) -> None:
    assert said in " ".join(refused(MLAG.replace(old, new)))
