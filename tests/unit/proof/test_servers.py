"""Servers are apart as their files say: each broken line is found, and the kernel decides alike."""

import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import replace
from ipaddress import ip_address

import pytest
from tests.unit.hosts.hosts import NETWORKS, SHAPES, plain, rails, servers, stored, texts

from fabricgen.api.proof import read_back
from fabricgen.core.diagnostics import Code
from fabricgen.core.own_templates import OwnTemplate
from fabricgen.model.fabric.addressing import host_text
from fabricgen.nos.hosts.readback.files import read
from fabricgen.nos.hosts.readback.network import (
    ELSEWHERE,
    UNREACHABLE,
    Lookup,
    Network,
    Route,
    Rule,
    number,
)
from fabricgen.prove.servers import Apart, ServerJudge, examined

CASES = [(shape, network) for shape in SHAPES for network in NETWORKS]
NETPLAN = "etc/netplan/60-fabricgen.yaml"
PROGRAM = "traffic without a chosen address"
NONE = str(ip_address(0))
"""The address of a program that has not chosen one."""
BROKEN = {
    "type: unreachable.*table: 1021": (
        "traffic from rdma1 to 172.32.0.0 goes elsewhere, but must go nowhere"
    ),
    "type: unreachable.*table: 3021": (
        "traffic from another address to 172.20.0.0 goes elsewhere, but must go nowhere"
    ),
    "priority: 1021": "traffic from rdma1 to 172.32.0.0 goes elsewhere, but must go nowhere",
    "priority: 2021": (
        "traffic without a chosen address to 172.20.0.0 goes nowhere, but must go by rdma1"
    ),
    "priority: 3021": (
        "traffic from another address to 172.20.0.0 goes elsewhere, but must go nowhere"
    ),
    "to: 172.20.0.0/14, via": "traffic from rdma1 to 172.20.0.2 goes nowhere, but must go by rdma1",
}


@pytest.mark.parametrize(("shape", "network"), CASES)
def test_the_servers_of_every_design_are_apart(shape: str, network: str) -> None:
    judge = ServerJudge()
    for host_slice in servers(plain(shape, network)):
        apart = judge.judge(host_slice, texts(host_slice))
        assert apart.findings == ()
        count = len(rails(host_slice).ports)
        assert apart.ways == count * (count + 3)


@pytest.mark.parametrize("roce", [True, False])
@pytest.mark.parametrize("network", NETWORKS)
def test_the_ports_of_storage_are_apart(network: str, roce: bool) -> None:  # noqa: FBT001
    judge = ServerJudge()
    every = servers(stored(network, roce=roce))
    assert len(every) == 4
    for host_slice in every:
        apart = judge.judge(host_slice, texts(host_slice))
        assert apart.findings == ()
        data = sum(each.metric > 0 for side in host_slice.routed for each in side.ports)
        on_rails = sum(len(side.ports) for side in host_slice.routed) - data
        assert (data, on_rails) in ((2, 2), (4, 0))
        assert apart.ways == 2 + 3 * data + on_rails * (on_rails + 3)


STORED = {
    "metric: 1,": f"{PROGRAM} to 10.216.0.0 goes by data1, but must go by data0",
    "metric: 2,": (f"with data0 down, {PROGRAM} to 10.216.0.0 goes nowhere, but must go by data1"),
    "from: 10.217.0.1/32": "traffic from data1 to 10.224.0.0 goes elsewhere, but must go nowhere",
    "via: 10.217.0.0, table: 9041": (
        "traffic from data1 to 10.216.0.0 goes nowhere, but must go by data1"
    ),
    "unreachable.*table: 9041": (
        "traffic from data1 to 10.224.0.0 goes elsewhere, but must go nowhere"
    ),
}


@pytest.mark.parametrize("line", STORED)
def test_a_lost_line_of_a_storage_port_is_found(line: str) -> None:
    host_slice = servers(stored())[0]
    files = texts(host_slice)
    lines = files[NETPLAN].splitlines()
    files[NETPLAN] = "\n".join(each for each in lines if not re.search(line, each))
    assert len(files[NETPLAN].splitlines()) == len(lines) - 1
    said = [finding.message for finding in ServerJudge().judge(host_slice, files).findings]
    assert f"{host_slice.server.name}: {STORED[line]}" in said


