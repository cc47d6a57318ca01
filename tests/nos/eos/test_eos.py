"""EOS: ports and services of the text are those of the slice, and the rest is shut."""

import pytest
from tests.nos.eos.sites import (
    COLLAPSED,
    EOS,
    FRONT,
    PAIRED,
    PLANES,
    RAIL_ONLY,
    RAILS,
    SUBNETS,
    UNNUMBERED,
    Made,
    every_site,
    site,
    slices,
    switches,
    with_words,
)

from fabricgen.compile.render import Renderer
from fabricgen.core.diagnostics import Diagnostic
from fabricgen.core.units import BitsPerSecond
from fabricgen.intent.load import load_texts
from fabricgen.model.fabric.interface import Use
from fabricgen.nos.eos.names import SPEEDS, speed_word
from fabricgen.nos.features import Feature
from fabricgen.nos.lowering import spell


def routed(made: Made) -> dict[str, str]:
    """Return the address line of each routed port."""
    return {
        spell(made.switch_slice.switch, item.port): f"ip address {item.address}"
        if item.address
        else "ipv6 enable"
        for item in made.switch_slice.interfaces
        if item.use in (Use.FABRIC, Use.NIC) and item.carries is None
    }


@every_site
def test_every_port_is_there_once(text: str) -> None:
    for made in switches(text):
        ports = [spell(made.switch_slice.switch, port) for port in made.switch_slice.switch.ports]
        assert sorted(made.config.rests("interface Ethernet")) == sorted(
            name.removeprefix("Ethernet") for name in ports
        )


@every_site
def test_unused_ports_are_shut_and_used_ones_are_not(text: str) -> None:
    for made in switches(text):
        for item in made.switch_slice.interfaces:
            block = made.interface(spell(made.switch_slice.switch, item.port))
            assert block.has("shutdown") == (item.use is Use.UNUSED)
            if item.use is Use.UNUSED:
                assert {line.split()[0] for line in block.lines} <= {
                    "description",
                    "speed",
                    "shutdown",
                }


@every_site
def test_descriptions_name_both_ends(text: str) -> None:
    for made in switches(text):
        for item in made.switch_slice.interfaces:
            name = spell(made.switch_slice.switch, item.port)
            said = made.interface(name).value("description ")
            if item.outside:
                assert said == f"{made.switch_slice.switch.name}:{name} to outside:{item.outside}"
            elif item.peer is None or item.peer_port is None:
                assert said == "unused"
            else:
                far = f"{item.peer.name}:{spell(item.peer, item.peer_port)}"
                assert said == f"{made.switch_slice.switch.name}:{name} to {far}"


@pytest.mark.parametrize("text", [FRONT, RAILS, RAIL_ONLY, UNNUMBERED])
def test_routed_ports_have_their_addresses(text: str) -> None:
    for made in switches(text):
        for name, address in routed(made).items():
            block = made.interface(name)
            assert block.has("no switchport")
            assert block.has("mtu 9214")
            assert block.has(address)


@every_site
def test_loopbacks_and_management(text: str) -> None:
    for made in switches(text):
        switch_slice = made.switch_slice
        assert made.interface("Loopback0").has(f"ip address {switch_slice.loopback}")
        assert made.config.has("interface Loopback1") == (switch_slice.vtep is not None)
        port = made.interface("Management1")
        assert port.lines[1:] == ["vrf mgmt", f"ip address {switch_slice.management}"]
        assert made.config.has(f"hostname {switch_slice.switch.name}")


@every_site
def test_the_only_default_route_is_that_of_management(text: str) -> None:
    for made in switches(text):
        every = (route for route in made.config.rests("ip route") if "0.0.0.0/0" in route)
        assert list(every) == [" vrf mgmt 0.0.0.0/0 10.255.0.1"]
        assert made.config.has("no ip routing vrf mgmt")
        told = sum(peer.default for peer in made.switch_slice.peers)  # servers are
        assert made.text.count("default-originate") == told
        assert "::/0" not in made.text


