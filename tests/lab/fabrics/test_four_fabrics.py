"""A site of all four fabrics, booted: shared servers, and a switch that comes from its image alone.

Of each fabric one spine is there, so that it boots in less time. It takes four minutes, so only
`make reliability` runs it.
"""

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from tests.conftest import NOT_RUN
from tests.lab.machinery import ROOT, Ground, need_a_lab, new_ground
from tests.longer import longer

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.operate.lab.client import LabFailure
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.machine.machine import choose, require
from fabricgen.operate.lab.tools import Tools
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.proof import Proof, Verdict
from fabricgen.operate.lab.traffic.reachability import reachability
from fabricgen.operate.lab.traffic.registry import gateways
from fabricgen.prove.verifier import Verifier

pytestmark = longer
INTENT = ROOT / "intent" / "four-fabrics"
NAME, FRESH, PATIENCE = "four", "be-su01-leaf2", 300
PART = ("*leaf*", "*spine1")


@dataclass(frozen=True, slots=True)
class Booted:
    """The running part of the site, after the first boot of one switch and its first push."""

    ground: Ground
    bench: Bench
    before: str  # what `lab status` said of the switch that had no push yet
    pushed: str

    def run(self, name: str, *command: str) -> str:
        """Run a command that has to succeed on a switch or host."""
        done = self.bench.client.execute(name, command)
        assert done.status == 0, (name, command, done.stdout, done.stderr)
        return done.stdout

    def proofs(self) -> dict[str, Proof]:
        """Ask every gateway, then send a packet for every pair."""
        return {each.name: each for ask in (gateways, reachability) for each in ask(self.bench)}


@pytest.fixture(scope="module")
def four() -> Iterator[Booted]:
    """Boot it, and push to the switch that asked for its name."""
    need_a_lab()
    try:
        require(choose(), Tools.here(), 1, 1, fresh=True)
    except LabFailure as failure:
        pytest.skip(f"{NOT_RUN}: {failure}")
    made = compile_site(load_site(INTENT)).site
    assert made is not None
    limits = [word for pattern in PART for word in ("--limit", pattern)]
    for ground in new_ground():
        words = ("--name", NAME, "--health-timeout", str(PATIENCE), "--fresh", FRESH)
        up = ground.call("lab", "up", str(INTENT), *limits, *words)
        assert up.returncode == 0, up.stdout + up.stderr
        before = ground.call("lab", "status").stdout
        own = ("--journal", str(ground.folder / "journal.db"), "--lab", NAME, "--limit", FRESH)
        secret = {"FABRIC_ADMIN_HASH": "$6$salt$hash"}
        push = ground.call("push", str(INTENT), *own, "--yes", **secret)
        assert push.returncode == 0, push.stdout + push.stderr
        plan = lay_out(made, name=NAME, lifted=None, files=(), limit=PART)
        yield Booted(ground, Bench(ground.client(NAME), made, plan), before, push.stdout)
        assert ground.call("lab", "down").returncode == 0


def test_a_fresh_switch_is_what_dhcp_and_its_first_boot_made_it(four: Booted) -> None:
    """Kea's reservation has its address and its file; the file has its name and account."""
    leases = four.run(FRESH, "sh", "-c", "cat /var/lib/dhcp/*")
    assert "fixed-address 10.255.1.3;" in leases
    assert f'option bootfile-name "http://10.255.0.1/{FRESH}/first-boot";' in leases
    assert four.run(FRESH, "hostname").strip() == FRESH
    assert "admin" in four.run(FRESH, "id", "admin")
    assert "vrf-table" in four.run(FRESH, "cat", "/var/lib/fabricgen/first-boot")
    assert f"{FRESH}  " in four.before
    assert "differs in" in four.before, "until the push it has its management alone"
    assert "1 confirmed" in four.pushed


def test_every_switch_is_as_designed_after_the_push(four: Booted) -> None:
    looks = Verifier(four.bench.client.ask, four.bench.expected).settle(PATIENCE)
    assert len(looks) == 12
    assert [found.sentence for look in looks.values() for found in look.differences] == []


def test_servers_reach_what_they_must_on_every_network_and_nothing_else(four: Booted) -> None:
    proofs = four.proofs()
    assert proofs.keys() == {
        *("gateway answers once", "reachability", "apart: fabrics", "apart: tenants"),
    }
    faults = [fault for proof in proofs.values() for fault in proof.faults]
    assert faults == []
    hosts = {end.host for end in four.bench.plan.endpoints}
    assert {"gpu0001", "gpu0001-bmc", "cpu0001", "nvme0002", "station0001"} <= hosts
    fabrics = [end.fabric for end in four.bench.plan.endpoints if end.host == "gpu0001"]
    assert sorted(set(fabrics)) == ["backend", "frontend", "storage"]


@pytest.mark.parametrize(
    ("host", "mode", "port"),
    [("gpu0002", "active-backup", "front1"), ("cpu0001", "802.3ad", "front0")],
)
def test_bonds_are_the_kernels(four: Booted, host: str, mode: str, port: str) -> None:
    said = four.run(host, "ip", "-d", "link", "show", "front")
    assert f"bond mode {mode}" in said
    assert "state UP" in said
    assert "master front" in four.run(host, "ip", "link", "show", port)


def test_a_server_that_leaks_from_its_rail_to_its_tenant_is_named(four: Booted) -> None:
    rule = ("from", "172.16.0.1", "lookup", "main", "priority", "1")
    with contextlib.ExitStack() as stack:
        four.run("gpu0001", "ip", "rule", "add", *rule)
        stack.callback(four.run, "gpu0001", "ip", "rule", "del", *rule)
        apart = four.proofs()["apart: fabrics"]
    assert apart.verdict is Verdict.FAILS
    assert all(fault.startswith("gpu0001/rail0 (172.16.0.1) → ") for fault in apart.faults)
    assert any("gpu0002/red-jobs" in fault for fault in apart.faults)
