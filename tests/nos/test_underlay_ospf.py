"""OSPF between the switches of a fabric with tenants: lines, refusals, and drained parts."""

from functools import cache

import pytest

from fabricgen.compile.compiler import Compiled, compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Code, Severity
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.routing import OSPF_AREA
from fabricgen.operate.deploy.coordination.terms import AREA, is_drained, terms_of
from fabricgen.prove.written import judge_of, prove

SITE = """
site: {name: oslo, management: {subnet: 10.255.0.0/24}}
frontend:
  leaf: {model: 7050CX3-32S, platform: PLATFORM}
  spine: {model: 7050CX3-32S, platform: PLATFORM, count: 2}
  leaf_groups: {a: {leafs: 1-2, servers: {per_leaf: 4, speed: 100G}}}
  underlay: {protocol: ospf}
tenants:
  red:
    vrfs: {red: {id: 1, vlans: {web: {id: 10, subnet: 10.1.0.0/24}}}}
    attachments: [{group: a, access: web}]
"""
WRITTEN = {
    "eos": """
interface Ethernet30/1
   ip ospf neighbor bfd
   ip ospf cost 10
   ip ospf network point-to-point
   ip ospf area 0.0.0.0
interface Loopback0
   ip address 10.64.0.1/32
   ip ospf area 0.0.0.0
interface Loopback1
   ip ospf area 0.0.0.0
   neighbor EVPN-ABOVE ebgp-multihop 3
router ospf 1
   router-id 10.64.0.1
   maximum-paths 64
""",
    "linux": """
ospfd=yes
interface lo
 ip ospf area 0.0.0.0
interface swp30
 ip ospf bfd
 ip ospf bfd profile UNDERLAY
 ip ospf cost 10
 ip ospf network point-to-point
 neighbor EVPN-ABOVE ebgp-multihop 3
router ospf
 ospf router-id 10.64.0.1
""",
}
DRAINED = ("  underlay", "  switches: {fe-spine1: {state: drained}}\n  underlay")
OF_BGP = ("UNDERLAY-", "neighbor ABOVE ", "route-map CONNECTED", "prefix-list ALLOWED")
AVOIDED = {
    "eos": "\n   max-metric router-lsa\n",
    "linux": "\n max-metric router-lsa administrative\n",
}


def compiled(text: str) -> Compiled:
    return compile_site(load_texts({"site.yaml": text}))


@cache
def texts(platform: str, more: str = "", changed: tuple[str, str] = ("", "")) -> dict[str, str]:
    """Return the files of each switch as one text. They are read back, which finds nothing."""
    text = SITE.replace("PLATFORM", platform).replace(*changed) + more
    made = compiled(text)
    assert made.site is not None
    assert [each for each in made.findings if each.severity is Severity.ERROR] == []
    found = {}
    for _, piece in slices(made.site):
        files = files_of(piece, Renderer())
        told = {file.path.split("/", 2)[2]: file.text for file in files}
        assert prove(piece, told).findings == ()
        found[piece.switch.name] = "".join(file.text for file in files)
    return found


def errors(text: str) -> list[str]:
    made = compiled(text)
    return [each.message for each in made.findings if each.severity is Severity.ERROR]


@pytest.mark.parametrize("platform", WRITTEN)
def test_links_and_loopbacks_are_in_the_area_and_evpn_stays_bgp(platform: str) -> None:
    leaf = texts(platform)["fe-leaf01"].splitlines()
    assert [line for line in WRITTEN[platform].strip("\n").splitlines() if line not in leaf] == []


@pytest.mark.parametrize("platform", WRITTEN)
def test_bgp_carries_no_route_of_the_underlay(platform: str) -> None:
    for name, text in texts(platform).items():
        assert [each for each in OF_BGP if each in text] == [], name


@pytest.mark.parametrize("platform", AVOIDED)
def test_a_plan_knows_a_drained_switch_and_the_area_of_a_link(platform: str) -> None:
    made = compiled(SITE.replace("PLATFORM", platform).replace(*DRAINED))
    assert made.site is not None
    judge = judge_of(platform)
    assert judge is not None
    for _, piece in slices(made.site):
        files = {it.path.split("/", 2)[2]: it.text for it in files_of(piece, Renderer())}
        terms = terms_of(judge.facts(files)[0])
        assert is_drained(terms) == (piece.switch.name == "fe-spine1")
        areas = [value for item, value in terms.items() if item.word == AREA]
        assert set(areas) == {OSPF_AREA}
        assert len(areas) >= len(piece.adjacencies)


@pytest.mark.parametrize("platform", AVOIDED)
def test_a_drained_switch_asks_others_to_pass_it_by(platform: str) -> None:
    made = texts(platform, changed=DRAINED)
    assert AVOIDED[platform] in made["fe-spine1"]
    assert AVOIDED[platform] not in made["fe-spine2"]


@pytest.mark.parametrize("platform", AVOIDED)
def test_a_drained_link_has_the_highest_cost_at_both_ends(platform: str) -> None:
    drained = (
        "  underlay",
        "  switches: {fe-leaf01: {links: {fe-spine1: {state: drained}}}}\n  underlay",
    )
    made = texts(platform, changed=drained)
    counts = {name: text.count("ip ospf cost 65535") for name, text in made.items()}
    assert counts == {"fe-leaf01": 1, "fe-leaf02": 0, "fe-spine1": 1, "fe-spine2": 0}


def test_without_bfd_no_port_has_it() -> None:
    for platform in WRITTEN:
        made = texts(platform, changed=("ospf}", "ospf, bfd: {enabled: false}}"))
        assert all(
            "bfd profile" not in text and "neighbor bfd" not in text for text in made.values()
        )


def test_sonic_sends_no_ospf_packet_to_its_cpu() -> None:
    made = compiled(SITE.replace("PLATFORM", "sonic"))
    wrong = [each for each in made.findings if each.severity is Severity.ERROR]
    assert {each.code for each in wrong} == {Code.UNSUPPORTED}
    assert all("COPP_TRAP" in each.message for each in wrong)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("ospf}", "ospf, links: unnumbered}", "OSPFv2 needs IPv4 addresses on the links"),
        ("ospf}", "ospf, links: numbered-v6}", "OSPFv2 needs IPv4 addresses on the links"),
        ("ospf}", 'ospf, password: "env:BGP"}', "`password` protects BGP sessions only"),
        ("ospf}", "isis}", "must be 'bgp' or 'ospf'"),
        ("leafs: 1-2,", "leafs: 1-2, multihoming: {kind: mlag},", "leaf group a has MLAG pairs"),
    ],
)
def test_what_ospf_cannot_be_combined_with_is_said(old: str, new: str, said: str) -> None:
    (message,) = errors(SITE.replace("PLATFORM", "eos").replace(old, new))
    assert said in message


def test_rails_have_no_such_key() -> None:
    text = """
site: {name: oslo, management: {subnet: 10.255.0.0/24}}
backend:
  servers: {count: 4, gpus: 4, nic: connectx-7}
  leaf: {model: 7060DX5-64S, platform: eos}
  underlay: {protocol: ospf}
"""
    assert any("protocol" in message for message in errors(text))
