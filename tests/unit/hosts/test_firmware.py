"""What the firmware of NICs keeps: compared, written where it differs, in force after a reset."""

from pathlib import Path
from typing import Any

import pytest
from tests.unit.hosts.hosts import NICS, designed, rails, servers, texts
from tests.unit.hosts.stand_ins import FIRMWARE, Host, address_of, host

NUMBERS: dict[str, object] = {"dscp": 24, "priority": 4, "cnp": {"dscp": 46, "priority": 5}}
WRITTEN = "written; in force after mlxfwreset -d {} reset, or a reboot"


def delivered(folder: Path, shape: str = "rail-optimized", **words: Any) -> Host:
    """Return a host whose NICs are as they are delivered; their driver has its settings."""
    host_slice = servers(designed(shape, **{"nic": "connectx-7", "gpus": 2, **words}))[0]
    here = host(folder, texts(host_slice), rails(host_slice).share.gid_index)
    assert here.apply().returncode == 0
    return here


def change(here: Host, nic: int, name: str, value: str) -> None:
    """Give a parameter of one NIC another value than was written: by hand, with another tool."""
    file = here.state / "firmware" / address_of(nic)
    rows = [line.split() for line in file.read_text().splitlines()]
    for row in (row for row in rows if row[0] == name):
        row[2:] = [value, value]
    file.write_text("".join(f"{' '.join(row)}\n" for row in rows))


def calls(here: Host, word: str) -> list[str]:
    return [call for call in here.calls() if call.startswith("mlxconfig") and f" {word} " in call]


def test_what_is_delivered_so_needs_no_word(tmp_path: Path) -> None:
    here = delivered(tmp_path)
    assert here.run(FIRMWARE, words="set").returncode == 0
    assert here.check() == (0, [])
    assert not calls(here, "set")


def test_other_notifications_are_written_and_hold_after_a_reset(tmp_path: Path) -> None:
    here = delivered(tmp_path, roce=NUMBERS)
    said = here.check()
    assert said[0] == 1
    assert said[1][:2] == [
        "rdma0: CNP_DSCP_P1 of the firmware is 48, not 46",
        "rdma0: CNP_802P_PRIO_P1 of the firmware is 6, not 5",
    ]
    assert not calls(here, "set"), "the check changes nothing"
    done = here.run(FIRMWARE, words="set")
    assert f"rdma0: {WRITTEN.format(address_of(0))}" in done.stdout.splitlines()
    assert calls(here, "set") == [
        f"mlxconfig -y -d {address_of(nic)} set CNP_DSCP_P1=46 CNP_802P_PRIO_P1=5"
        for nic in range(2)
    ]
    waiting = here.check()
    assert waiting[0] == 1
    assert "rdma0: CNP_DSCP_P1 of the firmware is 48 until a reset or reboot, then 46" in waiting[1]
    here.reset()
    assert here.check() == (0, [])


def test_writing_twice_is_writing_once(tmp_path: Path) -> None:
    here = delivered(tmp_path, roce=NUMBERS)
    here.run(FIRMWARE, words="set")
    once = len(calls(here, "set"))
    here.run(FIRMWARE, words="set")
    assert len(calls(here, "set")) == once


def test_a_port_of_infiniband_is_named(tmp_path: Path) -> None:
    here = delivered(tmp_path)
    here.check()
    change(here, 1, "LINK_TYPE_P1", "IB(1)")
    assert here.check() == (1, ["rdma1: LINK_TYPE_P1 of the firmware is 1, not 2"])


def test_a_class_without_marks_is_not_answered(tmp_path: Path) -> None:
    here = delivered(tmp_path, roce={"ecn": {"enabled": False}})
    assert "rdma0: ROCE_CC_PRIO_MASK_P1 of the firmware is 255, not 247" in here.check()[1]


def test_storage_alone_is_answered(tmp_path: Path) -> None:
    roce = {"over_subscription": 8, "ecn": {"enabled": False}, "storage": {}}
    here = delivered(tmp_path, roce=roce)
    assert "rdma0: ROCE_CC_PRIO_MASK_P1 of the firmware is 255, not 247" in here.check()[1]
    both = {"over_subscription": 8, "storage": {"ecn": {"enabled": False}}}
    folder = tmp_path / "both"
    folder.mkdir()
    here = delivered(folder, roce=both)
    assert "rdma0: ROCE_CC_PRIO_MASK_P1 of the firmware is 255, not 239" in here.check()[1]


def test_a_rate_that_is_not_as_delivered_is_named_and_set_back(tmp_path: Path) -> None:
    here = delivered(tmp_path)
    here.check()
    change(here, 1, "RPG_AI_RATE_P1", "1000")
    assert here.check() == (1, ["rdma1: RPG_AI_RATE_P1 of the firmware is 1000, not 5"])
    here.run(FIRMWARE, words="set")
    here.reset()
    assert here.check() == (0, [])


