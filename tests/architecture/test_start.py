"""From a check of twelve lines: that it loads and builds what such a site needs, and no more.

Counts stand for time: they are the same on every machine. A ceiling here only falls.
"""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
SITE = """\
site:
  name: oslo
  management: {subnet: 10.255.0.0/24, ntp: [10.255.0.250, 10.255.0.251]}
servers:
  cpu: {count: 8, ports: {front: {fabric: frontend, ports: 2, leafs: 2, bond: lacp, speed: 25G}}}
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos}
tenants:
  training:
    vrfs: {training: {id: 1, vlans: {jobs: {id: 100, subnet: 10.100.0.0/22}}}}
    attachments: [{servers: cpu, port: front, access: jobs}]
"""
CEILINGS = {"modules": 318, "models": 147, "validators": 37}
"""Modules of fabricgen, models of the intent, and those of them whose validator was built."""
UNNEEDED = {
    *("fabricgen.nos.sonic", "fabricgen.nos.linux", "fabricgen.nos.shared.frr"),
    *("fabricgen.nos.eos.lower", "fabricgen.nos.hosts.lower", "fabricgen.intent.schema"),
    *("fabricgen.compile.render", "fabricgen.compile.custom_config", "fabricgen.prove.walk"),
    *("fabricgen.compile.design.kinds.rails", "fabricgen.compile.design.kinds.access"),
    *("fabricgen.compile.design.dci", "fabricgen.compile.design.gateways"),
    *("fabricgen.compile.design.jobs", "fabricgen.compile.design.vips"),
    *("fabricgen.intent.model.dci", "fabricgen.intent.model.jobs"),
    *("fabricgen.compile.checks.trunks", "fabricgen.model.cabling.panels"),
    *("jinja2", "rich", "urllib.request", "http.client", "xlsxwriter"),
}
"""What only files, custom config, other platforms, formats, kinds and keys need."""
PROGRAM = """
import atexit, gc, json, sys

def told():
    from fabricgen.intent.model.vocabulary import IntentModel
    models, above = set(), [IntentModel]
    while above:
        below = above.pop().__subclasses__()
        models.update(below)
        above.extend(below)
    built = sum(each.__pydantic_complete__ for each in models)
    counts = {"models": len(models), "validators": built, "frozen": gc.get_freeze_count()}
    print(json.dumps(counts | {"loaded": sorted(sys.modules)}))

atexit.register(told)
from fabricgen.cli.main import run
sys.exit(run(["check", sys.argv[1]]))
"""


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """Check the site in a fresh process, and tell at its exit what it has."""
    site = tmp_path_factory.mktemp("oslo") / "site.yaml"
    site.write_text(SITE)
    command = [sys.executable, "-c", PROGRAM, str(site.parent)]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stdout + run.stderr
    told: dict[str, Any] = json.loads(run.stdout.splitlines()[-1])
    told["modules"] = sum(name.partition(".")[0] == "fabricgen" for name in told["loaded"])
    return told


def test_the_site_has_twelve_lines() -> None:
    assert len(SITE.splitlines()) == 12


@pytest.mark.parametrize("name", sorted(UNNEEDED))
def test_a_check_loads_nothing_that_it_does_not_need(checked: dict[str, Any], name: str) -> None:
    assert [each for each in checked["loaded"] if each == name or each.startswith(f"{name}.")] == []


@pytest.mark.parametrize("what", CEILINGS)
def test_a_check_stays_below_its_ceiling(checked: dict[str, Any], what: str) -> None:
    assert checked[what] <= CEILINGS[what], "load less, or build less"


@pytest.mark.parametrize("what", CEILINGS)
def test_a_ceiling_is_not_far_above(checked: dict[str, Any], what: str) -> None:
    assert checked[what] >= CEILINGS[what] * 0.95, "lower the ceiling"


def test_the_exit_searches_no_cycles_in_what_is_left(checked: dict[str, Any]) -> None:
    assert checked["frozen"] > 0
