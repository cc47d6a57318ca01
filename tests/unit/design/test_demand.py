"""Demand of a fabric: what carries it now, what growth outruns, and what is no demand."""

import pytest
from tests.unit.sizing.asking import needs

from fabricgen.compile.compiler import Compiled, compile_site
from fabricgen.compile.reports.ratios import ratio_lines
from fabricgen.core.diagnostics import Code, Diagnostic, Severity
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.plan.sizing.candidates import candidates, whole_site
from fabricgen.plan.sizing.designs import design_of

SITE = """
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}}
servers:
  node:
    count: 8
    ports:
      front: {fabric: frontend, ports: 2, leafs: 2, bond: BOND, speed: 100G, per_leaf: 8}
frontend:
  demand: DEMAND
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  edge:
    isp1: {leaf: 1, cages: "20"}
    isp2: {leaf: 2, cages: 20-21, rate: 20G}
"""
RAILS = """
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}}
backend:
  design: rail-only
  demand: DEMAND
  servers: {count: 2, gpus: 4, nic_speed: 400G}
  leaf: {model: 7060DX5-64S, platform: eos}
"""
ASKED = {Code.DEMAND_ABOVE_CAPACITY, Code.GROWTH_ABOVE_CAPACITY}
"""The 2 leafs have 2 uplinks of 100G to each spine, and 8 servers have 2 ports of 100G."""


def compiled(demand: str, text: str = SITE, bond: str = "lacp") -> Compiled:
    text = text.replace("DEMAND", demand).replace("BOND", bond)
    return compile_site(load_texts({"site.yaml": text}))


def found(demand: str, text: str = SITE, bond: str = "lacp") -> list[Diagnostic]:
    return [item for item in compiled(demand, text, bond).findings if item.code in ASKED]


def site(demand: str, bond: str = "lacp") -> Site:
    made = compiled(demand, bond=bond).site
    assert made is not None
    return made


def test_the_uplinks_carry_their_sum_and_not_one_gigabit_more() -> None:
    (fabric,) = site("{ingest: 1G}").fabrics
    most = sum(link.speed for link in fabric.topology.links if not link.to_server) // 10**9
    assert found(f"{{storage_reads: {most}G}}") == []
    (told,) = found(f"{{storage_reads: {most - 1}G, checkpoint: 2G}}")
    assert told.code is Code.DEMAND_ABOVE_CAPACITY
    assert told.severity is Severity.ERROR
    assert "uplinks of leafs carry" in told.message
    assert told.path == ("frontend", "demand")


def test_ingest_and_inference_cross_the_external_links_at_their_rate() -> None:
    assert found("{ingest: 100G, inference: 20G}") == []
    (told,) = found("{ingest: 100G, inference: 21G}")
    assert "ingest 100G + inference 21G = 121G, but 3 external links carry 120G" in told.message
    assert found("{storage_reads: 121G}") == []


def test_a_bond_with_one_active_port_carries_one() -> None:
    """Eight servers send 1.6T with LACP, 0.8T with one active port each."""
    (told,) = found("{storage_reads: 1T}", bond="active-backup")
    assert "server ports" not in told.message  # uplinks are fewer still
    (line,) = (
        line
        for line in ratio_lines(site("{storage_reads: 1T}", "active-backup"))
        if "demand" in line
    )
    assert "server ports 0.8 times" in line


def test_growth_warns_with_the_factor_and_the_year() -> None:
    (told,) = found("{inference: 60G, growth: 4, years: 4}")
    assert told.code is Code.GROWTH_ABOVE_CAPACITY
    assert told.severity is Severity.WARNING
    assert "reached at 2 times, after 2 of 4 years" in told.message
    assert found("{inference: 60G, growth: 2, years: 4}") == []
    (told,) = found("{inference: 60G, growth: 4}")
    assert told.message.endswith("reached at 2 times")


def test_rails_without_spines_are_bounded_by_the_ports_of_servers() -> None:
    assert found("{checkpoint: 3.2T}", RAILS) == []
    (told,) = found("{checkpoint: 3.3T}", RAILS)
    assert "8 server ports carry 3.2T" in told.message


@pytest.mark.parametrize(
    ("demand", "words"),
    [
        ("{growth: 2}", "the demand has no rate"),
        ("{ingest: 1G, years: 2}", "needs a `growth` above 1"),
        ("{ingest: fast}", "is not a speed"),
        ("{ingest: 1G, growth: 0.5}", "at least 1"),
        ("{reads: 1G}", "reads"),
    ],
)
def test_what_is_no_demand_is_refused(demand: str, words: str) -> None:
    made = compiled(demand)
    assert not made.ok
    assert any(words in item.message for item in made.findings), made.findings


def test_a_sized_site_has_the_demand_that_it_was_sized_for() -> None:
    rates = ("--ingest", "100G", "--checkpoint", "200G", "--storage-reads", "1250G")
    words = ("--servers", "16", "--frontend-ports", "2", "--storage-servers", "8", *rates)
    (each,) = candidates(needs(*words, "--growth", "2"), [design_of("rail-only")])
    files = whole_site(each)
    assert "  demand: {ingest: 100G, growth: 2}\n" in files["frontend.yaml"]
    assert "    demand: {rate: 181.25, servers: 16}\n" in files["storage.yaml"]
    made = compile_site(load_texts(files))
    assert made.ok
    assert ASKED.isdisjoint(item.code for item in made.findings)
    assert 'cages: "1"' in files["frontend.yaml"]


def test_few_storage_servers_bound_what_is_read_from_them() -> None:
    rates = ("--storage-reads", "1.6T")
    words = ("--servers", "16", "--frontend-ports", "2", "--storage-servers", "4", *rates)
    (each,) = candidates(needs(*words), [design_of("rail-only")])
    assert [one.fits for one in each.asked] == [True]
    (each,) = candidates(needs(*words, "--growth", "1.1"), [design_of("rail-only")])
    assert [one.fits for one in each.asked] == [False]


def test_a_sized_site_has_external_cages_for_what_enters() -> None:
    words = ("--servers", "16", "--frontend-ports", "2", "--inference", "400G")
    (each,) = candidates(needs(*words, "--growth", "1.5"), [design_of("rail-only")])
    assert 'wan1: {leaf: 1, cages: "1-3"}' in whole_site(each)["frontend.yaml"]


@pytest.mark.parametrize("text", ["1250G", "1.6T", "400G", "2.5G", "100M"])
def test_a_rate_is_written_as_it_is_read(text: str) -> None:
    assert BitsPerSecond.parse(BitsPerSecond.parse(text).written) == BitsPerSecond.parse(text)
    assert BitsPerSecond.parse("1250G").written == "1250G"
