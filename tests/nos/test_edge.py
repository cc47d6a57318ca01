"""The edge on each platform: shares of cables, sessions of both families, and a peer's policy."""

from functools import cache

import pytest
from tests.nos.tenants import edged
from tests.switches import files_of_switches

from fabricgen.compile.compiler import compile_site
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.external import PLAIN
from fabricgen.operate.deploy.secrets.type7 import bgp7

MODELS = {"eos": "7050CX3-32S", "sonic": "7060DX5-64S", "linux": "7050CX3-32S"}
POLICY = {
    "eos": """
ip as-path access-list IN-red_isp1 permit _64496$ any
ip as-path access-list IN-red_isp1 permit _64499$ any
ip community-list IN-red_isp1 permit 64496:100
   seq 30 permit 198.51.100.0/24 ge 25 le 28
ipv6 prefix-list IN-red_isp1_6
   match as-path IN-red_isp1
   match community IN-red_isp1
   match ipv6 address prefix-list IN-red_isp1_6
   set community 64496:9 64496:80
   set community 64500:1
   set local-preference 200
      neighbor 192.0.2.0 local-as 64500 no-prepend replace-as
      neighbor 192.0.2.0 maximum-routes 1000
      neighbor 192.0.2.0 password 7 <<secret:bgp7:192.0.2.0@env:ISP1>>
      neighbor 192.0.2.0 remove-private-as all
      neighbor 192.0.2.0 send-community
         neighbor 2001:db8:ff:: activate
""",
    "frr": """
bgp as-path access-list IN-red_isp1 seq 5 permit _64496$
bgp as-path access-list IN-red_isp1 seq 10 permit _64499$
bgp community-list standard IN-red_isp1 seq 5 permit 64496:100
ip prefix-list IN-red_isp1 seq 30 permit 198.51.100.0/24 ge 25 le 28
ipv6 prefix-list IN-red_isp1_6 seq 20 permit ::/0
 match as-path IN-red_isp1
 match community IN-red_isp1
 match ipv6 address prefix-list IN-red_isp1_6
 set community 64496:9 64496:80
 set community 64500:1
 set local-preference 200
 neighbor 192.0.2.0 local-as 64500 no-prepend replace-as
 neighbor 192.0.2.0 password <<secret:env:ISP1>>
  neighbor 192.0.2.0 maximum-prefix 1000
  neighbor 192.0.2.0 remove-private-AS all
  neighbor 2001:db8:ff:: activate
""",
}
BACKUP = {
    "eos": """
      neighbor 192.0.2.2 maximum-routes 500 warning-only
   set as-path prepend 64497 64497 64497 64497 64497
   set as-path prepend ASN ASN ASN ASN ASN
   set local-preference 50
""",
    "frr": """
  neighbor 192.0.2.2 maximum-prefix 500 warning-only
 set as-path prepend 64497 64497 64497 64497 64497
 set as-path prepend ASN ASN ASN ASN ASN
 set local-preference 50
""",
}
SHARES = {
    "eos": """
interface Port-Channel1019.101
   encapsulation dot1q vlan 101
   vrf red
   ip address 192.0.2.1/31
   ipv6 address 2001:db8:ff::1/127
interface Port-Channel1019.102
   vrf blue
""",
    "sonic": """
        "Po1019.101": {
            "vlan": "101"
            "vrf_name": "Vrf_red"
        "Po1019.101|192.0.2.1/31": {},
        "Po1019.101|2001:db8:ff::1/127": {},
        "PortChannel1019|Ethernet144": {},
""",
    "linux": """
auto bond1019.101
    vlan-id 101
    vlan-raw-device bond1019
    address 192.0.2.1/31
    address 2001:db8:ff::1/127
    vrf red
    bond-slaves swp19 swp20
""",
}


@cache
def texts(platform: str) -> dict[str, str]:
    """Return all files of each leaf as one text; the compiler has read them all back."""
    loaded = load_texts({"site.yaml": edged(MODELS[platform], platform)})
    compiled = compile_site(loaded)
    assert compiled.site is not None
    assert [each.message for each in compiled.findings if each.severity.value == "error"] == []
    made: dict[str, str] = {}
    for switch, group in files_of_switches(compiled.site):
        made[switch.name] = "".join(file.text for file in group)
    return made


def missing(wanted: str, text: str) -> list[str]:
    lines = set(text.split("\n"))
    return [line for line in wanted.strip("\n").split("\n") if line not in lines]


def spoken(platform: str) -> str:
    return "eos" if platform == "eos" else "frr"


