"""The files that configure a server's network, read back and compared with the model."""

import configparser
from dataclasses import dataclass
from ipaddress import IPv4Interface, IPv4Network, ip_interface
from typing import Any

import pytest
import yaml
from tests.unit.hosts.hosts import (
    NETWORKS,
    SHAPES,
    designed,
    leaf_ports,
    plain,
    rails,
    servers,
    texts,
)

from fabricgen.model.fabric.interface import Interface
from fabricgen.model.fabric.switch import SwitchSlice

CASES = [(shape, network) for shape in SHAPES for network in NETWORKS]


@dataclass(frozen=True)
class Told:
    """What one NIC is told, whichever program reads it.

    Routes: (prefix, gateway, or unreachable, table). Rules: (source, target, table, priority).
    """

    address: str
    mtu: int
    routes: frozenset[tuple[str, str | None, int | None]]
    rules: tuple[tuple[str | None, str | None, int, int], ...]


def read_netplan(files: dict[str, str]) -> dict[str, Told]:
    data = yaml.safe_load(files["etc/netplan/60-fabricgen.yaml"])
    return {name: _netplan(words) for name, words in data["network"]["ethernets"].items()}


def _netplan(words: dict[str, Any]) -> Told:
    assert (words["dhcp4"], words["dhcp6"], words["accept-ra"]) == (False, False, False)
    assert words["link-local"] == []
    routes = frozenset((r["to"], r.get("via", r.get("type")), r["table"]) for r in words["routes"])
    assert all({"via", "scope", "type"} & r.keys() for r in words["routes"])
    (address,) = words["addresses"]
    rules = tuple(
        (rule.get("from"), rule.get("to"), rule["table"], rule["priority"])
        for rule in words["routing-policy"]
    )
    return Told(address, words["mtu"], routes, rules)


def sections(text: str) -> list[tuple[str, dict[str, str]]]:
    """Read an INI file whose sections may come more than once."""
    found = []
    for block in text.split("\n["):
        parser = configparser.ConfigParser(interpolation=None, delimiters=("=",))
        parser.optionxform = str  # type: ignore[assignment,method-assign]
        parser.read_string(block if block.startswith("#") else f"[{block}")
        found += [(name, dict(parser[name])) for name in parser.sections()]
    return found


def read_networkd(files: dict[str, str]) -> dict[str, Told]:
    made = {}
    for path, text in files.items():
        if not path.startswith("etc/systemd/network/"):
            continue
        found = sections(text)
        one = dict(found)
        routes = [words for name, words in found if name == "Route"]
        rules = [words for name, words in found if name == "RoutingPolicyRule"]
        assert all({"Gateway", "Scope", "Type"} & route.keys() for route in routes)
        assert one["Network"]["IPv6AcceptRA"] == one["Network"]["DHCP"] == "no"
        made[one["Match"]["Name"]] = Told(
            one["Network"]["Address"],
            int(one["Link"]["MTUBytes"]),
            frozenset(
                (r["Destination"], r.get("Gateway", r.get("Type")), int(r["Table"])) for r in routes
            ),
            tuple((r.get("From"), r.get("To"), int(r["Table"]), int(r["Priority"])) for r in rules),
        )
    return made


def read_networkmanager(files: dict[str, str]) -> dict[str, Told]:
    made = {}
    for path, text in files.items():
        if not path.startswith("etc/NetworkManager/"):
            continue
        one = dict(sections(text))
        four = one["ipv4"]
        routes = set()
        for key in (key for key in four if key.startswith("route") and key[5:].isdigit()):
            prefix, *rest = four[key].split(",")
            options = dict(each.split("=") for each in four[f"{key}_options"].split(","))
            via = rest[0] if rest else options.get("type")
            routes.add((prefix, via, int(options["table"])))
        rules = []
        for key in (key for key in four if key.startswith("routing-rule")):
            words = four[key].split()
            rule = dict(zip(words[::2], words[1::2], strict=True))
            place = (int(rule["table"]), int(rule["priority"]))
            rules.append((rule.get("from"), rule.get("to"), *place))
        assert (four["method"], one["ipv6"]["method"]) == ("manual", "disabled")
        made[one["connection"]["interface-name"]] = Told(
            four["address1"],
            int(one["ethernet"]["mtu"]),
            frozenset(routes),
            tuple(rules),
        )
    return made