def test_what_server_ports_carry() -> None:
    made = site(FRONT)["fe-leaf01"]
    ports = [item for item in made.switch_slice.interfaces if item.use is Use.EDGE]
    blocks = [made.interface(spell(made.switch_slice.switch, item.port)) for item in ports]
    access, native, tagged, nothing = blocks[0], blocks[4], blocks[6], blocks[7]
    assert access.rests("switchport ") == ["access vlan 110", "mode access"]
    assert native.rests("switchport ") == [
        "trunk native vlan 110",
        "trunk allowed vlan 110-112",
        "mode trunk",
    ]
    assert tagged.rests("switchport ") == ["trunk allowed vlan 120,130", "mode trunk"]
    assert nothing.rests("switchport ") == ["trunk allowed vlan none", "mode trunk"]
    for block in blocks:
        assert block.lines[-2:] == ["spanning-tree portfast", "spanning-tree bpduguard enable"]
    assert made.config.has("spanning-tree mode mstp")


def test_bundles() -> None:
    made = site(FRONT)["fe-leaf03"]
    assert made.switch_slice.lags
    for lag in made.switch_slice.lags:
        bundle = made.interface(f"Port-Channel{lag.number}")
        assert bundle.has("switchport trunk allowed vlan 110-111")
        assert bundle.value("description ").endswith(lag.far)
        for member in lag.members:
            block = made.interface(spell(made.switch_slice.switch, member.port))
            assert block.has(f"channel-group {lag.number} mode active")
            assert not block.starting("switchport")


def test_rail_subnets() -> None:
    made = site(SUBNETS)["be-su01-leaf1"]
    (vlan,) = made.switch_slice.vlans
    gateway = made.config.block(f"interface Vlan{vlan.id}")
    own = vlan.gateway(4)
    assert gateway.lines == [f"description {vlan.name}", "mtu 9214", f"ip address {own}"]
    nics = [item for item in made.switch_slice.interfaces if item.use is Use.NIC]
    for item in nics:
        block = made.interface(spell(made.switch_slice.switch, item.port))
        assert block.has(f"switchport access vlan {vlan.id}")
        assert block.has("service-profile BACKEND-400G")
    assert "vxlan" not in made.text
    assert made.config.block(f"vlan {vlan.id}").lines == [f"name {vlan.name}"]


def test_services() -> None:
    made = site(FRONT)["fe-leaf01"]
    config = made.config
    for line in (
        "service routing protocols model multi-agent",
        "vlan internal order ascending range 3500 4093",
        "lldp run",
        "logging vrf mgmt host 10.255.3.3",
        "ip name-server vrf mgmt 10.255.3.4",
        "dns domain lab",
        "snmp-server community <<secret:env:SNMP>> ro",
        "snmp-server location hall 1",
        "no snmp-server vrf default",
        "snmp-server vrf mgmt",
        "ntp server vrf mgmt 10.255.3.1",
        "ntp server vrf mgmt 10.255.3.2",
        "tacacs-server host 10.255.3.6 vrf mgmt key 7 <<secret:type7:env:TACACS>>",
        "radius-server host 10.255.3.7 vrf mgmt key 7 <<secret:type7:env:RADIUS>>",
        "aaa authentication login default group tacacs+ group radius local",
        "aaa authentication login console local",
        "aaa authorization exec default group tacacs+ group radius local",
        "ip radius vrf mgmt source-interface Management1",
        "ip tacacs vrf mgmt source-interface Management1",
        "no aaa root",
        "username admin privilege 15 role network-admin secret sha512 <<secret:env:ADMIN>>",
        "username admin ssh-key ssh-ed25519 AAAA admin",
        "username reader privilege 1 role network-operator nopassword",
    ):
        assert config.has(line), line
    assert "banner login\nauthorized use only\nEOF\n" in made.text
    assert made.text.endswith("!\nend\n")


