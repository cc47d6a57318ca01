"""Groups in a VLAN: what each platform is told, what it refuses, and what of it is read back."""

import pytest
from tests.nos.tenants import paired, snooping

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.prove.written import prove

SITE = """
site: {name: m, management: {subnet: 10.255.0.0/24}}
frontend:
  design: collapsed
  leaf: {model: 7050CX3-32S, platform: PLATFORM}
  leaf_groups: {racks: {leafs: 1-2, servers: {per_leaf: 1, speed: 25G}}}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 110, subnet: 10.110.0.0/24}
          loud: {id: 111, subnet: 10.111.0.0/24}
    attachments: [{group: racks, trunk: [web, loud]}]
"""
AWARE = SITE.replace("  design:", "  overlay: {service: vlan-aware}\n  design:")
MLAG = "leaf_groups: {leafs: {leafs: 1-4, multihoming: {kind: mlag}}}"


PATHS = {"eos": "eos.cfg", "linux": "etc/network/interfaces"}


def rendered(text: str) -> tuple[SwitchSlice, dict[str, str]]:
    """Return the slice and the files of the first leaf of a site."""
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.site is not None, made.findings
    assert made.ok, made.findings
    switch_slice = next(each for _, each in slices(made.site) if each.switch.is_leaf)
    return switch_slice, {
        file.path.split("/", 2)[2]: file.text for file in files_of(switch_slice, Renderer())
    }


def leaf(text: str) -> str:
    """Return what carries VLANs on the first leaf of a site."""
    switch_slice, files = rendered(text)
    return files[PATHS[switch_slice.switch.platform]]


def test_eos_asks_from_the_gateway_and_tells_other_leafs() -> None:
    text = leaf(snooping(SITE).replace("PLATFORM", "eos"))
    asked = "ip igmp snooping vlan 110 querier"
    assert f"{asked}\n{asked} address 10.110.0.1\n" in text
    assert "   vlan 110\n      rd 10.64.0.1:110\n" in text
    assert "10110\n      redistribute igmp\n      redistribute learned\n   !\n   vlan 111\n" in text
    assert text.count("igmp") == 3


def test_a_bundle_tells_of_groups_in_all_its_vlans() -> None:
    both = snooping(AWARE).replace("10.111.0.0/24}", "10.111.0.0/24, multicast: snooped}")
    text = leaf(both.replace("PLATFORM", "eos"))
    assert "      redistribute igmp\n      redistribute learned\n      vlan 110-111\n" in text
    assert text.count("igmp") == 5


def test_linux_asks_in_each_vlan_and_floods_the_others() -> None:
    text = leaf(snooping(SITE).replace("PLATFORM", "linux"))
    assert (
        "    bridge-mcsnoop yes\n"
        "    ipv6-addrgen off\n"
        "    post-up ip link set br0 type bridge mcast_vlan_snooping 1\n"
        "    post-up bridge vlan global set dev br0 vid 110 mcast_snooping 1 mcast_querier 1\n"
        "    post-up bridge vlan set dev vni10110 vid 110 mcast_router 2\n"
        "    post-up bridge vlan global set dev br0 vid 111 mcast_snooping 0 mcast_querier 0\n"
        "    post-up bridge vlan global set dev br0 vid 3001 mcast_snooping 0 mcast_querier 0\n"
    ) in text


@pytest.mark.parametrize("platform", PATHS)
def test_without_the_word_nothing_is_written(platform: str) -> None:
    text = leaf(SITE.replace("PLATFORM", platform))
    assert "igmp" not in text
    assert "mcast" not in text


@pytest.mark.parametrize(
    ("platform", "old", "new"),
    [
        ("eos", "ip igmp snooping vlan 110 querier\n", ""),
        ("eos", "querier address 10.110.0.1\n", "querier address 10.110.0.2\n"),
        ("eos", "      redistribute igmp\n", ""),
        ("linux", "bridge-mcsnoop yes", "bridge-mcsnoop no"),
        ("linux", "    post-up ip link set br0 type bridge mcast_vlan_snooping 1\n", ""),
        ("linux", "vid 110 mcast_snooping 1 mcast_q", "vid 111 mcast_snooping 1 mcast_q"),
        ("linux", "    post-up bridge vlan set dev vni10110 vid 110 mcast_router 2\n", ""),
        ("linux", "dev vni10110 vid 110 mcast_router", "dev vni10111 vid 110 mcast_router"),
        ("linux", "vid 111 mcast_snooping 0", "vid 112 mcast_snooping 0"),
        ("linux", "    ipv6-addrgen off\n    post-up", "    post-up"),
    ],
)
def test_a_fault_in_a_file_is_found(platform: str, old: str, new: str) -> None:
    switch_slice, files = rendered(snooping(SITE).replace("PLATFORM", platform))
    path = PATHS[platform]
    assert prove(switch_slice, files).findings == ()
    assert old in files[path]
    assert prove(switch_slice, {**files, path: files[path].replace(old, new, 1)}).findings


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (SITE.replace("PLATFORM", "sonic"), "no release has IGMP snooping"),
        (paired("7050CX3-32S", "eos"), "no document confirms that leafs of an Ethernet segment"),
        (
            paired("7050CX3-32S", "eos").replace("frontend:\n", f"frontend:\n  {MLAG}\n"),
            "no document describes snooping between tunnels for an MLAG pair",
        ),
        (
            paired("LAB-64", "linux").replace("25G", "100G"),
            "FRR does not report group members to the other leaf of an Ethernet segment",
        ),
        (
            SITE.replace("PLATFORM", "linux").replace("7050CX3-32S", "SN3700"),
            "linux on SN3700 forwards in its ASIC: no document confirms snooping by VLAN",
        ),
    ],
)
def test_what_a_platform_cannot_is_refused(text: str, words: str) -> None:
    made = compile_site(load_texts({"site.yaml": snooping(text)}))
    assert any(words in each.message for each in made.findings), made.findings
    assert not made.ok


@pytest.mark.parametrize("platform", ["eos", "linux", "sonic"])
def test_nobody_routes_groups(platform: str) -> None:
    text = SITE.replace("10.110.0.0/24}", "10.110.0.0/24, multicast: routed}")
    made = compile_site(load_texts({"site.yaml": text.replace("PLATFORM", platform)}))
    found = [each for each in made.findings if "multicast-routed" in each.message]
    where = ("tenants", "red", "vrfs", "red", "vlans", "web", "multicast")
    assert {each.path for each in found} == {where}
    assert not made.ok
