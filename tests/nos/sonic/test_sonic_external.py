"""SONiC: external peers of the files are those of the slice: port, VRF, neighbor, session."""

from tests.nos.sonic.switches import Rendered, rendered

SITES = ("frontend-border-7060dx5", "frontend-border-vs")


def borders() -> list[Rendered]:
    found = [item for site in SITES for item in rendered(site) if item.switch_slice.external]
    assert [item.switch_slice.switch.name for item in found] == ["fe-leaf02", "fe-leaf03"] * 2
    return found


def test_the_port_is_up_and_in_the_vrf() -> None:
    for item in borders():
        for peer in item.switch_slice.external:
            name = item.name(peer.interface)
            port = item.db["PORT"][name]
            assert (port["admin_status"], port["mtu"]) == ("up", str(peer.interface.mtu))
            assert port["description"].endswith(f":{name} to outside:{peer.name}")
            assert item.db["INTERFACE"][name] == {"vrf_name": f"Vrf_{peer.vrf}"}
            assert f"{name}|{peer.local}" in item.db["INTERFACE"]
            assert item.db["DEVICE_NEIGHBOR"][name] == {"name": f"outside:{peer.name}"}
        bound = [key for key, entry in item.db["INTERFACE"].items() if "vrf_name" in entry]
        assert bound == [item.name(peer.interface) for peer in item.switch_slice.external]


def test_the_vrf_is_there_without_a_vlan_of_it() -> None:
    for site in SITES:
        (item,) = (
            switch_slice
            for switch_slice in rendered(site)
            if switch_slice.switch_slice.switch.name == "fe-leaf03"
        )
        assert item.switch_slice.vlans == ()
        assert item.db["VRF"] == {"Vrf_red": {"vni": "50001"}}
        assert list(item.db["VLAN"]) == ["Vlan3001"]
        assert item.db["VLAN"]["Vlan3001"]["mtu"] == "9164"
        assert item.db["VLAN_INTERFACE"] == {"Vlan3001": {"vrf_name": "Vrf_red"}}
        assert list(item.db["VXLAN_TUNNEL_MAP"]) == ["vtep|map_50001_Vlan3001"]


def test_the_session_is_in_the_vrf() -> None:
    for item in borders():
        for peer in item.switch_slice.external:
            vrf = f"router bgp {item.switch_slice.asn} vrf Vrf_{peer.vrf}\n"
            block = item.frr.split(vrf)[1].split("\nexit\n")[0]
            assert f" neighbor {peer.remote.host} remote-as {peer.peer_asn}\n" in block
            label = f"{peer.vrf}_{peer.name}"
            assert f"  neighbor {peer.remote.host} route-map IN-{label} in\n" in block
            assert f"ip prefix-list IN-{label} seq 10 permit 0.0.0.0/0\n" in item.frr


def test_other_switches_have_none_of_it() -> None:
    for site in SITES:
        for item in rendered(site):
            if not item.switch_slice.external:
                assert "outside" not in item.text + item.frr
