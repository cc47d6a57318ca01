"""A walk demands the lines that a switch demands: files that lack one are not walked through."""

import re
from collections.abc import Iterator

import pytest
from tests.unit.reach.engines import every_case

from fabricgen.prove.reach.matrix import Case
from fabricgen.prove.walk.packet import Outcome

TENANTS = ("tenants", None)


def lost(of: tuple[str, str | None], place: str, old: str, new: str = "") -> Iterator[Case]:
    """Yield the pairs that a walk no longer lets through, where lines of files are replaced."""

    def change(path: str, text: str) -> str:
        return re.sub(old, new, text) if re.fullmatch(place, path) else text

    for case in every_case(*of, changed=change):
        if case.model.outcome is Outcome.REACHES is not case.written.outcome:
            yield case


@pytest.mark.parametrize(
    ("place", "line", "why"),
    [
        (r"fe-leaf0\d/eos.cfg", r"\n   neighbor \S+ ebgp-multihop 3", "has no `ebgp-multihop`"),
        (r"fe-leaf0\d/eos.cfg", r"\n   neighbor \S+ update-source Loopback0", "EVPN route"),
        (r"fe-leaf0\d/eos.cfg", r"\nip virtual-router mac-address \S+", "virtual-router"),
        (r"fe-leaf0[1-3]/eos.cfg", r"\nvlan 110\n   name \S+", "has VLAN 110, which is absent"),
        (r"fe-leaf01/eos.cfg", r"\nservice routing protocols model multi-agent", "multi-agent"),
        (r"fe-leaf01/eos.cfg", r"\n      rd \S+:110(?=\n)", "no `rd`"),
        (
            r"fe-leaf01/eos.cfg",
            r"\nvrf instance red\n   description .*",
            "VRF red, which is absent",
        ),
        (r"fe-spine1/eos.cfg", r"\nip routing(?=\n)", "fe-spine1 does not route"),
        (r"fe-spine1/eos.cfg", r"\n   neighbor \S+ next-hop-unchanged", "EVPN route"),
        (r"fe-leaf01/eos.cfg", r"\n   vxlan udp-port 4789", "sends VXLAN to port none"),
    ],
)
def test_a_line_that_eos_needs_is_missed(place: str, line: str, why: str) -> None:
    missed = list(lost(TENANTS, place, line))
    assert missed
    assert any(why in case.written.rule for case in missed), missed[0].written.rule


def test_a_gateway_with_another_mac_on_one_leaf_is_missed() -> None:
    missed = list(lost(TENANTS, r"fe-leaf03/eos.cfg", r"00:1c:73:00:00:99", "00:1c:73:00:00:98"))
    assert any("for the same address" in case.written.rule for case in missed)


@pytest.mark.parametrize(
    ("platform", "place", "line", "why"),
    [
        ("linux", r"fe-leaf01/etc/frr/daemons", "bgpd=yes", "has no bgpd"),
        ("linux", r"fe-leaf01/etc/sysctl.d/.*", r"net.ipv4.ip_forward = 1\n", "ip_forward"),
        ("linux", r"fe-leaf01/etc/frr/frr.conf", r"\n  advertise-all-vni", "advertise-all-vni"),
        ("sonic", r"fe-leaf01/frr.conf", r"\n  advertise-all-vni", "advertise-all-vni"),
        ("sonic", r"fe-leaf0\d/frr.conf", r"\n neighbor \S+ ebgp-multihop 3", "`ebgp-multihop`"),
    ],
)
def test_a_line_that_frr_or_linux_needs_is_missed(
    platform: str, place: str, line: str, why: str
) -> None:
    missed = list(lost(("tenants", platform), place, line))
    assert any(why in case.written.rule for case in missed)


def test_an_address_that_is_none_is_unknown_and_no_traceback() -> None:
    missed = list(
        lost(TENANTS, r"fe-leaf01/eos.cfg", r"ip address 10.64.0.1/32", "ip address 1/99")
    )
    assert any("cannot be '1/99'" in case.written.rule for case in missed)
