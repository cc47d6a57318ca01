"""A small site of real FRR: packets of what only it has, and faults that no session shows.

Planted on a leaf after it was looked at, each shuts the gate.
"""

import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.lab.gate.faults import FAULTS, ROUTED, Fault
from tests.lab.gate.kernel_faults import KERNEL, UNSEEN
from tests.lab.gate.looking import PATIENCE, SITE, Gatekeeper, Worse
from tests.lab.machinery import Ground, need_a_lab, new_ground
from tests.longer import ALL, longer

NAME, LEAF = "gate", "fe-leaf01"
PLANTED = (*FAULTS, *KERNEL) if ALL else (KERNEL[6],)
"""One of the kernel, or all. What packets alone show is planted beside a push, below."""


@pytest.fixture(scope="module")
def lab() -> Iterator[Ground]:
    """Boot the small site; each fault is mended, so that all share it."""
    need_a_lab()
    for ground in new_ground():
        done = ground.call("lab", "up", str(SITE), "--name", NAME, "--health-timeout", "300")
        assert done.returncode == 0, done.stdout + done.stderr
        yield ground
        assert ground.call("lab", "down").returncode == 0


@pytest.fixture(scope="module")
def gate(lab: Ground) -> Gatekeeper:
    """Look at it as a push does, when each server has spoken to its gateway."""
    keeper = Gatekeeper.of(lab.client(NAME))
    speak(keeper)
    before = keeper.look(keeper.asked(LEAF))
    assert keeper.watch((LEAF,), before, lambda worse: not worse) == {}  # nothing is planted yet
    return keeper


def speak(gate: Gatekeeper) -> None:
    """Let each server speak to its gateways, so that its leaf knows it."""
    for leaf in ("fe-leaf01", "fe-leaf02", "fe-leaf03"):
        for server, gateway in (
            ("h1", "10.10.10.1"),
            ("h1", "10.10.20.1"),
            ("h2", "10.10.30.1"),
        ):
            done = gate.client.execute(f"{leaf}-{server}", ("ping", "-c", "1", gateway))
            assert done.status == 0, done.stdout


def run(gate: Gatekeeper, script: str, where: str = LEAF) -> str:
    done = gate.client.execute(where, ("sh", "-c", script))
    assert done.status == 0, (script, done.stdout, done.stderr)
    return done.stdout


def test_packets_follow_a_static_route_to_a_host_behind_another_leaf(gate: Gatekeeper) -> None:
    """The network is behind a server of fe-leaf03, and the packets enter at fe-leaf01."""
    asked, behind = "ping -c 1 -W 5 192.0.2.1", "fe-leaf03-h2"
    silent = gate.client.execute(f"{LEAF}-h2", ("sh", "-c", asked))
    assert silent.status == 1, "nobody has the address yet"
    run(gate, "ip address add 192.0.2.1/32 dev lo", behind)
    try:
        run(gate, asked, f"{LEAF}-h2")
    finally:
        run(gate, "ip address del 192.0.2.1/32 dev lo", behind)


ASK = """python3 -I -c "
import socket
end = socket.socket(socket.AF_INET6, socket.SOCK_RAW, socket.IPPROTO_ICMPV6)
end.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_MULTICAST_HOPS, 255)
end.sendto(bytes([133]) + bytes(7), ('ff02::2', 0, 0, socket.if_nametoindex('bond0')))
"
"""
"""A router solicitation (RFC 4861, 4.1): the host asked when its leaf was not there yet."""


def test_a_host_makes_an_address_of_what_its_leaf_announces_and_is_reached(
    gate: Gatekeeper,
) -> None:
    host, end = f"{LEAF}-h2", time.monotonic() + PATIENCE
    while not (own := made_by_itself(gate, host)):
        assert time.monotonic() < end
        run(gate, f"{ASK}sleep 1", host)
    assert own.startswith("2001:db8:30:")
    run(gate, f"ping -c 3 -W 5 {own}", "fe-leaf02-h2")


def made_by_itself(gate: Gatekeeper, host: str) -> str:
    """Return the address that a host has by SLAAC, if any."""
    (shown,) = json.loads(run(gate, "ip -j -6 address show dev bond0 scope global", host))
    return next((each["local"] for each in shown["addr_info"] if each.get("dynamic")), "")


