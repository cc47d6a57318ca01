"""Two leafs and a spine of real FRR between two providers: what each is told, and the primary lost.

One boot has all of it, and only `make reliability` runs it.
"""

from collections.abc import Iterator

import pytest
from tests.lab.machinery import ROOT, need_a_lab, new_ground
from tests.longer import longer

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.operate.lab.layout import lay_out
from fabricgen.operate.lab.traffic.bench import Bench
from fabricgen.operate.lab.traffic.outside import outside
from fabricgen.operate.lab.traffic.proof import Verdict
from fabricgen.operate.lab.traffic.reachability import reachability
from fabricgen.operate.lab.traffic.registry import Asking, gateways
from fabricgen.operate.lab.traffic.ways_out import ways_out

pytestmark = longer
PART = ("fe-leaf*", "fe-spine1")


@pytest.fixture(scope="module")
def edge() -> Iterator[Bench]:
    need_a_lab()
    made = compile_site(load_site(ROOT / "intent/edge")).site
    assert made is not None
    limits = [word for name in PART for word in ("--limit", name)]
    for ground in new_ground():
        up = ground.call("lab", "up", str(ROOT / "intent/edge"), "--name", "edge", *limits)
        assert up.returncode == 0, up.stdout + up.stderr
        assert "outside: out-isp1: AS 64496 to red on fe-leaf01" in up.stderr
        plan = lay_out(made, name="edge", lifted=None, files=(), limit=PART)
        yield Bench(ground.client("edge"), made, plan)
        assert ground.call("lab", "down").returncode == 0


def asked(bench: Bench, *asking: Asking) -> list[str]:
    """Return the names of proofs that hold; what does not is a failure with its faults."""
    proofs = [proof for ask in asking for proof in ask(bench)]
    assert [fault for proof in proofs for fault in proof.faults] == []
    return [proof.name for proof in proofs if proof.verdict is Verdict.HOLDS]


def test_packets_go_to_and_from_outside_over_both_versions(edge: Bench) -> None:
    held = asked(edge, gateways, reachability, outside)
    assert held[-3:] == ["told outside", "to outside", "from outside"]
    assert {end.version for end in edge.plan.beyond} == {4, 6}


def test_a_path_with_private_asns_leaves_without_them(edge: Bench) -> None:
    inside = edge.client.execute(
        "fe-leaf01", ("vtysh", "-c", "show bgp vrf red ipv4 unicast 10.111.0.0/24")
    ).stdout
    assert "4200000001" in inside  # the other leaf's ASN
    outside = edge.client.execute(
        "out-isp1", ("vtysh", "-c", "show bgp vrf red ipv4 unicast 10.111.0.0/24")
    ).stdout
    assert "\n  64500\n" in outside


def test_the_backup_takes_over_and_gives_back(edge: Bench) -> None:
    held = asked(edge, ways_out)
    assert held == [
        "dead out-isp1",
        "without out-isp1: to outside",
        "without out-isp1: from outside",
        "out-isp1 as before",
        "out-isp1 healed: to outside",
        "out-isp1 healed: from outside",
    ]
