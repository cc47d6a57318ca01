"""What a server has on evpn fabrics: one neutral thing beside its spelling in each program."""

from typing import Any

import pytest
import yaml
from tests.unit.hosts.hosts import NETWORKS, texts

from fabricgen.compile.compiler import Compiled, compile_site, host_slices
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts
from fabricgen.nos.hosts.readback.files import read
from fabricgen.nos.hosts.readback.network import Device, Network
from fabricgen.nos.hosts.slices import HostSlice
from fabricgen.prove.bridged import faults as faults_of
from fabricgen.prove.servers import ServerJudge

_ROLE = {"model": "7050CX3-32S", "platform": "eos"}
_VLANS = {
    "web": {"id": 110, "subnet": "10.110.0.0/26"},
    "db": {"id": 111, "subnet": "10.111.0.0/24"},
    "six": {"id": 112, "subnet": "2001:db8:1::/64"},
    "both": {"id": 113, "subnet": "10.113.0.0/24", "subnet6": "2001:db8:3::/64"},
    "told": {
        "id": 114,
        "subnet": "10.114.0.0/24",
        "subnet6": "2001:db8:4::/64",
        "announce": "slaac",
    },
    "asked": {"id": 115, "subnet": "2001:db8:5::/64", "announce": "dhcp"},
}
_LACP = {
    "mode": "802.3ad",
    "miimon": "100",
    "lacp_rate": "fast",
    "xmit_hash_policy": "layer3+4",
}


def compiled(
    *attachments: dict[str, Any], network: str = "netplan", count: int = 4, **ports: object
) -> Compiled:
    """Compile a frontend whose servers have two ports, with these attachments of one tenant."""
    front = {"fabric": "frontend", "ports": 2, "speed": "25G", "per_leaf": 16, **ports}
    kind = {"count": count, "network": network, "ports": {"front": front}}
    vlans = {"vrfs": {"red": {"id": 1, "vlans": _VLANS}}, "vlans": {"beat": {"id": 130}}}
    site = {
        "site": {"name": "t", "management": {"subnet": "10.255.0.0/20"}},
        "servers": {"node": kind},
        "frontend": {"leaf": _ROLE, "spine": {**_ROLE, "count": 2}},
        "tenants": {
            "red": {**vlans, "attachments": [{"servers": "node", **a} for a in attachments]}
        },
    }
    return compile_site(load_texts({"site.yaml": yaml.safe_dump(site)}))


def pieces(*attachments: dict[str, Any], **words: Any) -> list[HostSlice]:
    """Return the slices of a site that must compile."""
    made = compiled(*attachments, **words)
    assert made.ok, made.findings
    assert made.site is not None
    return list(host_slices(made.site))


def faults(*attachments: dict[str, Any], **words: Any) -> list[tuple[str, str]]:
    """Return the errors of a site: code and message."""
    made = compiled(*attachments, **words)
    return [(each.code, each.message) for each in made.findings if each.severity.name == "ERROR"]


@pytest.mark.parametrize("network", NETWORKS)
def test_a_bond_with_vlans_is_the_same_in_every_program(network: str) -> None:
    words = {"trunk": ["web", "db", "beat"], "native": "web", "addresses": "static"}
    host_slice = pieces(words, network=network, bond="lacp")[1]
    made = read(texts(host_slice))
    bare = Device(mtu=9164, bond="front")
    tagged = Device(mtu=9164, link="front", vlan=111, addresses=("10.111.0.11/24",))
    assert made.devices == {
        "front0": bare,
        "front1": bare,
        "front": Device(
            mtu=9164,
            members=frozenset({"front0", "front1"}),
            options=_LACP,
            addresses=("10.110.0.11/26",),
        ),
        "front.111": tagged,
        "front.130": Device(mtu=9164, link="front", vlan=130),
    }
    routes = {(each.prefix, each.via, each.device, each.table) for each in made.routes}
    assert routes == {
        ("0.0.0.0/0", "10.110.0.1", "front", 0),
        ("10.111.0.0/24", "", "front.111", 4111),
        ("0.0.0.0/0", "10.111.0.1", "front.111", 4111),
    }
    (rule,) = made.rules
    assert (rule.source.removesuffix("/32"), rule.table) == ("10.111.0.11", 4111)


