"""Plain Linux as a platform: what it cannot do, its other files, and that secrets stay away."""

import re

import pytest
from tests.nos.linux.switches import (
    FRONT,
    LINUX,
    SITES,
    Rendered,
    back,
    one_of_each,
    render,
    rendered,
    switch,
)

from fabricgen.core.diagnostics import Diagnostic, Severity
from fabricgen.core.units import BitsPerSecond
from fabricgen.model.catalog.catalog import SHIPPED
from fabricgen.model.fabric.topology import Port
from fabricgen.nos.lowering import spell


@pytest.mark.parametrize("site", SITES)
def test_every_file_ends_with_one_newline_and_has_no_trailing_blanks(site: str) -> None:
    for item in rendered(site):
        for path, text in item.files.items():
            assert text.endswith("\n"), path
            assert all(line == line.rstrip() for line in text.splitlines()), path


def test_ports_are_named_as_the_driver_names_them() -> None:
    speed = BitsPerSecond(100 * 10**9)
    assert (
        LINUX.port_name(
            SHIPPED.known("SN5600"), Port(cage=3, sub=0, subs=1, lane=0, lanes=4, speed=speed)
        )
        == "swp3"
    )
    assert (
        LINUX.port_name(
            SHIPPED.known("SN5600"), Port(cage=3, sub=1, subs=4, lane=1, lanes=1, speed=speed)
        )
        == "swp3s1"
    )
    assert (
        LINUX.port_name(
            SHIPPED.known("SN5600"),
            Port(cage=65, sub=0, subs=1, lane=0, lanes=1, speed=speed, service=True),
        )
        == "swp65"
    )


def roce_gaps(item: Rendered) -> list[Diagnostic]:
    """Return what Linux cannot do about the lossless class."""
    return [gap for gap in LINUX.gaps(item.switch_slice) if "roce" in gap.path]


def test_pfc_without_a_driver_is_a_warning() -> None:
    for item in rendered("numbered"):
        (gap,) = roce_gaps(item)
        assert gap.severity is Severity.WARNING
        assert "LAB-64" in gap.message
    assert not any(roce_gaps(item) for item in rendered("asic"))
    assert not any(roce_gaps(item) for item in rendered("front"))


def test_a_leaf_that_routes_tenants_is_warned_of_frr_8_4() -> None:
    for item in rendered("front"):
        said = [gap for gap in LINUX.gaps(item.switch_slice) if "router MAC" in gap.message]
        assert len(said) == bool(item.switch_slice.vrfs)
        assert all(gap.severity is Severity.WARNING for gap in said)


def test_a_long_cable_gets_the_computed_headroom() -> None:
    text = back(model="SN5600", speed="400G").replace(
        "nic_speed: 400G}", "nic_speed: 400G, cable_length: 900}"
    )
    leaf = next(item for item in render(text) if item.switch_slice.switch.is_leaf)
    assert not roce_gaps(leaf)
    assert leaf.switch_slice.buffers is not None
    port = next(item for item in leaf.switch_slice.interfaces if item.length == 900)
    planned = leaf.switch_slice.buffers.port(port.port.speed, port.length)
    assert planned is not None
    assert planned.shipped is None
    (said,) = re.findall(r"port swp1s0 (\d+)", leaf.files["etc/fabricgen/dcb.sh"])
    assert int(said) >= planned.headroom > 0


@pytest.mark.parametrize("name", ["br0", "swp1", "local", "vlan110", "mgmt"])
def test_a_vrf_cannot_have_the_name_of_a_device(name: str) -> None:
    text = FRONT.replace("MODEL", "LAB-64").replace("      blue: {id: 2", f"      {name}: {{id: 2")
    found = [gap for item in render(text) for gap in LINUX.gaps(item.switch_slice)]
    gaps = [gap for gap in found if gap.severity is Severity.ERROR]
    assert gaps
    assert all(gap.path[:4] == ("tenants", "blue", "vrfs", name) for gap in gaps)


def test_services_are_bound_to_the_management_vrf() -> None:
    files = switch("front", "fe-leaf01").files
    assert files["etc/chrony/chrony.conf"].splitlines()[:3] == [
        "server 10.255.3.1 iburst",
        "server 10.255.3.2 iburst",
        "bindacqdevice mgmt",
    ]
    assert 'target="10.255.3.3"' in files["etc/rsyslog.d/90-fabricgen.conf"]
    assert 'device="mgmt"' in files["etc/rsyslog.d/90-fabricgen.conf"]
    assert files["etc/resolv.conf"] == ("search lab\nnameserver 10.255.3.4\nnameserver fd00::53\n")
    assert files["etc/issue.net"] == "authorized use only\n"


def test_secrets_are_placeholders() -> None:
    files = switch("front", "fe-leaf01").files
    assert (
        files["etc/fabricgen/passwords"]
        == "admin:<<secret:env:ADMIN>>\nreader:<<secret:env:READER>>\n"
    )
    assert "rocommunity <<secret:env:SNMP>>" in files["etc/snmp/snmpd.conf"]
    kept = files["etc/tmpfiles.d/fabricgen.conf"]
    assert "z /etc/fabricgen/passwords 0600 root root -" in kept
    assert "z /etc/snmp/snmpd.conf 0600 root root -" in kept


def test_accounts_have_a_group_a_home_and_a_key() -> None:
    files = switch("front", "fe-leaf01").files
    accounts = files["etc/sysusers.d/fabricgen.conf"].splitlines()[1:]
    assert accounts == [
        "u admin - - /home/admin /bin/bash",
        "m admin sudo",
        "u reader - - /home/reader /bin/bash",
        "m reader adm",
    ]
    assert files["etc/ssh/authorized_keys.d/admin"] == "ssh-ed25519 AAAA admin\n"
    assert "etc/ssh/authorized_keys.d/reader" not in files


def test_a_site_without_services_has_no_files_for_them() -> None:
    files = switch("rail-p2p", "be-leaf1").files
    assert not any(path.startswith(("etc/snmp", "etc/rsyslog", "etc/ssh")) for path in files)
    assert "etc/resolv.conf" not in files
    assert "etc/fabricgen/passwords" not in files


@pytest.mark.parametrize(
    ("site", "name", "bgp", "bfd"),
    [
        ("front", "fe-leaf01", "yes", "yes"),
        ("no-bfd", "be-spine1", "yes", "no"),
        ("rail-p2p", "be-leaf1", "no", "no"),
    ],
)
def test_daemons_run_where_they_have_work(site: str, name: str, bgp: str, bfd: str) -> None:
    lines = switch(site, name).files["etc/frr/daemons"].splitlines()
    assert f"bgpd={bgp}" in lines
    assert f"bfdd={bfd}" in lines


def test_sections_of_equal_content_are_rendered_once() -> None:
    first, second = (
        item
        for item in rendered("asic")
        if item.switch_slice.switch.name in ("be-su01-leaf1", "be-su01-leaf2")
    )
    path = "etc/fabricgen/tc.batch"
    assert first.files[path] == second.files[path]


def test_lldp_sends_interface_names() -> None:
    text = switch("front", "fe-leaf01").files["etc/lldpd.d/fabricgen.conf"]
    assert "configure lldp portidsubtype ifname\n" in text
    assert "configure system hostname fe-leaf01\n" in text


@pytest.mark.parametrize("site", SITES)
def test_scripts_may_be_run_and_no_other_file(site: str) -> None:
    for item in one_of_each(site):
        views = LINUX.lower(item.switch_slice, spell)
        runs = {view.path for view in views if view.executable}
        assert runs == {path for path, text in item.files.items() if text.startswith("#!")}
