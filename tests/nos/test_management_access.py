"""Sources that may manage a switch: their lines, what a switch does with them, and read-back."""

import json
import shutil
import subprocess
from collections.abc import Iterator
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
from tests.nos.claims import pieces

from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.prove.written import prove

NFT = shutil.which("nft", path="/usr/sbin:/usr/bin:/sbin:/bin")
FILES = {"eos": "eos.cfg", "sonic": "config_db.json", "linux": "etc/fabricgen/management.nft"}
SERVICES = {  # sonic-host-services scripts/caclmgrd, ACL_SERVICES
    "SSH": ("tcp", "22"),
    "SNMP": ("udp", "161"),
    "EXTERNAL_CLIENT": ("tcp", ""),
    "ANY": ("", ""),
}


def switches(platform: str) -> Iterator[tuple[SwitchSlice, dict[str, str]]]:
    """Yield every switch of a site with sources of management and with sessions."""
    for _, switch_slice, files in pieces(platform):
        if switch_slice.services.admitted and switch_slice.sessions:
            yield switch_slice, files


@pytest.mark.parametrize("platform", FILES)
def test_the_sources_are_read_back(platform: str) -> None:
    switch_slice, files = next(switches(platform))
    assert prove(switch_slice, files).findings == ()
    text = files[FILES[platform]]
    changed = text.replace("10.1.2.3", "10.1.2.4")
    assert changed != text
    assert prove(switch_slice, {**files, FILES[platform]: changed}).findings


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        drop\n", ""),
        ("        drop\n", "        accept\n"),
        ("        tcp dport 22 goto admitted\n", ""),
        ("        ip saddr 10.1.2.3/32 accept\n        drop", "        drop\n        drop"),
        ("hook input", "hook forward"),
        ("    chain admitted {\n", "    chain admitted {\n        drop\n"),
    ],
)
def test_an_open_or_closed_door_of_linux_is_found(old: str, new: str) -> None:
    switch_slice, files = next(switches("linux"))
    text = files[FILES["linux"]]
    assert old in text
    changed = {**files, FILES["linux"]: text.replace(old, new, 1)}
    assert prove(switch_slice, changed).findings


@pytest.mark.skipif(NFT is None, reason="nft is not installed")
def test_nft_takes_the_file(tmp_path: Path) -> None:
    _, files = next(switches("linux"))
    (tmp_path / "m.nft").write_text(files[FILES["linux"]])
    words = ("unshare", "-rn", str(NFT), "-c", "-f", str(tmp_path / "m.nft"))
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    if "Operation not" in done.stderr or "not supported" in done.stderr:
        pytest.skip("this machine has no nftables in a namespace")
    assert (done.returncode, done.stderr) == (0, "")


def accepted(db: dict[str, Any], source: str, protocol: str, port: str) -> bool:
    """Decide about a packet of a new connection as caclmgrd's iptables rules do."""
    for name, table in db["ACL_TABLE"].items():
        if table["type"] != "CTRLPLANE":
            continue
        for key, rule in db["ACL_RULE"].items():
            prefix = rule.get("SRC_IP") or rule.get("SRC_IPV6")
            if key.partition("|")[0] != name or ip_address(source) not in ip_network(prefix):
                continue
            for service in table["services"]:
                wanted, door = SERVICES[service]
                door = door or rule.get("L4_DST_PORT", "")
                if wanted in ("", protocol) and door in ("", port):
                    return bool(rule["PACKET_ACTION"] == "ACCEPT")
    return not any(table["type"] == "CTRLPLANE" for table in db["ACL_TABLE"].values())


def test_sonic_permits_the_sources_and_the_neighbors_alone() -> None:
    seen = 0
    for switch_slice, files in switches("sonic"):
        db = json.loads(files[FILES["sonic"]])
        gnmi = db["GNMI"]["gnmi"]["port"]
        for protocol, port in (("tcp", "22"), ("udp", "161"), ("tcp", gnmi)):
            assert accepted(db, "10.255.3.9", protocol, port)
            assert accepted(db, "10.1.2.3", protocol, port)
            assert not accepted(db, "203.0.113.9", protocol, port)
        assert not accepted(db, "10.255.3.9", "tcp", "8081")
        for session in switch_slice.sessions:
            peer = session.remote.host if session.remote is not None else "fe80::1"
            assert accepted(db, peer, "udp", "3784"), (switch_slice.switch.name, peer)
            seen += 1
        for outside in switch_slice.external:
            assert accepted(db, outside.remote.host, "udp", "3784")
    assert seen


def test_without_sources_nothing_is_restricted() -> None:
    bare = [files for site, _, files in pieces("sonic") if site == "nothing but two switches"]
    assert bare
    assert not any("CTRLPLANE" in files["config_db.json"] for files in bare)
