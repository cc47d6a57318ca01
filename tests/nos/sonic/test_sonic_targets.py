"""Whole sites on SONiC: what the release and the role of a switch change in its files."""

import re
from pathlib import Path
from typing import Any

import pytest
from tests.nos.sonic.switches import HEAD, RAIL_ONLY, SONIC, slices

from fabricgen.compile.compiler import Compiled, compile_site
from fabricgen.core.diagnostics import Code, Severity, has_errors
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.nos.lowering import PORTS_ALONE, spell
from fabricgen.nos.sonic.lower import lower_config_db
from fabricgen.nos.sonic.names import layout

DOCS = Path(__file__).parents[3] / "docs"
SITE = """
site:
  name: lab
  management: {{subnet: 10.255.0.0/22, ntp: [10.255.0.250, 10.255.0.251]}}
  accept_unsupported: [local-users, pfc-watchdog]
backend:
  design: {design}
  servers: {{count: {count}, gpus: 8, nic_speed: {speed}{more}}}
  leaf: {{model: {model}, platform: {platform}}}
"""


def pieces(model: str, speed: str, release: str = "202605") -> Any:
    """Return one leaf of a small fabric of a model, and one spine."""
    text = SITE.format(
        design="rail-optimized", count=8, speed=speed, model=model, platform="sonic", more=""
    )
    text += f"  spine: {{model: {model}, platform: sonic}}\n  links: {{speed: {speed}}}\n"
    text += "  roce: {over_subscription: 16}\n"
    every = slices(text, f"sonic:{release}")
    leaf = next(switch_slice for switch_slice in every if switch_slice.switch.is_leaf)
    return leaf, next(switch_slice for switch_slice in every if not switch_slice.switch.is_leaf)


def tables(switch_slice: SwitchSlice) -> dict[str, Any]:
    return dict(lower_config_db(switch_slice, spell).tables)


@pytest.mark.parametrize(
    ("model", "speed", "leaf", "spine"),
    [
        ("7060X6-64PE", "200G", "165660324", "121964196"),
        ("7050CX3-32S", "100G", "32732160", "32712448"),
        ("Z9332F-ON", "400G", "66394076", "66394076"),
    ],
)
def test_a_spine_has_the_pools_of_its_own_template(
    model: str, speed: str, leaf: str, spine: str
) -> None:
    """buffers_config.j2 takes t0 for a ToRRouter and t1 for a LeafRouter."""
    pools = [
        tables(switch_slice)["BUFFER_POOL"]["ingress_lossless_pool"]
        for switch_slice in pieces(model, speed)
    ]
    assert [pool["size"] for pool in pools] == [leaf, spine]


def test_the_budget_of_a_spine_counts_with_the_pool_that_is_written() -> None:
    leaf, spine = pieces("7060X6-64PE", "200G")
    assert leaf.buffers is not None
    assert spine.buffers is not None
    assert leaf.buffers.shared - spine.buffers.shared == 165_660_324 - 121_964_196


@pytest.mark.parametrize(
    ("release", "alias"),
    [("202405", "Ethernet1/1"), ("202411", "Ethernet1/1"), ("202505", "etp1a")],
)
def test_neighbors_hear_the_alias_of_the_release(release: str, alias: str) -> None:
    leaf, _ = pieces("7060X6-64PE", "200G", release)
    written = tables(leaf)["PORT"]["Ethernet0"]["alias"]
    assert written == alias
    assert PORTS_ALONE(leaf.switch, leaf.switch.ports[0]) == (leaf.switch.name, alias)


def test_the_alias_of_a_split_port_follows_the_slip_of_platform_json() -> None:
    """Cage 41 of an SN4600C is called etp42a and etp42b when it is split, and so is cage 42."""
    text = HEAD + RAIL_ONLY.format(model="SN4600C", speed="50G", more="")
    (switch_slice, *_) = slices(text)
    aliases = {
        names.name: names.alias
        for names in layout(switch_slice.switch.model, switch_slice.switch.ports)
    }
    assert [aliases[f"Ethernet{n}"] for n in (156, 158, 160, 162, 164, 166)] == [
        "etp40a",
        "etp40b",
        "etp42a",
        "etp42b",
        "etp42a",
        "etp42b",
    ]
    port = next(p for p in switch_slice.switch.ports if (p.cage, p.sub) == (41, 1))
    assert PORTS_ALONE(switch_slice.switch, port) == (switch_slice.switch.name, "etp42b")


@pytest.mark.parametrize(
    ("model", "speed", "hwsku"),
    [
        ("S5232F-ON", "100G", "DellEMC-S5232f-C32"),
        ("S5232F-ON", "25G", "DellEMC-S5232f-C32"),
        ("7220-IXR-H5-64D", "400G", "Nokia-IXR7220-H5-64D"),
    ],
)
def test_a_lossless_class_that_ships_is_written(model: str, speed: str, hwsku: str) -> None:
    (switch_slice, *_) = slices(HEAD + RAIL_ONLY.format(model=model, speed=speed, more=""))
    assert not [gap for gap in SONIC.gaps(switch_slice) if gap.severity is Severity.ERROR]
    made = tables(switch_slice)
    assert made["DEVICE_METADATA"]["localhost"]["hwsku"] == hwsku
    assert any(name.startswith("pg_lossless_") for name in made["BUFFER_PROFILE"])


def compiled(
    model: str, platform: str, speed: str, meters: int, files: dict[str, str] | None = None
) -> Compiled:
    text = SITE.format(
        design="rail-only",
        count=4,
        speed=speed,
        model=model,
        platform=platform,
        more=f", cable_length: {meters}",
    )
    text += "  roce: {over_subscription: 16}\n"
    return compile_site(load_texts({"site.yaml": text, **(files or {})}))


@pytest.mark.parametrize(
    ("model", "platform", "speed", "meters", "severity"),
    [
        ("7050CX3-32S", "sonic", "100G", 400, Severity.ERROR),  # rows are for 300 m at most
        ("7050CX3-32S", "sonic", "100G", 300, None),
        ("7050CX3-32S", "eos", "25G", 5, Severity.WARNING),  # EOS keeps its own headroom there
        ("7060X6-64PE", "eos", "400G", 200, None),  # a fit to rows of Tomahawk 5
        ("Z9664F-ON", "sonic", "400G", 400, None),
        ("SN5600", "sonic", "400G", 400, None),  # the switch computes it
    ],
)
def test_headroom_without_a_row_or_a_fit_is_refused(
    model: str, platform: str, speed: str, meters: int, severity: Severity | None
) -> None:
    found = [
        item
        for item in compiled(model, platform, speed, meters).findings
        if item.code is Code.HEADROOM_UNKNOWN
    ]
    assert {item.severity for item in found} == ({severity} if severity else set())
    assert all("`catalog/switches`" in item.hint for item in found)


def test_a_site_may_bring_a_row_of_its_own() -> None:
    """The example of docs/design/hardware.md: a row beside those that SONiC ships."""
    page = (DOCS / "design" / "hardware.md").read_text()
    (text,) = re.findall(r"```yaml\n(model: 7050CX3-32S\n.*?)```", page, re.DOTALL)
    brought = {"catalog/switches/arista-7050cx3-32s.yaml": text}
    made = compiled("7050CX3-32S", "sonic", "100G", 400, brought)
    assert not [item.message for item in made.findings if has_errors([item])]
    assert made.ok
