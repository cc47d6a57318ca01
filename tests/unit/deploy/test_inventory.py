"""The inventory: compiled hosts with options that people own, for Nornir and for us."""

import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from nornir import InitNornir
from tests.deploy.fakes.driver import FakeDriver
from tests.deploy.fakes.temper import INSTALLED

from fabricgen.nos.registry import OURS
from fabricgen.operate.deploy.connection import driver_of
from fabricgen.operate.deploy.inventory.files import options_of, read_inventory
from fabricgen.operate.deploy.inventory.options import Options
from fabricgen.operate.deploy.setup import fleet_of
from fabricgen.operate.deploy.targets import Target, limited

ROOT = Path(__file__).resolve().parents[3]
LEAF = Target(name="leaf1", fabric="frontend", platform="linux", address="10.0.0.1")
SPINE = Target(name="spine1", fabric="backend", platform="eos", address="10.0.0.2")
TARGETS = {"leaf1": LEAF, "spine1": SPINE}


def test_the_inventory_of_this_project_is_in_order() -> None:
    """It names no platform or fabric, so it serves every site."""
    assert read_inventory(ROOT / "inventory", {}).findings == ()


def test_nornir_finds_the_plugin_by_its_name() -> None:
    """Every switch of the site is a host, in the groups of its platform and its fabric."""
    options = {"site": str(ROOT / "intent" / "lab"), "inventory": str(ROOT / "inventory")}
    nornir = InitNornir(
        inventory={"plugin": "FabricgenInventory", "options": options}, logging={"enabled": False}
    )
    assert len(nornir.inventory.hosts) == 12
    leaf = nornir.inventory.hosts["be-su01-leaf1"]
    assert [group.name for group in leaf.groups] == ["linux", "backend"]
    assert (leaf.username, leaf.platform) == ("admin", "linux")


def test_the_narrowest_word_counts(tmp_path: Path) -> None:
    """Defaults, platform, fabric, switch; a lab over all of them."""
    (tmp_path / "defaults.yaml").write_text("username: one\nport: 1\ntimeout: 1\n")
    (tmp_path / "groups.yaml").write_text(
        "linux: {username: two, port: 2, key_file: key}\nfrontend: {username: three, port: 3}\n"
    )
    (tmp_path / "hosts.yaml").write_text("leaf1: {username: four}\n")
    read = read_inventory(tmp_path, TARGETS)
    assert read.findings == ()
    assert options_of(read, LEAF) == {
        "username": "four",
        "port": 3,
        "timeout": 1,
        "key_file": str(tmp_path / "key"),
    }
    assert options_of(read, SPINE) == {"username": "one", "port": 1, "timeout": 1}
    assert options_of(read, LEAF, Options(username="lab"))["username"] == "lab"


@pytest.mark.parametrize(
    ("patterns", "names"),
    [((), {"leaf1", "spine1"}), (("leaf*",), {"leaf1"}), (("backend",), {"spine1"})],
)
def test_a_limit_names_switches_or_fabrics(patterns: tuple[str, ...], names: set[str]) -> None:
    """None means all."""
    assert set(limited(TARGETS, patterns)) == names


def test_a_limit_that_names_nothing_says_so() -> None:
    """Also when another one of them does."""
    with pytest.raises(ValueError, match="leaf9"):
        limited(TARGETS, ("leaf1", "leaf9"))


@pytest.mark.parametrize("name", OURS)
def test_every_driver_that_is_named_is_there(name: str) -> None:
    """Each can be made with NAPALM's arguments."""
    assert callable(driver_of(name))


def test_a_driver_that_nobody_has_is_an_error() -> None:
    """It names those there are."""
    with pytest.raises(LookupError, match="unknown driver 'nxos': available are eos, sonic, linux"):
        driver_of("nxos")


def test_fake_is_a_driver_of_the_tests_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """An installed fabricgen has none, and says which there are."""
    assert driver_of("fake") is FakeDriver
    monkeypatch.setattr(sys, "path", [path for path in sys.path if path != str(INSTALLED)])
    with pytest.raises(
        LookupError, match="unknown driver 'fake': available are eos, sonic, linux;"
    ):
        driver_of("fake")


def test_an_action_may_take_as_long_as_the_inventory_gives_the_slowest_driver(
    tmp_path: Path,
) -> None:
    """Else it would be given up here while the switch is still at it."""
    secrets: Any = SimpleNamespace(value=str, hide=str)
    tor = Target(name="tor1", fabric="backend", platform="sonic", address="10.0.0.3")
    (tmp_path / "hosts.yaml").write_text("tor1: {updater_timeout: 3000}\n")
    patience = {}
    for names in ("spine1", "tor1"), ("spine1",):
        targets = {name: (TARGETS | {"tor1": tor})[name] for name in names}
        read = read_inventory(tmp_path, targets)
        fleet, _ = fleet_of(targets, read, secrets, last=lambda _: None, slowest=100)
        patience[names] = fleet._patience
    assert patience == {("spine1", "tor1"): 100 + 3000 + 180 + 900 + 60, ("spine1",): 100 + 10 + 60}