READERS = {
    "netplan": read_netplan,
    "networkd": read_networkd,
    "networkmanager": read_networkmanager,
}


def gateway_of(switch_slice: SwitchSlice, interface: Interface) -> str:
    """The leaf's own address towards a NIC: on the port, or on its rail's VLAN."""
    if interface.address is not None:
        return str(interface.address)
    assert interface.carries is not None
    assert interface.carries.untagged is not None
    return str(interface.carries.untagged.gateways[0])


@pytest.mark.parametrize(("shape", "network"), CASES)
def test_every_nic_and_its_leaf_are_in_one_subnet(shape: str, network: str) -> None:
    site = plain(shape, network)
    ports = leaf_ports(site.fabrics[0])
    seen: set[str] = set()
    for switch_slice in servers(site):
        told = READERS[network](texts(switch_slice))
        for name, nic in told.items():
            mine, leaf = (
                ip_interface(nic.address),
                ip_interface(gateway_of(*ports[switch_slice.server.name, name])),
            )
            assert mine.network == leaf.network
            assert mine.ip != leaf.ip
            assert nic.mtu == ports[switch_slice.server.name, name][1].mtu
            seen.add(nic.address)
    assert len(seen) == len(ports), "an address stands twice, or a NIC has none"


@pytest.mark.parametrize(("shape", "network"), CASES)
def test_tables_lead_to_the_rail_through_its_leaf(shape: str, network: str) -> None:
    site = plain(shape, network)
    fabric = site.fabrics[0]
    plan, ports = fabric.addresses.nics, leaf_ports(fabric)
    assert plan is not None
    for switch_slice in servers(site):
        told = READERS[network](texts(switch_slice))
        tables = [nic.rules[0][2] for nic in told.values()]
        assert len(set(tables)) == len(tables) == len(rails(switch_slice).ports)
        for rail in rails(switch_slice).ports:
            nic = told[rail.plan.nic.name]
            leaf, interface = ports[switch_slice.server.name, rail.plan.nic.name]
            via, table = gateway_of(leaf, interface).split("/")[0], nic.rules[0][2]
            block = str(plan.block_prefix(rail.plan.nic.rail, leaf.switch.plane))
            wanted = {
                (block, via, table),
                ("0.0.0.0/0", "unreachable", table),
                ("0.0.0.0/0", "unreachable", table + 2000),
                (str(ip_interface(nic.address).network), None, table),
            }
            if shape != "rail-only":
                wanted.add((plan.pool.text, via, table))
            assert nic.routes == wanted
            assert nic.rules == (
                (f"{ip_interface(nic.address).ip}/32", None, table, table),
                ("0.0.0.0/32", block, table, table + 1000),
                (None, block, table + 2000, table + 2000),
            )
            assert IPv4Interface(nic.address).network.subnet_of(IPv4Network(block))


def test_all_programs_are_told_the_same() -> None:
    for shape in SHAPES:
        told = [
            [
                READERS[network](texts(switch_slice))
                for switch_slice in servers(plain(shape, network))
            ]
            for network in NETWORKS
        ]
        assert told[0] == told[1] == told[2]


def test_files_that_only_root_may_read_are_named() -> None:
    for network, count in (("netplan", 1), ("networkd", 0), ("networkmanager", 4)):
        files = texts(servers(plain("rail-optimized", network))[0])
        lines = files.get("etc/tmpfiles.d/fabricgen.conf", "").splitlines()
        paths = [line.split()[1].lstrip("/") for line in lines if line.startswith("z")]
        assert len(paths) == count
        assert set(paths) <= files.keys()


def test_each_rail_has_its_arp_settings() -> None:
    lines = texts(servers(plain())[0])["etc/sysctl.d/90-fabricgen.conf"].splitlines()
    told = dict(line.split(" = ") for line in lines if " = " in line)
    for nic in ("rdma0", "rdma1", "rdma2", "rdma3"):
        keys = [f"net.ipv4.conf.{nic}.{key}" for key in ("arp_ignore", "arp_announce", "rp_filter")]
        assert [told.pop(key) for key in keys] == ["1", "2", "2"]
    assert not told


def test_growing_moves_nothing_on_a_server() -> None:
    before = {p.server.name: texts(p) for p in servers(plain())}
    after = {p.server.name: texts(p) for p in servers(designed(count=4))}
    assert before.items() <= after.items()
