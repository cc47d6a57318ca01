"""Designs that are published, rebuilt from an intent: switches and cables are as many as printed.

Each file beside this one is an intent and names its source. docs/start/designs.md has the table.
Models are ones of the catalog with as many ports.
"""

from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

import pytest
import yaml

from fabricgen.compile.design.findings import Findings
from fabricgen.compile.design.site import design_site
from fabricgen.compile.design.wiring.backend_size import size_backend
from fabricgen.compile.reports.ratios import ratios
from fabricgen.core.diagnostics import Code, Diagnostic, has_errors
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site
from fabricgen.model.fabric.topology import Nic, Role, Server, Topology

HERE = Path(__file__).parent
DESIGNS = sorted(path.stem for path in HERE.glob("*.yaml"))
DOCS = HERE.parents[1] / "docs" / "start" / "designs.md"


class Printed(NamedTuple):
    """What a publication prints: servers, switches by tier, cables by the tier they end at."""

    servers: int
    leafs: int
    spines: int
    tops: int
    below: int
    up: int
    top: int = 0


# name of the design: what its table prints, a row for each size
PRINTED: dict[str, list[Printed]] = {
    "superpod-h100": [
        Printed(31, 8, 4, 0, 248, 256),
        Printed(63, 16, 8, 0, 504, 512),
        Printed(95, 24, 16, 0, 760, 768),
        Printed(127, 32, 16, 0, 1016, 1024),
    ],
    "superpod-h100-whole": [],
    "superpod-b200": [
        Printed(64, 16, 8, 0, 512, 512),
        Printed(128, 32, 16, 0, 1024, 1024),
        Printed(256, 64, 32, 0, 2048, 2048),
    ],
    "superpod-b200-core": [
        Printed(512, 128, 128, 64, 4096, 4096, 4096),
        Printed(1024, 256, 256, 128, 8192, 8192, 8192),
        Printed(2048, 512, 512, 256, 16384, 16384, 16384),
    ],
    "superpod-b300": [
        Printed(64, 16, 8, 0, 2 * 512, 2 * 512),
        Printed(128, 32, 16, 0, 2 * 1024, 2 * 1024),
        Printed(256, 64, 32, 0, 2 * 2048, 2 * 2048),
        Printed(512, 128, 64, 0, 2 * 4096, 2 * 4096),
        Printed(1024, 256, 128, 0, 2 * 8192, 2 * 8192),
    ],
    "alibaba-hpn": [Printed(1920, 240, 120, 120, 30720, 14400, 960)],
    "meta-24k": [Printed(3072, 1536, 256, 32, 24576, 49152, 7168)],
    "juniper-h100": [Printed(64, 32, 16, 0, 512, 512)],
    "juniper-h100-frontend": [Printed(64, 2, 2, 0, 64, 16)],
    "juniper-h100-storage": [Printed(128, 8, 4, 0, 128, 128)],
    "juniper-amd-frontend": [Printed(16, 4, 2, 0, 16, 16)],
    "amd-mi300x-fat-tree": [Printed(128, 32, 16, 0, 1024, 1024)],
    "asterfusion-rail-only": [Printed(32, 4, 0, 0, 128, 0)],
    "asterfusion-two-tier": [Printed(64, 4, 2, 0, 256, 128)],
    "asterfusion-256k": [],
    "bytedance-megascale": [Printed(1536, 192, 192, 128, 12288, 6144, 6144)],
}
PAIRS = {
    "asterfusion-two-tier": {16},
    "juniper-amd-frontend": {2},
    "juniper-h100-frontend": {4},
    "juniper-h100-storage": {4},
}
"""Links of each pair of a leaf and a spine, where that is printed."""


class Network(NamedTuple):
    """What is printed of one of several networks: its switches, and its cables by their ends."""

    switches: int
    cables: dict[str, int]
    between: int


# the design, its networks: the kind of servers at the end of a cable; what is no server is ""
WHOLE: dict[str, dict[str, Network]] = {
    "superpod-h100-whole": {
        "backend": Network(48, {"dgx": 1016}, 1024),
        "storage": Network(16, {"dgx": 254, "hps": 48}, 494 - 254),
        "frontend": Network(8, {"dgx": 254, "bcm": 8, "nfs": 8}, 24),
        "oob": Network(8 + 2, {"dgx": 127, "bcm": 4, "ufm": 4, "": 64 + 8 + 108}, 16),
    }
}
"""Two switches of `oob` are its own pair; in print its uplinks end on switches of the frontend."""


def intent(name: str, servers: int | None = None) -> dict[str, Any]:
    """Return a design's intent, with another number of servers."""
    words: dict[str, Any] = yaml.safe_load((HERE / f"{name}.yaml").read_text())
    if servers is not None:
        words["backend"]["servers"]["count"] = servers
    return words


def texts(words: dict[str, Any]) -> dict[str, str]:
    """Return the files of a site: a design's intent, and the facts that the designs add."""
    facts = {
        f"{path.relative_to(HERE)}": path.read_text() for path in HERE.glob("catalog/*/*.yaml")
    }
    return {"site.yaml": yaml.safe_dump(words), **facts}


def designed(words: dict[str, Any]) -> tuple[Site, list[Diagnostic]]:
    loaded = load_texts(texts(words))
    assert loaded.intent is not None, loaded.findings
    return design_site(loaded.intent)