@pytest.mark.parametrize("network", NETWORKS)
def test_ports_of_a_pair_of_leafs_are_used_in_turns(network: str) -> None:
    words = {"access": "web"}
    made = [
        read(texts(host_slice))
        for host_slice in pieces(words, network=network, bond="active-backup", leafs=2)
    ]
    used = [each.devices["front"].options["primary"] for each in made]
    assert used == ["front0", "front1", "front0", "front1"]
    assert {each.devices["front"].options["mode"] for each in made} == {"active-backup"}
    assert all(each.devices["front"].dhcp and each.devices["front"].routes for each in made)


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize(
    ("words", "way"),
    [
        ({"trunk": ["db", "web"]}, "front.111"),
        ({"trunk": ["db", "web"], "native": "web"}, "front"),
        ({"trunk": ["db", "web"], "default_route": "web"}, "front.110"),
        ({"trunk": ["beat", "six", "web"]}, "front.110"),
        ({"trunk": ["six", "web"], "addresses": "static"}, "front.112"),
        ({"trunk": ["web", "db"], "addresses": "none"}, None),
    ],
)
def test_the_default_route_goes_by_one_vlan(
    words: dict[str, Any], way: str | None, network: str
) -> None:
    made = read(texts(pieces(words, network=network, bond="lacp")[0]))
    ways = {name for name, each in made.devices.items() if each.dhcp and each.routes}
    every = [each for each in made.routes if each.table == 0]
    ways |= {each.device for each in every if each.prefix in ("0.0.0.0/0", "::/0")}
    assert ways == ({way} if way else set())


def test_an_ipv6_vlan_takes_the_words_of_ipv6() -> None:
    words = {"access": "six", "addresses": "static"}
    for network in NETWORKS:
        made = read(texts(pieces(words, network=network, bond="lacp")[0]))
        assert made.devices["front"].addresses == ("2001:db8:1::a/64",)
        assert [(each.prefix, each.via) for each in made.routes] == [("::/0", "2001:db8:1::1")]


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize(
    ("words", "addresses", "ways"),
    [
        (
            {"access": "both", "addresses": "static"},
            ("10.113.0.10/24", "2001:db8:3::a/64"),
            {(0, "10.113.0.1"), (0, "2001:db8:3::1")},
        ),
        (
            {"access": "both", "addresses6": "static"},
            ("2001:db8:3::a/64",),
            {(0, "2001:db8:3::1")},
        ),
        (
            {"access": "both", "addresses": "static", "addresses6": "none"},
            ("10.113.0.10/24",),
            {(0, "10.113.0.1")},
        ),
        (
            {
                "trunk": ["both", "web"],
                "native": "both",
                "addresses": "static",
                "default_route": "web",
            },
            ("10.113.0.10/24", "2001:db8:3::a/64"),
            {(0, "10.110.0.1"), (4113, "10.113.0.1"), (4113, "2001:db8:3::1")},
        ),
    ],
)
def test_a_server_has_both_families_in_a_vlan(
    words: dict[str, Any], addresses: tuple[str, ...], ways: set[tuple[int, str]], network: str
) -> None:
    host_slice, *_ = pieces(words, network=network, bond="lacp")
    made = read(texts(host_slice))
    assert made.devices["front"].addresses == addresses
    assert {(each.table, each.via) for each in made.routes if each.via} == ways
    assert {rule.table for rule in made.rules} == {table for table, _ in ways if table}
    assert made.devices["front"].dhcp == ("10.113.0.10/24" not in addresses)
    assert not list(faults_of(host_slice, made))


@pytest.mark.parametrize("network", NETWORKS)
@pytest.mark.parametrize(
    ("words", "takes"),
    [
        ({"access": "told"}, {"front"}),
        ({"access": "asked"}, {"front"}),
        ({"trunk": ["told", "asked"]}, {"front.114"}),
        ({"trunk": ["told", "asked"], "default_route": "asked"}, {"front.115"}),
        ({"trunk": ["web", "told"]}, set()),
        ({"access": "told", "addresses": "static"}, set()),
        ({"access": "told", "addresses": "static", "addresses6": "announced"}, {"front"}),
        ({"access": "told", "addresses6": "none"}, set()),
    ],
)
def test_announcements_are_taken_where_the_default_route_goes(
    words: dict[str, Any], takes: set[str], network: str
) -> None:
    host_slice, *_ = pieces(words, network=network, bond="lacp")
    made = read(texts(host_slice))
    assert {name for name, each in made.devices.items() if each.announced} == takes
    assert not list(faults_of(host_slice, made))


@pytest.mark.parametrize("family", [4, 6])
def test_a_family_without_its_way_back_is_found(family: int) -> None:
    host_slice, *_ = pieces(
        {"access": "both", "addresses": "static"}, network="netplan", bond="lacp"
    )
    made = read(texts(host_slice))
    routes = tuple(each for each in made.routes if (":" in each.prefix) != (family == 6))
    (fault,) = faults_of(host_slice, Network(made.devices, routes, made.rules))
    assert fault.endswith("uses none, but must use only its gateway")


def test_a_server_that_no_tenant_attaches_is_told_nothing() -> None:
    made = pieces({"access": "web", "numbers": "2-3"})
    assert [host_slice.server.name for host_slice in made] == ["node0002", "node0003"]


