"""From real looks with one planted error each: that exactly this error is named, and how."""

import pytest
from tests.unit.proof.state.lab import (
    BORDER,
    LEAF,
    RAIL,
    SPINE,
    UNNUMBERED,
    VARIED,
    edited,
    look,
    models,
    models_of,
    planted,
    sentences,
    text,
)

from fabricgen.nos.linux.show.reader import LINUX
from fabricgen.nos.show import Observed, Part
from fabricgen.prove.differences import Kind, compare

PARSE = LINUX.read
SPINE_1 = '"10.72.0.128":{\n    "remoteAs":4294967294,'


@pytest.mark.parametrize("switch", [LEAF, BORDER, SPINE, UNNUMBERED, RAIL])
def test_a_settled_switch_is_as_the_model_says(switch: str) -> None:
    assert sentences(compare(models()[switch], look(switch))) == []


@pytest.mark.parametrize("switch", [BORDER, UNNUMBERED])
def test_so_is_a_switch_of_another_design(switch: str) -> None:
    assert sentences(compare(models_of(VARIED)[switch], look(switch, "varied"))) == []


def test_a_wrong_asn_is_named_with_the_state_of_its_session() -> None:
    found = compare(models()[LEAF], look(LEAF, "asn"))
    assert sentences(found) == [
        (
            "wrong: BGP neighbor 10.72.0.128 (fe-spine1) has remote ASN 65001, but the model "
            "has 4294967294, and the session is Idle (OPEN Message Error/Bad Peer AS)"
        )
    ]


def test_a_wrong_asn_of_a_session_that_is_up() -> None:
    found = planted(LEAF, (SPINE_1, SPINE_1.replace("4294967294", "65001")))
    assert sentences(found) == [
        (
            "wrong: BGP neighbor 10.72.0.128 (fe-spine1) has remote ASN 65001, but the model "
            "has 4294967294"
        )
    ]
    assert found[0].key == ("session", "default", "10.72.0.128")
    assert found[0].as_data()["intent"] == "frontend.underlay"


def test_a_wrong_address() -> None:
    found = planted(
        LEAF,
        ('"local":"10.72.0.129","prefixlen"', '"local":"10.72.0.9","prefixlen"'),
        ("connected main 10.72.0.128/31 swp29", "connected main 10.72.0.8/31 swp29"),
    )
    assert sentences(found) == [
        (
            "wrong: swp29 (port to fe-spine1) has address 10.72.0.9/31, but the model has "
            "10.72.0.129/31"
        )
    ]


def test_a_wrong_mtu() -> None:
    port = '"ifname":"swp29","flags":["BROADCAST","MULTICAST","UP","LOWER_UP"],"mtu":'
    found = planted(LEAF, (f"{port}9214", f"{port}1500"))
    assert sentences(found) == [
        "wrong: swp29 (port to fe-spine1) has MTU 1500, but the model has 9214"
    ]


def test_a_cable_without_a_link_may_still_come_and_a_shut_port_does_not() -> None:
    port = '"ifname":"swp29","flags":["BROADCAST","MULTICAST","UP","LOWER_UP"]'
    dark = planted(LEAF, (port, port.replace(',"LOWER_UP"', "")))
    assert sentences(dark) == ["not yet: swp29 (port to fe-spine1) is not shut, but has no link"]
    shut = planted(LEAF, (port, port.replace(',"UP","LOWER_UP"', "")))
    assert sentences(shut) == [
        "wrong: swp29 (port to fe-spine1) is shut, but in the model it is up"
    ]


def test_a_port_in_another_vlan_is_one_sentence() -> None:
    member = '{"ifname":"swp1","vlans":[{"vlan":110,'
    found = planted(LEAF, (member, member.replace("110", "111")))
    assert sentences(found) == [
        "wrong: swp1 (port to fe-leaf02-s01) carries VLAN 111, but the model has 110"
    ]


def test_a_trunk_that_takes_untagged_frames_and_should_not() -> None:
    seen = look(BORDER, "varied")
    seen.facts["interface", "bond2"]["untagged"] = "111"
    assert sentences(compare(models_of(VARIED)[BORDER], seen)) == [
        "wrong: bond2 (bundle) carries untagged VLAN 111, but the model has nothing"
    ]


