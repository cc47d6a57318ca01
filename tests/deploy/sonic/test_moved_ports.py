"""A commit by which a BGP neighbor's address moves to another port of a stand-in, and back."""

import copy
import json
from collections.abc import Iterator
from typing import Any

import pytest
from napalm.base.exceptions import CommitError
from tests.deploy.sonic.conftest import Ground, bundle, standing

from fabricgen.nos.sonic.driver.onswitch.routing import Place, places

OLD, NEW, OWN, REMOTE = "Ethernet0", "Ethernet4", "10.72.0.129/31", "10.72.0.128"
WATCHED = "bgp vtysh -c show bfd peers json"
LEAVES = (
    "docker exec bgp vtysh -c configure terminal -c router bgp 4294967294 "
    f"-c no neighbor {REMOTE} -c exit -c end"
)
LINES = f" neighbor {REMOTE} remote-as 4200000009\n neighbor {REMOTE} bfd\n"
PATCH, TELLS = "config apply-patch /", "docker exec bgp vtysh -f "


def tables(ground: Ground, port: str) -> dict[str, Any]:
    """Return the tables with the address on a port."""
    made = copy.deepcopy(ground.tables)
    made["INTERFACE"][f"{port}|{OWN}"] = {}
    return made


def bound(ground: Ground, port: str) -> None:
    """Let BFD of the neighbor be bound to a port."""
    watched = [{"peer": REMOTE, "vrf": "default", "interface": port, "status": "up"}]
    ground.switch.answer(WATCHED, json.dumps(watched))


@pytest.fixture
def ground() -> Iterator[Ground]:
    """Give a test a switch with a neighbor that has an address."""

    def runs(ground: Ground) -> tuple[dict[str, Any], str]:
        first = " neighbor BELOW peer-group\n"
        ground.frr = ground.frr.replace(first, first + LINES, 1)
        return tables(ground, OLD), ground.frr

    with standing(runs) as ground:
        bound(ground, OLD)
        yield ground


def lines(ground: Ground) -> set[Place]:
    """Return what FRR runs, line by line."""
    return {*places(ground.switch.running_frr.read_text())}


def order(ground: Ground) -> list[str]:
    """Return the steps that were taken, in their order."""
    steps = {LEAVES: "leaves", PATCH: "patch", "config replace": "replace", TELLS: "comes"}
    called = [line for line in ground.switch.commands() if not line.endswith(" ended")]
    return [name for line in called for start, name in steps.items() if line.startswith(start)]


def test_it_leaves_before_and_comes_after_also_on_the_way_back(ground: Ground) -> None:
    """Though no line of frr.conf differs, and without a restart."""
    before = lines(ground)
    driver = ground.loaded(text=bundle(tables(ground, NEW), ground.frr))
    driver.commit_config(revert_in=60)
    assert order(ground) == ["leaves", "patch", "comes"]
    assert lines(ground) == before
    bound(ground, NEW)
    driver.rollback()
    assert order(ground)[3:] == ["leaves", "replace", "comes"]
    assert lines(ground) == before
    assert "systemctl restart bgp" not in ground.switch.commands()


def test_one_that_came_up_after_the_commit_follows_on_the_way_back_alone(ground: Ground) -> None:
    before = lines(ground)
    ground.switch.answer(WATCHED, "[]")
    driver = ground.loaded(text=bundle(tables(ground, NEW), ground.frr))
    driver.commit_config(revert_in=60)
    bound(ground, NEW)
    driver.rollback()
    assert order(ground) == ["patch", "leaves", "replace", "comes"]
    assert lines(ground) == before


def test_it_comes_again_where_the_new_tables_are_refused(ground: Ground) -> None:
    before = lines(ground)
    driver = ground.loaded(text=bundle(tables(ground, NEW), ground.frr))
    ground.switch.fail(apply_fails_after=0)
    with pytest.raises(CommitError):
        driver.commit_config()
    assert LEAVES in ground.switch.commands()
    assert lines(ground) == before


def test_what_frr_refuses_ends_the_commit_before_a_port_changes(ground: Ground) -> None:
    driver = ground.loaded(text=bundle(tables(ground, NEW), ground.frr))
    ground.switch.fail(vtysh_refuses=True)
    with pytest.raises(CommitError, match="Configuration failed"):
        driver.commit_config()
    assert "patch" not in order(ground)


def test_an_address_that_stays_ends_no_session(ground: Ground) -> None:
    driver = ground.loaded(
        text=bundle(tables(ground, OLD) | {"VLAN": {"Vlan7": {"vlanid": "7"}}}, ground.frr)
    )
    driver.commit_config()
    assert "leaves" not in order(ground)
