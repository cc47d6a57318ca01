"""From /etc/network/interfaces, read back: every port, address, VLAN and VRF of the slice."""

from itertools import chain

import pytest
from tests.nos.linux.stanzas import Stanza, stanzas
from tests.nos.linux.switches import LINUX, SITES, Rendered, rendered, switch

from fabricgen.model.fabric.interface import Interface, Use


def parsed(item: Rendered) -> dict[str, Stanza]:
    return stanzas(item.files["etc/network/interfaces"])


def name_of(item: Rendered, interface: Interface) -> str:
    return LINUX.port_name(item.switch_slice.switch.model, interface.port)


@pytest.mark.parametrize("site", SITES)
def test_every_port_stands_there_with_its_mtu_and_address(site: str) -> None:
    for item in rendered(site):
        found = parsed(item)
        for interface in item.switch_slice.interfaces:
            stanza = found[name_of(item, interface)]
            assert stanza.one("mtu") == str(interface.mtu)
            address = [] if interface.address is None else [str(interface.address)]
            assert stanza.get("address", []) == address


@pytest.mark.parametrize("site", SITES)
def test_ports_without_a_cable_are_down_and_no_others(site: str) -> None:
    for item in rendered(site):
        found = parsed(item)
        down = {name for name, stanza in found.items() if stanza.get("link-down") == ["yes"]}
        unused = [i for i in item.switch_slice.interfaces if i.use is Use.UNUSED]
        assert down == {name_of(item, interface) for interface in unused}
        assert all(found[name].one("alias") == "unused" for name in down)


@pytest.mark.parametrize("site", SITES)
def test_the_only_default_route_is_that_of_the_management_vrf(site: str) -> None:
    for item in rendered(site):
        found = parsed(item)
        assert [name for name, stanza in found.items() if "gateway" in stanza] == ["eth0"]
        assert found["eth0"].one("vrf") == item.switch_slice.services.vrf
        assert found["eth0"].one("address") == str(item.switch_slice.management)
        said = [line for line in item.frr.splitlines() if "0.0.0.0/0" in line]
        servers = [peer for peer in item.switch_slice.peers if peer.default]  # they are told one
        lists = ("IN-", *{peer.outward for peer in servers})
        assert all(line.split(" ")[2].startswith(lists) for line in said)
        assert item.frr.count("default-originate") == len(servers)


@pytest.mark.parametrize("site", SITES)
def test_an_alias_names_both_ends_of_the_cable(site: str) -> None:
    by_name = {item.switch_slice.switch.name: item for item in rendered(site)}
    for item in by_name.values():
        for interface in item.switch_slice.interfaces:
            if interface.use is not Use.FABRIC:
                continue
            near = f"{item.switch_slice.switch.name}:{name_of(item, interface)}"
            alias = parsed(item)[name_of(item, interface)].one("alias")
            assert alias.startswith(f"{near} to ")
            far_switch, far_port = alias.split(" to ")[1].split(":")
            back = parsed(by_name[far_switch])[far_port].one("alias")
            assert back == f"{far_switch}:{far_port} to {near}"


@pytest.mark.parametrize("site", ["front", "front-asic"])
def test_vrfs_have_a_table_each_that_ifupdown2_accepts(site: str) -> None:
    for item in rendered(site):
        found = parsed(item)
        tables = {n: int(s.one("vrf-table")) for n, s in found.items() if "vrf-table" in s}
        wanted = {vrf.name: 1000 + vrf.id for vrf in item.switch_slice.vrfs}
        assert tables == wanted | {item.switch_slice.services.vrf: 2000}
        assert all(1001 <= table <= 5000 for table in tables.values())


@pytest.mark.parametrize("site", ["front", "front-asic"])
def test_each_vni_has_a_device_in_its_vlan_and_in_the_bridge(site: str) -> None:
    for item in rendered(site):
        found = parsed(item)
        wanted = {}
        if item.switch_slice.vtep is not None:
            wanted = {vlan.vni: vlan.id for vlan in item.switch_slice.vlans}
            wanted |= {vrf.vni: vrf.transit_vlan for vrf in item.switch_slice.vrfs}
            assert found["lo"].one("vxlan-local-tunnelip") == item.switch_slice.vtep.host
        devices = {n: s for n, s in found.items() if "vxlan-id" in s}
        have = {int(s.one("vxlan-id")): int(s.one("bridge-access")) for s in devices.values()}
        assert have == wanted
        made = [line.split(" || ")[1].split() for line in found["lo"].get("pre-up", [])]
        assert {words[3] for words in made} == set(devices)
        assert all(words[words.index("id") + 1] == words[3][3:] for words in made)
        if devices:
            assert set(devices) <= set(found["br0"].one("bridge-ports").split())


