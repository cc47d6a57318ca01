"""`fabricgen export telemetry`: whom collectors ask for what, and what is alerted on."""

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.calling import ROOT, Said, call

from fabricgen.nos.eos.telemetry import TELEMETRY as EOS
from fabricgen.nos.sonic.releases import RELEASES
from fabricgen.nos.sonic.telemetry import TELEMETRY as SONIC

PROMTOOL = shutil.which("promtool")
LINUX = """\
site:
  name: t1
  management:
    subnet: 10.255.0.0/24
    snmp:
      users: [{name: monitor, auth: "env:SECRET_AUTH", privacy: "env:SECRET_PRIVACY"}]
frontend:
  leaf: {model: LAB-64, platform: linux}
  spine: {model: LAB-64, platform: linux, count: 2}
  leaf_groups: {a: {leafs: 1-2, servers: {per_leaf: 2, speed: 100G}}}
"""


def exported(place: Path, site: Path) -> Said:
    return call("export", "telemetry", str(site), "-o", str(place / "out"))


def read(place: Path, name: str) -> Any:
    return yaml.safe_load((place / "out" / name).read_text())


def test_every_switch_is_asked_for_what_its_platform_has(tmp_path: Path) -> None:
    said = exported(tmp_path, ROOT / "intent" / "full")
    assert said.code == 0, said.err
    assert said.out.endswith("43 switches by gNMI, 0 switches by SNMP v3\n")
    assert "eos: not collected: PFC frames" in said.err
    gnmic = read(tmp_path, "gnmic.yaml")
    leaf, spine = gnmic["targets"]["fe-leaf01"], gnmic["targets"]["be-spine1"]
    assert leaf == {
        "address": "10.255.0.2:6030",
        "subscriptions": [each.name for each in EOS.subscriptions],
    }
    assert spine["subscriptions"] == [each.name for each in SONIC.subscriptions]
    for each in (*EOS.subscriptions, *SONIC.subscriptions):
        assert gnmic["subscriptions"][each.name]["paths"] == list(each.paths)
        assert gnmic["subscriptions"][each.name].get("target", "") == each.target


def test_bounds_follow_from_the_design(tmp_path: Path) -> None:
    exported(tmp_path, ROOT / "intent" / "full")
    rules = {
        rule["alert"]: rule["expr"]
        for group in read(tmp_path, "rules.yaml")["groups"]
        for rule in group["rules"]
    }
    # A tenth of the frames that hold the slowest port, a server's of 200G on the storage:
    # 0.1 x 200e9 / (65,535 x 512) a second.
    assert rules["Paused3"] == 'rate(port_pfc_received{priority="3"}[5m]) > 596'
    marking = re.search(
        r'"green_max_threshold": "(\d+)"',
        (ROOT / "tests/golden/full/files/backend/be-spine1/config_db.json").read_text(),
    )
    assert marking is not None
    assert rules["QueueDeep3"] == f'queue_watermark_bytes{{queue="3"}} > {marking[1]}'
    used = {metric.name for each in (EOS, SONIC) for metric in each.metrics}
    named = {
        word for rule in rules.values() for word in re.findall(r"(?:port|queue|optic)_\w+", rule)
    }
    assert named <= used


RELEASED = """\
site:
  name: t1
  management: {subnet: 10.255.0.0/24, gnmi: {}}
backend:
  design: rail-only
  servers: {count: 8, gpus: 2, nic_speed: 400G, cable_length: 5}
  leaf: {model: SN5600, platform: sonic, release: "RELEASE"}
"""


@pytest.mark.parametrize("release", RELEASES)
def test_marks_are_counted_and_alerted_on_where_the_release_polls_them(
    release: str, tmp_path: Path
) -> None:
    """sonic-swss orchagent/flexcounterorch.cpp polls them from 202505 on; no image enables it."""
    site = tmp_path / "site"
    site.mkdir()
    (site / "site.yaml").write_text(RELEASED.replace("RELEASE", release))
    said = exported(tmp_path, site)
    assert said.code == 0, said.err
    counts = release not in ("202405", "202411")
    alerts = [
        rule["alert"] for group in read(tmp_path, "rules.yaml")["groups"] for rule in group["rules"]
    ]
    assert ("Marked3" in alerts) is counts
    assert "QueueDeep3" in alerts
    sentence = f"sonic {release} has no counter for queue_ecn_marked: no data from 2 switches"
    assert (sentence in said.err) is not counts
    assert call("render", str(site), "-o", str(tmp_path / "files")).code == 0
    (path, *_) = sorted((tmp_path / "files").rglob("config_db.json"))
    rows = json.loads(path.read_text())["FLEX_COUNTER_TABLE"]
    assert (rows.get("WRED_ECN_QUEUE") == {"FLEX_COUNTER_STATUS": "enable"}) is counts


def test_without_marking_nothing_counts_marks(tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    text = RELEASED.replace("RELEASE", "202605") + "  roce: {ecn: {enabled: false}}\n"
    (site / "site.yaml").write_text(text)
    assert call("render", str(site), "-o", str(tmp_path / "files")).code == 0
    (path, *_) = sorted((tmp_path / "files").rglob("config_db.json"))
    assert "WRED_ECN_QUEUE" not in json.loads(path.read_text())["FLEX_COUNTER_TABLE"]


def test_a_site_without_gnmi_is_polled_and_no_secret_leaves_it(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.yaml").write_text(LINUX)
    said = exported(tmp_path, tmp_path / "site")
    assert (said.code, said.out.endswith("0 switches by gNMI, 4 switches by SNMP v3\n")) == (
        0,
        True,
    )
    snmp = read(tmp_path, "prometheus.yaml")["scrape_configs"][1]
    assert (snmp["job_name"], snmp["params"]["auth"]) == ("snmp", ["monitor"])
    assert len(snmp["static_configs"][0]["targets"]) == 4
    assert not any("SECRET" in path.read_text() for path in (tmp_path / "out").iterdir())


def test_a_switch_that_nobody_can_ask_is_named(tmp_path: Path) -> None:
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "site.yaml").write_text(re.sub(r"    snmp:\n.*\n", "", LINUX))
    said = exported(tmp_path, tmp_path / "site")
    assert "linux: 4 switches, first fe-spine1, support neither gNMI nor SNMP v3" in said.err


@pytest.mark.skipif(PROMTOOL is None, reason="no promtool on this machine")
def test_prometheus_takes_its_files(tmp_path: Path) -> None:
    exported(tmp_path, ROOT / "intent" / "full")
    done = subprocess.run(
        [str(PROMTOOL), "check", "config", str(tmp_path / "out" / "prometheus.yaml")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize(
    ("name", "labels"),
    [
        ("COUNTERS_Ethernet__Ethernet1_1_SAI_PORT_STAT_PFC_3_RX_PKTS", ("Ethernet1_1", "3")),
        ("COUNTERS_Ethernet__Queues_Ethernet1_1_3_SAI_QUEUE_STAT_PACKETS", ("Ethernet1_1", "3")),
        ("TRANSCEIVER_DOM_SENSOR_Ethernet0_rx2power", ("Ethernet0", "2")),
    ],
)
def test_a_name_of_gnmic_is_read_by_one_pattern(name: str, labels: tuple[str, ...]) -> None:
    (match,) = filter(None, (re.fullmatch(each.pattern, name) for each in SONIC.metrics))
    assert match.groups() == labels