def test_management_services_stay_in_their_vrf() -> None:
    config = site(FRONT)["fe-leaf01"].config
    eapi = config.block("management api http-commands")
    assert eapi.lines[1:3] == ["no protocol http", "no shutdown"]
    assert eapi.block("vrf mgmt").lines == ["no shutdown", "ip access-group MANAGEMENT"]
    ssh = config.block("management ssh")
    assert ssh.lines[:2] == ["ip access-group MANAGEMENT vrf mgmt in", "shutdown"]
    assert ssh.block("vrf mgmt").lines == ["no shutdown"]
    admitted = config.block("ip access-list standard MANAGEMENT")
    assert admitted.lines == ["10 permit 10.255.0.0/22", "20 permit host 10.1.2.3"]
    assert config.has("snmp-server ipv4 access-list MANAGEMENT vrf mgmt")
    grpc = config.block("management api gnmi").block("transport grpc mgmt")
    assert grpc.lines[1:] == ["port 6030", "vrf mgmt", "ip access-group GNMI-COLLECTORS"]
    acl = config.block("ip access-list standard GNMI-COLLECTORS")
    assert acl.lines == ["10 permit host 10.255.3.9"]


@every_site
def test_the_text_is_clean(text: str) -> None:
    for made in switches(text):
        assert made.text.isascii()
        assert "\n\n" not in made.text
        assert "None" not in made.text
        for line in made.text.splitlines():
            assert line == line.rstrip()
            indent = len(line) - len(line.lstrip())
            assert indent % 3 == 0 or (indent == 4 and line.lstrip().startswith("ingress "))


def test_what_switches_share_is_rendered_once() -> None:
    renderer = Renderer()
    counts = []
    for name in ("fe-leaf01", "fe-leaf02"):
        before = renderer.rendered
        (wanted,) = EOS.lower(slices(FRONT)[name], spell)
        renderer.file(wanted)
        counts.append(renderer.rendered - before)
    assert counts[1] <= 14 < counts[0]  # name, ports, loopbacks, probes, management, BGP, VLANs


def test_port_names() -> None:
    front = site(FRONT)["fe-leaf01"].config.rests("interface Ethernet")
    assert {"1/1", "32/1"} <= set(front)
    assert {"33", "34"} <= set(front)  # SFP+ cages have one lane and no slash
    halves = site(RAILS)["be-su01-leaf1"].config.rests("interface Ethernet")
    assert halves[:4] == ["1/1", "1/5", "2/1", "2/5"]


@pytest.mark.parametrize(
    ("speed", "lanes", "word"),
    [
        ("10G", 1, "10g"),
        ("25G", 1, "25g"),
        ("40G", 4, "40g"),
        ("50G", 1, "50g-1"),
        ("100G", 2, "100g-2"),
        ("400G", 4, "400g-4"),
        ("1.6T", 8, "1.6t-8"),
    ],
)
def test_from_50g_on_the_word_of_a_speed_has_its_lanes(speed: str, lanes: int, word: str) -> None:
    assert speed_word(BitsPerSecond.parse(speed), lanes) == word
    assert word in SPEEDS


def test_speeds_say_their_lanes() -> None:
    made = site(RAILS)["be-su01-leaf1"]
    assert made.interface("Ethernet1/5").has("speed 400g-4")
    assert made.interface("Ethernet64/1").has("speed 800g-8")


def test_every_feature_has_an_answer() -> None:
    assert set(EOS.capabilities) == set(Feature)
    assert EOS.name == "eos"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        (with_words(RAILS, "backend", "roce: {watchdog: {action: forward}}"), "forward"),
        (with_words(RAILS, "backend", "roce: {watchdog: {detection: 205}}"), "205 ms"),
        (with_words(RAILS, "backend", "underlay: {bfd: {multiplier: 2}}"), "multiplier"),
        (with_words(RAILS, "backend", "roce: {cnp: {priority: 2}}"), "strictly"),
        (FRONT.replace("heart", "h" * 30), "characters"),
        (FRONT.replace("      red:\n        id", "      default:\n        id"), "default"),
        (FRONT.replace("      red:\n        id", "      mgmt:\n        id"), "mgmt"),
        (FRONT.replace('"authorized use only"', "EOF"), "banner"),
        (FRONT.replace("[10.255.3.9]", '["2001:db8::9"]'), "IPv4"),
        (FRONT.replace("  management:\n", "  management:\n    vrf: default\n", 1), "VRF default"),
    ],
    ids=[
        *("forward", "step", "bfd", "strict", "vlan-name", "vrf-default", "vrf-mgmt", "eof", "acl"),
        "management",
    ],
)
def test_what_eos_cannot_be_told_is_said_where_it_is_written(text: str, word: str) -> None:
    source = load_texts({"site.yaml": text}).source
    said = [gap for gap in every_gap(text) if not _of_every_lossless_switch(gap.message)]
    assert said
    assert all(word in gap.message for gap in said)
    assert [gap.path for gap in said if source.value(gap.path) is None] == []


