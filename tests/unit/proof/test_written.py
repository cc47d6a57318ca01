"""From rendered files with one planted fault: that it is found, with the line and the design."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from tests.longer import ALL, LARGE

from fabricgen.compile.compiler import compile_site, files_of, folder_of, slices
from fabricgen.compile.render import Renderer
from fabricgen.intent.load import load_site, load_texts
from fabricgen.model.fabric.addressing import Ip
from fabricgen.model.fabric.interface import Interface, Use
from fabricgen.model.fabric.switch import SwitchSlice
from fabricgen.prove.alike import Own
from fabricgen.prove.signature import places, signature
from fabricgen.prove.written import judge_of, prove

ROOT = Path(__file__).resolve().parents[3]
SITES = sorted(path.name for path in (ROOT / "intent").iterdir() if path.is_dir())
READ_BACK = ("eos", "sonic", "linux")
BULK = LARGE - {"full"}
"""Many switches of few kinds; tests of `proof/qos` prove them on their own platforms as well."""
TRIED = 40 if ALL else 10

Files = dict[str, str]


@cache
def rendered(site: str, platform: str) -> dict[str, tuple[SwitchSlice, Files]]:
    made = compile_site(load_site(ROOT / "intent" / site), platform)
    assert made.site is not None
    renderer = Renderer()
    found = {}
    for _, switch_slice in slices(made.site):
        folder = folder_of(switch_slice.switch) + "/"
        files = files_of(switch_slice, renderer)
        texts = {file.path.removeprefix(folder): file.text for file in files}
        found[switch_slice.switch.name] = switch_slice, texts
    return found


@pytest.mark.parametrize("site", SITES if ALL else [each for each in SITES if each not in BULK])
@pytest.mark.parametrize("platform", READ_BACK)
def test_every_line_of_an_example_is_claimed_and_as_designed(site: str, platform: str) -> None:
    for switch_slice, files in rendered(site, platform).values():
        proof = prove(switch_slice, files)
        assert proof.findings == ()
        assert proof.agreeing > 20


BARE = """
site: {name: lab, management: {subnet: 10.255.0.0/22}}
frontend:
  leaf_groups:
    used: {leafs: 1-1, servers: {per_leaf: 1, speed: 100G}}
    bare: {leafs: 2-2, servers: {per_leaf: 1, speed: 100G}}
  leaf: {model: 7060DX5-64S, platform: eos}
  spine: {model: 7060DX5-64S, platform: eos, count: 2}
tenants:
  red:
    vrfs: {red: {id: 1, vlans: {web: {id: 110, subnet: 10.110.0.0/24}}}}
    attachments: [{group: used, access: web}]