def test_both_ports_of_a_card_are_compared(tmp_path: Path) -> None:
    here = delivered(tmp_path, "two-planes")
    here.check()
    change(here, 1, "CNP_DSCP_P2", "46")
    change(here, 1, "RPG_HAI_RATE_P2", "60")
    assert here.check() == (
        1,
        [
            "rdma0p1: CNP_DSCP_P2 of the firmware is 46, not 48",
            "rdma0p1: RPG_HAI_RATE_P2 of the firmware is 60, not 50",
        ],
    )


def test_a_second_port_of_a_card_that_is_not_ours_is_left_alone(tmp_path: Path) -> None:
    here = delivered(tmp_path)
    here.check()
    change(here, 1, "LINK_TYPE_P2", "IB(1)")
    assert here.check() == (0, [])


def test_a_card_that_only_does_ethernet_has_no_link_type(tmp_path: Path) -> None:
    here = delivered(tmp_path)
    here.check()
    file = here.state / "firmware" / address_of(0)
    rows = file.read_text().splitlines()
    file.write_text("".join(f"{row}\n" for row in rows if "LINK_TYPE" not in row))
    assert here.check() == (0, [])


def test_a_parameter_that_every_card_has_is_missed(tmp_path: Path) -> None:
    here = delivered(tmp_path)
    here.check()
    file = here.state / "firmware" / address_of(0)
    rows = file.read_text().splitlines()
    file.write_text("".join(f"{row}\n" for row in rows if not row.startswith("CNP_DSCP_P1")))
    assert here.check() == (1, ["rdma0: the firmware has no CNP_DSCP_P1"])


def test_bluefield_is_brought_into_nic_mode(tmp_path: Path) -> None:
    here = delivered(tmp_path, nic="bluefield-3")
    assert "rdma0: INTERNAL_CPU_OFFLOAD_ENGINE of the firmware is 0, not 1" in here.check()[1]
    here.keep()
    assert here.check() == (0, [])


def test_one_cage_of_800g_becomes_two_ports(tmp_path: Path) -> None:
    here = delivered(tmp_path, "two-planes", nic="connectx-8", nic_speed="400G")
    assert "rdma0p0: NUM_OF_PF of the firmware is 1, not 2" in here.check()[1]
    done = here.run(FIRMWARE, words="set")
    assert "rdma0p0: written; in force after the server was without power" in done.stdout
    assert calls(here, "set")[0] == (
        f"mlxconfig -y -d {address_of(0)} set NUM_OF_PF=2 NUM_OF_PLANES_P1=0 "
        "MODULE_SPLIT_M0[0..3]=1 MODULE_SPLIT_M0[4..7]=2 MODULE_SPLIT_M0[8..15]=FF"
    )
    here.reset()
    assert here.check() == (0, [])


def test_a_card_with_two_functions_is_not_split(tmp_path: Path) -> None:
    here = delivered(tmp_path, "two-planes", nic="connectx-8", nic_speed="400G")
    here.check()
    for nic in range(4):
        change(here, nic, "NUM_OF_PF", "2")
    here.run(FIRMWARE, words="set")
    assert not calls(here, "set")
    assert here.check() == (0, [])


def test_without_a_tool_each_nic_is_named(tmp_path: Path) -> None:
    here = delivered(tmp_path)
    (here.tools / "mlxconfig").unlink()
    assert here.check() == (
        1,
        [f"rdma{nic}: mstconfig did not show the firmware" for nic in range(2)],
    )


def test_the_tool_of_mstflint_does_as_well(tmp_path: Path) -> None:
    here = delivered(tmp_path, roce=NUMBERS)
    for old, new in (("mlxconfig", "mstconfig"), ("mlxfwreset", "mstfwreset")):
        (here.tools / old).rename(here.tools / new)
    done = here.run(FIRMWARE, words="set")
    said = WRITTEN.format(address_of(0)).replace("mlxfwreset", "mstfwreset")
    assert f"rdma0: {said}" in done.stdout.splitlines()


def test_what_the_firmware_refuses_is_named(tmp_path: Path) -> None:
    here = delivered(tmp_path, roce=NUMBERS)
    done = here.run(FIRMWARE, words="set", REFUSES_WRITES="1")
    assert done.returncode == 1
    assert (
        "fabricgen: rdma0: CNP_DSCP_P1=46 CNP_802P_PRIO_P1=5 was refused"
        in done.stderr.splitlines()
    )


@pytest.mark.parametrize("nic", [NICS["thor"], NICS["pollara"]])
def test_no_document_names_settings_of_other_cards(nic: str) -> None:
    assert FIRMWARE not in texts(servers(designed(nic=nic))[0])


def test_without_roce_the_firmware_is_left_alone() -> None:
    assert FIRMWARE not in texts(servers(designed(roce={"enabled": False}))[0])
