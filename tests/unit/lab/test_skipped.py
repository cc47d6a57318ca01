"""Paths of rendered files: what of them a lab leaves out, each with its reason."""

import pytest

from fabricgen.operate.lab.layout import skipped_by

LEFT = {
    "etc/fabricgen/passwords": "passwords",
    "etc/chrony/chrony.conf": "time",
    "etc/rsyslog.d/fabricgen.conf": "syslog",
    "etc/snmp/snmpd.conf": "SNMP",
    "etc/resolv.conf": "DNS",
    "etc/fabricgen/dcb.sh": "PFC and DCB",
    "etc/fabricgen/breakout.sh": "breakout",
    "etc/udev/rules.d/70-ports.rules": "udev rules",
    "etc/fabricgen/nics.sh": "NIC QoS",
    "etc/nccl.conf": "NCCL",
}


@pytest.mark.parametrize(("path", "what"), LEFT.items())
def test_a_file_that_the_lab_leaves_is_named_once_for_all_switches(path: str, what: str) -> None:
    paths = [f"frontend/{switch}/{path}" for switch in ("fe-leaf01", "fe-leaf02")]
    (skipped,) = skipped_by(["frontend/fe-leaf01/etc/frr/frr.conf", *paths])
    assert skipped.what == what
    assert skipped.why


@pytest.mark.parametrize(
    "path",
    [
        "frontend/fe-leaf01/etc/frr/frr.conf",
        "frontend/fe-leaf01/etc/network/interfaces",
        "frontend/fe-leaf01/var/etc/nccl.conf",
        "etc/nccl.conf",
    ],
)
def test_what_the_lab_uses_is_not_named(path: str) -> None:
    """A mark is looked for where a file of a switch begins, nowhere else in its path."""
    assert skipped_by([path]) == ()


def test_what_is_left_stands_in_the_order_of_the_table() -> None:
    paths = [f"frontend/fe-leaf01/{path}" for path in reversed(LEFT)]
    assert [skipped.what for skipped in skipped_by(paths)] == list(LEFT.values())
