"""A small site, its fake switches and its inventory, in a folder that the test stands in."""

import json
import time
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.deploy.fakes.temper import Temper, make_fakes
from tests.deploy.verbs.staff import NAMES, Staff, make_key

from fabricgen.cli.main import run
from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.model.settings.setting import placeholder
from fabricgen.operate.deploy.push import gate
from fabricgen.operate.deploy.targets import targets_of
from fabricgen.operate.deploy.texts import Texts

SITE = """\
site:
  name: small
  management:
    subnet: 10.255.0.0/24
    users:
      - {name: admin, password_hash: "env:ADMIN_HASH"}
frontend:
  leaf: {model: 7050CX3-32S, platform: linux}
  spine: {model: 7050CX3-32S, platform: linux, count: 2}
  leaf_groups:
    hosts: {leafs: 1-2, servers: {per_leaf: 1, speed: 100G, names: "{leaf}-h{index}"}}
tenants:
  red:
    vrfs: {red: {id: 1, vlans: {web: {id: 10, subnet: 10.10.10.0/24}}}}
    attachments: [{group: hosts, servers: 1-1, access: web}]
"""
LEAFS = ("fe-leaf01", "fe-leaf02")
HASH = "$6$salt$S3CRET-6f2c1e"


@dataclass(frozen=True, slots=True)
class Work:
    """A folder with site/, inventory/ and switches/."""

    folder: Path

    def fabricgen(self, *words: str) -> int:
        """Run a verb here, on the command line's own entry."""
        return run(list(words))

    def intend(self, old: str, new: str) -> None:
        """Change the intent."""
        path = self.folder / "site" / "site.yaml"
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def rename_tenant(self) -> None:
        """Change something that both leafs have and the spines have not."""
        self.intend("10.10.10.0/24", "10.10.11.0/24")

    def running(self, name: str) -> Path:
        """Return where a switch keeps what it runs."""
        return self.folder / "switches" / name / "running"

    def everything(self) -> dict[str, str]:
        """Return what every switch runs."""
        found = sorted((self.folder / "switches").iterdir())
        return {path.name: (path / "running").read_text() for path in found}

    def requests(self) -> list[str]:
        """Return all that any switch was asked."""
        found = (self.folder / "switches").glob("*/requests")
        return [line for path in found for line in path.read_text().splitlines()]

    def give(self, name: str, temper: Temper) -> None:
        """Give a switch a temper."""
        temper.write(self.folder / "switches" / name)

    def plan(self, *words: str) -> dict[str, Any]:
        """Make a plan, as plan.json, and return it."""
        assert self.fabricgen("plan", "site", "-o", "plan.json", *words) == 2
        made: dict[str, Any] = json.loads((self.folder / "plan.json").read_text())
        return made


@pytest.fixture(autouse=True)
def _quick_gate(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look again at once: fakes are as healthy two seconds later as they are now."""
    moments = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: time.sleep(0.01))
    monkeypatch.setattr(gate, "time", moments)


@pytest.fixture
def work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Work:
    """Make the folder; every switch runs what is rendered, secrets and all."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ADMIN_HASH", HASH)
    return equipped(tmp_path, SITE)


def equipped(folder: Path, intent: str) -> Work:
    """Make a site, its inventory, and fake switches that run what is rendered for it."""
    (folder / "site").mkdir()
    (folder / "site" / "site.yaml").write_text(intent)
    (folder / "inventory").mkdir()
    (folder / "inventory" / "defaults.yaml").write_text("driver: fake\nfolder: ../switches\n")
    site = compile_site(load_site(folder / "site")).site
    assert site is not None
    texts = Texts(site)
    mark = placeholder("env:ADMIN_HASH")
    make_fakes(
        folder / "switches",
        {name: texts.of(name).text.replace(mark, HASH) for name in targets_of(site)},
    )
    return Work(folder)


@pytest.fixture(scope="session")
def _keys(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make everybody's key, once: a key takes a moment."""
    folder = tmp_path_factory.mktemp("keys")
    for name in NAMES:
        make_key(folder / name)
    return folder


@pytest.fixture
def staff(work: Work, _keys: Path) -> Staff:
    """Give the site a team, and a change that waits to be planned."""
    team = Staff(work, _keys)
    team.rule()
    work.rename_tenant()
    return team
