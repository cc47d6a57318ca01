"""A server's routed port and the BGP over it: one neutral thing beside its spelling on each NOS."""

import json

import pytest
from tests.nos.tenants import spoken

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import SwitchSlice

MODELS = {"eos": "7050CX3-32S", "sonic": "SN3700", "linux": "SN3700"}
FRR = """\
 neighbor 10.96.0.1 remote-as 65101
 neighbor 10.96.0.1 description node0001:front0
 neighbor 10.96.0.1 bfd
  neighbor 10.96.0.1 default-originate
  neighbor 10.96.0.1 maximum-prefix 200
  neighbor 10.96.0.1 route-map IN-red_nodes in
  neighbor 10.96.0.1 route-map OUT-red_nodes out
ip prefix-list IN-red_nodes seq 10 permit 10.200.1.1/32
ip prefix-list IN-red_nodes seq 20 permit 10.112.0.0/14 le 32
ip prefix-list OUT-red_nodes seq 10 permit 0.0.0.0/0
route-map IN-red_nodes permit 10"""
SAID = {
    "eos": """\
   vrf red
   ip address 10.96.0.0/31
      neighbor 10.96.0.1 remote-as 65101
      neighbor 10.96.0.1 bfd
      neighbor 10.96.0.1 description node0001:front0
      neighbor 10.96.0.1 route-map IN-red_nodes in
      neighbor 10.96.0.1 route-map OUT-red_nodes out
      neighbor 10.96.0.1 default-originate always
      neighbor 10.96.0.1 maximum-routes 200
         neighbor 10.96.0.1 activate
ip prefix-list IN-red_nodes
   seq 10 permit 10.200.1.1/32
   seq 20 permit 10.112.0.0/14 le 32""",
    "sonic": FRR,
    "linux": FRR,
}


def leaf(platform: str) -> tuple[SwitchSlice, dict[str, str]]:
    """Return the first leaf and its files by name."""
    text = spoken(MODELS[platform], platform)
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.ok, made.findings
    assert made.site is not None
    switch_slice = next(each for _, each in slices(made.site) if each.switch.is_leaf)
    files = files_of(switch_slice, Renderer())
    return switch_slice, {file.path.rpartition("/")[2]: file.text for file in files}


@pytest.mark.parametrize("platform", SAID)
def test_a_server_is_a_neighbor_in_its_vrf(platform: str) -> None:
    _, files = leaf(platform)
    lines = [line for text in files.values() for line in text.splitlines()]
    missing = [line for line in SAID[platform].splitlines() if line not in lines]
    assert missing == []
    lists = [line for line in lines if "prefix-list IN-red_nodes" in line and "match" not in line]
    assert len(lists) == len(set(lists))  # two servers share one


def test_the_port_is_routed_in_the_vrf_on_sonic() -> None:
    _, files = leaf("sonic")
    ports = json.loads(files["config_db.json"])["INTERFACE"]
    ours = [name for name in ports if name.endswith("|10.96.0.0/31")]
    assert [ports[name.partition("|")[0]]["vrf_name"] for name in ours] == ["Vrf_red"]


def test_the_port_is_routed_in_the_vrf_on_linux() -> None:
    _, files = leaf("linux")
    assert "    address 10.96.0.0/31\n    vrf red\n" in files["interfaces"]