EVERY = ("headroom", "platform trident mmu", "guaranteed bandwidth")
"""What is said of every lossless switch; test_eos_memory.py and test_eos_qos.py say when."""


def _of_every_lossless_switch(message: str) -> bool:
    return any(word in message for word in EVERY)


def every_gap(text: str) -> list[Diagnostic]:
    return [gap for switch_slice in slices(text).values() for gap in EOS.gaps(switch_slice)]


def gaps(text: str) -> list[str]:
    return [gap.message for gap in every_gap(text)]


@every_site
def test_nothing_is_said_of_what_it_can_do(text: str) -> None:
    assert not [message for message in gaps(text) if not _of_every_lossless_switch(message)]


def test_a_frontend_has_no_memory_to_speak_of() -> None:
    assert gaps(FRONT) == []


@every_site
def test_a_file_says_first_that_it_is_eos(text: str) -> None:
    for made in switches(text):
        assert made.text.startswith("!RANCID-CONTENT-TYPE: arista\n!\n")


@every_site
def test_ports_stand_in_the_order_of_the_faceplate(text: str) -> None:
    for made in switches(text):
        names = made.config.rests("interface Ethernet")
        places = [tuple(map(int, name.split("/"))) for name in names]
        assert places == sorted(places)


def test_a_nic_leaves_a_plane_whose_leaf_lost_its_uplinks() -> None:
    for made in switches(PLANES):
        tracked = made.config.has("link tracking group UPLINKS")
        assert tracked is made.switch_slice.switch.is_leaf
        for item in made.switch_slice.interfaces:
            lines = made.interface(spell(made.switch_slice.switch, item.port)).rests(
                "link tracking group "
            )
            side = {Use.NIC: ["UPLINKS downstream"], Use.FABRIC: ["UPLINKS upstream"]}
            assert lines == (side.get(item.use, []) if tracked else [])


def test_a_server_on_two_leafs_leaves_one_that_lost_its_uplinks() -> None:
    for made in switches(PAIRED):
        tracked = {
            name: side
            for name in made.config.rests("interface ")
            for side in made.interface(name).rests("link tracking group UPLINKS ")
        }
        up = [port for port in made.switch_slice.interfaces if port.use is Use.FABRIC]
        names = [spell(made.switch_slice.switch, port.port) for port in up]
        bundles = [f"Port-Channel{lag.number}" for lag in made.switch_slice.lags]
        wanted = dict.fromkeys(names, "upstream") | dict.fromkeys(bundles, "downstream")
        assert tracked == (wanted if made.switch_slice.switch.is_leaf else {})


def test_a_server_of_a_collapsed_pair_stays_when_the_pair_is_parted() -> None:
    assert all("evpn ethernet-segment" in made.text for made in switches(COLLAPSED))
    assert not any("link tracking" in made.text for made in switches(COLLAPSED))


def test_a_nic_of_one_plane_keeps_what_its_leaf_still_reaches() -> None:
    for text in (RAILS, RAIL_ONLY, FRONT):
        assert not any("link tracking" in made.text for made in switches(text))


def test_api_and_gnmi_show_the_certificate_of_the_site() -> None:
    config = site(FRONT)["fe-leaf01"].config
    api = config.block("management api http-commands")
    assert api.lines[:2] == ["protocol https ssl profile MANAGEMENT", "no protocol http"]
    assert config.block("management api gnmi").block("transport grpc mgmt").lines[0] == (
        "ssl profile MANAGEMENT"
    )
    profile = config.block("management security").block("ssl profile MANAGEMENT")
    assert profile.lines == ["certificate switch.crt key switch.key"]
    plain = site(RAILS)["be-spine1"]
    assert plain.config.block("management api http-commands").has("protocol https")
    assert "ssl profile" not in plain.text
