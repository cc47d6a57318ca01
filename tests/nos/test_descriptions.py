"""Descriptions as people want them: on each platform, read back, and no longer than it takes."""

from functools import cache
from pathlib import Path

import pytest

from fabricgen.compile.compiler import compile_site, files_of, folder_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.prove.written import prove

EDGE = Path(__file__).parents[2] / "intent" / "edge" / "site.yaml"
SAID = """  name: edge
  descriptions:
    link: "[link] {peer} {peer_port}"
    server: "{server} {nic} at {site}"
    external: "provider {peer} by {port}"
    bundle: "bundle to {peer} by {switch}"
"""
FABRIC = '\nfrontend:\n  descriptions: {link: "up {peer}, {peer_port}"}\n'
WRITTEN = {
    "eos": (
        "eos.cfg",
        [
            "   description up fe-spine1, Ethernet1/1\n",
            "   description fe-leaf01-s01 eth0 at edge\n",
            "   description provider isp1 by Ethernet19/1\n",
            "   description bundle to isp1 by fe-leaf01\n",
            "   description provider isp1 by Port-Channel1019.101\n",
        ],
    ),
    "sonic": (
        "config_db.json",
        [
            '"description": "up fe-spine1, Ethernet0"',
            '"description": "fe-leaf01-s01 eth0 at edge"',
            '"description": "provider isp1 by Ethernet72"',
            '"description": "bundle to isp1 by fe-leaf01"',
        ],
    ),
    "linux": (
        "etc/network/interfaces",
        [
            "    alias up fe-spine1, swp1\n",
            "    alias fe-leaf01-s01 eth0 at edge\n",
            "    alias provider isp1 by swp19\n",
            "    alias bundle to isp1 by fe-leaf01\n",
            "    alias provider isp1 by bond1019.101\n",
        ],
    ),
}


@cache
def leaf(platform: str) -> tuple[SwitchSlice, dict[str, str]]:
    text = EDGE.read_text().replace("  name: edge\n", SAID).replace("\nfrontend:\n", FABRIC)
    model = {"sonic": "SN3700"}.get(platform, "7050CX3-32S")
    text = text.replace("7050CX3-32S", model).replace(", release: debian13", "")
    made = compile_site(load_texts({"site.yaml": text}), platform)
    assert made.site is not None
    _, switch_slice = next(each for each in slices(made.site) if each[1].external)
    folder = folder_of(switch_slice.switch) + "/"
    files = files_of(switch_slice, Renderer())
    return switch_slice, {file.path.removeprefix(folder): file.text for file in files}


@pytest.mark.parametrize("platform", WRITTEN)
def test_each_kind_of_port_has_the_text_of_its_pattern(platform: str) -> None:
    name, texts = WRITTEN[platform]
    _, files = leaf(platform)
    assert [text for text in texts if text not in files[name]] == []
    assert "to outside:isp1" not in files[name]


@pytest.mark.parametrize("platform", WRITTEN)
def test_they_are_read_back_and_agree_with_the_design(platform: str) -> None:
    switch_slice, files = leaf(platform)
    assert prove(switch_slice, files).findings == ()


@pytest.mark.parametrize("platform", WRITTEN)
def test_another_text_is_found(platform: str) -> None:
    name, texts = WRITTEN[platform]
    switch_slice, files = leaf(platform)
    for text in texts:
        wrong = files[name].replace(text, text.replace("isp1", "isp2").replace("fe-", "be-"), 1)
        assert prove(switch_slice, {**files, name: wrong}).findings, text
