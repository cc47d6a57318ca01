"""`fabricgen export telemetry`: the dashboard of a site, and the exporters of Linux switches."""

import json
import re
from pathlib import Path
from typing import Any

import yaml
from tests.cli.calling import ROOT, call
from tests.cli.test_telemetry import LINUX, exported, read

from fabricgen.nos.eos.telemetry import TELEMETRY as EOS
from fabricgen.nos.sonic.telemetry import TELEMETRY as SONIC

TRIMMED = """\
site:
  name: t1
  accept_unsupported: [packet-trimming]
  management: {subnet: 10.255.0.0/24, gnmi: {}}
backend:
  design: rail-only
  servers: {count: 8, gpus: 2, nic_speed: 400G}
  leaf: {model: SN5640, platform: sonic}
  roce: {profile: nvidia-lossy-multi-tc}
"""
USED = re.compile(r"\b(?:port|queue|optic)_\w+(?=\{)")


def dashboard(place: Path) -> Any:
    return json.loads((place / "out" / "dashboard.json").read_text())


def by_row(content: Any) -> dict[str, dict[str, str]]:
    """Return the queries of each row by the title of their panel."""
    rows: dict[str, dict[str, str]] = {}
    for panel in content["panels"]:
        if panel["type"] == "row":
            row = rows.setdefault(panel["title"], {})
        else:
            row[panel["title"]] = panel["targets"][0]["expr"]
    return rows


def site_of(text: str, place: Path) -> Path:
    site = place / "site"
    site.mkdir()
    (site / "site.yaml").write_text(text)
    return site


def test_each_rail_and_tier_has_a_row_with_metrics_of_its_platform(tmp_path: Path) -> None:
    assert exported(tmp_path, ROOT / "intent" / "full").code == 0
    content = dashboard(tmp_path)
    rows = by_row(content)
    numbers = [panel["id"] for panel in content["panels"]]
    assert len(set(numbers)) == len(numbers)
    assert any(title.startswith("backend: rail 1") for title in rows)
    assert {"backend: spines", "frontend: leafs"} <= rows.keys()
    for row, known in (("backend: spines", SONIC), ("frontend: leafs", EOS)):
        names = {metric.name for metric in known.metrics}
        used = {name for query in rows[row].values() for name in USED.findall(query)}
        assert used
        assert used <= names
    spines = rows["backend: spines"]["Dropped packets"]
    assert "be-spine1" in spines
    assert "fe-" not in spines
    assert "Pauses received" in rows["backend: spines"]
    assert all("Trimmed packets" not in row for row in rows.values())


def test_no_two_panels_overlap(tmp_path: Path) -> None:
    exported(tmp_path, ROOT / "intent" / "full")
    taken: set[tuple[int, int]] = set()
    for panel in dashboard(tmp_path)["panels"]:
        at = panel["gridPos"]
        cells = {
            (x, y)
            for x in range(at["x"], at["x"] + at["w"])
            for y in range(at["y"], at["y"] + at["h"])
        }
        assert not cells & taken
        assert at["x"] + at["w"] <= 24
        taken |= cells


def test_a_fabric_without_pfc_shows_trimmed_packets_and_no_pauses(tmp_path: Path) -> None:
    said = exported(tmp_path, site_of(TRIMMED, tmp_path))
    assert said.code == 0, said.err
    rows = by_row(dashboard(tmp_path))
    assert rows.keys() == {"backend: rail 1", "backend: rail 2"}
    assert all("Trimmed packets" in row and "Pauses received" not in row for row in rows.values())
    groups = {group["name"]: group["rules"] for group in read(tmp_path, "rules.yaml")["groups"]}
    assert "lossless" not in groups
    (rule,) = groups["lossy"]
    assert rule["alert"] == "Trimmed3"
    assert rule["expr"].startswith('rate(queue_trimmed{queue="3"}[5m]) > 0.01 * rate(queue_packets')


def test_linux_switches_are_scraped_and_what_they_need_is_said(tmp_path: Path) -> None:
    said = exported(tmp_path, site_of(LINUX, tmp_path))
    assert said.code == 0, said.err
    assert "install prometheus-node-exporter and prometheus-frr-exporter" in said.err
    assert "of 4 switches, first fe-" in said.err
    jobs = {job["job_name"]: job for job in read(tmp_path, "prometheus.yaml")["scrape_configs"]}
    for name, port in (("linux-node", 9100), ("linux-frr", 9342)):
        targets = jobs[name]["static_configs"]
        assert {each["labels"]["source"] for each in targets} == {
            "fe-leaf01",
            "fe-leaf02",
            "fe-spine1",
            "fe-spine2",
        }
        assert all(each["targets"][0].endswith(f":{port}") for each in targets)
    assert dashboard(tmp_path)["panels"] == []


def test_a_site_without_linux_has_no_such_job(tmp_path: Path) -> None:
    said = exported(tmp_path, site_of(TRIMMED, tmp_path))
    jobs = read(tmp_path, "prometheus.yaml")["scrape_configs"]
    assert [job["job_name"] for job in jobs] == ["gnmic"]
    assert "node-exporter" not in said.err
    assert yaml.safe_dump(jobs)
    assert call("export", "telemetry", str(tmp_path / "none"), "-o", str(tmp_path / "x")).code != 0