def test_a_port_that_carries_vlans_and_should_not() -> None:
    member = '{"ifname":"swp1","vlans":['
    found = planted(LEAF, (member, f'{{"ifname":"swp29","vlans":[{{"vlan":1}}]}},{member}'))
    assert sentences(found) == [
        "wrong: swp29 (port to fe-spine1) carries VLAN 1, but the model has nothing"
    ]


def test_a_port_in_another_vrf_or_bridge() -> None:
    printed = text(LEAF)
    start = printed.index('"ifname":"vlan120"')
    end = printed.index('"master":"blue"', start)
    moved = printed[:end] + '"master":"red"' + printed[end + len('"master":"blue"') :]
    assert sentences(compare(models()[LEAF], PARSE(moved))) == [
        "wrong: vlan120 (gateway) is in VRF red, but the model has blue",
    ]
    start = printed.index('"ifname":"swp29"')
    other = printed[:start] + '"master":"br9",' + printed[start:]
    assert sentences(compare(models()[LEAF], PARSE(other))) == [
        "wrong: swp29 (port to fe-spine1) is in bridge br9, but the model has nothing"
    ]


def test_a_missing_vni() -> None:
    printed = text(LEAF)
    start = printed.index('{"ifindex":38,"ifname":"vni10111"')
    device = printed[start : printed.index('{"ifindex":39', start)]
    kernel = '"10111":{\n    "vni":10111,\n    "type":"L2",\n    "inKernel":'
    found = planted(LEAF, (device, ""), (f'{kernel}"True"', f'{kernel}"False"'))
    assert sentences(found) == ["wrong: VNI 10111 (VLAN 111) has no VXLAN device vni10111"]


def test_a_vni_that_bgp_does_not_announce() -> None:
    kernel = '"10111":{\n    "vni":10111,\n    "type":"L2",\n    "inKernel":'
    found = planted(LEAF, (f'{kernel}"True"', f'{kernel}"False"'))
    assert sentences(found) == ["wrong: VNI 10111 is not advertised in EVPN"]


def test_a_wrong_route_target() -> None:
    target = '"importRTs":[\n      "64999:10110"'
    found = planted(LEAF, (target, target.replace("10110", "10111")))
    assert sentences(found) == [
        "wrong: VNI 10110 imports route target 64999:10111, but the model has 64999:10110"
    ]


def test_a_wrong_route_distinguisher() -> None:
    found = planted(BORDER, ('"rd":"10.64.0.1:3001"', '"rd":"10.64.0.1:1"'))
    assert sentences(found) == [
        ("wrong: VNI 50001 has route distinguisher 10.64.0.1:1, but the model has 10.64.0.1:3001")
    ]


def test_a_vni_in_the_wrong_vlan_and_from_the_wrong_address() -> None:
    member = '{"ifname":"vni10111","vlans":[{"vlan":111,'
    local = '"id":10111,"local":"10.65.0.2"'
    found = planted(
        LEAF, (member, member.replace("111,", "112,")), (local, local.replace("65", "64"))
    )
    assert sentences(found) == [
        "wrong: VNI 10111 has VLAN 112, but the model has 111",
        "wrong: VNI 10111 starts its tunnels at 10.64.0.2, but the model has 10.65.0.2",
    ]


def test_a_missing_vrf_and_nothing_that_follows_from_it() -> None:
    kind = '"linkinfo":{"info_kind":"vrf","info_data":{"table":1002}}'
    printed = edited(text(LEAF), (kind, '"linkinfo":{"info_kind":"dummy"}'))
    printed = printed.replace('"ifname":"blue"', '"ifname":"gone"')
    printed = printed.replace('"master":"blue",', "").replace('"vrf":"blue"', '"vrf":"default"')
    assert sentences(compare(models()[LEAF], PARSE(printed))) == ["wrong: VRF blue is missing"]


def test_no_session_is_missed_in_a_vrf_that_is_missing() -> None:
    seen = look(BORDER)
    gone = (("vrf", "red"), ("interface", "red"), ("session", "red", "192.0.2.0"))
    facts = {key: own for key, own in seen.facts.items() if key not in gone}
    del facts["bfd", "red", "192.0.2.0"]
    found = compare(models()[BORDER], Observed(facts=facts, pulses=seen.pulses))
    assert sentences(found) == ["wrong: VRF red is missing"]


