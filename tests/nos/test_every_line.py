"""From the test sites of SONiC and Linux: every line is claimed, and says what was designed."""

from collections.abc import Mapping

import pytest
from tests.nos.linux import switches as linux
from tests.nos.sonic import switches as sonic

from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.prove.written import prove


@pytest.mark.parametrize("site", linux.SITES)
def test_every_line_of_a_linux_switch(site: str) -> None:
    for item in linux.rendered(site):
        agrees(item.switch_slice, item.files)


@pytest.mark.parametrize("site", sonic.SITES)
def test_every_line_of_a_sonic_switch(site: str) -> None:
    for item in sonic.rendered(site):
        agrees(item.switch_slice, {"config_db.json": item.text, "frr.conf": item.frr})


def agrees(switch_slice: SwitchSlice, files: Mapping[str, str]) -> None:
    proof = prove(switch_slice, files)
    assert proof.findings == (), switch_slice.switch.name
    assert proof.agreeing > 20
