"""Configurations of labs: no model, names in capitals, texts with no port, what a CLI says."""

import re
from pathlib import Path

from tests.unit.adopt.foreign import configurations
from tests.unit.adopt.inventories import put
from tests.unit.adopt.strangers import said
from tests.unit.adopt.test_foreign import adopted

ACCESS = """service routing protocols model multi-agent
hostname dc1-acc1
vlan 10
interface Ethernet1
   description dc1-tor1_Ethernet9
   switchport
   switchport mode trunk
interface Ethernet2
   description SRV_dc1-h9_nic0
   switchport
   switchport access vlan 10
interface Management1
   ip address 192.0.2.99/24
"""

CABLES = "device_a,port_a,device_b,port_b\n"
ROUTES = """frr defaults datacenter
hostname {name}
router bgp {asn}
 bgp router-id {own}
 neighbor ALL peer-group
 neighbor ALL remote-as external
{peers} address-family ipv4 unicast
  network {own}/32
 exit-address-family
 address-family l2vpn evpn
  neighbor ALL activate
{all} exit-address-family
"""
TUNNEL = """auto bridge
iface bridge
    bridge-ports swp1 web
    bridge-vlan-aware yes
    bridge-vids 100
auto web
iface web
    vxlan-id 100
    vxlan-local-tunnelip {own}
    bridge-access 100
"""


def unnumbered() -> dict[str, str]:
    """Return a spine and two leafs of Linux on whose ports nothing stands: no cable is said."""
    files = {}
    for number, name in enumerate(("leaf1", "leaf2", "spine1"), 1):
        leaf, own = number < 3, f"10.0.0.1{number}"
        ports = ("swp31",) if leaf else ("swp1", "swp2")
        peers = "".join(f" neighbor {each} interface peer-group ALL\n" for each in ports)
        told = {"own": own, "peers": peers, "all": "  advertise-all-vni\n" if leaf else ""}
        files[f"{name}/frr.conf"] = ROUTES.format(name=name, asn=65000 + number, **told)
        files[f"{name}/interfaces"] = (
            f"auto lo\niface lo inet loopback\n    address {own}/32\n"
            "auto eth0\niface eth0 inet static\n"
            f"    address 192.0.2.{number}/24\n    vrf mgmt\n"
            + "".join(f"auto {each}\niface {each} inet manual\n" for each in ports)
            + (TUNNEL.format(own=own) if leaf else "")
        )
    return files


def fabric(folder: Path) -> str:
    """Return what was written."""
    return "".join(each.read_text("utf-8") for each in sorted((folder / "site").glob("*.yaml")))


def test_ports_by_number_and_no_model_said_are_one_fabric(tmp_path: Path) -> None:
    report, err = adopted(tmp_path, configurations("Ethernet{}", "Ethernet{}"), unsaid=True)
    assert report["compiles"], err
    assert report["share"] > 60
    assert "dc1-sp1 and 4 other switches: model unknown, using 7060DX5-64S" in err
    assert len(set(re.findall(r"model: (\S+),", fabric(tmp_path)))) == 1


def test_ports_whose_texts_name_the_other_switch_alone_are_cables(tmp_path: Path) -> None:
    lent = "ip address unnumbered Loopback0\n   ipv6 enable"
    files = {
        name: re.sub(
            r"ip address 10\.2\.\S+", lent, re.sub(r"CORE_(dc1-\w+)_Ethernet\S+", r"to \1", text)
        )
        for name, text in configurations().items()
    }
    report, err = adopted(tmp_path, files)
    assert report["compiles"]
    assert "FG888" not in err  # a switch that the intent does not include
    assert "FG890" not in err  # a key that is removed
    assert "links: unnumbered" in fabric(tmp_path)
    assert "count: 2" not in fabric(tmp_path)  # as many spines as there are by default
    assert not [pin for pin in report["pins"] if ".links." in pin["path"]]


def test_names_in_capitals_are_small_in_the_intent_and_differ_in_their_line(tmp_path: Path) -> None:
    files = {
        name: text.replace("dc1-", "DC1_").replace("CORE_", "CORE ")
        for name, text in configurations().items()
    }
    report, err = adopted(tmp_path, files)
    assert "FG888" not in err
    assert 'names: {leaf: "dc1-tor{index}", spine: "dc1-sp{index}"}' in fabric(tmp_path)
    remains = [each for each in report["remainders"] if "hostname DC1_" in each["text"]]
    assert len(remains) == len(files)


def test_what_a_cli_says_around_a_configuration_is_no_line_of_it(tmp_path: Path) -> None:
    plain, _ = adopted(tmp_path / "plain", configurations())
    files = {
        name: f"SW1#term len 0\nPagination disabled.\nSW1#sh run\n{text}end\nSW1#\n"
        for name, text in configurations().items()
    }
    report, _ = adopted(tmp_path / "kept", files)
    assert [report[each] for each in ("by_keys", "own_lines")] == [
        plain[each] for each in ("by_keys", "own_lines")
    ]
    assert "SW1#" not in str(report)


def test_a_switch_below_a_leaf_is_left_out_and_the_rest_compiles(tmp_path: Path) -> None:
    files = {**configurations(), "acc1.cfg": ACCESS}
    files["tor1.cfg"] += "interface Ethernet9\n   description dc1-acc1_Ethernet1\n   switchport\n"
    report, err = adopted(tmp_path, files, "--model", "7010TX-48=dc1-acc1")
    assert report["compiles"]
    assert report["share"] > 75
    assert "the intent does not include dc1-acc1: all their lines remain" in err


def test_where_no_cable_is_known_that_is_said(tmp_path: Path) -> None:
    _, _, err = said(tmp_path, unnumbered(), "--model", "SN3700")
    missing = "the intent does not include leaf1, leaf2, spine1: all their lines remain"
    assert f"FG888 warning: {missing}" in err
    assert "no cable of leaf1, leaf2, spine1 is known: add interface descriptions or" in err
    assert "or give LLDP or an --inventory\n" in err


def test_tunnels_that_each_device_says_and_a_list_of_cables_are_a_fabric(tmp_path: Path) -> None:
    rows = "".join(f"leaf{number},swp31,spine1,swp{number}\n" for number in (1, 2))
    put(tmp_path / "stock", {"cables.csv": CABLES + rows})
    words = ("--model", "SN3700", "--inventory", "stock")
    code, _, err = said(tmp_path, unnumbered(), *words)
    assert code == 0, err
    assert "FG888" not in err
    written = fabric(tmp_path)
    assert "links: unnumbered" in written
    assert "leafs: 1-2" in written
    assert "inet static" not in written


def test_a_number_behind_the_loopback_is_one_line_of_all_leafs(tmp_path: Path) -> None:
    files = {
        name: text + "ip extcommunity-list OWN permit soo 10.1.0.1" + name[3] + ":7\n"
        if name.startswith("tor")
        else text
        for name, text in configurations().items()
    }
    adopted(tmp_path, files)
    assert fabric(tmp_path).count("permit soo {{ switch.loopback }}:7\n") == 1
