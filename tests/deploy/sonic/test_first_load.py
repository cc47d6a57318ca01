"""The first push to a SONiC switch that has no more than its first boot gave it."""

import json
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any, cast

import pytest
from tests.deploy.sonic.conftest import IMAGE, Ground, standing

from fabricgen.nos.driver import OnlyByReload
from fabricgen.nos.sonic.first_boot import first_boot

GUARDED = "Modification of BUFFER_POOL table is illegal"


def given(ground: Ground) -> tuple[dict[str, Any], str]:
    """Return what the first boot of a site without accounts brings."""
    files = {"config_db.json": json.dumps(ground.tables), "frr.conf": ground.frr}
    switch_slice = cast("Any", SimpleNamespace(services=SimpleNamespace(users=())))
    return json.loads(first_boot(switch_slice, files, "").files["config_db.json"]), ""


@pytest.fixture
def fresh() -> Iterator[Ground]:
    with standing(given) as ground:
        yield ground


def owned(ground: Ground) -> dict[str, Any]:
    """Return the tables that are ours, as the switch has them."""
    tables = {name: rows for name, rows in ground.switch.tables().items() if name not in IMAGE}
    tables["DEVICE_METADATA"]["localhost"].pop("mac", None)
    return tables


def test_the_first_push_goes_by_a_reload_where_the_updater_refuses_pools(fresh: Ground) -> None:
    before = owned(fresh)
    fresh.switch.fail(illegal="BUFFER_POOL")
    driver = fresh.driver(reload_timeout=60)
    assert driver.get_facts()["hostname"] == "be-spine1"
    driver.claim("p1")
    with pytest.raises(OnlyByReload, match=GUARDED):
        driver.load_replace_candidate(config=fresh.text())
    driver.load_for_reload(fresh.text())
    driver.commit_config(revert_in=60)
    assert driver.compare_config() == ""
    driver.confirm_commit()
    assert owned(fresh) == fresh.tables
    assert fresh.switch.running_frr.read_text() == fresh.frr
    assert "config save -y" in fresh.switch.commands()
    driver.claim("p2")
    driver.load_checkpoint_for_reload("p1")
    driver.commit_config(revert_in=60)
    driver.confirm_commit()
    left = owned(fresh)
    profiles = left.pop("BUFFER_PROFILE")  # of the buffer manager, which keeps what it made
    assert all(name.startswith("pg_lossless_") for name in profiles)
    assert left == before


def test_where_the_updater_takes_everything_the_first_push_goes_in_place(fresh: Ground) -> None:
    driver = fresh.loaded(text=fresh.text())
    driver.commit_config(revert_in=60)
    driver.confirm_commit()
    assert owned(fresh) == fresh.tables