BY_HAND = {
    "eos": """
ip route vrf red 203.0.113.0/24 Port-Channel1019.103 198.18.0.0
ipv6 route vrf red 2001:db8:cafe::/48 Port-Channel1019.103 2001:db8:fd::
""",
    "sonic": """
 ip route 203.0.113.0/24 198.18.0.0 Po1019.103
 ipv6 route 2001:db8:cafe::/48 2001:db8:fd:: Po1019.103
""",
    "linux": """
 ip route 203.0.113.0/24 198.18.0.0 bond1019.103
 ipv6 route 2001:db8:cafe::/48 2001:db8:fd:: bond1019.103
""",
}
BEHIND = {
    "eos": """
ip route vrf red 203.0.112.0/24 Ethernet20/1.103 198.18.0.2
ip route vrf red 203.0.113.0/24 Ethernet20/1.103 198.18.0.2
ip route vrf red 203.0.113.0/24 Ethernet23/1 198.18.0.4
""",
    "sonic": """
 ip route 203.0.112.0/24 198.18.0.2 Ethernet152.103
 ip route 203.0.113.0/24 198.18.0.2 Ethernet152.103
 ip route 203.0.113.0/24 198.18.0.4 Ethernet176
""",
    "linux": """
 ip route 203.0.112.0/24 198.18.0.2 swp20.103
 ip route 203.0.113.0/24 198.18.0.2 swp20.103
 ip route 203.0.113.0/24 198.18.0.4 swp23
""",
}


every_platform = pytest.mark.parametrize("platform", MODELS)


@every_platform
def test_vrfs_share_a_bundle_by_tags(platform: str) -> None:
    assert missing(SHARES[platform], texts(platform)["fe-leaf01"]) == []


@every_platform
def test_a_peers_words_become_lists_and_maps(platform: str) -> None:
    assert missing(POLICY[spoken(platform)], texts(platform)["fe-leaf01"]) == []


HELD = {
    "eos": """
   shape rate 2500000 kbps
""",
    "sonic": """
      "scheduler.port.312500000": {
         "cir": "312500000",
         "meter_type": "bytes",
         "pir": "312500000"
         "scheduler": "scheduler.port.312500000",
""",
    "linux": """
class replace dev swp20 parent 1: classid 1:100 htb rate 2500000000bit quantum 18000
""",
}


@every_platform
def test_a_port_is_held_to_the_rate_of_the_way(platform: str) -> None:
    """2.5 Gb/s: kbit/s on EOS, bytes per second in SONiC, bit/s for tc."""
    text = texts(platform)["fe-leaf02"]
    lines = {line.strip().rstrip(",") for line in text.splitlines()}
    wanted = HELD[platform].strip("\n").splitlines()
    assert [line for line in wanted if line.strip().rstrip(",") not in lines] == []
    assert not any(line in texts(platform)["fe-leaf01"] for line in wanted[:1])


@every_platform
def test_a_backup_is_a_longer_way_in_both_directions(platform: str) -> None:
    wanted = BACKUP[spoken(platform)].replace("ASN", "4200000001")
    assert missing(wanted, texts(platform)["fe-leaf02"]) == []


@every_platform
def test_a_way_out_without_a_session_is_a_static_route_by_its_port(platform: str) -> None:
    first, second = (texts(platform)[leaf] for leaf in ("fe-leaf01", "fe-leaf02"))
    assert missing(BY_HAND[platform], first) == []
    assert missing(BEHIND[platform], second) == []
    for policy in ("IN-red_old", "OUT-red_old"):  # it has no prefix lists and no route maps
        assert policy not in first + second


def test_a_plain_peer_says_no_more_than_its_prefixes() -> None:
    assert (PLAIN.preference, PLAIN.require, PLAIN.password) == (None, (), None)
    text = texts("eos")["fe-leaf02"]
    block = text.split("route-map IN-red_direct permit 10\n")[1].split("!")[0]
    lines = ["match ip address prefix-list IN-red_direct", "set community none"]
    assert block.split("\n   ") == [f"   {lines[0]}", lines[1], "set extcommunity none\n"]


@pytest.mark.parametrize(
    ("neighbor", "password", "kept"),
    [
        ("192.0.2.0", "secret", "a6huQrzi2liYSCGU0pr9WA=="),
        (
            "2001:db8::",
            "a much longer secret 12345",
            "fB8YFNDZRezpCxH7z6dB7pOW2usu2cSz6rWae/sA3Y0=",
        ),
    ],
)
def test_a_password_is_spelled_as_pyavd_spells_it(neighbor: str, password: str, kept: str) -> None:
    """Both values are what pyavd_utils of pyavd 6.4.0 gives."""
    assert bgp7(neighbor, password) == kept
