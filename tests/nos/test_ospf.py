"""Routers outside that speak OSPF: what each platform writes, or why it does not."""

import pytest
from tests.nos.tenants import flooded

from fabricgen.compile.compiler import compile_site, files
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts

WRITTEN = {
    "eos": """
interface Port-Channel1019.101
   ip ospf network point-to-point
   ip ospf area 0.0.0.0
      redistribute ospf match internal route-map IN-red_isp1
      redistribute ospf match external route-map IN-red_isp1
router ospf 3001 vrf red
   redistribute bgp route-map OUT-red_isp1
   redistribute connected route-map OUT-red_isp1
   redistribute static route-map OUT-red_isp1
   distribute-list route-map IN-red_isp1 in
""",
    "linux": """
ospfd=yes
 ip protocol ospf route-map IN-red_isp1
interface bond1019.101
 ip ospf area 0.0.0.0
 ip ospf network point-to-point
  redistribute ospf route-map IN-red_isp1
router ospf vrf red
 redistribute connected route-map OUT-red_isp1
 redistribute static route-map OUT-red_isp1
 redistribute bgp route-map OUT-red_isp1
 distance 15
""",
}
BEHIND = {
    "eos": """
interface Ethernet22/1
   ip ospf area 0.0.0.5
   seq 10 permit 203.0.113.0/24 le 26
""",
    "linux": """
interface swp22
 ip ospf area 0.0.0.5
ip prefix-list IN-red_isp2 seq 10 permit 203.0.113.0/24 le 26
ip prefix-list OUT-red_isp2 seq 110 permit 10.110.0.0/24
""",
}


def texts(platform: str) -> dict[str, str]:
    """Return all files of each switch as one text."""
    made = compile_site(load_texts({"site.yaml": flooded(platform)}))
    assert made.site is not None
    assert [each for each in made.findings if each.severity is Severity.ERROR] == []
    return {
        switch.name: "".join(file.text for file in group)
        for switch, group in files(made.site, Renderer())
    }


@pytest.mark.parametrize("platform", WRITTEN)
def test_routes_pass_by_one_list_each_way(platform: str) -> None:
    made = texts(platform)
    for leaf, wanted in (("fe-leaf01", WRITTEN), ("fe-leaf02", BEHIND)):
        lines = made[leaf].splitlines()
        missing = wanted[platform].strip("\n").splitlines()
        assert [line for line in missing if line not in lines] == []
    assert "router ospf" not in made["fe-spine1"]


def test_sonic_has_no_daemon_for_it() -> None:
    made = compile_site(load_texts({"site.yaml": flooded("sonic")}))
    wrong = [each for each in made.findings if each.severity is Severity.ERROR]
    assert {each.code for each in wrong} == {Code.UNSUPPORTED}
    assert all("ospfd" in each.message for each in wrong)