def counted(words: dict[str, Any]) -> Printed:
    site, findings = designed(words)
    assert not has_errors(findings), [item.message for item in findings]
    topology = site.fabrics[0].topology
    tiers = [sum(switch.role is role for switch in topology.switches) for role in Role]
    return Printed(len(topology.servers), *tiers, *cables(topology))


def cables(topology: Topology) -> list[int]:
    return [sum(link.upper.role is role for link in topology.links) for role in Role]


@pytest.mark.parametrize(
    ("name", "printed"),
    [(name, row) for name, rows in PRINTED.items() for row in rows],
    ids=lambda value: value if isinstance(value, str) else str(value.servers),
)
def test_a_design_has_the_switches_and_cables_that_are_printed(name: str, printed: Printed) -> None:
    words = intent(name, printed.servers if len(PRINTED[name]) > 1 else None)
    assert counted(words) == printed


@pytest.mark.parametrize(
    ("name", "network"),
    [(name, network) for name, networks in WHOLE.items() for network in networks],
)
def test_each_network_of_a_whole_site_is_as_large_as_printed(name: str, network: str) -> None:
    site, findings = designed(intent(name))
    assert not has_errors(findings), [item.message for item in findings]
    (topology,) = (each.topology for each in site.fabrics if each.name == network)
    ends = Counter(link.lower.kind for link in topology.links if isinstance(link.lower, Server))
    between = sum(not link.to_server for link in topology.links)
    assert Network(len(topology.switches), ends, between) == WHOLE[name][network]


@pytest.mark.parametrize("name", PAIRS)
def test_a_pair_has_the_links_that_are_printed(name: str) -> None:
    made = designed(intent(name))[0].fabrics[0].topology
    pairs = Counter((link.lower.name, link.upper.name) for link in made.links if not link.to_server)
    assert set(pairs.values()) == PAIRS[name]


def ratios_of(name: str) -> dict[str, float]:
    return ratios(designed(intent(name))[0].fabrics[0].topology)


def test_meta_has_full_bisection_in_a_pod_and_seven_to_one_above_it() -> None:
    told = ratios_of("meta-24k")
    assert told[Role.LEAF] == 1
    assert 6.8 < told[Role.SPINE] <= 7


def test_alibaba_has_fifteen_to_one_above_a_pod() -> None:
    told = ratios_of("alibaba-hpn")
    assert told[Role.LEAF] == pytest.approx(128 * 200 / (60 * 400))
    assert told[Role.SPINE] == 15


def test_alibaba_puts_the_ports_of_a_nic_on_two_leafs_of_two_planes() -> None:
    made = designed(intent("alibaba-hpn"))[0].fabrics[0].topology
    first = [link.upper for link in made.links_at[made.servers[0].name]][:2]
    assert len({leaf.name for leaf in first}) == 2
    assert {leaf.plane for leaf in first} == {1, 2}
    assert {leaf.rails for leaf in first} == {(1,)}


def test_planes_of_the_b300_superpod_never_meet() -> None:
    made = designed(intent("superpod-b300"))[0].fabrics[0].topology
    planes = {switch.name: switch.plane for switch in made.switches}
    between = [link for link in made.links if not link.to_server]
    assert all(planes[link.lower.name] == planes[link.upper.name] for link in between)
    to_first = [link for link in made.links if link.to_server and link.upper.plane == 1]
    assert 2 * len(to_first) == 64 * 8 * 2


def test_asterfusion_puts_nic_n_on_leaf_n_and_refuses_a_server_more() -> None:
    made = designed(intent("asterfusion-rail-only"))[0].fabrics[0].topology
    for link in made.links:
        assert isinstance(link.lower_port, Nic)
        assert link.upper.index == link.lower_port.rail
    (refused,) = designed(intent("asterfusion-rail-only", 33))[1]
    assert refused.code is Code.PORTS_EXHAUSTED
    assert "33 servers" in refused.message
    assert "32 ports of 400G" in refused.message


def test_asterfusion_has_eight_rails_of_512_leafs_and_256_spines() -> None:
    loaded = load_texts({"site.yaml": (HERE / "asterfusion-256k.yaml").read_text()})
    assert loaded.intent is not None
    assert loaded.intent.backend is not None
    size = size_backend(loaded.intent.backend, Findings())  # its million cables are not wired
    assert size.spines is not None
    assert (size.units, size.groups(1), len(size.blocks)) == (512, 8, 8)
    assert (size.spines.count, size.spines.per_pair, str(size.spines.speed)) == (256, 1, "100G")
    assert len(size.spines.face.down) == 512


def test_a_server_more_than_a_unit_takes_two_leafs_where_its_rails_share_them() -> None:
    words = intent("superpod-b300", 65)
    assert counted(words).leafs == 32
    words["backend"]["scalable_unit"]["shared"] = [{"units": "2", "rails_per_leaf": 8}]
    assert counted(words).leafs == 18


def test_every_design_is_printed_and_stands_in_the_table() -> None:
    assert sorted(PRINTED) == DESIGNS
    table = [line for line in DOCS.read_text().splitlines() if line.startswith("| [")]
    assert [line.split("[")[1].split("]")[0] for line in table] == list(PRINTED)
