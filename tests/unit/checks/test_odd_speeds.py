"""Port speeds that are odd for a kind of servers, and those at the limits, which are not."""

import pytest
from tests.unit.checks.sites import MANAGEMENT, cut, designed, examine

from fabricgen.compile.checks.odd_speeds import OddSpeeds
from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code, Diagnostic, Severity, has_errors
from fabricgen.intent.load import load_texts

CPU = "front: {fabric: frontend, group: cpus, speed: 100G, per_leaf: 2}"
GPU = "front: {fabric: frontend, group: gpus, speed: 25G, per_leaf: 2}"
RAIL = "rail: {fabric: backend, speed: 400G}"
BMC = "bmc: {fabric: oob, speed: 1G}"
DATA = "data: {fabric: storage, group: compute, speed: 100G}"
TEN = ("gpus, speed: 25G", "gpus, speed: 10G")
OF_KINDS = ("{servers: {count: 2, speed: 400G}, per_leaf: 4}", "{per_leaf: 4}")
SLOW_LEAF = ("7280SR3-48YC8", "7050TX3-48C8")
BACKEND = ("backend:\n  design: rail-only\n  leaf: {model: 7060DX5-64S, platform: eos}\n", "")
SITE = f"""
servers:
  cpu: {{count: 2, ports: {{{CPU}, {BMC}}}}}
  gpu: {{count: 2, gpus: 4, ports: {{{GPU}, {RAIL}, {BMC}}}}}
  station: {{count: 1, ports: {{{BMC}}}}}
backend:
  design: rail-only
  leaf: {{model: 7060DX5-64S, platform: eos}}
frontend:
  leaf: {{model: 7060DX5-64S, platform: eos}}
  spine: {{model: 7060DX5-64S, platform: eos, count: 4}}
  links: {{speed: 100G}}
  leaf_groups:
    cpus: {{leafs: 1-1}}
    gpus: {{leafs: 2-2, hardware: {{model: 7280SR3-48YC8, platform: eos}}}}
racks:
  all:
    count: 1
    height: 60
    contents:
      - {{servers: cpu, count: 2}}
      - {{servers: gpu, count: 2}}
      - {{servers: station, count: 1}}
      - {{switches: "*"}}
fabrics:
  storage:
    kind: routed
    leaf: {{model: 7060DX5-64S, platform: eos}}
    spine: {{model: 7060DX5-64S, platform: eos, count: 2}}
    sides:
      compute: {{servers: {{count: 2, speed: 400G}}, per_leaf: 4}}
      storage: {{servers: {{count: 2, speed: 400G}}, per_leaf: 5}}
  oob:
    kind: access
    speed: 1G
    leaf: {{model: AS4630-54PE, platform: sonic}}
    spine: {{model: 7050CX3-32S, platform: eos, count: 2}}
    zones: {{all: {{switch: 1}}}}
    vlans: {{switches: {{id: 20}}, bmc: {{id: 10, subnet: 10.250.0.0/22}}}}
"""


def found(*changes: tuple[str, str]) -> list[Diagnostic]:
    """Return what the check finds in the site with other words."""
    text = SITE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    site = designed(text)
    result = examine(OddSpeeds, site)
    assert result.objects == len(cut(site))
    return list(result.findings)


def cpus_at(speed: str, ports: str = "") -> tuple[str, str]:
    """Return the change that gives the CPU servers other ports."""
    new = CPU.replace("100G", speed)
    return CPU, f"{new}, {ports}" if ports else new


def controllers_at(speed: str, model: str) -> tuple[tuple[str, str], ...]:
    """Return the changes that give the out-of-band network another speed and EOS switches."""
    leaf = ("{model: AS4630-54PE, platform: sonic}", f"{{model: {model}, platform: eos}}")
    return ("speed: 1G", f"speed: {speed}"), leaf


def test_usual_speeds_are_not_remarked() -> None:
    assert found() == []


@pytest.mark.parametrize("speed", ["200G", "400G"])
def test_a_cpu_server_is_remarked_from_400g_on(speed: str) -> None:
    paths = [(each.path, each.severity) for each in found(cpus_at(speed))]
    odd = (("servers", "cpu", "ports", "front", "speed"), Severity.NOTE)
    assert paths == ([odd] if speed == "400G" else [])


@pytest.mark.parametrize(
    "reason",
    [
        [cpus_at("400G", DATA.replace("100G", "400G")), OF_KINDS],
        [cpus_at("400G"), ("cpu: {count: 2", "cpu: {count: 2, gpus: 1")],
        [cpus_at("400G"), ("  links: {", "  roce: {pfc: false}\n  links: {")],
        [(f"{RAIL}, ", ""), cpus_at("400G", RAIL.replace("400G", "400G, nics: 4"))],
    ],
    ids=["a storage network", "GPUs without rails", "a lossless frontend", "rails"],
)
def test_a_fast_server_with_a_reason_is_not_remarked(reason: list[tuple[str, str]]) -> None:
    assert found(*reason) == []


def test_a_storage_network_with_an_error_makes_no_speed_odd() -> None:
    sound = SITE.replace(*cpus_at("400G", DATA.replace("100G", "400G"))).replace(*OF_KINDS)
    broken = sound.replace("count: 2}\n    sides", "count: 900}\n    sides")
    findings = compile_site(load_texts({"site.yaml": MANAGEMENT + broken})).findings
    assert has_errors(findings)
    assert {each.code for each in findings if each.code is Code.ODD_SPEED} == set()


def test_a_gpu_server_is_remarked_below_25g_only() -> None:
    (odd,) = found(TEN, SLOW_LEAF)
    assert odd.path == ("servers", "gpu", "ports", "front", "speed")
    assert (odd.code, odd.severity) == (Code.ODD_SPEED, Severity.NOTE)
    assert "at 10G, and its GPUs" in odd.message


def test_a_cpu_server_at_10g_is_not_remarked() -> None:
    assert found(TEN, SLOW_LEAF, ("gpus: 4, ", ""), (f"{RAIL}, ", ""), BACKEND) == []


@pytest.mark.parametrize(
    "storage",
    [
        [(RAIL, f"{RAIL}, {DATA}"), OF_KINDS],
        [("rail-only\n", "rail-only\n  roce: {storage: {dscp: 34, share: 20}}\n")],
    ],
    ids=["on a routed fabric", "on the rails"],
)
def test_a_gpu_server_with_faster_storage_is_not_remarked(storage: list[tuple[str, str]]) -> None:
    assert found(TEN, SLOW_LEAF, *storage) == []


def test_each_kind_with_a_fast_bmc_is_remarked_but_not_a_station() -> None:
    assert found(*controllers_at("10G", "7050TX3-48C8")) == []
    odd = found(*controllers_at("25G", "7280SR3-48YC8"))
    assert [each.path[1] for each in odd] == ["cpu", "gpu"]
