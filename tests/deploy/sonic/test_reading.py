"""What the driver reads, shows and refuses; nothing of it changes the switch."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import pytest
from napalm.base.exceptions import (
    CommandErrorException,
    ConnectionException,
    ReplaceConfigException,
)
from tests.deploy.sonic.conftest import Ground, bundle

from fabricgen.nos.driver import OnlyByReload, unpack
from fabricgen.nos.shared import ssh
from fabricgen.nos.traffic import End, Kind, Station, Traffic

CANARY = "canary-7f3a"
VERSION = """\
SONiC Software Version: SONiC.202505.1
Distribution: Debian 12.11
Platform: x86_64-arista_7060x6_64pe
HwSKU: Arista-7060X6-64PE
ASIC: broadcom
ASIC Count: 1
Serial Number: HBG123456
Uptime: 14:40:15 up 3 min,  1 user,  load average: 1.26, 1.45, 0.66
"""


def test_facts_say_which_switch_it_is(ground: Ground) -> None:
    ground.switch.answer("show version", VERSION)
    found = ground.driver().get_facts()
    assert found["hostname"] == ground.tables["DEVICE_METADATA"]["localhost"]["hostname"]
    assert (found["serial_number"], found["os_version"], found["model"]) == (
        "HBG123456",
        "SONiC.202505.1",
        "Arista-7060X6-64PE",
    )
    assert found["interface_list"] == sorted(ground.tables["PORT"])


def test_vteps_and_servers_are_pinged_from_where_they_are(ground: Ground) -> None:
    vtep, server = End(Kind.VTEP, "", "10.65.0.2"), End(Kind.SERVER, "10", "10.10.10.11")
    away, through = End(Kind.VTEP, "", "10.65.0.3"), End(Kind.VRF, "Vrf_red", "10.65.0.2")
    for source, far in (("10.65.0.1", "10.65.0.2"), ("Vlan10", "10.10.10.11")):
        ground.switch.answer(f"ping -n -q -c 3 -i 0.2 -W 1 -I {source} {far}", "")
    reached = ground.driver().reach((vtep, away, server, through), Traffic(vtep="10.65.0.1"))
    assert reached == {vtep: True, away: False, server: True}


def test_servers_are_pinged_through_their_vrf_from_the_diagnostic_address(ground: Ground) -> None:
    host = Station("h1", "10.10.20.12", 20, "red", "leaf3", "Ethernet0")
    far = Station("h2", "10.10.20.13", 20, "red", "leaf3", "Ethernet4")
    ends = [End(Kind.ROUTED, "red", each.address, each, "10.250.1.1") for each in (host, far)]
    ping = "ping -n -q -c 3 -i 0.2 -W 1 -I Vrf_red -I 10.250.1.1"
    ground.switch.answer(f"{ping} {host.address}", "")
    assert ground.driver().reach(ends, Traffic()) == dict(zip(ends, (True, False), strict=True))


def test_the_running_configuration_is_that_of_our_tables(ground: Ground) -> None:
    driver = ground.driver()
    text = driver.get_config()["running"]
    files, _ = unpack(text)
    assert json.loads(files["config_db.json"]) == ground.tables
    assert files["frr.conf"] == ground.frr
    assert driver.get_config()["running"] == text


def test_looking_and_comparing_changes_nothing(ground: Ground) -> None:
    before = ground.switch.image()
    ground.switch.answer("show version", VERSION)
    driver = ground.driver()
    driver.claim("p1")
    driver.get_facts()
    driver.get_config()
    driver.health()
    driver.unfinished()
    driver.load_replace_candidate(config=ground.changed())
    difference = driver.compare_config()
    driver.discard_config()
    first = min(ground.tables["PORT"])
    assert f"PORT|{first} mtu 9214 -> 9000\n" in difference
    assert "VLAN|Vlan7 vlanid (none) -> 7\n" in difference
    assert "\n+ip forwarding\n" in difference
    assert ground.switch.changes() == []
    assert ground.switch.image() == before
    kept = ground.switch.home / "var/lib/fabricgen"
    assert [path for path in kept.rglob("*") if path.is_file()] == []


def test_the_same_configuration_differs_in_nothing(ground: Ground) -> None:
    driver = ground.driver()
    driver.load_replace_candidate(config=ground.text())
    assert driver.compare_config() == ""


@pytest.mark.parametrize(
    ("tables", "reason"),
    [
        ({"FEATURE": {"bgp": {}}}, "tables that fabricgen does not manage: FEATURE"),
        ({"VLAN": {}}, "no empty tables: VLAN"),
    ],
)
def test_what_is_not_ours_or_cannot_be_is_refused(
    ground: Ground, tables: dict[str, Any], reason: str
) -> None:
    driver = ground.driver()
    with pytest.raises(ReplaceConfigException, match=reason):
        driver.load_replace_candidate(config=bundle({**ground.tables, **tables}, ""))


def test_what_the_updater_would_refuse_is_refused_before_anything_happens(ground: Ground) -> None:
    tables = copy.deepcopy(ground.tables)
    del tables["PFC_WD"]["GLOBAL"]
    driver = ground.driver()
    with pytest.raises(OnlyByReload, match="remove is illegal on field: /PFC_WD/GLOBAL"):
        driver.load_replace_candidate(config=bundle(tables, ground.frr))
    assert ground.switch.changes() == []


def test_an_impostor_is_not_talked_to(ground: Ground) -> None:
    known = ground.switch.home / "known_hosts"
    _, kind, _ = known.read_text().split()
    key = (ground.switch.home / "key.pub").read_text().split()[1]
    known.write_text(f"[127.0.0.1]:{ground.switch.port} {kind} {key}\n")
    with pytest.raises(ConnectionException, match="differs from"):
        ground.driver()
    known.write_text("")
    with pytest.raises(ConnectionException, match="unknown host key"):
        ground.driver()
    assert ground.switch.commands() == []
    assert ground.driver(insecure=True).is_alive() == {"is_alive": True}


def test_a_switch_that_says_too_much_is_given_up(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    driver = ground.driver()
    monkeypatch.setattr(ssh, "MOST", 2 << 20)
    assert len(driver.read("yes | head -c 1000000")) == 1_000_000
    with pytest.raises(CommandErrorException, match="more than 2 MiB of output"):
        driver.read("yes")
    assert driver.is_alive() == {"is_alive": True}


def test_a_host_key_is_looked_up_under_its_alias(ground: Ground, tmp_path: Path) -> None:
    known = tmp_path / "known"
    words = (ground.switch.home / "known_hosts").read_text().split()
    known.write_text(f"leaf1 {words[1]} {words[2]}\n")
    driver = ground.driver(known_hosts=str(known), host_key_alias="leaf1")
    assert driver.is_alive() == {"is_alive": True}


def test_secrets_are_neither_shown_nor_in_arguments(ground: Ground) -> None:
    login = {"TACPLUS": {"global": {"passkey": CANARY, "src_intf": "eth0"}}}
    user = {"SNMP_USER": {"ada": {"SNMP_USER_AUTH_PASSWORD": CANARY}}}
    tables = {**ground.tables, **login, **user, "SNMP_COMMUNITY": {CANARY: {"TYPE": "RO"}}}
    driver = ground.loaded(text=bundle(tables, ground.frr))
    shown = [driver.compare_config()]
    driver.commit_config(revert_in=60)
    shown.append(driver.get_config()["running"])
    driver.rollback()

    ground.switch.fail(refuses=f"will not have {CANARY}:")
    with pytest.raises(ReplaceConfigException) as refused:
        driver.load_replace_candidate(config=bundle(tables, ground.frr))
    shown += [str(refused.value), *ground.switch.commands(), json.dumps(ground.switch.state())]
    assert [text for text in shown if CANARY in text] == []
    hidden = re.findall(r"<<hidden:[0-9a-f]{12}>>", " ".join(shown[:3]))
    assert len(set(hidden)) == 1
    assert len(hidden) >= 3