def lasting(worse: Worse) -> list[str]:
    """Return what is still so when a fault is mended; counters have grown."""
    return [said for every in worse.values() for said in every if "grew by" not in said]


@pytest.mark.parametrize("fault", PLANTED, ids=lambda fault: fault.kind)
def test_a_planted_fault_shuts_the_gate_and_is_named(gate: Gatekeeper, fault: Fault) -> None:
    batch, before = (LEAF,), gate.look(gate.asked(LEAF))

    def named(worse: Worse) -> bool:
        return any(said.startswith(fault.says) for said in worse.get(fault.at, ()))

    run(gate, fault.plant)
    try:
        worse = gate.watch(batch, before, named)
        tables = gate.tables(batch, before) if fault.hidden else {}
    finally:
        run(gate, fault.mend)
    assert named(worse), worse
    seen = [said for every in tables.values() for said in every]  # by a gate that sends no packet
    assert all(said.endswith("but it is not in the design") for said in seen), seen
    assert not lasting(gate.watch(batch, before, lambda worse: not lasting(worse)))


@longer
@pytest.mark.parametrize("fault", UNSEEN, ids=lambda fault: fault.kind)
def test_what_no_look_at_tables_finds_is_still_not_found(gate: Gatekeeper, fault: Fault) -> None:
    """docs/reference/health-checks.md names it: when it is seen, that page is wrong."""
    before = gate.look(gate.asked(LEAF))
    run(gate, fault.plant)
    try:
        assert not lasting(gate.worse((LEAF,), before))
    finally:
        run(gate, fault.mend)


IN_A_TRUNK = Fault(
    kind="VLAN removed from a trunk",
    plant="bridge vlan del dev bond1 vid 10",
    mend="bridge vlan add dev bond1 vid 10",
    says="bond1 (bundle) carries VLAN 20, but the model has 10, 20",
)
BESIDE_A_PUSH = (IN_A_TRUNK, *(ROUTED if ALL else ROUTED[:2]))
"""The third of the routed faults is seen as the first is, at another place."""


@pytest.mark.parametrize(
    ("fault", "limit"),
    [(each, LEAF if each.at == LEAF else "fe-leaf*") for each in BESIDE_A_PUSH],
    ids=lambda it: it.kind if isinstance(it, Fault) else "",
)
def test_a_fault_between_commit_and_gate_undoes_the_batch(
    lab: Ground, gate: Gatekeeper, tmp_path: Path, fault: Fault, limit: str
) -> None:
    """Slower BFD is pushed to one leaf; what the switch does beside it is planted at its commit.

    limit: the leafs of the plan. Where a neighbor sees the fault, it is in a later batch.
    """
    site = tmp_path / "site"
    shutil.copytree(SITE, site)
    path = site / "frontend.yaml"
    path.write_text(path.read_text() + "  underlay: {bfd: {multiplier: 5}}\n")
    configured = "vtysh -c 'show running-config no-header'"
    speak(gate)
    before = gate.client.execute(LEAF, ("sh", "-c", configured)).stdout
    words = ("--lab", NAME, "--limit", limit, "--yes", "--health-timeout", "20")
    said = []
    with lab.start("push", str(site), *words, FABRIC_ADMIN_HASH="$6$salt$admin") as push:
        assert push.stderr is not None
        for line in push.stderr:
            said.append(line)
            if f"{LEAF} runs the new configuration" in line:
                run(gate, fault.plant)
    found = lab.call("verify", str(SITE), "--lab", NAME, "--limit", LEAF)
    run(gate, fault.mend)
    assert push.returncode == 5, said
    assert f"batch 1: {fault.at}: {fault.says}\n" in said
    assert found.returncode == 2, found.stdout
    left = f"batch 1: {LEAF}: removed by other switches: "
    for each in (line.removeprefix(left).strip() for line in said if line.startswith(left)):
        assert f"{LEAF}: {each}" in found.stdout
    assert any(line.startswith(left) for line in said) == (fault in ROUTED), said
    assert gate.client.execute(LEAF, ("sh", "-c", configured)).stdout == before
