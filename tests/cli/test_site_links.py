"""Telemetry of a tree with several sites: labels of each target, and alerts on the links."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml
from tests.cli.calling import call
from tests.keys.sites import SITES
from tests.keys.test_every_key import laid

GNMI = {"gnmi": {"collectors": ["10.255.3.245"]}}
SNMP = {
    "snmp": {"users": [{"name": "monitor", "auth": "env:NMS_AUTH", "privacy": "env:NMS_PRIVACY"}]}
}


def exported(place: Path, platform: str, asked: Any, **over: Any) -> Any:
    """Export the halls of two sites on a platform; return the files by name."""
    words = {"site": {"management": asked}, **over}
    words["fabrics"] = {
        hall: {
            "site": hall,
            "leaf": {"platform": platform},
            **({"spine": {"platform": platform}} if hall == "west" else {}),
        }
        for hall in ("east", "west")
    }
    site = place / "site"
    site.mkdir()
    (site / "site.yaml").write_text(json.dumps(laid(SITES["served"], words)))
    said = call("export", "telemetry", str(site), "-o", str(place / "out"))
    assert said.code == 0, said.err
    return {
        path.name: yaml.safe_load(path.read_text())
        for path in (place / "out").iterdir()
        if path.suffix == ".yaml"
    }


def site_rules(files: Any) -> Any:
    groups = {group["name"]: group["rules"] for group in files["rules.yaml"]["groups"]}
    return groups.get("sites", [])


def test_a_target_says_its_site_and_a_link_is_watched_at_both_ends(tmp_path: Path) -> None:
    files = exported(tmp_path, "eos", GNMI)
    tags = {name: each["event-tags"] for name, each in files["gnmic.yaml"]["targets"].items()}
    assert tags["east-leaf01"] == {"site": "east"}
    assert tags["west-leaf01"] == {"site": "west"}
    rules = site_rules(files)
    assert [(each["alert"], each["labels"]["link"]) for each in rules] == [
        ("SiteLinkDown", "wan"),
        ("SiteLinkBusy", "wan"),
        ("SiteLinkDown", "spare"),
        ("SiteLinkBusy", "spare"),
    ]
    down = rules[0]
    assert down["labels"]["circuit"] == "NET 4711"
    assert "circuit" not in rules[2]["labels"]
    for switch in ("east-leaf01", "west-leaf02"):
        assert f'port_received_bytes{{source="{switch}"' in down["expr"]
    # 80 % of 100 Gb/s on each port.
    assert rules[3]["expr"].count("* 8 > 80000000000") == 2


def test_a_rate_bounds_the_alert_of_its_link(tmp_path: Path) -> None:
    busy = site_rules(exported(tmp_path, "eos", GNMI, dci={"spare": {"rate": "10G"}}))[3]
    assert "* 8 > 8000000000" in busy["expr"]
    assert "* 8 > 80000000000" not in busy["expr"]


def test_switches_that_are_polled_are_watched_by_snmp(tmp_path: Path) -> None:
    files = exported(tmp_path, "linux", SNMP)
    jobs = {each["job_name"]: each for each in files["prometheus.yaml"]["scrape_configs"]}
    assert {each["labels"]["site"] for each in jobs["snmp"]["static_configs"]} == {"east", "west"}
    down = site_rules(files)[0]["expr"]
    assert down.count("ifOperStatus{") == 2 * 2
    assert "!= 1" in down


@pytest.mark.parametrize("site", ["joined", "tenants"])
def test_one_site_has_no_label(tmp_path: Path, site: str) -> None:
    place = tmp_path / "site"
    place.mkdir()
    words = laid(SITES[site], {"site": {"management": GNMI}})
    (place / "site.yaml").write_text(json.dumps(words))
    said = call("export", "telemetry", str(place), "-o", str(tmp_path / "out"))
    assert said.code == 0, said.err
    assert "event-tags" not in (tmp_path / "out" / "gnmic.yaml").read_text()