def test_growing_moves_no_file() -> None:
    words = {"trunk": ["web", "db"], "addresses": "static"}
    before, after = (
        {
            host_slice.server.name: texts(host_slice)
            for host_slice in pieces(words, bond="lacp", count=count)
        }
        for count in (3, 10)
    )
    assert before.items() <= after.items()


@pytest.mark.parametrize(
    ("attachments", "words", "code", "said"),
    [
        (
            [{"access": "web", "addresses": "static"}],
            {"count": 60, "bond": "lacp"},
            Code.POOL_TOO_SMALL,
            "node0054 would have position 63 in 10.110.0.0/26, which has 62",
        ),
        (
            [{"access": "web", "addresses": "static", "first_host": 1}],
            {"bond": "lacp"},
            Code.ADDRESS_OVERLAP,
            "10.110.0.1 of node0001 front is also used by the gateway",
        ),
        (
            [{"access": "web", "addresses": "static"}],
            {},
            Code.ADDRESS_OVERLAP,
            "10.110.0.10 of node0001 front1 is also used by node0001 front0",
        ),
        (
            [
                {"numbers": "1-1", "access": "web", "addresses": "static", "first_host": 12},
                {"numbers": "3-3", "access": "web", "addresses": "static"},
            ],
            {"bond": "lacp"},
            Code.ADDRESS_OVERLAP,
            "10.110.0.12 of node0003 front is also used by node0001 front",
        ),
        (
            [
                {"trunk": ["web"], "default_route": "web"},
                {"trunk": ["db"], "default_route": "db"},
            ],
            {"bond": "lacp"},
            Code.BAD_VALUE,
            "the default route of node0001 would use both red-web and red-db",
        ),
        (
            [{"access": "six", "addresses": "dhcp"}],
            {},
            Code.UNSUPPORTED,
            (
                "VLAN red-six is IPv6: servers learn the default route from router advertisements, "
                "but no switch sends them"
            ),
        ),
        (
            [{"access": "both", "addresses6": "announced"}],
            {},
            Code.BAD_VALUE,
            (
                "the servers' default route uses VLAN red-both, whose gateways send no "
                "router advertisements"
            ),
        ),
        (
            [{"trunk": ["told"]}, {"trunk": ["web"], "default_route": "web"}],
            {"bond": "lacp"},
            Code.BAD_VALUE,
            (
                "node0001 would accept the IPv6 default route that VLAN red-told advertises, but "
                "its default route uses another VLAN"
            ),
        ),
        (
            [{"access": "beat", "addresses": "static"}],
            {},
            Code.BAD_VALUE,
            "no VLAN of this attachment has a subnet, so servers have no addresses there",
        ),
        (
            [{"trunk": ["web", "beat"], "default_route": "beat"}],
            {},
            Code.BAD_VALUE,
            "servers have no address in VLAN red-beat, so it cannot be the default route",
        ),
        (
            [{"access": "web", "default_route": "db"}],
            {},
            Code.BAD_VALUE,
            "tenants.red.attachments[1]: `default_route` must be one of the port's VLANs",
        ),
        (
            [{"access": "web", "addresses6": "static"}],
            {},
            Code.BAD_VALUE,
            "no VLAN of this attachment has an IPv6 subnet",
        ),
        (
            [{"access": "web", "first_host": 5}],
            {},
            Code.BAD_VALUE,
            (
                "tenants.red.attachments[1]: `first_host` needs static addresses: "
                "set `addresses` or `addresses6` to static"
            ),
        ),
    ],
)
def test_what_cannot_be_is_refused(
    attachments: list[dict[str, Any]], words: dict[str, Any], code: Code, said: str
) -> None:
    assert (code.value, said) in faults(*attachments, **words)


@pytest.mark.parametrize(
    ("network", "file", "old", "new", "said"),
    [
        ("netplan", "netplan", "mode: 802.3ad", "mode: balance-rr", "options of front is"),
        (
            "netplan",
            "netplan",
            "id: 111",
            "id: 113",
            "vlan of front.111 is 113, but the design has 111",
        ),
        ("netplan", "netplan", "use-routes: false", "use-routes: true", "routes of front.111 is"),
        ("netplan", "netplan", "lacp-rate", "lacp_rate", "the network files cannot be read back"),
        (
            "networkd",
            "front1.network",
            "Bond=front",
            "Bond=other",
            "members of front is front0, but",
        ),
        ("networkd", "front0.network", "MTUBytes=9164", "MTUBytes=1500", "mtu of front0 is 1500"),
        ("networkd", "front.netdev", "MIIMonitorSec", "MiiMonitorSec", "the network files cannot"),
        ("networkmanager", "front.111", "parent=front", "parent=front0", "link of front.111 is"),
        ("netplan", "netplan", "accept-ra: false", "accept-ra: true", "announced of front"),
        ("networkd", "front.111.network", "IPv6AcceptRA=no", "", "announced of front.111 is True"),
        ("networkmanager", "front.111", "never-default=true", "", "routes of front.111 is True"),
    ],
)
def test_a_line_that_is_not_as_designed_is_found(
    network: str, file: str, old: str, new: str, said: str
) -> None:
    host_slice = pieces({"trunk": ["web", "db"]}, network=network, bond="lacp")[0]
    files = texts(host_slice)
    assert ServerJudge().judge(host_slice, files).findings == ()
    (path,) = (path for path, text in files.items() if file in path and old in text)
    files[path] = files[path].replace(old, new)
    messages = [each.message for each in ServerJudge().judge(host_slice, files).findings]
    assert any(said in message for message in messages), messages


