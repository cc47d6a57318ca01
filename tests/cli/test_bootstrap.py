"""`fabricgen export bootstrap`: what switches are given on their first boot, and DHCP's part."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from tests.cli.calling import Said, call
from tests.conftest import NOT_RUN

from fabricgen.nos.registry import nos

URL = "http://10.255.0.9/boot"
SITE = """\
site:
  name: t1
  management:
    subnet: 10.255.0.0/24
    tls: {certificate: site.pem, key: site.key}
    users:
      - {name: ops, password_hash: "env:OPS_HASH", ssh_key: ssh-ed25519 AAAAC3 ops@desk}
  accept_unsupported: [local-users, tls, pfc-watchdog]
backend:
  design: rail-optimized
  servers: {count: 8, gpus: 2, nic_speed: 400G}
  scalable_unit: {servers: 4}
  links: {speed: 400G}
  leaf: {model: 7060X6-64PE, platform: eos}
  spine: {model: 7060X6-64PE, platform: sonic, count: 2}
  switches:
    be-su01-leaf1: {mac: "00:1c:73:00:00:01", serial: A1}
    be-spine1: {mac: "00:1c:73:00:00:02"}
    be-spine2: {platform: linux}
"""
LEAF, SPINE, LINUX = "be-su01-leaf1", "be-spine1", "be-spine2"


@pytest.fixture
def site(tmp_path: Path) -> Path:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.yaml").write_text(SITE)
    return tmp_path


def exported(place: Path, *words: str) -> Said:
    target = str(place / "boot")
    return call("export", "bootstrap", str(place / "site"), "-o", target, "--url", URL, *words)


def test_every_line_of_eos_is_one_that_the_push_brings_and_its_grammar_knows(site: Path) -> None:
    said = exported(site)
    assert said.code == 0, said.err
    assert call("render", str(site / "site"), "-o", str(site / "files")).code == 0
    text = (site / "boot" / LEAF / "startup-config").read_text()
    whole = (site / "files" / "backend" / LEAF / "eos.cfg").read_text().splitlines()
    strange = [line for line in text.splitlines() if line not in whole]
    assert strange == ["   protocol https"]  # the profile's certificate is not there yet
    grammar = nos("eos").grammar
    assert grammar is not None
    assert grammar.load()["eos.cfg"].read(text).unclaimed == []
    for line in (
        f"hostname {LEAF}",
        "username ops privilege 15 role network-admin secret sha512 <<secret:env:OPS_HASH>>",
        "username ops ssh-key ssh-ed25519 AAAAC3 ops@desk",
        "management api http-commands",
        "   vrf mgmt",
        "   ip address 10.255.0.66/24",
        "ip route vrf mgmt 0.0.0.0/0 10.255.0.1",
    ):
        assert f"\n{line}\n" in text
    assert "Ethernet" not in text
    assert "router bgp" not in text


def test_sonic_gets_its_name_its_management_and_shut_ports(site: Path) -> None:
    assert exported(site).code == 0
    folder = site / "boot" / SPINE
    tables = json.loads((folder / "config_db.json").read_text())
    kept = {"DEVICE_METADATA", "MGMT_PORT", "MGMT_INTERFACE", "MGMT_VRF_CONFIG", "PORT"}
    assert set(tables) == kept
    assert tables["DEVICE_METADATA"]["localhost"]["hostname"] == SPINE
    assert {port["admin_status"] for port in tables["PORT"].values()} == {"down"}
    sections = json.loads((folder / "ztp.json").read_text())["ztp"]
    assert list(sections) == ["01-accounts", "02-configdb-json"]  # in the order of their names
    source = sections["02-configdb-json"]["url"]["source"]
    assert source == f"{URL}/{SPINE}/config_db.json"
    script = folder / "accounts.sh"
    assert sections["01-accounts"]["plugin"]["url"] == f"{URL}/{SPINE}/accounts.sh"
    subprocess.run(["/bin/sh", "-n", str(script)], check=True)
    assert "'ssh-ed25519 AAAAC3 ops@desk' >/home/ops/.ssh/authorized_keys" in script.read_text()


def test_linux_writes_lines_that_the_push_brings_and_no_secret(site: Path) -> None:
    """Run in a folder of its own, the script leaves files of which the push changes no line."""
    assert exported(site).code == 0
    assert call("render", str(site / "site"), "-o", str(site / "files")).code == 0
    script = (site / "boot" / LINUX / "first-boot").read_text()
    assert "secret:" not in script
    root = site / "root"
    there = script.partition("systemd-")[0]
    for command in ("mkdir -p ", "cat >"):
        there = there.replace(f"{command}/", f"{command}{root}/")
    subprocess.run(["/bin/sh", "-e"], input=there, text=True, check=True)
    rendered = site / "files" / "backend" / LINUX
    written = {path.relative_to(root) for path in root.rglob("*") if path.is_file()}
    for path in written:
        lines = (rendered / path).read_text().splitlines()
        assert set((root / path).read_text().splitlines()) <= {*lines, ""}, path
    whole = {path for path in written if (root / path).read_text() == (rendered / path).read_text()}
    assert {str(path) for path in written - whole} == {
        "etc/network/interfaces",
        "etc/sysctl.d/90-fabricgen.conf",
    }
    assert "etc/ssh/authorized_keys.d/ops" in map(str, whole)
    interfaces = (root / "etc/network/interfaces").read_text()
    assert (
        "iface eth0\n    address 10.255.0.123/24\n    gateway 10.255.0.1\n    vrf mgmt"
        in interfaces
    )
    assert "swp" not in interfaces


def test_linux_has_an_image_that_asks_and_runs_what_is_named_once(site: Path) -> None:
    assert exported(site).code == 0
    image = site / "boot" / "image-linux"
    assert "iface eth0 inet dhcp" in (image / "etc/network/interfaces").read_text()
    hook = (image / "etc/dhcp/dhclient-exit-hooks.d/fabricgen").read_text()
    first, rebooted = site / "once", site / "rebooted"
    for name, text in (("first-boot", f"echo ran >>{site}/runs"), ("reboot", f">{rebooted}")):
        (site / name).write_text(f"#!/bin/sh\n{text}\n")
        (site / name).chmod(0o755)
    hook = hook.replace("/var/lib/fabricgen", str(first)).replace("http", "file")
    for reason in ("PREINIT", "BOUND", "BOUND", "RENEW"):
        variables = f"reason={reason}; new_bootfile_name=file://{site}/first-boot\n"
        done = subprocess.run(
            ["/bin/sh"],
            input=f"PATH={site}:$PATH\n{variables}{hook}echo left=$first",
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout == "left=\n", "the shell of dhclient-script stays as it was"
        assert rebooted.exists() == (reason != "PREINIT")
    assert (site / "runs").read_text() == "ran\n"


def test_dhcp_answers_those_alone_whose_mac_is_known(site: Path) -> None:
    said = exported(site)
    kea = json.loads((site / "boot" / "kea-dhcp4.json").read_text())
    (subnet,) = kea["Dhcp4"]["subnet4"]
    assert subnet["subnet"] == "10.255.0.0/24"
    assert "pools" not in subnet
    named = {each["hostname"]: each for each in subnet["reservations"]}
    assert set(named) == {LEAF, SPINE}
    assert named[LEAF]["hw-address"] == "00:1c:73:00:00:01"
    assert named[LEAF]["ip-address"] == "10.255.0.66"
    assert named[LEAF]["option-data"] == [
        {
            "name": "boot-file-name",
            "data": f"{URL}/{LEAF}/startup-config",
            "always-send": True,  # dhclient asks for no file (Debian's dhclient.conf)
        }
    ]
    assert named[SPINE]["option-data"][0]["data"] == f"{URL}/{SPINE}/ztp.json"
    assert "no DHCP reservation without `mac:`: be-spine2, be-su01-leaf2" in said.err
    assert "secrets to fill in on the file server: env:OPS_HASH" in said.err
    assert said.out.endswith("first boot of 6 switches, 2 reserved in kea-dhcp4.json\n")


def test_out_of_band_each_vlan_is_a_subnet_and_a_bmc_has_its_address(tmp_path: Path) -> None:
    assert (
        call("export", "bootstrap", "intent/oob", "-o", str(tmp_path / "b"), "--url", URL).code == 0
    )
    kea = json.loads((tmp_path / "b" / "kea-dhcp4.json").read_text())["Dhcp4"]["subnet4"]
    assert [subnet["subnet"] for subnet in kea] == ["10.255.0.0/22", "10.250.0.0/22"]
    assert kea[1]["reservations"] == [
        {
            "hw-address": "3c:ec:ef:00:00:01",
            "ip-address": "10.250.0.65",
            "hostname": "cpu0001-bmc",
        }
    ]
    assert kea[1]["option-data"] == [{"name": "routers", "data": "10.250.0.1"}]


def test_kea_takes_its_file(site: Path) -> None:
    if shutil.which("kea-dhcp4", path="/usr/sbin:/usr/bin") is None:
        pytest.skip(f"{NOT_RUN}: no kea-dhcp4")
    assert exported(site).code == 0
    asked = ["/usr/sbin/kea-dhcp4", "-t", str(site / "boot" / "kea-dhcp4.json")]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_an_address_that_no_switch_can_fetch_is_refused(site: Path) -> None:
    said = call("export", "bootstrap", str(site / "site"), "-o", str(site / "b"), "--url", "/srv")
    assert said.code == 64
    assert "http:// or https://" in said.err
    assert not (site / "b").exists()