@pytest.mark.parametrize(
    ("table", "said"),
    [
        ("2000", "wrong: VRFs mgmt and blue share routing table 2000"),
        ("254", "wrong: VRF blue has table 254, which the kernel reserves"),
    ],
)
def test_a_wrong_routing_table(table: str, said: str) -> None:
    kind = '"linkinfo":{"info_kind":"vrf","info_data":{"table":1002}}'
    found = planted(LEAF, (kind, kind.replace("1002", table)))
    assert sentences(found) == [said]


def test_a_swapped_cable_is_named_at_both_its_ports() -> None:
    assert sentences(compare(models()[UNNUMBERED], look(UNNUMBERED, "swapped"))) == [
        "wrong: swp31 is cabled to be-spine2 swp1, but the model has be-spine1 swp1",
        "wrong: swp32 is cabled to be-spine1 swp1, but the model has be-spine2 swp1",
    ]


def test_a_cable_in_the_wrong_port_of_the_right_switch() -> None:
    printed = text(LEAF)
    start = printed.index('"name": "swp29"')
    end = printed.index('"value": "swp2"', start)
    moved = printed[:end] + '"value": "swp7"' + printed[end + len('"value": "swp2"') :]
    found = sentences(compare(models()[LEAF], PARSE(moved)))
    assert found == ["wrong: swp29 is cabled to fe-spine1 swp7, but the model has fe-spine1 swp2"]


def test_a_neighbor_that_was_not_heard_may_still_come() -> None:
    printed = text(LEAF).replace('"name": "swp29"', '"name": "swp8"')
    assert sentences(compare(models()[LEAF], PARSE(printed))) == [
        "not yet: swp29 has not received fe-spine1 swp2 by LLDP",
        "wrong: swp8 is cabled to fe-spine1 swp2, which is not in the model",
    ]


def test_a_server_need_not_speak_but_must_be_the_right_one() -> None:
    printed = text(LEAF).replace('"name": "swp29"', '"name": "swp1"')
    assert sentences(compare(models()[LEAF], PARSE(printed))) == [
        "wrong: swp1 is cabled to fe-spine1 swp2, but the model has fe-leaf02-s01 eth0",
        "not yet: swp29 has not received fe-spine1 swp2 by LLDP",
    ]
    nameless = printed.replace('"value": "fe-spine1"', '"value": ""')
    assert sentences(compare(models()[LEAF], PARSE(nameless))) == [
        "not yet: swp29 has not received fe-spine1 swp2 by LLDP",
    ]


def test_anyone_may_be_heard_where_the_model_knows_nobody() -> None:
    printed = text(LEAF).replace('"name": "swp29"', '"name": "eth0"')
    assert sentences(compare(models()[LEAF], PARSE(printed))) == [
        "not yet: swp29 has not received fe-spine1 swp2 by LLDP",
    ]


def test_a_wrong_dscp_map_is_said_once_for_all_ports_that_have_it() -> None:
    rule = '"handle":3,"classid":"1:3","keys":{"eth_type":"ipv4"'
    printed = text(UNNUMBERED)
    assert printed.count(rule) == 4
    printed = printed.replace(rule, rule.replace("1:3", "1:4"))
    assert sentences(compare(models()[UNNUMBERED], PARSE(printed))) == [
        (
            "wrong: on swp1, swp2, swp31, swp32 the queue of DSCP 26 in IPv4 is 1:4, "
            "but the model has 1:3"
        )
    ]


def test_a_filter_that_says_what_holds_without_it_is_none() -> None:
    seen = look(UNNUMBERED)
    seen.facts["queues", "swp1"]["dscp 4 10"] = seen.facts["queues", "swp1"]["default"]
    assert sentences(compare(models()[UNNUMBERED], seen)) == []
    seen.facts["queues", "swp1"]["dscp 4 10"] = "1:1"
    assert sentences(compare(models()[UNNUMBERED], seen)) == [
        "wrong: on swp1 the queue of DSCP 10 in IPv4 is 1:1, but the model has 1:4"
    ]


