"""Schedulers are told who is near whom: units below pods below the fabric, each node once."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_site
from fabricgen.operate.export.scheduler.files import (
    Unit,
    hostlist,
    scheduled,
    topology_conf,
    topology_yaml,
    tree,
    units,
)

SITES = ["rail-only", "rail-optimized", "three-tier", "full", "pairs"]


def files(name: str) -> dict[str, str]:
    site = compile_site(load_site(Path("intent") / name)).site
    assert site is not None
    return {file.path: file.text for file in scheduled(site)}


def expanded(text: str) -> list[str]:
    """Read a hostlist expression as Slurm does."""
    names: list[str] = []
    for part in re.findall(r"[^,\[]+(?:\[[^]]*\])?", text):
        stem, bracket, inside = part.partition("[")
        if not bracket:
            names.append(stem)
            continue
        for run in inside.rstrip("]").split(","):
            first, _, last = run.partition("-")
            names += [
                f"{stem}{number:0{len(first)}}"
                for number in range(int(first), int(last or first) + 1)
            ]
    return names


@pytest.mark.parametrize(
    ("names", "told"),
    [
        (["gpu0001", "gpu0002", "gpu0003"], "gpu[0001-0003]"),
        (["gpu0001", "gpu0003"], "gpu[0001,0003]"),
        (["gpu0007"], "gpu0007"),
        (["a", "b1", "b2"], "a,b[1-2]"),
        (["gpu9999", "gpu10000"], "gpu9999,gpu10000"),
        (["r1-n1", "r1-n2", "r2-n1"], "r1-n[1-2],r2-n1"),
    ],
)
def test_names_are_spelled_as_hostlists(names: list[str], told: str) -> None:
    assert hostlist(names) == told
    assert expanded(told) == names


@pytest.mark.parametrize("name", SITES)
def test_every_server_with_rails_is_below_one_switch_and_all_below_one_root(name: str) -> None:
    site = compile_site(load_site(Path("intent") / name)).site
    assert site is not None
    for fabric in (each for each in site.fabrics if each.gpus):
        text = files(name)[f"{fabric.name}/topology.conf"]
        nodes: list[str] = []
        above: dict[str, str] = {}
        for switch, kind, those in re.findall(r"SwitchName=(\S+) (Nodes|Switches)=(\S+)", text):
            if kind == "Nodes":
                nodes += expanded(those)
            else:
                above |= dict.fromkeys(expanded(those), switch)
        rails = {link.lower.name for link in fabric.topology.links if link.to_server}
        assert sorted(nodes) == sorted(rails)
        assert len(nodes) == len(set(nodes))
        roots = {switch for switch, _, _ in tree(fabric.name, units(fabric))} - above.keys()
        assert len(roots) == 1


def test_units_are_below_their_pods() -> None:
    text = files("three-tier")["backend/topology.conf"]
    assert "SwitchName=backend-su001 Nodes=gpu[0001-0032]\n" in text
    assert "SwitchName=backend-pod02 Switches=backend-su[003-004]\n" in text
    assert text.endswith("SwitchName=backend Switches=backend-pod[01-04]\n")


def test_the_yaml_says_the_same_and_has_units_as_blocks() -> None:
    made = files("three-tier")
    tree_of, blocks = yaml.safe_load(made["backend/topology.yaml"])
    rows: list[dict[str, Any]] = tree_of["tree"]["switches"]
    lines = [
        f"SwitchName={row['switch']} "
        + (f"Nodes={row['nodes']}" if "nodes" in row else f"Switches={row['children']}")
        for row in rows
    ]
    assert lines == made["backend/topology.conf"].splitlines()[1:]
    assert (tree_of["cluster_default"], blocks["cluster_default"]) == (True, False)
    assert blocks["block"]["block_sizes"] == [32]
    assert len(blocks["block"]["blocks"]) == 8


def test_no_block_has_fewer_nodes_than_the_base_size() -> None:
    """topology.yaml(5): each block must have at least the base block size count of nodes."""
    two = [
        Unit(number=1, pod=1, servers=("a1", "a2"), rails={"a1": 8, "a2": 8}),
        Unit(number=2, pod=1, servers=("a3",), rails={"a3": 8}),
    ]
    _, blocks = yaml.safe_load(topology_yaml("backend", two))
    assert blocks["block"]["block_sizes"] == [1]


def test_names_of_switches_are_short_enough_for_slurm() -> None:
    one = [Unit(number=1, pod=1, servers=("a1",), rails={"a1": 8})]
    (name,) = re.findall(r"SwitchName=(\S+)", topology_conf("b" * 40, one))
    assert len(name) <= 64


def test_nodes_are_labeled_with_keys_and_values_that_kubernetes_takes() -> None:
    """63 characters of letters, digits, `-`, `_` and `.`, with a letter or digit at both ends."""
    name = re.compile(r"[A-Za-z0-9]([A-Za-z0-9_.-]{0,61}[A-Za-z0-9])?")
    text = files("three-tier")["backend/labels.sh"]
    lines = text.splitlines()[2:]
    assert len(lines) == 256
    for line in lines:
        words = line.split()
        assert words[:4] == ["kubectl", "label", "--overwrite", "node"]
        for word in words[5:]:
            key, _, value = word.partition("=")
            prefix, _, last = key.rpartition("/")
            assert prefix in ("", "network.topology.nvidia.com")
            assert name.fullmatch(last)
            assert name.fullmatch(value)
    assert "gpu0065 network.topology.nvidia.com/leaf=backend-su003 " in text
    assert "/spine=backend-pod02 " in lines[64]
    assert lines[64].endswith("fabric-unit=3 fabric-pod=2 fabric-rails=8")


def test_a_site_without_gpus_has_none() -> None:
    assert files("tenants") == {}
