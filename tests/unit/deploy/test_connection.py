"""What a driver is made with: the switch's options, a resolved password, its name and address."""

from pathlib import Path
from typing import Any

import pytest
from tests.deploy.fakes.temper import ROOT

from fabricgen.operate.deploy import connection as module
from fabricgen.operate.deploy.connection import TIMEOUT, Connection, NoDriver
from fabricgen.operate.deploy.inventory.files import Read, options_of, read_inventory
from fabricgen.operate.deploy.inventory.options import Options
from fabricgen.operate.deploy.inventory.plugin import (
    CONNECTION,
    FabricgenInventory,
    nornir_inventory,
)
from fabricgen.operate.deploy.targets import Target

LEAF = Target(name="leaf1", fabric="frontend", platform="linux", address="10.0.0.1")
SPINE = Target(name="spine1", fabric="backend", platform="eos", address="10.0.0.2")


class Driver:
    """Notes what it was made with."""

    def __init__(self, *words: Any) -> None:
        self.words, self.opened, self.closed = words, 0, 0
        made.append(self)

    def open(self) -> None:
        self.opened += 1

    def close(self) -> None:
        self.closed += 1


made: list[Driver] = []


@pytest.fixture(autouse=True)
def drivers(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    asked: list[str] = []

    def driver_of(name: str) -> type[Driver]:
        asked.append(name)
        return Driver

    made.clear()
    monkeypatch.setattr(module, "driver_of", driver_of)
    return asked


def opened(**more: Any) -> tuple[Any, ...]:
    words = {"hostname": "10.0.0.1", "username": "ann", "password": None, "port": None}
    Connection().open(**{**words, "platform": "eos", **more})
    return made[-1].words


def test_a_driver_gets_napalms_arguments_and_the_name_its_key_is_known_by() -> None:
    assert opened() == ("10.0.0.1", "ann", "", TIMEOUT, {"host_key_alias": "10.0.0.1"})
    assert TIMEOUT == 60
    assert made[0].opened == 1
    assert opened(username=None)[1] == ""


def test_options_of_the_switch_reach_its_driver() -> None:
    extras = {"name": "leaf1", "timeout": 7, "key_file": "k", "driver": "fake"}
    *_, timeout, options = opened(port=2222, extras=extras)
    assert timeout == 7
    assert options == {"key_file": "k", "port": 2222, "host_key_alias": "leaf1"}
    assert extras["timeout"] == 7, "they are the host's; another connection needs them"


@pytest.mark.parametrize(("extras", "name"), [({}, "eos"), ({"driver": "fake"}, "fake")])
def test_another_driver_than_the_platforms_may_be_said(
    drivers: list[str], extras: dict[str, str], name: str
) -> None:
    opened(extras=extras)
    assert drivers == [name]


def test_a_password_is_resolved_when_the_connection_is_opened() -> None:
    extras = {"password": "env:A", "resolve": {"env:A": "S3CRET"}.__getitem__}
    *_, password, _, options = opened(extras=extras)
    assert password == "S3CRET"  # noqa: S105 - of this test
    assert options == {"host_key_alias": "10.0.0.1"}
    assert opened(extras={"password": "env:A"})[2] == "", "nobody resolves: none"
    assert opened(password="given")[2] == "given"  # noqa: S106 - the same


@pytest.mark.parametrize(("port", "words"), [(None, "at "), (22, "at 22")])
def test_a_proxy_command_has_name_and_address_filled_in(port: int | None, words: str) -> None:
    extras = {"name": "leaf1", "proxy_command": "to {name} {address} at {port}"}
    options = opened(port=port, extras=extras)[-1]
    assert options["proxy_command"] == f"to leaf1 10.0.0.1 {words}"


def test_a_connection_is_closed_once_it_was_opened() -> None:
    Connection().close()
    connection = Connection()
    connection.open("h", "u", None, None, "eos")
    connection.close()
    assert (made[-1].closed, connection.connection) == (1, made[-1])


def read(tmp_path: Path, **files: str) -> Read:
    for name, text in files.items():
        (tmp_path / f"{name}.yaml").write_text(text)
    return read_inventory(tmp_path, {"leaf1": LEAF, "spine1": SPINE})


def test_each_host_is_reached_by_its_own_options(tmp_path: Path) -> None:
    inventory = nornir_inventory(
        {"leaf1": LEAF, "spine1": SPINE},
        read(
            tmp_path,
            defaults="username: ann\ntimeout: 9\n",
            groups="linux: {port: 2200, key_file: key}\n",
            hosts="spine1: {address: spine.example.net}\n",
        ),
    )
    leaf, spine = inventory.hosts["leaf1"], inventory.hosts["spine1"]
    assert (leaf.hostname, leaf.port, leaf.username, leaf.platform) == (
        *("10.0.0.1", 2200, "ann", "linux"),
    )
    assert (spine.hostname, spine.port, spine.platform) == ("spine.example.net", None, "eos")
    assert leaf.data == {"fabric": "frontend", "target": LEAF}
    assert [group.name for group in leaf.groups] == ["linux", "frontend"]
    assert sorted(inventory.groups) == ["backend", "eos", "frontend", "linux"]
    assert leaf.connection_options[CONNECTION].extras == {
        "name": "leaf1",
        "timeout": 9,
        "key_file": str(tmp_path / "key"),
    }
    assert spine.connection_options[CONNECTION].extras == {"name": "spine1", "timeout": 9}


def test_without_a_user_name_there_is_none(tmp_path: Path) -> None:
    assert nornir_inventory({"leaf1": LEAF}, read(tmp_path)).hosts["leaf1"].username is None


def test_the_last_word_is_over_those_of_the_inventory(tmp_path: Path) -> None:
    def last(target: Target) -> Options:
        return Options(username=f"of {target.name}")

    held = nornir_inventory({"leaf1": LEAF}, read(tmp_path, defaults="username: ann\n"), last)
    assert held.hosts["leaf1"].username == "of leaf1"


def test_paths_are_below_the_inventory_or_absolute_or_in_the_home(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/ann")
    text = "key_file: key\nknown_hosts: /etc/known\nca_file: ~/ca\nfolder: f\n"
    assert options_of(read(tmp_path, defaults=text), LEAF) == {
        "key_file": str(tmp_path / "key"),
        "known_hosts": "/etc/known",
        "ca_file": "/home/ann/ca",
        "folder": str(tmp_path / "f"),
    }


def test_passwords_of_every_file_are_known_together(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        defaults="password: env:A\n",
        groups="eos: {password: env:B}\nlinux: {port: 1}\n",
        hosts="leaf1: {password: env:C}\n",
    )
    assert found.passwords == {"env:A", "env:B", "env:C"}


def test_nornirs_plugin_says_all_that_is_wrong_with_a_site_or_its_inventory(tmp_path: Path) -> None:
    (tmp_path / "site.yaml").write_text("site: {nme: x}\n")
    with pytest.raises(ValueError, match="nme"):
        FabricgenInventory(str(tmp_path)).load()
    (tmp_path / "defaults.yaml").write_text("usrname: x\nprt: 1\n")
    with pytest.raises(ValueError, match=r"usrname.*; .*prt"):
        FabricgenInventory(str(ROOT / "intent" / "lab"), str(tmp_path)).load()


def test_what_others_own_is_left_to_a_driver_that_can_leave_it() -> None:
    """One of another package, which would replace it, is not even opened."""
    keep = {"eos": "daemon agent\n"}
    with pytest.raises(NoDriver, match="driver 'eos' does not support unmanaged sections"):
        opened(extras={"keep": keep})
    assert not made[-1].opened
