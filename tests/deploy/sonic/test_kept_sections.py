"""What another tool owns on a SONiC switch: keys, tables and lines of frr.conf that stay."""

from collections.abc import Iterator
from typing import Any

import pytest
from napalm.base.exceptions import ReplaceConfigException
from tests.deploy.sonic.conftest import Ground, standing

THEIRS: dict[str, Any] = {"VLAN": {"Vlan900": {"vlanid": "900"}, "Vlan901": {"vlanid": "901"}}}
LINE = "ip prefix-list THEIRS seq 5 permit 192.0.2.0/24"
KEEP = {"config_db": "VLAN|Vlan900\nSYSLOG_SERVER|192.0.2.9\n", "frr": "ip prefix-list THEIRS ~\n"}


@pytest.fixture
def ground() -> Iterator[Ground]:
    def runs(ground: Ground) -> tuple[dict[str, Any], str]:
        return ground.tables | THEIRS, f"{ground.frr}{LINE}\n"

    with standing(runs) as ground:
        yield ground


def test_keys_and_lines_of_others_survive_a_push_and_a_rollback(ground: Ground) -> None:
    driver = ground.driver(keep=KEEP)
    running = driver.get_config()["running"]
    assert "Vlan900" not in running
    assert "Vlan901" in running
    assert "THEIRS" not in running
    assert driver.kept_sections() == {"config_db": "VLAN|Vlan900\n", "frr": f"{LINE}\n"}
    driver.claim("p1")
    driver.load_replace_candidate(config=ground.changed())
    said = driver.compare_config()
    assert "VLAN|Vlan901 vlanid 901 -> (none)" in said
    assert "Vlan900" not in said
    assert "THEIRS" not in said
    driver.commit_config()
    image = ground.switch.image()
    assert "Vlan900" in str(image)
    assert "Vlan901" not in str(image)
    assert LINE in str(image)
    driver.claim("undo")
    driver.load_checkpoint("p1")
    driver.commit_config()
    assert "Vlan900" in str(ground.switch.image())
    assert "Vlan901" in str(ground.switch.image())
    assert LINE in str(ground.switch.image())


def test_a_key_that_is_rendered_is_not_taken_for_anothers(ground: Ground) -> None:
    driver = ground.driver(keep={"config_db": "VLAN"})
    driver.claim("p1")
    with pytest.raises(
        ReplaceConfigException, match=r"VLAN\|Vlan7 is rendered, but also unmanaged"
    ):
        driver.load_replace_candidate(config=ground.changed())
