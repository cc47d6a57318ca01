"""The password of a fabric's sessions beside its spelling on every network OS."""

import pytest

from fabricgen.compile.compiler import compile_site, files_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_texts
from fabricgen.model.settings.setting import PLACEHOLDER

SITE = """
site: {name: lab, management: {subnet: 10.255.0.0/22}}
servers:
  db: {count: 1, ports: {front: {fabric: frontend, ports: 2, leafs: 2, speed: 25G}}}
frontend:
  leaf: {model: MODEL, platform: PLATFORM}
  spine: {model: MODEL, platform: PLATFORM, count: 1}
  underlay: {password: "env:BGP"}
"""
PAIR = "  leaf_groups: {leafs: {leafs: 1-2, multihoming: {kind: mlag}}}\n"
FRR = {
    "leaf": ["ABOVE <<secret:env:BGP>>", "EVPN-ABOVE <<secret:env:BGP>>"],
    "spine": ["BELOW <<secret:env:BGP>>", "EVPN-BELOW <<secret:env:BGP>>"],
}
SAID = {
    "eos": {
        "leaf": [
            "EVPN-ABOVE 7 <<secret:bgp7:EVPN-ABOVE@env:BGP>>",
            "UNDERLAY-ABOVE 7 <<secret:bgp7:UNDERLAY-ABOVE@env:BGP>>",
            "UNDERLAY-PEER 7 <<secret:bgp7:UNDERLAY-PEER@env:BGP>>",
        ],
        "spine": [
            "EVPN-BELOW 7 <<secret:bgp7:EVPN-BELOW@env:BGP>>",
            "UNDERLAY-BELOW 7 <<secret:bgp7:UNDERLAY-BELOW@env:BGP>>",
        ],
    },
    "sonic": FRR,
    "linux": FRR,
}
"""By role the lines of `neighbor … password`; EOS keeps one in a spelling that has its group."""


@pytest.mark.parametrize("platform", SAID)
def test_every_group_has_the_password_by_reference(platform: str) -> None:
    text = SITE.replace("MODEL", "7050CX3-32S" if platform == "eos" else "SN3700")
    text = text.replace("PLATFORM", platform) + (PAIR if platform == "eos" else "")
    made = compile_site(load_texts({"site.yaml": text}))
    assert made.site is not None, made.findings
    (fabric,) = made.site.fabrics
    for _, switch_slice in slices(made.site):
        files = [file.text for file in files_of(switch_slice, Renderer())]
        lines = [line.strip() for each in files for line in each.splitlines()]
        said = [line for line in lines if line.startswith("neighbor ") and " password " in line]
        given = [line.removeprefix("neighbor ").replace(" password ", " ", 1) for line in said]
        assert given == SAID[platform][switch_slice.switch.role.value]
        assert {each for text in files for each in PLACEHOLDER.findall(text)} <= fabric.secrets
