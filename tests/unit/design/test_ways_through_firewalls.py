"""A subnet behind a firewall is announced to the firewall alone, and its flows have a way back."""

import re

import pytest
from tests.nos.read_lists import files_of

from fabricgen.compile.compiler import Compiled, compile_site, slices
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts
from fabricgen.prove.evidence import rendered, walk
from fabricgen.prove.reach.matrix import cases
from fabricgen.prove.reach.model import Model
from fabricgen.prove.reach.stations import stands
from fabricgen.prove.walk.packet import Outcome

SITE = """
site: {name: lab, management: {subnet: 10.255.0.0/22, ntp: [10.255.3.1, 10.255.3.2]}}
frontend:
  leaf: {model: 7050CX3-32S, platform: PLATFORM}
  spine: {model: 7050CX3-32S, platform: PLATFORM, count: 2}
  leaf_groups: {racks: {leafs: 1-2, servers: {per_leaf: 4, speed: 100G}}}
tenants:
  red:
    vrfs:
      red:
        id: 1
        vlans:
          web: {id: 110, subnet: 10.1.0.0/24, subnet6: "2001:db8:1::/64"}
          api: {id: 111, subnet: 10.1.1.0/24, subnet6: "2001:db8:2::/64"}
        routes: [{to: 10.50.0.0/16, by: 10.1.1.7, announce: true}]
        external:
          isp1: {leaf: 1, cage: 24, address: 192.0.2.1/31, peer: 192.0.2.0, asn: 64496,
                 address6: 2001:db8:ff::1/127, peer6: "2001:db8:ff::"}
          isp2: {leaf: 2, cage: 24, address: 192.0.2.3/31, peer: 192.0.2.2, asn: 64497}
          fw: {leaf: 2, cage: 23, address: 192.0.2.5/31, peer: 192.0.2.4, asn: 64498,
               address6: 2001:db8:ff::5/127, peer6: "2001:db8:ff::4",
               accept: [10.9.0.0/16, "2001:db8:9::/48"]}
    attachments: [{group: racks, trunk: [web, api], addresses: static}]
zones:
  web: {vlans: [red/web]}
  api: {vlans: [red/api], prefixes: [10.50.0.0/16], through: fw}
  isp: {outside: [red/red/isp1, red/red/isp2]}
  fw: {outside: [red/red/fw]}
flows:
  - {clients: [isp], servers: [web], services: [tcp/443]}
  - {clients: [fw], servers: [api], services: [tcp/443]}
"""
HEARD = {
    "red_isp1": {"10.1.0.0/24"},
    "red_isp1_6": {"2001:db8:1::/64"},
    "red_isp2": {"10.1.0.0/24"},
    "red_fw": {"10.1.0.0/24", "10.1.1.0/24", "10.50.0.0/16"},
    "red_fw_6": {"2001:db8:1::/64", "2001:db8:2::/64"},
}


def compiled(text: str, platform: str = "eos") -> Compiled:
    return compile_site(load_texts({"site.yaml": text.replace("PLATFORM", platform)}))


def said(text: str) -> list[tuple[str, str]]:
    return [
        (each.message, each.hint)
        for each in compiled(text).findings
        if each.code is Code.ROUTE_PAST_FIREWALL
    ]


@pytest.mark.parametrize("platform", ["eos", "sonic", "linux"])
def test_a_subnet_behind_a_firewall_is_announced_to_the_firewall_alone(platform: str) -> None:
    made = compiled(SITE, platform)
    assert made.ok, made.findings
    assert made.site is not None
    heard: dict[str, set[str]] = {}
    for _, switch_slice in slices(made.site):
        text = "\n".join(files_of(switch_slice).values()) if switch_slice.external else ""
        for peer in switch_slice.external:
            lists = re.findall(
                rf"(?:ip|ipv6) prefix-list {peer.outward}(?:\n(?:   seq .*\n)+| seq .*)", text
            )
            nets = re.findall(r"permit (\S+/\d+)", "\n".join(lists))
            heard[peer.label] = {*nets}
    assert heard == HEARD


def test_both_engines_know_that_no_packet_comes_past_the_firewall() -> None:
    made = compiled(SITE)
    assert made.site is not None
    every = tuple(stands(made.site))
    second = walk(made.site, [each.station for each in every], tuple(rendered(made.site)))
    api = [each for each in every if "red-api" in each.station.network]
    isps = [each for each in every if each.peer is not None and "isp" in each.peer.name]
    assert api
    assert isps
    found = list(cases(isps, api, Model(made.site, every), second, ("tcp", 443)))
    assert found
    for case in found:
        assert case.agreed, (case.model.rule, case.written.rule)
        assert case.model.outcome is Outcome.STOPS


def test_answers_past_the_firewall_have_no_way_back() -> None:
    text = SITE + "  - {clients: [api], servers: [isp], services: [tcp/443]}\n"
    found = said(text)
    assert any("red_isp1 does not receive 10.1.1.0/24" in message for message, _ in found)
    assert {hint for _, hint in found} == {"permit the flow to zone fw"}
    assert said(SITE + "  - {clients: [api], servers: [fw], services: [tcp/443]}\n") == []
    assert said(SITE + "  - {clients: [web], servers: [isp], services: [tcp/80]}\n") == []


def test_a_session_that_has_nothing_left_to_announce_is_refused() -> None:
    text = SITE.replace("web: {vlans: [red/web]}", "web: {vlans: [red/web], through: fw}")
    text = text.replace("clients: [isp], servers: [web]", "clients: [fw], servers: [web]")
    messages = [message for message, _ in said(text)]
    assert any(
        message == "red_isp2 of zone isp has no prefix to advertise: all subnets of VRF red are "
        "reached through another zone, 10.1.0.0/24 through fw"
        for message in messages
    ), messages
