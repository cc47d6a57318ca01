"""From rendered eos.cfg with one line broken: that reading it back notices, whatever it is."""

import random
import re
from collections.abc import Iterator
from functools import lru_cache

import pytest
from tests.longer import ALL
from tests.nos.eos.sites import (
    BORDER,
    DESCRIBED,
    FRONT,
    OVER_IPV6,
    RAILS,
    STORAGE,
    SUBNETS,
    every_site,
)
from tests.unit.proof.qos.rendered import Judge, Rendered

from fabricgen.compile.compiler import files_of, slices
from fabricgen.compile.design.site import design_site
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.switch import Site, SwitchSlice
from fabricgen.prove.written import prove

FILE = "eos.cfg"
SAMPLE, NOTICED = 300 if ALL else 100, 0.97

Switches = dict[str, tuple["SwitchSlice", str]]


@lru_cache(maxsize=8)
def designed(text: str) -> tuple[Site, Switches]:
    """Return a site, and the slice and file of each of its switches."""
    intent = load_texts({"site.yaml": text}).intent
    assert intent is not None
    made, _ = design_site(intent)
    renderer, switches = Renderer(), dict[str, tuple["SwitchSlice", str]]()
    for _, switch_slice in slices(made):
        (file,) = files_of(switch_slice, renderer)
        switches[switch_slice.switch.name] = switch_slice, file.text
    return made, switches


@every_site
def test_every_line_is_claimed_and_as_designed(text: str) -> None:
    for switch_slice, config in designed(text)[1].values():
        proof = prove(switch_slice, {FILE: config})
        assert proof.findings == ()
        assert proof.agreeing > 20


FAULTS = {
    "a VNI": (FRONT, "fe-leaf01", r"(vxlan vlan \d+ vni \d+)\d", r"\g<1>9"),
    "a VRF's VNI": (FRONT, "fe-leaf01", r"(vxlan vrf \w+ vni \d+)\d", r"\g<1>9"),
    "every ASN": (FRONT, "fe-leaf01", r"remote-as \d+", "remote-as 65000"),
    "an ASN outside": (BORDER, "fe-leaf04", r"remote-as 655", "remote-as 645"),
    "a neighbor": (FRONT, "fe-leaf01", r"   neighbor 10\.72\.0\.0 .*\n", ""),
    "an address": (FRONT, "fe-leaf01", r"(ip address 10\.72\.\d+\.)\d+/31", r"\g<1>254/31"),
    "a gateway": (FRONT, "fe-leaf01", r"(ip address virtual \S+)1/", r"\g<1>2/"),
    "a prefix list": (FRONT, "fe-leaf01", r"ip prefix-list ALLOWED\n(   seq.*\n)+!\n", ""),
    "a prefix": (BORDER, "fe-leaf04", r"(prefix-list IN-\S+\n)   seq.*\n", r"\1"),
    "an access VLAN": (SUBNETS, "be-su01-leaf1", r"access vlan \d+", "access vlan 999"),
    "a trunk": (FRONT, "fe-leaf01", r"trunk allowed vlan \S+", "trunk allowed vlan 999"),
    "a mode": (FRONT, "fe-leaf01", "switchport mode trunk", "switchport mode access"),
    "a route target": (FRONT, "fe-leaf01", r"target both (\d+):\d+", r"target both \1:1"),
    "a distinguisher": (FRONT, "fe-leaf01", r"rd (\S+):\d+", r"rd \1:1"),
    "an MTU": (RAILS, "be-su01-leaf1", r"mtu \d+", "mtu 1500"),
    "a lane": (RAILS, "be-su01-leaf1", r"speed 400g-4", "speed 400g-8"),
    "a shutdown": (RAILS, "be-su01-leaf1", r"   shutdown\n", ""),
    "a clock": (FRONT, "fe-leaf01", r"ntp server vrf (\S+) \S+", r"ntp server vrf \1 10.1.1.1"),
    "a source": (FRONT, "fe-leaf01", r"ntp local-interface.*\n", ""),
    "a collector": (FRONT, "fe-leaf01", r"   10 permit host.*\n", ""),
    "what a tenant is": (DESCRIBED, "fe-leaf01", r"   description of reds\n", ""),
    "what a VLAN is": (DESCRIBED, "fe-leaf01", "the web, in words", "the web"),
    "a role": (FRONT, "fe-leaf01", "network-operator", "network-admin"),
    "IPv4 over IPv6": (OVER_IPV6, "fe-leaf01", "ip routing ipv6 interfaces", "ip routing"),
    "the way outside": (BORDER, "fe-leaf04", r"   no qos trust\n", ""),
    "a class": (FRONT, "fe-leaf01", r"(qos map cos .* traffic-class) \d", r"\1 1"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_found_and_told_with_its_line_and_the_design(fault: str) -> None:
    text, name, old, new = FAULTS[fault]
    switch_slice, config = designed(text)[1][name]
    broken = re.sub(old, new, config)
    assert broken != config
    messages = [finding.message for finding in prove(switch_slice, {FILE: broken}).findings]
    assert messages
    for message in messages:
        assert re.match(rf"{name} eos\.cfg(:\d+ `.*`)?: ", message)
        assert "the design has" in message or "not in the design" in message or "missing" in message


def mutants(config: str, source: random.Random) -> Iterator[tuple[str, str]]:
    """Yield lines of a file, each deleted or changed, and the file without or with that."""
    lines = config.split("\n")
    numbers = [n for n, line in enumerate(lines) if line.strip(" !") and line != "end"]
    for number in source.choices(numbers, k=SAMPLE):
        line = lines[number]
        word = source.choice(list(re.finditer(r"\w+", line)))
        other = str(int(word[0]) + 1) if word[0].isdigit() else f"{word[0]}x"
        changed = f"{line[: word.start()]}{other}{line[word.end() :]}"
        instead = source.choice([[], [changed]])
        yield line, "\n".join([*lines[:number], *instead, *lines[number + 1 :]])


def noticed(judge: Judge, switch_slice: SwitchSlice, config: str) -> bool:
    """Tell whether the grammar or the reader of queues finds a fault."""
    files = {FILE: config}
    return bool(
        prove(switch_slice, files).findings or judge.verified(switch_slice.switch, files).findings
    )


@pytest.mark.parametrize(
    ("text", "name"),
    [(BORDER, "fe-leaf04"), (FRONT, "fe-leaf03"), (STORAGE, "be-leaf1"), (RAILS, "be-su01-leaf1")],
    ids=["border", "bundles", "rails alone", "rails"],
)
def test_hardly_a_line_is_broken_unnoticed(text: str, name: str) -> None:
    """What may pass: the number of a clause, as long as the order stays."""
    site, switches = designed(text)
    judge = Judge(Rendered(site, {it.switch: {FILE: own} for it, own in switches.values()}))
    switch_slice, config = switches[name]
    assert not noticed(judge, switch_slice, config)
    passed = [
        line
        for line, broken in mutants(config, random.Random(name))
        if not noticed(judge, switch_slice, broken)
    ]
    assert len(passed) <= SAMPLE * (1 - NOTICED), passed
