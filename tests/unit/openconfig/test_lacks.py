"""What OpenConfig data lacks is listed, with the reason, and only then."""

import pytest
from tests.nos.eos.sites import EDGE, SITES
from tests.unit.openconfig.data import OSPF, leafs, written

from fabricgen.operate.export.openconfig.lacking import lacks


def parts(text: str, name: str) -> dict[str, str]:
    piece, _ = written(text)[name]
    return {each.part: each.why for each in lacks(piece)}


def tables(text: str) -> list[dict[str, str]]:
    return [parts(text, name) for name in written(text)]


@pytest.mark.parametrize(
    ("site", "switch", "wanted"),
    [
        ("rails", "be-su01-leaf1", "PFC priorities"),
        ("rails", "be-su01-leaf1", "PFC watchdog"),
        ("rails", "be-su01-leaf1", "headroom, shared pool and pause thresholds"),
        ("mlag", "fe-leaf01", "MLAG pair"),
        ("relayed", "fe-leaf01", "DHCP relay"),
        ("paired", "fe-leaf01", "Ethernet segments"),
        ("front", "fe-leaf01", "VNIs, MAC VRFs and EVPN route targets of VLANs"),
        ("front", "fe-leaf01", "NETCONF and RESTCONF servers"),
        ("profiled", "fe-leaf01", "storm control and errdisable recovery"),
        ("leaking", "fe-leaf01", "routes leaked between VRFs"),
    ],
)
def test_a_part_is_listed_where_the_design_has_it(site: str, switch: str, wanted: str) -> None:
    assert wanted in parts(SITES[site], switch)
    rest = (own for each in (SITES["front"], SITES["rail-only"]) for own in tables(each))
    assert any(wanted not in each for each in rest)


def test_sessions_without_addresses_are_named() -> None:
    found = parts(SITES["unnumbered"], "fe-leaf01")
    (told,) = (each for each in found if each.startswith("BGP sessions by interface"))
    assert found[told] == "openconfig-bgp names a neighbor by its address"
    assert told.count("Ethernet") == 2
    assert not any(each.startswith("BGP sessions") for each in parts(SITES["front"], "fe-leaf01"))


def test_the_underlay_by_ospf_is_named_and_leaves_only_the_overlay() -> None:
    assert "OSPF between switches" in parts(OSPF, "fe-leaf01")
    assert "OSPF between switches" not in parts(SITES["front"], "fe-leaf01")
    _, tree = written(OSPF)["fe-leaf01"]
    assert leafs(tree, "neighbor", "afi-safis", "afi-safi", "afi-safi-name") == {
        "openconfig-bgp-types:L2VPN_EVPN"
    }


def test_passwords_and_logins_stay_away() -> None:
    assert "passwords of BGP sessions" in {
        each for name in written(EDGE) for each in parts(EDGE, name)
    }
    assert "central login" in parts(SITES["front"], "fe-leaf01")
