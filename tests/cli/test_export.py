"""`fabricgen export batfish` and `export firewalls`, as people use them."""

from pathlib import Path

from tests.cli.calling import ROOT, TENANTS, call
from tests.nos.tenants import fenced


def test_a_snapshot_is_written_and_counted(tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = call("export", "batfish", TENANTS, "-o", str(out))
    assert said.code == 0, said.err
    configs, hosts = list((out / "configs").iterdir()), list((out / "hosts").iterdir())
    told = said.out.splitlines()[-1]
    assert told.startswith(f"{out}: {len(configs)} switches, {len(hosts)} hosts, ")
    assert told.endswith("Batfish has not analyzed it")
    assert (out / "batfish" / "layer1_topology.json").is_file()
    assert "tagged VLANs" in said.err
    first = (out / "configs" / "fe-leaf01.cfg").read_text().splitlines()[0]
    assert first == "!RANCID-CONTENT-TYPE: arista"


def test_files_of_someone_else_are_kept(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("mine")
    said = call("export", "batfish", str(ROOT / "intent" / "lab"), "-o", str(tmp_path))
    assert said.code == 1
    assert (tmp_path / "mine.txt").read_text() == "mine"
    assert not (tmp_path / "configs").exists()


def test_netbox_gets_a_file_for_each_import(tmp_path: Path) -> None:
    out = tmp_path / "out"
    said = call("export", "netbox", TENANTS, "-o", str(out))
    assert said.code == 0, said.err
    assert said.out == f"{out}: 102 devices, 108 cables; NetBox has not read them\n"
    assert {"devices.csv", "interfaces.csv", "cables.csv", "ip-addresses.csv"} <= {
        each.name for each in out.iterdir()
    }


def test_who_configures_firewalls_is_told_the_other_end(tmp_path: Path) -> None:
    site, out = tmp_path / "site", tmp_path / "out"
    site.mkdir()
    text = fenced("7050CX3-32S", "eos").replace(
        "10.0.0.0/8", "{prefix: 10.0.0.0/9, ge: 11, le: 12}"
    )
    (site / "site.yaml").write_text(text)
    said = call("export", "firewalls", str(site), "-o", str(out))
    assert said.code == 0, said.err
    assert said.out == f"{out}: 1 data sheet\n"
    page = (out / "frontend" / "fw.md").read_text()
    first, second = page.partition("## Unit 2")[::2]
    assert "Both units have the ASN 65010.\nUnit 1 is active" in first
    assert "Link fw1 to fe-leaf01 Port-Channel1019 (Ethernet19/1, Ethernet20/1; LACP)" in first
    assert (
        "| red | 201 | 2001:db8:ff::3/127 | 2001:db8:ff::2/127 | 4200000001 | ::/0 "
        "| 2001:db8:110::/64 | BFD 300 ms x 3, TCP MD5 by env:FW |\n"
    ) in second
    assert (
        "| blue | 202 | 192.0.2.11/31 | 192.0.2.10/31 | 4200000001 | 10.0.0.0/9 (/11 to /12) "
        "| 10.120.0.0/24 |"
    ) in second