def test_a_server_whose_turn_is_wrong_is_found_beside_one_that_is_right() -> None:
    one, other = servers(stored())[:2]
    judge = ServerJudge()
    assert judge.judge(one, texts(one)).findings == ()
    files = texts(other)
    swapped = files[NETPLAN].replace("metric: 1,", "metric: 3,").replace("metric: 2,", "metric: 1,")
    files[NETPLAN] = swapped.replace("metric: 3,", "metric: 2,")
    assert "goes by data0, but must go by data1" in judge.judge(other, files).findings[0].message


@pytest.mark.parametrize("line", BROKEN)
def test_a_lost_line_is_found(line: str) -> None:
    host_slice = servers(plain("rail-only"))[0]
    files = texts(host_slice)
    lines = files[NETPLAN].splitlines()
    files[NETPLAN] = "\n".join(each for each in lines if not re.search(line, each))
    assert len(files[NETPLAN].splitlines()) == len(lines) - 1
    said = [finding.message for finding in ServerJudge().judge(host_slice, files).findings]
    assert said[0] == f"gpu0001: {BROKEN[line]}"


def test_a_way_to_other_rails_is_found_where_rails_must_not_meet() -> None:
    host_slice = servers(plain("rail-only"))[0]
    files = texts(host_slice)
    block = "to: 172.20.0.0/14, via"
    files[NETPLAN] = files[NETPLAN].replace(block, "to: 172.16.0.0/12, via")
    found = ServerJudge().judge(host_slice, files).findings
    assert found[0].code is Code.HOST_NOT_APART
    assert found[0].message.endswith(
        "traffic from rdma1 to 172.16.0.0 goes by rdma1, but must go nowhere"
    )


def test_an_address_that_is_not_the_designed_one_is_found() -> None:
    host_slice = servers(plain())[0]
    files = texts(host_slice)
    files[NETPLAN] = files[NETPLAN].replace(
        "addresses: [172.20.0.1/31]", "addresses: [172.20.0.3/31]"
    )
    said = [finding.message for finding in ServerJudge().judge(host_slice, files).findings]
    assert said == [
        "gpu0001: addresses of rdma1 is 172.20.0.3/31, but the design has 172.20.0.1/31"
    ]


def test_a_server_that_differs_in_more_than_its_addresses_is_judged_itself() -> None:
    one, other, _ = servers(plain())
    judge = ServerJudge()
    assert judge.judge(one, texts(one)).findings == ()
    files = texts(other)
    files[NETPLAN] = files[NETPLAN].replace("priority: 3021", "priority: 40000")
    assert [each.message[:7] for each in judge.judge(other, files).findings][:1] == ["gpu0002"]


def test_findings_beyond_the_first_are_counted() -> None:
    host_slice = servers(plain())[0]
    lines = texts(host_slice)[NETPLAN].splitlines()
    open_ended = "\n".join(line for line in lines if "unreachable" not in line)
    found = ServerJudge().judge(host_slice, {NETPLAN: open_ended})
    result = examined([found, found, Apart(7)])
    assert result.objects == 2 * found.ways + 7
    assert len(result.findings) == 21
    more = 2 * len(found.findings) - 20
    assert (
        result.findings[-1].message == f"{more} more paths of servers that differ from the design"
    )


def test_a_type_of_route_that_is_not_understood_is_an_error() -> None:
    host_slice = servers(plain())[0]
    files = {
        **texts(host_slice),
        NETPLAN: texts(host_slice)[NETPLAN].replace("unreachable", "throw"),
    }
    (found,) = ServerJudge().judge(host_slice, files).findings
    assert found.message == "gpu0001: the network files cannot be read back: 'throw'"


def test_read_back_judges_servers_too() -> None:
    site = plain()
    assert [each.check for each in read_back(site)][-1] == "host-isolation"
    broken = OwnTemplate("hosts/netplan.j2", "network: [", "site/templates/hosts/netplan.j2")
    found = read_back(replace(site, templates=(broken,)))[-1].findings
    assert [finding.code for finding in found] == [Code.HOST_NOT_APART] * 3
    assert "gpu0001: the network files cannot be read back" in found[0].message


def test_between_two_edges_every_address_goes_one_way() -> None:
    """So it is enough to ask the way of the edges: a prefix begins at one and ends before one."""
    routes = (
        Route(prefix="10.0.0.0/24", via="", device="rdma0"),
        Route(prefix="10.0.0.8/30", via="10.0.0.1", device="rdma1"),
        Route(prefix="10.0.0.64/32", via="", device="", unreachable=True),
    )
    rules = (Rule(table=7, priority=5, to="10.0.0.32/28"),)
    rule = Route(prefix="0.0.0.0/0", via="10.0.0.2", device="rdma2", table=7)
    lookup = Lookup(Network({}, (*routes, rule), rules))
    first = number("10.0.0.4")
    within = range(first, first + 128)
    edges = lookup.edges(within)
    assert {host_text(edge, 4) for edge in edges} == {
        *("10.0.0.4", "10.0.0.8", "10.0.0.12", "10.0.0.32", "10.0.0.48", "10.0.0.64", "10.0.0.65")
    }
    way = ""
    for address in within:
        if address in edges:
            way = lookup.way(0, address)
        assert lookup.way(0, address) == way