def test_wrong_marking_and_wrong_shares() -> None:
    printed = text(UNNUMBERED).replace('"min":150000', '"min":1500')
    printed = printed.replace("leaf 24: prio 1 rate 45Gbit", "leaf 24: prio 1 rate 4500Mbit")
    ports = "on swp1, swp2, swp31, swp32"
    assert sentences(compare(models()[UNNUMBERED], PARSE(printed))) == [
        (
            f"wrong: {ports} the scheduling of queue 1:4 is shared with weight 4500000000, but the "
            "model has shared with weight 45000000000"
        ),
        (
            f"wrong: {ports} the ECN marking of queue 1:3 is 1500 to 600000 bytes with 0.2, "
            "but the model has 150000 to 600000 bytes with 0.2"
        ),
    ]


def test_wrong_bfd_timers() -> None:
    peer = '"peer":"10.72.0.128",'
    printed = text(LEAF)
    start = printed.index(peer)
    end = printed.index('"detect-multiplier":3', start)
    slow = printed[:end] + '"detect-multiplier":5' + printed[end + len('"detect-multiplier":3') :]
    assert sentences(compare(models()[LEAF], PARSE(slow))) == [
        (
            "wrong: BFD of BGP neighbor 10.72.0.128 (fe-spine1) has 300 ms times 5, but the "
            "model has 300 ms times 3"
        )
    ]


def test_bfd_that_is_not_there_or_down_or_too_much() -> None:
    printed = text(LEAF)
    elsewhere = edited(printed, ('"peer":"10.72.0.128",', '"peer":"10.99.0.1",'))
    assert sentences(compare(models()[LEAF], PARSE(elsewhere))) == [
        "wrong: BGP neighbor 10.72.0.128 (fe-spine1) has no BFD session",
        "wrong: there is a BFD session with 10.99.0.1, which is not in the model",
    ]
    start = printed.index('"peer":"10.72.0.128",')
    end = printed.index('"status":"up"', start)
    down = printed[:end] + '"status":"down"' + printed[end + len('"status":"up"') :]
    assert sentences(compare(models()[LEAF], PARSE(down))) == [
        "not yet: BFD of BGP neighbor 10.72.0.128 (fe-spine1) is not up"
    ]


def test_what_the_model_does_not_know() -> None:
    more = (
        '{"ifname":"dummy0","flags":["UP"],"mtu":1500,"addr_info":[{"local":"10.9.9.9",'
        '"prefixlen":32,"scope":"global"}]},'
        '{"ifname":"vni99","flags":["UP"],"linkinfo":{"info_kind":"vxlan","info_data":{"id":99}}},'
        '{"ifname":"green","flags":["UP"],"linkinfo":{"info_kind":"vrf","info_data":{"table":9}}},'
        '{"ifindex":1,"ifname":"lo"'
    )
    route = '[{"dst":"10.9.9.0/24","dev":"swp29"},{"dst":"10.64.0.1"'
    session = '  "10.9.9.1":{"remoteAs":65000,"bgpState":"Active"},\n  "10.72.0.128":{'
    found = planted(
        LEAF,
        ('{"ifindex":1,"ifname":"lo"', more),
        ('[{"dst":"10.64.0.1"', route),
        ('  "10.72.0.128":{', session),
    )
    assert {item.kind for item in found} == {Kind.WRONG}
    assert [said.removeprefix("wrong: ") for said in sentences(found)] == [
        "there is a VRF green, which is not in the model",
        "interface dummy0 has address 10.9.9.9/32, which is not in the model",
        "there is a BGP neighbor 10.9.9.1 with remote ASN 65000, which is not in the model",
        "there is a VNI 99, which is not in the model",
        "BGP has a route to 10.9.9.0/24, which is not in the model",
    ]


def test_a_second_address_of_a_known_interface() -> None:
    address = '{"family":"inet","local":"10.72.0.129","prefixlen":31,'
    found = planted(LEAF, (address, '{"local":"10.9.9.9","prefixlen":32},' + address))
    assert sentences(found) == [
        (
            "wrong: swp29 (port to fe-spine1) has address 10.72.0.129/31, 10.9.9.9/32, but the "
            "model has 10.72.0.129/31"
        )
    ]


