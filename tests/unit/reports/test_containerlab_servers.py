"""The servers of a lab: their commands, judged by the kernel where it can, by the model else."""

import json
import re
import subprocess
from collections import Counter
from ipaddress import ip_interface
from typing import Any

import pytest
from tests.unit.hosts.hosts import rails
from tests.unit.reports.labs import designed

from fabricgen.compile.attached.site import attached, owner_of
from fabricgen.compile.compiler import host_slices, slices
from fabricgen.operate.export.containerlab.topology import server_nodes


def alone() -> bool:
    """Tell whether this user may make a network namespace of its own."""
    made = subprocess.run(["unshare", "-rn", "true"], capture_output=True, check=False)
    return made.returncode == 0


def obeyed(site: str, server: str, devices: list[str], *asked: str) -> list[Any]:
    """Run a server's commands in a namespace with these wires; return what `ip -j` then says."""
    lines = ["set -e"]
    for device in devices:
        lines += [f"ip link add {device} type veth peer name far-{device}"]
        lines += [f"ip link set far-{device} up"]
    commands = server_nodes(designed(site))[server].commands
    lines += [line for line in commands if not line.startswith("sysctl")]
    lines += [f"ip -j {word}" for word in asked]
    run = subprocess.run(
        ["unshare", "-rn", "sh", "-c", "\n".join(lines)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.mark.skipif(not alone(), reason="no network namespace can be made here")
def test_a_rail_sends_from_its_own_nic_to_every_other() -> None:
    site = designed("lab")
    mine, other = [each for each in host_slices(site) if each.routed][:2]
    devices = ["eth0", *(rail.plan.nic.name for rail in rails(mine).ports)]
    ways = [
        (f"route get {there.address.host} from {own.address.host}", own)
        for own in rails(mine).ports
        for there in rails(other).ports
    ]
    said = obeyed("lab", mine.server.name, devices, *(words for words, _ in ways))
    assert [(way[0]["dev"], way[0]["gateway"]) for way in said] == [
        (own.plan.nic.name, own.gateway.host) for _, own in ways
    ]


@pytest.mark.skipif(not alone(), reason="no network namespace can be made here")
def test_a_server_in_both_fabrics_keeps_them_apart() -> None:
    """Neither does a rail's address leave by the frontend's default route, nor the other way."""
    host = attached(designed("lab"))["gpu0001"]
    front = next(each for each in host.endpoints if each.fabric == "frontend")
    rails = [each for each in host.endpoints if each.fabric == "backend"]
    apart = [f"10.10.40.9 from {rail.address}" for rail in rails]
    apart += [f"172.{block}.0.9 from {front.address}" for block in (16, 20, 24, 28)]
    devices = ["eth0", *(rail.device for rail in rails)]
    wires = [f"ip link add {name} type veth peer name far-{name}" for name in devices]
    wires += [f"ip link set far-{name} up" for name in devices]
    every = server_nodes(designed("lab"))["gpu0001"].commands
    commands = [line for line in every if not line.startswith("sysctl")]
    gets = [f"ip route get {words} 2>&1 | head -1" for words in apart]
    done = subprocess.run(
        ["unshare", "-rn", "sh", "-c", "\n".join([*wires, *commands, *gets])],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stdout.splitlines() == ["RTNETLINK answers: No route to host"] * len(apart)


@pytest.mark.skipif(not alone(), reason="no network namespace can be made here")
def test_a_tenants_server_reaches_out_by_its_gateway() -> None:
    said = obeyed("lab", "fe-leaf01-h3", ["eth0"], "route get 10.10.40.10")
    assert (said[0][0]["dev"], said[0][0]["gateway"]) == ("eth0", "10.10.30.1")


@pytest.mark.parametrize("name", ["lab", "full", "tenants"])
def test_tenants_addresses_are_of_their_vlan_and_never_twice(name: str) -> None:
    site = designed(name)
    subnets = {
        ip_interface(str(own)).network
        for _, switch_slice in slices(site)
        for vlan in switch_slice.vlans
        for own in vlan.gateways
        if vlan.vni is not None
    }
    gateways = {str(own.host) for _, p in slices(site) for v in p.vlans for own in v.gateways}
    own = [
        ip_interface(line.split()[3])
        for node in server_nodes(site).values()
        if "frontend" in node.fabrics
        for line in node.commands
        if line.startswith("ip address add") and not re.search("dev (rdma|data)", line)
    ]
    assert own
    assert {one.network for one in own} <= subnets
    assert max(Counter(one.ip for one in own).values()) == 1
    assert not {str(one.ip) for one in own} & gateways


def test_a_bundle_has_the_server_s_links_and_its_tagged_vlans() -> None:
    node = server_nodes(designed("tenants"))["fe-leaf05-s05"]
    options = "miimon 100 lacp_rate fast xmit_hash_policy layer3+4"
    assert node.commands[0] == f"ip link add bond0 type bond mode 802.3ad {options}"
    assert [line for line in node.commands if "master" in line] == [
        "ip link set eth0 master bond0",
        "ip link set eth1 master bond0",
    ]
    tagged = [line for line in node.commands if "type vlan" in line]
    assert tagged == [
        "ip link add link bond0 name bond0.120 type vlan id 120",
        "ip link add link bond0 name bond0.130 type vlan id 130",
    ]
    assert not [line for line in node.commands if "address" in line and "bond0.130" in line]


def test_a_second_vlan_is_answered_by_the_gateway_of_its_own() -> None:
    """Of two VLANs one has the server's default; what comes from the other goes by its table."""
    commands = server_nodes(designed("tenants"))["fe-leaf01-s09"].commands
    defaults = [line for line in commands if " default " in line]
    assert defaults == [
        "ip route add default via 10.110.0.1 dev eth0",
        "ip route add default via 10.111.0.1 dev eth0.111 table 4111",
    ]
    rules = [line for line in commands if " rule " in line]
    assert [line.partition("10.111.0.")[0] for line in rules] == ["ip rule add from "]


def test_every_server_is_a_node() -> None:
    site = designed("full")
    names = {
        owner_of(fabric, link)
        for fabric in site.fabrics
        for link in fabric.topology.links
        if link.to_server
    }
    assert server_nodes(site).keys() == names
    assert {"gpu0001", "gpu0001-bmc"} < names, "a BMC is a computer of its own"


def test_a_server_with_rails_reads_its_sysctl_first_and_no_other_server_has_one() -> None:
    """Without it the kernel would answer for one rail by another (arp_ignore)."""
    file = "etc/sysctl.d/90-fabricgen.conf"
    nodes = server_nodes(designed("lab"))
    every = host_slices(designed("lab"))
    railed = {mine.server.name for mine in every if mine.routed}
    assert 0 < len(railed) < len(nodes)
    for name, node in nodes.items():
        if name in railed:
            assert node.binds == (f"hosts/{name}/{file}:/{file}:ro",)
            assert node.commands[0] == f"sysctl -q -p /{file}"
        else:
            assert node.binds == ()
            assert not [line for line in node.commands if "sysctl" in line]
