"""What is said of ways in without a list, of flows without effect, of ways past a firewall."""

import pytest
from tests.nos.tenants import spoken
from tests.unit.checks.sites import MANAGEMENT

from fabricgen.compile.compiler import compile_site
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts

SITE = (
    MANAGEMENT
    + """
frontend:
  leaf: {model: 7050CX3-32S, platform: eos}
  spine: {model: 7050CX3-32S, platform: eos, count: 2}
  leaf_groups: {racks: {leafs: 1-2, servers: {per_leaf: 4, speed: 100G}}}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 110, subnet: 10.110.0.0/24}
          api: {id: 111, subnet: 10.111.0.0/24}
        external:
          isp: {leaf: 1, cage: 24, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 64496}
          fw: {leaf: 2, cage: 24, address: 192.0.2.3/31, peer: 192.0.2.2, asn: 64497,
               accept: [10.0.0.0/8]}
      other: {id: 2, vlans: {far: {id: 120, subnet: 10.120.0.0/24}}}
    vlans: {heart: {id: 130}}
    attachments: [{group: racks, trunk: [web, api, far, heart]}]
"""
)
WHOLE = {
    "web": "{vlans: [red/web]}",
    "api": "{vlans: [red/api], through: fw}",
    "far": "{vrfs: [red/other]}",
    "isp": "{outside: [red/red/isp]}",
    "fw": "{outside: [red/red/fw]}",
}
FLOWS = ("{clients: [web], servers: [isp], services: [tcp]}",)


def said(zones: dict[str, str | None] | None = None, *flows: str) -> list[tuple[str, str]]:
    """Return what is said of the site with these zones laid over the whole ones."""
    every = {name: words for name, words in {**WHOLE, **(zones or {})}.items() if words}
    text = SITE + "zones:\n" + "".join(f"  {name}: {words}\n" for name, words in every.items())
    text += "flows:\n" + "".join(f"  - {flow}\n" for flow in (*FLOWS, *flows))
    findings = compile_site(load_texts({"site.yaml": text})).findings
    return [(item.code, item.message) for item in findings if item.code in OURS]


OURS = (
    Code.RULE_WITHOUT_EFFECT,
    Code.ZONE_BYPASSED,
    Code.ZONE_NOT_ENFORCED,
    Code.UNKNOWN_REFERENCE,
)


def _flow(client: str, server: str, service: str = "tcp/443") -> str:
    return f"{{clients: [{client}], servers: [{server}], services: [{service}]}}"


def test_nothing_is_said_of_zones_that_hold() -> None:
    assert said({}, _flow("fw", "api"), _flow("web", "api", "udp/53"), _flow("api", "web")) == []


@pytest.mark.parametrize(
    ("zones", "flow", "code", "words"),
    [
        ({"web": None}, "", Code.ZONE_NOT_ENFORCED, "VLAN red-web of VRF red is in no zone"),
        ({"isp": None}, "", Code.ZONE_NOT_ENFORCED, "router red_isp of VRF red is in no zone"),
        ({"two": "{vlans: [red/web]}"}, "", Code.ZONE_NOT_ENFORCED, "zones web and two"),
        ({"two": "{vlans: [red/heart]}"}, "", Code.ZONE_NOT_ENFORCED, "is not routed"),
        (
            {"two": "{outside: [red/red/isp]}"},
            "",
            Code.ZONE_NOT_ENFORCED,
            "red/red/isp is in the zones isp and two",
        ),
        (
            {"two": "{prefixes: [10.111.0.64/26]}"},
            "",
            Code.ZONE_NOT_ENFORCED,
            "10.111.0.64/26 of zone two is inside the subnet of VLAN red-api",
        ),
        (
            {"two": "{prefixes: [10.0.0.0/8]}"},
            "",
            Code.ZONE_NOT_ENFORCED,
            "10.0.0.0/8 of VRF red is in the zones fw and two",
        ),
        ({"two": "{servers: []}"}, "", Code.ZONE_NOT_ENFORCED, "zone two has no network that"),
        ({"two": "{vlans: [red/wen]}"}, "", Code.UNKNOWN_REFERENCE, "'red/wen'"),
        ({"api": "{vlans: [red/api], through: fx}"}, "", Code.UNKNOWN_REFERENCE, "'fx'"),
        ({}, _flow("web", "apu"), Code.UNKNOWN_REFERENCE, "'apu'"),
        ({}, _flow("web", "api", "https"), Code.UNKNOWN_REFERENCE, "'https'"),
        ({}, _flow("web", "isp"), Code.RULE_WITHOUT_EFFECT, "web may reach isp on tcp/443: `web"),
        ({}, _flow("web", "web"), Code.RULE_WITHOUT_EFFECT, "all traffic inside web is permitted"),
        ({}, _flow("web", "far"), Code.RULE_WITHOUT_EFFECT, "no VRF has both"),
        ({}, _flow("isp", "api"), Code.ZONE_BYPASSED, "red_isp reaches zone api without zone fw"),
        ({"api": "{vlans: [red/api], through: far}"}, "", Code.ZONE_BYPASSED, "no external router"),
    ],
)
def test_what_does_not_hold_is_said(
    zones: dict[str, str | None], flow: str, code: Code, words: str
) -> None:
    found = said(zones, *filter(None, (flow,)))
    assert any(each == code and words in message for each, message in found), found


def test_a_routed_port_of_a_server_is_a_way_in_that_no_zone_has() -> None:
    vlans = "vlans: {web: {id: 110, subnet: 10.110.0.0/24}}\n        hosts:"
    text = spoken("7050CX3-32S", "eos").replace("hosts:", vlans)
    text += "zones: {web: {vlans: [k8s/web]}}\n"
    findings = compile_site(load_texts({"site.yaml": text})).findings
    assert any(
        item.code is Code.ZONE_NOT_ENFORCED and "the port " in item.message for item in findings
    )


LEAKING = SITE.replace("other: {id: 2, ", "other: {id: 2, import_routes: {red: [10.111.0.0/24]}, ")


def _leaked(zones: str, *flows: str) -> list[str]:
    text = LEAKING.replace("id: 1\n", "id: 1\n        import_routes: {other: [10.120.0.0/24]}\n")
    text += f"zones: {{{zones}}}\nflows: [{', '.join(flows)}]\n"
    findings = compile_site(load_texts({"site.yaml": text})).findings
    return [item.message for item in findings if item.code in OURS]


def test_zones_of_vrfs_that_take_routes_of_one_another_meet() -> None:
    inside = "red: {vrfs: [red/red]}, far: {vrfs: [red/other]}"
    outside = "out: {outside: [red/red/isp, red/red/fw]}"
    assert _leaked(f"{inside}, {outside}", _flow("far", "red")) == []
    (said,) = _leaked(f"red: {{vrfs: [red/red]}}, {outside}")
    assert "VLAN red-far of VRF other is in no zone" in said
