"""The plan of a lab: which switches, hosts and cables of a site, and what is left out of it."""

import pytest
from tests.unit.lab.bench import bench_of, site_of

from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.plan import LabPlan, Skipped


def plan_of(name: str, *limit: str, files: tuple[str, ...] = ()) -> LabPlan:
    return lay_out(site_of(name), name="oslo", lifted="linux", files=files, limit=limit)


@pytest.fixture(scope="module")
def whole() -> LabPlan:
    return plan_of("lab")


def test_a_lab_has_its_name_and_the_sites(whole: LabPlan) -> None:
    assert (whole.name, whole.site, whole.lifted) == ("oslo", site_of("lab").name, "linux")
    assert whole.gateway == "10.255.0.1/24"


def test_every_switch_boots_with_its_files_address_and_ports(whole: LabPlan) -> None:
    named = {
        switch.name: (fabric.name, f"{fabric.name}/{switch.name}")
        for fabric in site_of("lab").fabrics
        for switch in fabric.topology.switches
    }
    assert {each.name: (each.fabric, each.folder) for each in whole.switches} == named
    assert whole.names == named.keys()
    first = next(each for each in whole.switches if each.name == "fe-leaf01")
    assert first.management.startswith("10.255.0.")
    assert "/" not in first.management
    assert len(first.ports) >= 32
    assert set(first.ports) >= {"swp1", "swp32"}


def test_every_cable_runs_from_the_lower_end_to_the_upper(whole: LabPlan) -> None:
    links = [link for fabric in site_of("lab").fabrics for link in fabric.topology.links]
    assert len(whole.cables) == len(links)
    ends = {(each.a, each.b) for each in whole.cables}
    assert ends == {(link.lower.name, link.upper.name) for link in links}
    hosts = {host.name: {each.name for each in host.interfaces} for host in whole.hosts}
    of_hosts = [cable for cable in whole.cables if cable.a in hosts]
    assert of_hosts
    assert all(not cable.a_port.startswith("swp") for cable in of_hosts)
    assert all(cable.b_port.startswith("swp") for cable in whole.cables)


def test_a_part_has_the_cables_within_it_and_the_hosts_at_them() -> None:
    part = plan_of("lab", "be-su01-leaf[12]", "be-spine1")
    assert [each.name for each in part.switches] == ["be-spine1", "be-su01-leaf1", "be-su01-leaf2"]
    hosts = {host.name for host in part.hosts}
    assert hosts
    assert {cable.b for cable in part.cables} == {*part.names}
    assert {cable.a for cable in part.cables} == {"be-su01-leaf1", "be-su01-leaf2", *hosts}
    assert len(part.hosts) <= len(bench_of().plan.hosts)


def test_a_part_of_nothing_is_empty() -> None:
    part = plan_of("lab", "nobody")
    assert (part.switches, part.cables, part.hosts) == ((), (), ())


def test_what_stays_out_of_a_lab_is_said_once() -> None:
    part = plan_of("full", files=("frontend/x/etc/resolv.conf", "frontend/y/etc/resolv.conf"))
    assert part.skipped[0] == Skipped("DNS", "the lab has no resolver")
    assert len({each.what for each in part.skipped}) == len(part.skipped)


def test_a_fresh_switch_boots_from_its_image_with_the_mac_that_dhcp_knows() -> None:
    site, name = site_of("four-fabrics"), "be-su01-leaf2"
    plan = lay_out(site, name="oslo", lifted=None, files=(), fresh={name: "boot/image"})
    one = next(each for each in plan.switches if each.name == name)
    assert (one.folder, one.mac, plan.fresh) == ("boot/image", "02:00:00:00:00:12", (name,))
    assert {each.mac for each in plan.switches if each is not one} == {""}
    assert all(
        each.folder == f"{each.fabric}/{each.name}" for each in plan.switches if each is not one
    )


def test_a_bmc_is_cabled_as_a_host_of_its_own() -> None:
    plan = plan_of("four-fabrics")
    hosts = {host.name for host in plan.hosts}
    assert {"gpu0001", "gpu0001-bmc", "station0001"} <= hosts
    (cable,) = (each for each in plan.cables if each.a == "gpu0001-bmc")
    assert (cable.a_port, cable.b) == ("bmc", "oob-leaf01")
    assert hosts.isdisjoint(plan.names)


def test_a_plan_is_plain_data_for_the_engine(whole: LabPlan) -> None:
    data = whole.as_data()
    assert data["switches"][0]["name"] == whole.switches[0].name
    assert data["cables"][0]["a_port"] == whole.cables[0].a_port
    assert data.keys() >= {"name", "site", "lifted", "gateway", "hosts", "endpoints", "skipped"}
