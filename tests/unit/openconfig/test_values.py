"""OpenConfig data has the values of the design: ports, addresses, sessions, classes, rules."""

import re
from typing import Any

import pytest
from tests.nos.eos.sites import EDGE, SITES
from tests.unit.openconfig.data import EVERY, leafs, part, written

from fabricgen.model.fabric.interface import Use
from fabricgen.nos.lowering import spell
from fabricgen.operate.export.openconfig.tree import Piece

every_site = pytest.mark.parametrize("text", EVERY.values(), ids=EVERY.keys())


def instance(tree: dict[str, Any], name: str) -> dict[str, Any]:
    every = part(tree, "network-instances")["network-instance"]
    (found,) = (each for each in every if each["name"] == name)
    return dict(found)


def neighbors(found: dict[str, Any]) -> dict[str, dict[str, Any]]:
    for each in found.get("protocols", {}).get("protocol", []):
        if each["name"] == "BGP":
            every = each["bgp"].get("neighbors", {}).get("neighbor", [])
            return {one["neighbor-address"]: one for one in every}
    return {}


def designed_addresses(piece: Piece) -> set[tuple[str, int]]:
    """Return every address that the slice has, except those of tunnels and of an MLAG pair."""
    own = piece.switch_slice
    every = [own.loopback, own.management, *([own.vtep] if own.vtep else [])]
    every += [ip for each in own.interfaces for ip in each.addresses]
    every += [ip for vlan in own.vlans for ip in vlan.gateways]
    every += [ip for each in own.tagged for ip in each.addresses]
    every += [peer.local for peer in own.peers if peer.interface.tunnel is None]
    every += [
        vrf.diagnostics.address(own.switch) for vrf in own.vrfs if vrf.diagnostics is not None
    ]
    return {(each.host, each.length) for each in every}


@every_site
def test_every_address_of_the_design_is_there_and_no_other(text: str) -> None:
    for piece, tree in written(text).values():
        found = {
            (part_of["ip"], part_of["config"]["prefix-length"])
            for part_of in addresses(part(tree, "interfaces"))
        }
        assert found == designed_addresses(piece)


def addresses(tree: Any) -> list[dict[str, Any]]:
    if isinstance(tree, list):
        return [found for each in tree for found in addresses(each)]
    if not isinstance(tree, dict):
        return []
    own = list(tree["address"]) if isinstance(tree.get("address"), list) else []
    return own + [found for each in tree.values() for found in addresses(each)]


@every_site
def test_every_port_is_there_and_an_unused_one_is_off(text: str) -> None:
    for piece, tree in written(text).values():
        own = piece.switch_slice
        ports = {each["name"]: each for each in part(tree, "interfaces")["interface"]}
        for item in own.interfaces:
            port = ports[spell(own.switch, item.port)]
            assert port["config"]["enabled"] is not item.closed
            config = port.get("openconfig-if-ethernet:ethernet", {}).get("config", {})
            if item.use is not Use.UNUSED and item.port.speed <= 800 * 10**9:
                speed = re.fullmatch(r"openconfig-if-ethernet:SPEED_(\d+)GB", config["port-speed"])
                assert speed is not None
                assert int(speed[1]) * 10**9 == item.port.speed


@every_site
def test_sessions_are_those_with_addresses(text: str) -> None:
    for piece, tree in written(text).values():
        own = piece.switch_slice
        inside = {each.remote.host: each for each in own.bgp_sessions if each.remote is not None}
        found = neighbors(instance(tree, "DEFAULT"))
        assert found.keys() == inside.keys()
        for host, each in inside.items():
            assert found[host]["config"]["peer-as"] == each.peer_asn
        for vrf in own.vrfs:
            peers = {each.remote.host for each in own.peers if each.vrf == vrf.name}
            assert neighbors(instance(tree, vrf.name)).keys() == peers


def test_a_route_from_above_never_goes_up_again() -> None:
    _, tree = written(SITES["front"])["fe-leaf01"]
    policies = {
        each["name"]: each["statements"]["statement"]
        for each in part(tree, "routing-policy")["policy-definitions"]["policy-definition"]
    }
    first, second = policies["UNDERLAY-ABOVE-OUT"]
    refused = first["actions"]["config"]["policy-result"], leafs(first, "community-set")
    assert refused == ("REJECT_ROUTE", {"FROM-ABOVE"})
    assert second["actions"]["config"]["policy-result"] == "ACCEPT_ROUTE"
    (taken,) = policies["UNDERLAY-ABOVE-IN"]
    marked = taken["actions"]["openconfig-bgp-policy:bgp-actions"]["set-community"]
    assert marked["inline"]["config"]["communities"] == ["64512:100"]


def test_a_border_accepts_what_the_intent_lists() -> None:
    for piece, tree in written(EDGE).values():
        sets = {
            each["name"]: {
                (one["ip-prefix"], one["masklength-range"]) for one in each["prefixes"]["prefix"]
            }
            for each in part(tree, "routing-policy")["defined-sets"]["prefix-sets"]["prefix-set"]
        }
        for peer in piece.switch_slice.peers:
            wanted = {
                (
                    rule.prefix.prefix,
                    f"{rule.least or rule.prefix.length}..{rule.most or rule.prefix.length}"
                    if rule.least or rule.most
                    else "exact",
                )
                for rule in peer.accept
            }
            assert sets.get(peer.inward, set()) == wanted


@every_site
def test_every_dscp_has_one_class_and_shares_add_up(text: str) -> None:
    for piece, tree in written(text).values():
        design = piece.switch_slice.qos
        if design is None:
            assert not part(tree, "qos")
            continue
        qos = part(tree, "qos")
        for each in qos["classifiers"]["classifier"]:
            told = [
                dscp
                for term in each["terms"]["term"]
                for dscp in next(iter(term["conditions"].values()))["config"]["dscp-set"]
            ]
            assert sorted(told) == list(range(64))
        shares = {
            each["config"]["queue"]: int(each["config"]["weight"])
            for row in qos["scheduler-policies"]["scheduler-policy"][0]["schedulers"]["scheduler"]
            for each in row["inputs"]["input"]
            if "weight" in each["config"]
        }
        assert shares == {each.label: each.share for each in design.classes if not each.strict}
        assert sum(shares.values()) == 100
        marked = leafs(qos, "uniform", "config", "enable-ecn")
        assert marked == ({True} if design.marked else set())


def test_rules_between_zones_keep_order_and_end_with_a_drop() -> None:
    rules = 0
    for piece, tree in written(SITES["zones"]).values():
        sets = part(tree, "acl").get("acl-sets", {}).get("acl-set", [])
        every = {each["name"]: each for each in sets}
        for guard in piece.switch_slice.guards:
            for own in guard.lists:
                entries = every[own.name]["acl-entries"]["acl-entry"]
                numbers = [each["sequence-id"] for each in entries]
                assert numbers == sorted(numbers)
                assert len(entries) == len(own.rules) + 1
                actions = [each["actions"]["config"]["forwarding-action"] for each in entries]
                assert actions[-1] == "openconfig-acl:DROP"
                wanted = [f"openconfig-acl:{'ACCEPT' if r.permit else 'DROP'}" for r in own.rules]
                assert actions[:-1] == wanted
                rules += len(own.rules)
    assert rules > 20