def two_fabrics(ids: tuple[int, int]) -> Compiled:
    """Compile servers on two evpn fabrics, in a VLAN of each beside the way out, with addresses."""
    port = {"ports": 2, "speed": "25G", "per_leaf": 16, "bond": "lacp"}
    ports = {"front": {"fabric": "frontend", **port}, "more": {"fabric": "edge", **port}}
    fabric = {"leaf": _ROLE, "spine": {**_ROLE, "count": 2}}
    tenants = {}
    for number, (name, id_) in enumerate(zip(("frontend", "edge"), ids, strict=True), 1):
        vlans = {
            "web": {"id": 100 + number, "subnet": f"10.{number}.0.0/24"},
            "db": {"id": id_, "subnet": f"10.{number}.1.0/24"},
        }
        attached = {"servers": "node", "addresses": "static", "trunk": ["web", "db"]}
        if number == 1:
            attached["default_route"] = "web"
        tenants[f"t{number}"] = {
            "fabric": name,
            "vrfs": {f"t{number}": {"id": number, "vlans": vlans}},
            "attachments": [attached],
        }
    site = {
        "site": {"name": "t", "management": {"subnet": "10.255.0.0/20"}},
        "servers": {"node": {"count": 2, "ports": ports}},
        "frontend": fabric,
        "fabrics": {"edge": {**fabric, "kind": "evpn", "number": 1}},
        "tenants": tenants,
    }
    return compile_site(load_texts({"site.yaml": yaml.safe_dump(site)}))


def test_vlans_of_one_id_on_two_networks_would_share_a_table() -> None:
    made = two_fabrics((110, 110))
    (error,) = (item for item in made.findings if item.code is Code.BAD_VALUE)
    assert error.path == ("tenants", "t2", "attachments", 0, "addresses")
    assert error.message == (
        "t1-db and t2-db of node0001 are both VLAN 110, so packets from both would use "
        "one routing table, 4110"
    )


def test_a_second_way_out_of_a_table_is_found() -> None:
    made = two_fabrics((110, 120))
    assert made.ok, made.findings
    assert made.site is not None
    host_slice = next(iter(host_slices(made.site)))
    files = texts(host_slice)
    assert ServerJudge().judge(host_slice, files).findings == ()
    for path, text in files.items():
        files[path] = text.replace("table: 4120", "table: 4110")
    messages = [each.message for each in ServerJudge().judge(host_slice, files).findings]
    both = "10.1.1.1 of front.110, 10.2.1.1 of more.120"
    assert messages == [
        f"node0001: traffic from 10.{net}.1.10 uses {both}, but must use only its gateway"
        for net in (1, 2)
    ]


def test_kinds_on_one_rail_fabric_are_told_the_names_of_their_own_ports() -> None:
    rails = {"model": "7060X6-64PE", "platform": "eos"}
    kinds = {
        "h100": {"count": 2, "gpus": 4, "ports": {"rail": {"fabric": "backend", "speed": "400G"}}},
        "a100": {
            "count": 2,
            "gpus": 4,
            "ports": {"rdma": {"fabric": "backend", "speed": "200G", "unit": 3}},
        },
    }
    site = {
        "site": {"name": "t", "management": {"subnet": "10.255.0.0/20"}},
        "servers": kinds,
        "backend": {"design": "rail-only", "leaf": rails, "scalable_unit": {"servers": 2}},
    }
    made = compile_site(load_texts({"site.yaml": yaml.safe_dump(site)}))
    assert made.site is not None, made.findings
    for host_slice in host_slices(made.site):
        files = texts(host_slice)
        names = {"h": "rail", "a": "rdma"}[host_slice.server.name[0]]
        assert set(read(files).devices) == {f"{names}{number}" for number in range(4)}
        assert f"net.ipv4.conf.{names}0.rp_filter" in files["etc/sysctl.d/90-fabricgen.conf"]
        assert ServerJudge().judge(host_slice, files).findings == ()
