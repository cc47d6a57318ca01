"""EOS: what the file says of one port's memory names the lines that say it."""

import pytest
from tests.nos.eos.sites import RAIL_ONLY, RAILS, Made, site

from fabricgen.model.fabric.memory_value import PortTold
from fabricgen.nos.eos.readback.port_memory import told

PORT = "Ethernet1/1"
UNSOURCED = RAIL_ONLY.replace("7060DX5-64S", "7050CX3-32S").replace(
    "nic_speed: 400G", "nic_speed: 100G"
)


def read(made: Made, *without: str) -> PortTold:
    qos = made.switch_slice.qos
    assert qos is not None
    lines = made.text.splitlines(keepends=True)
    text = "".join(line for line in lines if not line.startswith(without))
    assert (text != made.text) is bool(without)
    return told(made.switch_slice.switch.model, {"eos.cfg": text}, PORT, qos.lossless[0])


def test_the_numbers_are_those_of_the_plan_and_each_line_is_in_the_file() -> None:
    made = site(RAILS)["be-spine1"]
    plan, found = made.switch_slice.buffers, read(made)
    assert plan is not None
    assert plan.cell is not None
    least = max(port.headroom for port, _ in plan.ports)
    assert found.headroom is not None
    assert least <= found.headroom.value < least + plan.cell
    assert found.pool is not None
    assert found.pool.value == plan.headroom
    assert found.alpha is not None
    assert found.alpha.value == plan.alpha
    assert found.pause is not None
    assert found.pause.value == 3
    for said in (found.headroom, found.pool, found.alpha, found.pause, found.minimum, found.mtu):
        assert said is not None
        assert said.lines
        for line in said.lines:
            *_, last = line.removeprefix("eos.cfg: ").split(" > ")
            assert f"{last}\n" in made.text


def test_how_well_the_lines_are_known_is_said_with_the_source() -> None:
    profile, pool = read(site(RAILS)["be-spine1"]).confidence
    assert profile.startswith("threshold and headroom: derived (Intel Gaudi")
    assert pool.startswith("the headroom pool: field configuration (Cerebras")


def test_of_lines_that_are_not_there_nothing_is_known() -> None:
    made = site(RAILS)["be-spine1"]
    found = read(made, "platform trident mmu ", "    ingress ")
    assert found.confidence == ()
    assert found.pause is not None


def test_where_pause_begins_and_what_the_watchdog_does_is_not_claimed() -> None:
    found = read(site(RAILS)["be-spine1"])
    assert (found.shared, found.groups, found.detection) == (None, None, None)
    assert found.instead == "EOS default"


@pytest.mark.parametrize(
    ("line", "lost"),
    [
        ("    ingress headroom cells ", "headroom"),
        ("    ingress threshold ", "alpha"),
        ("platform trident mmu headroom-pool limit cells ", "pool"),
        ("platform trident mmu queue profile LOSSLESS apply", "alpha"),
        ("   priority-flow-control priority 3 no-drop", "pause"),
    ],
)
def test_without_its_line_a_number_is_not_told(line: str, lost: str) -> None:
    assert getattr(read(site(RAILS)["be-spine1"], line), lost) is None


def test_a_model_without_a_source_has_no_headroom_of_ours() -> None:
    for made in site(UNSOURCED).values():
        found = read(made)
        assert (found.headroom, found.pool, found.alpha) == (None, None, None)
        assert found.confidence == ()
        assert found.pause is not None