def test_server_ports_carry_what_they_are_told() -> None:
    for item in rendered("front"):
        found = parsed(item)
        bridge = set(found["br0"].one("bridge-ports").split()) if "br0" in found else set()
        for interface in item.switch_slice.interfaces:
            if interface.use is not Use.EDGE or interface.lag is not None:
                continue
            name, carries = name_of(item, interface), interface.carries
            stanza = found[name]
            assert (name in bridge) == (carries is not None)
            native = [str(carries.untagged.id)] if carries and carries.untagged else []
            tagged = [str(vlan.id) for vlan in carries.tagged] if carries else []
            assert stanza.get("bridge-access", stanza.get("bridge-pvid", [])) == native
            assert stanza.get("bridge-vids", [""])[0].split() == tagged
            assert ("bridge-allow-untagged" in stanza) == (bool(tagged) and not native)


def test_a_gateway_is_the_same_on_every_leaf() -> None:
    leafs = [parsed(item) for item in rendered("front") if item.switch_slice.vlans]
    assert len(leafs) == 3
    for vlan, addrgen in (("vlan110", "off"), ("vlan111", "on")):  # 111 has IPv6, too
        first = leafs[0][vlan]
        assert all(leaf[vlan] == first for leaf in leafs)
        assert first.one("vrf") == "red"
        assert first.one("ipv6-addrgen") == addrgen
    macs = {leaf["br0"].one("hwaddress") for leaf in leafs}
    assert len(macs) == 3
    assert leafs[0]["vlan110"].one("hwaddress") not in macs
    assert all("address" not in leaf["vlan3001"] for leaf in leafs)
    assert all("vlan130" not in leaf for leaf in leafs)  # bridged only


def test_a_bundle_has_its_members_and_its_vlans() -> None:
    item = switch("front", "fe-leaf03")
    found = parsed(item)
    assert len(item.switch_slice.lags) == 4
    for lag in item.switch_slice.lags:
        bond = found[f"bond{lag.number}"]
        assert bond.one("bond-mode") == "802.3ad"
        assert bond.one("bridge-vids") == "110 111"
        assert bond.one("mtu") == str(lag.mtu)
        names = [name_of(item, member) for member in lag.members]
        assert bond.one("bond-slaves").split() == names
        assert not any("bridge-vids" in found[name] for name in names)
    slaves = chain.from_iterable(s.get("bond-slaves", []) for s in found.values())
    members = [name for line in slaves for name in line.split()]
    assert len(members) == len(set(members)) == 8


def test_a_rail_subnet_has_its_gateway_on_a_vlan_of_the_leaf_alone() -> None:
    gateways = set()
    for item in rendered("rail-subnet"):
        found = parsed(item)
        (vlan,) = item.switch_slice.vlans
        stanza = found[f"vlan{vlan.id}"]
        assert stanza.one("address") == str(vlan.gateway(4))
        assert "vrf" not in stanza
        assert "hwaddress" not in stanza
        assert stanza.one("mtu") == str(item.switch_slice.routing.mtu)
        ports = found["br0"].one("bridge-ports").split()
        assert ports == [name_of(item, i) for i in item.switch_slice.interfaces if i.use is Use.NIC]
        assert all(found[port].one("bridge-access") == str(vlan.id) for port in ports)
        gateways.add(stanza.one("address"))
    assert len(gateways) == 4


def test_a_name_server_and_who_gets_traps_are_looked_up_in_the_management_table() -> None:
    stanza = parsed(switch("front", "fe-leaf01"))["mgmt"]
    assert [line.split()[:6] for line in stanza["up"]] == [
        ["ip", "-4", "rule", "add", "to", "10.255.3.4/32"],
        ["ip", "-6", "rule", "add", "to", "fd00::53/128"],
        ["ip", "-4", "rule", "add", "to", "10.255.3.10/32"],
    ]
    assert all("table 2000" in line for line in stanza["up"])


def test_unnumbered_ports_have_no_address() -> None:
    item = switch("unnumbered", "be-su01-leaf1")
    found = parsed(item)
    links = [name_of(item, i) for i in item.switch_slice.interfaces if i.use is Use.FABRIC]
    assert links
    assert not any("address" in found[name] for name in links)


def test_external_ports_are_in_the_vrf_of_their_peer() -> None:
    for item in rendered("border"):
        found = parsed(item)
        told = {
            name: (stanza.one("alias").split(" to outside:")[1], stanza.one("vrf"))
            for name, stanza in found.items()
            if " to outside:" in stanza.get("alias", [""])[0]
        }
        assert told == {
            name_of(item, peer.interface): (peer.name, peer.vrf)
            for peer in item.switch_slice.external
        }
        assert not [s for name, s in found.items() if name in told and "link-down" in s]


def test_a_border_leaf_without_a_vlan_has_the_vrf_and_its_tunnel() -> None:
    item = switch("border", "fe-leaf04")
    assert item.switch_slice.vlans == ()
    found = parsed(item)
    assert found["red"].one("vrf-table") == "1001"
    assert found["br0"].one("bridge-ports") == "vni50001"
    assert found["vlan3001"].one("vrf") == "red"
    assert found["vlan3001"].one("mtu") == found["vni50001"].one("mtu") == "9164"