def _asked(own: list[str], targets: list[str]) -> Iterator[tuple[str, str]]:
    for source in (*own, "10.99.0.10", NONE):
        for target in (*targets, "203.0.113.1"):
            yield source, target


def _commands(network: Network, loose: str) -> Iterator[str]:
    """Yield what makes a network, bridges in place of NICs, beside a frontend's default route.

    loose: the interface without a carrier.
    """
    yield from ("link add fe type bridge", "link set fe up", "address add 10.99.0.10/24 dev fe")
    for device, (address,) in network.addresses.items():
        kind = "veth peer name far" if device == loose else "bridge"
        yield from (f"link add {device} type {kind}", f"link set {device} up")
        yield f"address add {address} dev {device}"
    yield "route add default via 10.99.0.1 dev fe"
    for rule in network.rules:
        where = f"from {rule.source or 'all'} to {rule.to or 'all'}"
        yield f"rule add {where} table {rule.table} priority {rule.priority}"
    for route in network.routes:
        via = f"via {route.via}" if route.via else "scope link"
        way = f"{via} dev {route.device}" if not route.unreachable else ""
        kind = "unreachable" if route.unreachable else ""
        metric = f"metric {route.metric}" if route.metric else ""
        yield f"route add {kind} {route.prefix} {way} {metric} table {route.table}"


OUT = {
    "down": "ip link set {} down",
    "no carrier": "echo 1 >/proc/sys/net/ipv4/conf/{}/ignore_routes_with_linkdown",
}
"""How an interface is out; without a carrier it is out where that counts."""


def _compared(network: Network, targets: list[str], out: str = "", way: str = "") -> None:
    """Ask the real kernel each way, with an interface out, and compare with the reader."""
    lookup = Lookup(network).without(out) if out else Lookup(network)
    own = [text.split("/")[0] for name, (text,) in network.addresses.items() if name != out]
    asked = list(_asked(own, targets))
    gets = [
        f"ip route get {target}{'' if source == NONE else f' from {source}'} 2>&1 | head -1"
        for source, target in asked
    ]
    lines = [f"ip {line}" for line in _commands(network, out if way == "no carrier" else "")]
    down = [OUT[way].format(out)] if out else []
    script = "\n".join([*lines, *down, "set +e", *gets])
    done = subprocess.run(
        ["unshare", "-rn", "sh", "-e", "-c", script], capture_output=True, text=True, check=False
    )
    answers = done.stdout.splitlines()
    assert len(answers) == len(asked), done.stderr
    for (source, target), answer in zip(asked, answers, strict=True):
        by = lookup.way(int(ip_address(source)), int(ip_address(target)))
        shown = {UNREACHABLE: "No route to host", ELSEWHERE: "dev fe "}.get(by, f"dev {by} ")
        assert shown in answer, (source, target)


KERNEL = pytest.mark.skipif(
    subprocess.run(["unshare", "-rn", "true"], check=False).returncode != 0
    or shutil.which("ip") is None,
    reason="no network namespace can be made here",
)


@KERNEL
@pytest.mark.parametrize("shape", ["rail-only", "rail-optimized", "two-planes"])
def test_the_kernel_decides_as_the_reader_does(shape: str) -> None:
    """A frontend with a default route beside the rails; the real `ip route get` for each way."""
    network = read(texts(servers(plain(shape))[0]))
    _compared(network, ["172.16.0.5", "172.20.0.5", "172.31.0.1"])


@KERNEL
@pytest.mark.parametrize("out", ["data0", "data1"])
@pytest.mark.parametrize("way", OUT)
@pytest.mark.parametrize("number", [0, 1])
def test_the_kernel_takes_another_port_to_storage_as_the_reader_does(
    number: int, way: str, out: str
) -> None:
    """Rules come first here: a route's gateway is found although one for its pool is there."""
    network, targets = read(texts(servers(stored())[number])), ["10.216.0.200", "10.220.0.9"]
    _compared(network, targets)
    _compared(network, targets, out, way)
