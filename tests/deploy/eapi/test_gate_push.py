"""`fabricgen push` to stand-ins for EOS whose WRITTEN state is wrong after the commit."""

import copy
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from tests.deploy.eapi.certificates import Authority
from tests.deploy.eapi.faults import Plant, no_vlan, other_asn, small_mtu
from tests.deploy.eapi.server import PASSWORD, USER, Server, serving
from tests.deploy.eapi.switch import Switch
from tests.written.eos.switches import Shown, written

from fabricgen.cli.main import run
from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.model.settings.setting import placeholder
from fabricgen.operate.deploy.push import gate
from fabricgen.operate.deploy.texts import Texts

HASH = "$6$salt$admin"
SITE = """\
site:
  name: small
  management:
    subnet: 10.255.0.0/24
    users: [{name: admin, password_hash: "env:ADMIN_HASH"}]
    ntp: [10.255.0.1]
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 1}
  leaf_groups:
    hosts: {leafs: 1-2, servers: {per_leaf: 2, speed: 100G}}
tenants:
  red:
    vrfs: {red: {id: 1, vlans: {web: {id: 10, subnet: 10.10.10.0/24}}}}
    attachments: [{group: hosts, servers: 1-2, access: web}]
"""
LEAF = "fe-leaf01"


class Turning(dict[str, dict[str, Any]]):
    """The answers of a stand-in, which are others once it runs another configuration."""

    def __init__(self, switch: Switch, shown: Shown) -> None:
        super().__init__(answered(shown))
        self.switch, self.start, self.then = switch, switch.running, dict(self)

    def __getitem__(self, command: str) -> dict[str, Any]:
        turned = self.switch.running != self.start
        return self.then[command] if turned else super().__getitem__(command)


def answered(shown: Shown) -> dict[str, dict[str, Any]]:
    return {
        key: each if isinstance(each, dict) else {"output": each} for key, each in shown.items()
    }


@dataclass
class Fabric:
    """The stand-ins of a site, by name, and their right answers."""

    servers: dict[str, Server] = field(default_factory=dict)
    shown: dict[str, Shown] = field(default_factory=dict)

    def turn(self, name: str, plant: Plant) -> None:
        """Give a switch a fault that appears when it runs another configuration."""
        shown = copy.deepcopy(self.shown[name])
        plant(shown)
        turning = self.servers[name].switch.shown
        assert isinstance(turning, Turning)
        turning.then = answered(shown)

    def running(self, name: str) -> str:
        return self.servers[name].switch.running


@pytest.fixture
def fabric(
    tmp_path: Path, authority: Authority, certificate: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Fabric]:
    """Serve every switch of the site, which runs what is rendered; then change the intent."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ADMIN_HASH", HASH)
    monkeypatch.setenv("SWITCH_PASSWORD", PASSWORD)
    moments = SimpleNamespace(monotonic=time.monotonic, sleep=lambda _: time.sleep(0.01))
    monkeypatch.setattr(gate, "time", moments)
    site = compile_site(load_texts({"site.yaml": SITE})).site
    assert site is not None
    texts, found = Texts(site), Fabric(shown=written(site))
    (tmp_path / "site").mkdir()
    (tmp_path / "site/site.yaml").write_text(SITE.replace("10.255.0.1]", "10.255.0.2]"))
    (tmp_path / "inventory").mkdir()
    hosts = ""
    with ExitStack() as stack:
        for name, shown in found.shown.items():
            text = texts.of(name).text.replace(placeholder("env:ADMIN_HASH"), HASH)
            switch = Switch(text, name=name)
            switch.shown = Turning(switch, shown)
            found.servers[name] = stack.enter_context(serving(switch, certificate))
            hosts += f"{name}: {{address: 127.0.0.1, port: {found.servers[name].port}}}\n"
        (tmp_path / "inventory/hosts.yaml").write_text(hosts)
        (tmp_path / "inventory/defaults.yaml").write_text(
            f'username: {USER}\npassword: "env:SWITCH_PASSWORD"\nca_file: {authority.file}\n'
        )
        yield found


def push() -> int:
    return run(["push", "site", "--yes", "--batch", "100%", "--min-available", "0",
                "--health-timeout", "1"])  # fmt: skip


def test_a_push_to_right_switches_is_confirmed(
    fabric: Fabric, capsys: pytest.CaptureFixture[str]
) -> None:
    """What EOS does not show is named; nothing of it fails."""
    assert push() == 0
    said = capsys.readouterr().err
    assert "ntp server 10.255.0.2" in fabric.running(LEAF).replace(" vrf mgmt", "")
    assert "not covered by the health check: routes: a push asks for no sample of routes" in said


@pytest.mark.parametrize(
    ("plant", "says"),
    [(no_vlan, "VLAN"), (other_asn, "remote ASN 65001"), (small_mtu, "has MTU 1500")],
)
def test_a_state_against_the_model_rolls_the_batch_back(
    fabric: Fabric, plant: Callable[[Shown], None], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {name: fabric.running(name) for name in fabric.servers}
    fabric.turn(LEAF, plant)
    assert push() == 5
    said = capsys.readouterr().err
    assert any(f"{LEAF}:" in line and says in line for line in said.splitlines()), said
    assert fabric.running(LEAF) == before[LEAF]
