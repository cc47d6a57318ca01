"""Configurations of labs: no model, names in capitals, texts with no port, what a CLI says."""

import re
from pathlib import Path

from tests.unit.adopt.foreign import configurations
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


def fabric(folder: Path) -> str:
    """Return what was written of the fabric."""
    return (folder / "site" / "frontend.yaml").read_text(encoding="utf-8")


def test_ports_by_number_and_no_model_said_are_one_fabric(tmp_path: Path) -> None:
    report, err = adopted(tmp_path, configurations("Ethernet{}", "Ethernet{}"), unsaid=True)
    assert report["compiles"], err
    assert report["share"] > 60
    assert "nobody says the model of dc1-sp1 and 4 other switches" in err
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
    assert "cannot be" not in err
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
    assert "the intent has no dc1-acc1: all their lines remain" in err