def test_a_session_of_the_model_that_is_not_configured() -> None:
    found = planted(BORDER, ('  "192.0.2.0":{', '  "192.0.2.9":{'))
    assert sentences(found) == [
        "wrong: BGP neighbor 192.0.2.0 (isp1) in VRF red is not configured",
        (
            "wrong: there is a BGP neighbor 192.0.2.9 in VRF red with remote ASN 65500, "
            "which is not in the model"
        ),
    ]


def test_an_interface_that_is_missing_and_one_too_many() -> None:
    port = '"ifname":"swp29"'
    printed = text(LEAF)
    assert sentences(compare(models()[LEAF], PARSE(printed.replace(port, '"ifname":"swp99"'))))[
        :2
    ] == [
        "wrong: interface swp29 (port to fe-spine1) is missing",
        "wrong: interface swp99 has address 10.72.0.129/31, which is not in the model",
    ]


def test_a_vni_that_the_routing_daemon_does_not_know_or_has_elsewhere() -> None:
    known = '"vni":10111,\n    "type":"L2"'
    printed = text(LEAF)
    assert known in printed
    start = printed.index("show evpn vni detail json")
    rest = printed.index("show bgp vrf all neighbors json")
    zebra = printed[start:rest]
    gone = printed[:start] + zebra.replace('"vni":10111', '"vni":10199') + printed[rest:]
    assert sentences(compare(models()[LEAF], PARSE(gone))) == [
        "wrong: the routing daemon does not know VNI 10111",
        "wrong: there is a VNI 10199, which is not in the model",
    ]


def test_equal_paths_that_are_not_all_there() -> None:
    printed = text(LEAF)
    hops = printed[printed.index('{"dst":"10.64.0.1"') : printed.index('{"dst":"10.64.0.3"')]
    one = '{"dst":"10.64.0.1","gateway":"10.72.0.128","dev":"swp29","flags":[]},'
    assert sentences(planted(LEAF, (hops, one))) == [
        (
            "not yet: packets to fe-leaf01 (10.64.0.1/32) leave by swp29, but the model has "
            "swp29, swp30"
        )
    ]
    other = one.replace("swp29", "swp1")
    assert sentences(planted(LEAF, (hops, other))) == [
        ("wrong: packets to fe-leaf01 (10.64.0.1/32) leave by swp1, but the model has swp29, swp30")
    ]


def test_of_underlay_sessions_that_are_down_nothing_is_missed_that_needs_them() -> None:
    found = compare(models()[LEAF], look(LEAF, "early"))
    assert {item.kind for item in found} == {Kind.NOT_YET}
    assert [item.what for item in found] == [
        "BGP neighbor 10.72.0.128",
        "BGP neighbor 10.72.0.130",
    ]


def test_what_could_not_be_read_is_said_and_not_called_missing() -> None:
    printed = text(SPINE)
    start = printed.index("fe-spine1# show bgp vrf all neighbors json")
    end = printed.index("\n\x1efrr 0")
    stopped = "fe-spine1# show bgp vrf all neighbors json\nbgpd is not running\n"
    found = compare(
        models()[SPINE], PARSE(printed[:start] + stopped + printed[end:].replace("frr 0", "frr 1"))
    )
    assert sentences(found) == [
        "unread: BGP sessions, BFD sessions could not be read: bgpd is not running"
    ]


def test_what_nobody_needs_is_not_missed_when_it_could_not_be_read() -> None:
    seen = look(RAIL)
    unread = {**seen.unread, Part.LLDP: "no lldpd"}
    assert sentences(compare(models()[RAIL], Observed(facts=seen.facts, unread=unread))) == []


def test_an_empty_output_leaves_everything_unread() -> None:
    assert sentences(compare(models()[LEAF], PARSE(""))) == [
        (
            "unread: interfaces, VLANs of the bridge, DSCP filters and classes, BGP sessions, BFD "
            "sessions, VNIs, route targets, LLDP neighbors, underlay routes, queues, bridge "
            "ports, routes of VRFs, rules of routing, settings of interfaces, neighbors and MACs, "
            "filters of tc, packet filters, flood lists, EVPN routes, identity and release, "
            "daemons could not be read: the command was not run, or its output was truncated"
        )
    ]