"""


@pytest.mark.parametrize("platform", READ_BACK)
def test_a_leaf_whose_servers_are_in_no_vlan_is_as_designed(platform: str) -> None:
    site = compile_site(load_texts({"site.yaml": BARE}), platform).site
    assert site is not None
    renderer = Renderer()
    for _, switch_slice in slices(site):
        folder = folder_of(switch_slice.switch) + "/"
        files = {
            item.path.removeprefix(folder): item.text for item in files_of(switch_slice, renderer)
        }
        assert prove(switch_slice, files).findings == ()


EOS_FAULTS = {
    "VNI + 1": ("vxlan vlan 100 vni 10100", "vxlan vlan 100 vni 10101"),
    "wrong ASN": ("remote-as 4294967292", "remote-as 4294967293"),
    "swapped address": ("ip address 10.72.0.1/31", "ip address 10.72.0.3/31"),
    "lost prefix list": ("   seq 20 permit 10.65.0.0/16 eq 32\n", ""),
    "other VLAN": ("switchport trunk native vlan 100", "switchport trunk native vlan 101"),
    "other route target": ("route-target both 64999:10100", "route-target both 64999:10101"),
    "other MTU": ("mtu 9214", "mtu 9000"),
    "a port that is up": ("description unused\n   shutdown", "description unused"),
    "another clock": ("ntp server vrf mgmt 10.255.7.250", "ntp server vrf mgmt 10.255.7.249"),
    "a line of nobody": ("hostname fe-leaf01", "hostname fe-leaf01\nip icmp redirect"),
}


@pytest.mark.parametrize("fault", EOS_FAULTS)
def test_a_fault_in_a_leaf_is_found_and_both_lines_are_named(fault: str) -> None:
    switch_slice, files = rendered("full", "eos")["fe-leaf01"]
    old, new = EOS_FAULTS[fault]
    text = files["eos.cfg"]
    assert old in text
    findings = prove(switch_slice, {"eos.cfg": text.replace(old, new, 1)}).findings
    assert findings
    first = findings[0].message
    assert first.startswith("fe-leaf01 eos.cfg")
    assert "the design has" in first or "not in the design" in first or "no row" in first


FRR_FAULTS = {
    "wrong ASN": ("neighbor 10.72.0.0 remote-as 4294967294", "neighbor 10.72.0.0 remote-as 65000"),
    "lost prefix list": ("ip prefix-list ALLOWED seq 20 permit 10.65.0.0/16 ge 32 le 32\n", ""),
    "other route target": ("route-target import 64999:10100", "route-target import 64999:10101"),
    "other source": ("update-source ", "update-source x"),
    "no policy": ("  neighbor ABOVE route-map TO-ABOVE out\n", ""),
    "a line of nobody": ("log syslog informational", "log syslog informational\nip nht"),
}
SONIC_FAULTS = {
    "VNI + 1": ('"vni": "10100"', '"vni": "10101"'),
    "swapped address": ("Ethernet112|10.72.0.1/31", "Ethernet112|10.72.0.3/31"),
    "other VLAN": ("Vlan100|Ethernet0", "Vlan101|Ethernet0"),
    "other MTU": ('"mtu": "9164"', '"mtu": "9000"'),
    "a port that is up": ('"admin_status": "down"', '"admin_status": "up"'),
    "another clock": ('"10.255.7.250": {', '"10.255.7.249": {'),
    "a field of nobody": ('"hostname"', '"banner": "x",\n            "hostname"'),
    "a table of nobody": ('    "PORT": {', '    "NOBODY": {"x": {}},\n    "PORT": {'),
    "no JSON": ('    "PORT": {', '    "PORT": '),
}
INTERFACES_FAULTS = {
    "VNI + 1": ("vxlan-id 10100", "vxlan-id 10101"),
    "swapped address": ("address 10.72.0.1/31", "address 10.72.0.3/31"),
    "other VLAN": ("bridge-access 100", "bridge-access 101"),
    "other MTU": ("mtu 9214", "mtu 9000"),
    "a port that is up": ("    link-down yes\n", ""),
    "a port that ifupdown leaves out": ("auto swp1s0\n", ""),
    "a line of nobody": ("    vrf mgmt\n", "    vrf mgmt\n    hwaddress-random yes\n"),
}
FAULTS = {
    "sonic": [("frr.conf", FRR_FAULTS), ("config_db.json", SONIC_FAULTS)],
    "linux": [
        ("etc/frr/frr.conf", FRR_FAULTS),
        ("etc/network/interfaces", INTERFACES_FAULTS),
        (
            "etc/chrony/chrony.conf",
            {"another clock": ("server 10.255.7.250", "server 10.255.7.249")},
        ),
        ("etc/frr/daemons", {"no BGP": ("bgpd=yes", "bgpd=no"), "lost": ("ripd=no\n", "")}),
    ],
}


@pytest.mark.parametrize(
    ("platform", "path", "fault"),
    [
        pytest.param(platform, path, fault, id=f"{platform}-{path}-{name}")
        for platform, files in FAULTS.items()
        for path, faults in files
        for name, fault in faults.items()
    ],
)
def test_a_fault_in_a_file_is_found_and_the_file_is_named(
    platform: str, path: str, fault: tuple[str, str]
) -> None:
    switch_slice, files = rendered("full", platform)["fe-leaf01"]
    old, new = fault
    assert old in files[path]
    broken = {**files, path: files[path].replace(old, new, 1)}
    findings = prove(switch_slice, broken).findings
    assert any(finding.message.startswith(f"fe-leaf01 {path}") for finding in findings)


@pytest.mark.parametrize("platform", ["sonic", "linux"])
def test_a_fault_names_the_line_of_the_file_and_the_design(platform: str) -> None:
    switch_slice, files = rendered("full", platform)["fe-leaf01"]
    path = next(path for path in files if path.endswith("frr.conf"))
    text = files[path].replace("remote-as 4294967294", "remote-as 65000", 1)
    number = text.split("\n").index(" neighbor 10.72.0.0 remote-as 65000") + 1
    (finding,) = prove(switch_slice, {**files, path: text}).findings
    assert finding.message == (
        f"fe-leaf01 {path}:{number} `neighbor 10.72.0.0 remote-as 65000`: "
        "BGP neighbor 10.72.0.0 (fe-spine1): remote ASN is 65000, but the design has 4294967294"
    )


@pytest.mark.parametrize("platform", ["sonic", "linux"])
def test_a_missing_neighbor_of_frr_is_found(platform: str) -> None:
    switch_slice, files = rendered("full", platform)["fe-leaf01"]
    path = next(path for path in files if path.endswith("frr.conf"))
    lines = files[path].split("\n")
    text = "\n".join(line for line in lines if "neighbor 10.72.0.0 " not in line)
    messages = [finding.message for finding in prove(switch_slice, {**files, path: text}).findings]
    assert any(
        "neighbor 10.72.0.0 (fe-spine1): remote ASN is missing" in message for message in messages
    )


def test_a_missing_file_is_found() -> None:
    switch_slice, files = rendered("full", "linux")["fe-leaf01"]
    path = "etc/sysctl.d/90-fabricgen.conf"
    rest = {name: text for name, text in files.items() if name != path}
    messages = {finding.message for finding in prove(switch_slice, rest).findings}
    assert f"fe-leaf01 {path}: this file is missing" in messages


def test_a_file_too_many_is_found() -> None:
    switch_slice, files = rendered("full", "linux")["fe-leaf01"]
    findings = prove(switch_slice, {**files, "etc/issue.net": "hello"}).findings
    messages = {finding.message for finding in findings}
    assert "fe-leaf01 etc/issue.net: this file is not in the design" in messages


def test_two_files_that_contradict_each_other_agree_with_no_design() -> None:
    switch_slice, files = rendered("full", "sonic")["fe-leaf01"]
    text = files["frr.conf"].replace("hostname fe-leaf01", "hostname fe-leaf02")
    (finding,) = prove(switch_slice, {**files, "frr.conf": text}).findings
    assert (
        "switch: hostname is fe-leaf01, fe-leaf02, but the design has fe-leaf01" in finding.message
    )


def test_a_missing_neighbor_is_found() -> None:
    switch_slice, files = rendered("full", "eos")["fe-leaf01"]
    lines = files["eos.cfg"].split("\n")
    text = "\n".join(line for line in lines if "neighbor 10.72.0.0 " not in line)
    messages = [finding.message for finding in prove(switch_slice, {"eos.cfg": text}).findings]
    assert any(
        "neighbor 10.72.0.0 (fe-spine1): remote ASN is missing" in message for message in messages
    )


def test_a_file_that_no_grammar_reads_is_said() -> None:
    switch_slice, files = rendered("tenants", "eos")["fe-leaf01"]
    (finding,) = prove(switch_slice, {**files, "extra.cfg": "x\n"}).findings
    assert finding.message == "fe-leaf01 extra.cfg: no grammar reads this file"


def twins() -> list[tuple[str, str]]:
    """Two switches of one sort: when the second is proven, its like is known already."""
    return [
        ("fe-leaf01", "fe-leaf02"),
        ("be-su01-leaf1", "be-su02-leaf3"),
        ("be-spine1", "be-spine7"),
    ]


@pytest.mark.parametrize("platform", ["eos", "sonic", "linux"])
@pytest.mark.parametrize(("first", "second"), twins())
def test_a_fault_in_a_line_of_its_own_is_found_where_its_like_is_known(
    platform: str, first: str, second: str
) -> None:
    site = rendered("full", platform)
    judge = judge_of(platform)
    assert judge is not None
    for name in (first, second):
        assert prove(*site[name]).findings == ()
    switch_slice, files = site[second]
    own = Own(signature(switch_slice, judge.names).own, places(switch_slice, judge.names), {})
    ends = [
        (path, end)
        for path, text in files.items()
        for start, end, *_ in judge.witness(path).spans(text, own.values)
        if text[end - 1].isdigit()
    ]
    assert len(ends) > 40
    for path, end in ends[:: len(ends) // TRIED]:
        text = files[path]
        other = str((int(text[end - 1]) + 1) % 10)
        spoiled = text[: end - 1] + other + text[end:]
        assert prove(switch_slice, {**files, path: spoiled}).findings, text[end - 30 : end + 1]


def changed(switch_slice: SwitchSlice) -> dict[str, SwitchSlice]:
    """The same switch, designed otherwise in one thing each."""
    port = next(item for item in switch_slice.interfaces if item.address is not None)
    one, *more = switch_slice.sessions
    edge = next(item for item in switch_slice.interfaces if item.carries is not None)
    services, rules = switch_slice.services, switch_slice.overlay
    assert rules is not None

    def with_port(old: Interface, **changes: Any) -> SwitchSlice:
        return replace(
            switch_slice,
            interfaces=tuple(
                replace(old, **changes) if item is old else item for item in switch_slice.interfaces
            ),
        )

    return {
        "asn": replace(switch_slice, asn=switch_slice.asn + 1),
        "loopback": replace(switch_slice, loopback=switch_slice.loopback._replace(value=1)),
        "management": replace(switch_slice, management=switch_slice.management._replace(value=1)),
        "vtep": replace(switch_slice, vtep=port.address),
        "no vlans": replace(switch_slice, vlans=switch_slice.vlans[1:]),
        "no vrf": replace(switch_slice, vrfs=switch_slice.vrfs[1:]),
        "peer asn": replace(switch_slice, sessions=(replace(one, peer_asn=1), *more)),
        "no session": replace(switch_slice, sessions=tuple(more)),
        "no bfd": replace(switch_slice, routing=replace(switch_slice.routing, bfd=None)),
        "ecmp": replace(switch_slice, routing=replace(switch_slice.routing, ecmp=2)),
        "mtu": with_port(port, mtu=1500),
        "address": with_port(port, address=Ip(1, 31)),
        "peer": with_port(port, peer=switch_slice.switch),
        "vlans of a port": with_port(edge, carries=None),
        "shut": with_port(port, use=Use.UNUSED),
        "clocks": replace(switch_slice, services=replace(services, ntp=services.ntp[1:])),
        "anycast MAC": replace(
            switch_slice, overlay=replace(rules, anycast_mac="00:00:00:00:00:01")
        ),
        "targets": replace(switch_slice, overlay=replace(rules, route_target_asn=1)),
    }


def test_a_design_that_changed_is_no_longer_what_is_written() -> None:
    """Also where a switch of the sort was proven before: a signature leaves nothing out."""
    switch_slice, files = rendered("full", "eos")["fe-leaf01"]
    assert prove(switch_slice, files).findings == ()
    unseen = [
        name for name, other in changed(switch_slice).items() if not prove(other, files).findings
    ]
    assert unseen == []
