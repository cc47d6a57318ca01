"""What NCCL is told of queue pairs and of data that arrives out of order."""

from pathlib import Path

import pytest
from tests.unit.hosts.hosts import plain, servers
from tests.unit.hosts.hosts import texts as texts_of
from tests.unit.hosts.stand_ins import FIRMWARE, host

from fabricgen.compile.compiler import compile_site, files_of, host_slices
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_texts

SITE = """
site:
  name: lab
  accept_unsupported: [packet-spray]
  management: {{subnet: 10.255.0.0/22}}
backend:
  design: rail-optimized
  servers: {{count: 4, gpus: 2, nic_speed: 400G, nic: {nic}}}
  scalable_unit: {{servers: 2}}
  links: {{speed: 400G}}
  leaf: {{model: 7060X6-64PE, platform: eos}}
  spine: {{model: 7060X6-64PE, platform: eos, count: 2}}
  load_balancing: {{{words}}}
"""


def files(words: str, nic: str = "connectx-8") -> dict[str, str]:
    """Render the first server."""
    made = compile_site(load_texts({"site.yaml": SITE.format(words=words, nic=nic)}))
    assert made.site is not None
    assert made.ok, made.findings
    switch_slice = next(host_slices(made.site))
    return {file.path.split("/", 2)[2]: file.text for file in files_of(switch_slice, Renderer())}


def settings(words: str, nic: str = "connectx-8") -> dict[str, str]:
    lines = [line for line in files(words, nic)["etc/nccl.conf"].splitlines() if line[0] != "#"]
    return dict(line.split("=", 1) for line in lines)


@pytest.mark.parametrize(
    ("words", "nic", "pairs"),
    [
        ("", "connectx-8", "4"),
        ("", "pollara-400", "1"),
        ("queue_pairs: 16", "connectx-8", "16"),
        ("queue_pairs: 2, mode: flowlet", "thor2", "2"),
    ],
)
def test_nccl_has_the_queue_pairs_that_the_arithmetic_counts(
    words: str, nic: str, pairs: str
) -> None:
    assert settings(words, nic)["NCCL_IB_QPS_PER_CONNECTION"] == pairs


def test_the_firmware_takes_what_arrives_out_of_order_where_packets_are_sprayed() -> None:
    said = "ROCE_ADAPTIVE_ROUTING_EN=1"
    assert said in files("mode: spray")[FIRMWARE]
    assert said not in files("mode: ecmp")[FIRMWARE]


@pytest.mark.parametrize(("mode", "there"), [("spray", True), ("ecmp", False), ("flowlet", False)])
def test_nccl_is_told_of_packets_out_of_order_where_they_are_sprayed(
    mode: str,
    there: bool,  # noqa: FBT001 - the expectation
) -> None:
    told = settings(f"mode: {mode}")
    assert (told.get("NCCL_IB_ADAPTIVE_ROUTING") == "1") is there


@pytest.mark.parametrize("shape", ["rail-only", "rail-optimized"])
def test_nccl_keeps_to_one_rail_where_rails_cannot_meet(shape: str) -> None:
    lines = texts_of(servers(plain(shape))[0])["etc/nccl.conf"].splitlines()
    assert ("NCCL_CROSS_NIC=0" in lines) is (shape == "rail-only")


def test_the_check_notices_other_queue_pairs(tmp_path: Path) -> None:
    texts = files("queue_pairs: 16, mode: spray")
    here = host(tmp_path, texts, 3)
    here.keep()
    assert here.apply().returncode == 0
    assert here.check() == (0, [])
    conf = here.root / "etc/nccl.conf"
    conf.write_text(conf.read_text().replace("CONNECTION=16", "CONNECTION=1"))
    status, said = here.check()
    assert status == 1
    assert any("NCCL_IB_QPS_PER_CONNECTION" in line for line in said)
