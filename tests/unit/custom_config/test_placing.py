"""Own lines in a site: where they come to stand, and what they may not say."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from tests.keys.case import at
from tests.keys.sites import SITES
from tests.keys.test_every_key import laid

from fabricgen.compile.compiler import Compiled, compile_site, files, slices
from fabricgen.compile.reports.explanation import explain_switch
from fabricgen.core.diagnostics import Code
from fabricgen.intent.load import load_texts

if TYPE_CHECKING:
    from collections.abc import Iterator

PLATFORM = {"eos": "eos", "frr": "linux", "interfaces": "linux", "config_db": "sonic"}
FILE = {
    "eos": "eos.cfg",
    "frr": "etc/frr/frr.conf",
    "interfaces": "etc/network/interfaces",
    "config_db": "config_db.json",
}


def compiled(kind: str, said: Any, switch: str = "fe-leaf01") -> Compiled:
    words = at("frontend", "switches", switch, "custom_config", words={kind: said})
    loaded = load_texts({"site.yaml": json.dumps(laid(SITES["tenants"], words))})
    return compile_site(loaded, PLATFORM[kind])


def text(kind: str, site: Any, switch: str = "fe-leaf01") -> str:
    wanted = f"frontend/{switch}/{FILE[kind]}"
    return next(f.text for _, group in files(site) for f in group if f.path == wanted)


def added(kind: str, said: Any) -> list[str]:
    """Return the lines that a switch has more; none is gone or elsewhere."""
    result = compiled(kind, said)
    plain = compile_site(load_texts({"site.yaml": json.dumps(SITES["tenants"])}), PLATFORM[kind])
    assert result.ok, result.findings
    without: Iterator[str | None] = iter([*text(kind, plain.site).splitlines(), None])
    ours, more = next(without), []
    for line in text(kind, result.site).splitlines():
        if ours is not None and line.rstrip(",") == ours.rstrip(","):
            ours = next(without)
        else:
            more.append(line)
    assert ours is None
    return more


def faults(kind: str, said: Any) -> list[tuple[str, str]]:
    codes = {Code.OWN_LINES_REFUSED, Code.OWN_LINE_CLASHES, Code.OWN_LINE_IN_CLEAR}
    result = compiled(kind, said)
    return [(Code(each.code).name, each.message) for each in result.findings if each.code in codes]


PREFIXES = """router bgp {{ switch.asn }} vrf Red
 address-family ipv4 unicast
  network 10.1.0.0/16
  network 10.2.0.0/16"""
"""A list: two of them are no contradiction."""
PUT = [
    ("eos", "ip dhcp snooping", ["ip dhcp snooping"]),
    ("eos", "router bfd\n  local-address {{ switch.loopback }}", ["   local-address 10.64.0.1"]),
    ("eos", "ip as-path\n a\n  b\n c\n", ["ip as-path", "   c", "   a", "      b", "!"]),
    (
        "frr",
        "router bgp {{ switch.asn }}\n address-family ipv6 multicast\n  maximum-paths 3",
        [" !", " address-family ipv6 multicast", "  maximum-paths 3", " exit-address-family"],
    ),
    (
        "frr",
        PREFIXES,
        [
            *("router bgp 4200000000 vrf Red", " address-family ipv4 unicast"),
            *(
                "  network 10.1.0.0/16",
                "  network 10.2.0.0/16",
                " exit-address-family",
                "exit",
                "!",
            ),
        ],
    ),
    ("interfaces", "auto dummy0", ["auto dummy0", ""]),
    ("interfaces", "auto d0\niface d0\n mtu 1500", ["auto d0", "iface d0", "    mtu 1500", ""]),
    ("interfaces", "iface d0\nauto d1", ["iface d0", "", "auto d1", ""]),
    ("eos", "interface Vlan7\n   mtu 1500", ["interface Vlan7", "   mtu 1500", "!"]),
    (
        "config_db",
        {"PORT": {"Ethernet0": {"tpid": "0x8100"}}},
        ['            "tpid": "0x8100"'],
    ),
]


@pytest.mark.parametrize(("kind", "said", "wanted"), PUT, ids=lambda each: str(each)[:30])
def test_lines_come_where_they_belong(kind: str, said: Any, wanted: list[str]) -> None:
    assert added(kind, said) == wanted


_AGAIN_EOS = (
    "ip  routing",
    "IP ROUTING",
    "ip prefix-list ALLOWED seq 7 permit 0.0.0.0/0 le 32",
    "ip prefix-list ALLOWED\n   seq 7 permit 0.0.0.0/0 le 32",
    "ip community-list FROM-ABOVE permit 1:1",
)
_AGAIN_FRR = (
    "ip prefix-list ALLOWED permit 0.0.0.0/0 le 32",
    "bgp community-list standard FROM-ABOVE seq 6 permit 1:1",
    "router bgp 0{{ switch.asn }}\n neighbor ABOVE shutdown",
)
"""Other spellings of what is there, and more of its lists."""
REFUSED = [
    ("eos", "hostname other", "CLASHES"),
    ("eos", "no ip routing", "CLASHES"),
    ("eos", "int Lo0\n shutdown", "CLASHES"),
    ("eos", "interface Loopback0\n   shutdown", "CLASHES"),
    ("eos", "default interface Loopback0", "CLASHES"),
    ("eos", "interface Loopback9\n   hostname other", "REFUSED"),
    ("eos", "interface Ethernet1-4\n   shutdown", "REFUSED"),
    ("eos", "interface Ethernet99/1\n   load-interval 5", "REFUSED"),
    ("frr", "interface swp99\n ip ospf cost 5", "REFUSED"),
    ("interfaces", "auto swp99\niface swp99\n    mtu 1500", "REFUSED"),
    ("config_db", {"PORT": {"Ethernet999": {"tpid": "0x8100"}}}, "REFUSED"),
    ("config_db", {"PORTCHANNEL_MEMBER": {"PortChannel7|Ethernet999": {}}}, "REFUSED"),
    ("eos", "end\nconfigure", "REFUSED"),
    ("eos", "event-handler X\n   action bash id", "REFUSED"),
    ("eos", "banner motd", "REFUSED"),
    ("eos", "conf t", "REFUSED"),
    ("eos", "event-h X", "REFUSED"),
    ("frr", "wr mem", "REFUSED"),
    ("frr", "log commands", "REFUSED"),
    ("frr", "line vty\n exec-timeout 0 0", "REFUSED"),
    ("frr", "password <<secret:env:VTY>>", "REFUSED"),
    ("frr", "logmsg errors hello", "REFUSED"),
    ("eos", "schedule x interval 5 max-log-files 1 command bash id", "REFUSED"),
    ("eos", "! a remark", "REFUSED"),
    ("eos", "  ip dhcp snooping", "REFUSED"),
    ("eos", "a\n    b\n  c", "REFUSED"),
    ("eos", "a \x07", "REFUSED"),
    ("eos", "a \u202e", "REFUSED"),
    ("eos", "{{ switch.loopback", "REFUSED"),
    ("eos", "{% for a in 'aaaa' %}x{% endfor %}", "REFUSED"),
    ("eos", "{{ switch.__class__ }}", "REFUSED"),
    ("eos", "{{ switch.name.upper() }}", "REFUSED"),
    ("eos", "{{ switch }}", "REFUSED"),
    ("eos", "{{ tenant.name }}", "REFUSED"),
    ("eos", "enable password sesame", "IN_CLEAR"),
    ("eos", "snmp-server community sesame ro", "IN_CLEAR"),
    ("frr", "router bgp {{ switch.asn }}\n neighbor 192.0.2.1 password sesame", "IN_CLEAR"),
    ("frr", "hostname other", "CLASHES"),
    ("frr", "exit\nwrite", "REFUSED"),
    ("frr", "exit", "REFUSED"),
    ("frr", "\n exit-address-family\nexit\n", "REFUSED"),
    ("eos", "end", "REFUSED"),
    ("eos", "!", "REFUSED"),
    ("eos", "!\nexit", "REFUSED"),
    ("interfaces", "iface dummy0\n    post-up rm -rf /", "REFUSED"),
    ("interfaces", "source /tmp/x", "REFUSED"),
    ("interfaces", "mtu 9000", "REFUSED"),
    ("interfaces", "iface lo\n    address 192.0.2.1/32 \\", "REFUSED"),
    ("config_db", {"PORT": {"Ethernet0": {"mtu": "1500"}}}, "CLASHES"),
    ("config_db", {"PORT": {"Ethernet0": {"admin_status": "up"}}}, "CLASHES"),
    ("config_db", {"TACPLUS": {"global": {"passkey": "sesame"}}}, "IN_CLEAR"),
    ("config_db", {"SNMP_COMMUNITY": {"sesame": {"TYPE": "RO"}}}, "IN_CLEAR"),
    ("config_db", {"SNMP_TRAP_CONFIG": {"v2TrapDest": {"Community": "sesame"}}}, "IN_CLEAR"),
    ("config_db", {"MACSEC_PROFILE": {"x": {"primary_cak": "sesame"}}}, "IN_CLEAR"),
    ("config_db", {"NTP_KEY": {"1": {"value": "sesame"}}}, "IN_CLEAR"),
    ("eos", "ENABLE PASSWORD sesame", "IN_CLEAR"),
    ("eos", "enable password  7  sesame", "IN_CLEAR"),
    ("eos", "radius-server host 192.0.2.1 key sesame retransmit 3", "IN_CLEAR"),
    ("eos", "mac security\n   profile x\n      key 1234 sesame", "IN_CLEAR"),
    ("eos", "daemon x\n   option token value sesame", "IN_CLEAR"),
    ("eos", "daemon x\n   option a value token=sesame", "IN_CLEAR"),
    ("eos", "daemon x\n   option a value -----BEGIN", "IN_CLEAR"),
    ("eos", f"daemon x\n   option a value MIIE{'sesame' * 10}", "IN_CLEAR"),
    ("eos", "snmp-server comm sesame ro", "REFUSED"),
    ("eos", "snmp-server contact <<secret:env:MAIL>>", "REFUSED"),
    ("eos", "snmp-server user a b v3 auth sha <<secret:env:A>> priv aes sesame", "IN_CLEAR"),
    ("frr", "router bgp {{ switch.asn }}\n neighbor 192.0.2.1 pass sesame", "REFUSED"),
    ("frr", "interface swp1\n ip nhrp authentication sesame", "IN_CLEAR"),
    ("interfaces", "iface dummy0\n    wpa-passphrase sesame", "IN_CLEAR"),
    ("interfaces", "iface dummy0\n    WPA-PSK   sesame", "IN_CLEAR"),
    *(("eos", line, "CLASHES") for line in _AGAIN_EOS),
    *(("frr", line, "CLASHES") for line in _AGAIN_FRR),
    ("eos", "interface Loopback 0\n   ip address 192.0.2.1/32", "REFUSED"),
    ("eos", "interface Loopback00\n   ip address 192.0.2.1/32", "REFUSED"),
    ("eos", "vlan 110-120\n   name x", "REFUSED"),
    ("eos", "interface Vxlan1\n   vxlan vlan 110-120 vni 1-11", "REFUSED"),
    ("frr", "router bgp\n bgp router-id 192.0.2.1", "REFUSED"),
    ("frr", "router bgp {{ switch.asn }} vrf default\n bgp router-id 192.0.2.1", "REFUSED"),
    (
        "frr",
        "router bgp {{ switch.asn }}\n address-family ipv4\n  maximum-paths 1",
        "REFUSED",
    ),
    ("config_db", {"PORT": {"ethernet0": {"tpid": "0x8100"}}}, "CLASHES"),
    ("config_db", {"port": {"Ethernet0": {"tpid": "0x8100"}}}, "CLASHES"),
    ("config_db", {"PORT": {"Ethernet0": {}}}, "CLASHES"),
]


@pytest.mark.parametrize(("kind", "said", "code"), REFUSED, ids=lambda each: str(each)[:40])
def test_what_may_not_stand_there_is_refused(kind: str, said: Any, code: str) -> None:
    found = faults(kind, said)
    assert any(name.endswith(code) for name, _ in found), found
    assert "sesame" not in str(found)


def test_a_reference_to_a_secret_is_one_of_the_fabric() -> None:
    result = compiled("eos", "snmp-server community <<secret:env:OTHER>> rw")
    assert not faults("eos", "enable password <<secret:env:OTHER>>")
    assert result.site is not None
    assert any("env:OTHER" in fabric.secrets for fabric in result.site.fabrics)


def test_a_line_more_of_a_list_is_told_as_that() -> None:
    said = faults("eos", "ip prefix-list ALLOWED\n   seq 300 permit 192.0.2.0/24")
    assert [message for _, message in said] == [
        "line 2: `seq 300 permit 192.0.2.0/24` adds to an object of the design: "
        "eos.cfg:{} `ip prefix-list ALLOWED` of fe-leaf01".format(
            _line_of("ip prefix-list ALLOWED")
        )
    ]


def _line_of(line: str) -> int:
    plain = compile_site(load_texts({"site.yaml": json.dumps(SITES["tenants"])}), "eos")
    return text("eos", plain.site).splitlines().index(line) + 1


def test_a_fact_may_stand_in_a_key_of_the_database() -> None:
    key = "Loopback7|{{ switch.loopback }}/32"
    site = compiled("config_db", {"LOOPBACK_INTERFACE": {key: {}}}).site
    assert "Loopback7|10.64.0.1/32" in json.loads(text("config_db", site))["LOOPBACK_INTERFACE"]


def test_two_own_texts_clash_as_well() -> None:
    words = {
        "custom_config": {"eos": "a b c"},
        "switches": {"fe-leaf01": {"custom_config": {"eos": "a b c"}}},
    }
    site = laid(SITES["tenants"], {"frontend": words})
    result = compile_site(load_texts({"site.yaml": json.dumps(site)}), "eos")
    messages = [each.message for each in result.findings if each.code is Code.OWN_LINE_CLASHES]
    assert messages == ["line 1: `a b c` repeats line 1 of frontend.custom_config.eos of fe-leaf01"]


def refused(words: dict[str, Any]) -> list[tuple[tuple[object, ...], str]]:
    """Return each finding about an own text of the frontend: its place, and its first words."""
    site = laid(SITES["tenants"], {"frontend": words})
    found = compile_site(load_texts({"site.yaml": json.dumps(site)}), "eos").findings
    codes = {Code.OWN_LINES_REFUSED, Code.OWN_LINE_IN_CLEAR}
    return [(each.path, each.message.partition("`:")[0]) for each in found if each.code in codes]


def test_each_own_text_is_refused_for_itself() -> None:
    own = {"custom_config": {"eos": "banner motd"}}
    line = "line 1: `banner motd"
    every, one = (
        ("frontend", *path, "custom_config", "eos") for path in ((), ("switches", "fe-leaf01"))
    )
    assert refused({**own, "switches": {"fe-leaf01": own}}) == [(every, line), (one, line)]


def test_lines_for_another_platform_are_said() -> None:
    words = at("frontend", "custom_config", words={"eos": "ip dhcp snooping"})
    loaded = load_texts({"site.yaml": json.dumps(laid(SITES["tenants"], words))})
    messages = [each.message for each in compile_site(loaded, "sonic").findings]
    assert "no switch here accepts these lines: `eos` is for eos" in messages


@pytest.mark.parametrize("kind", FILE)
def test_every_line_is_explained(kind: str) -> None:
    said = {"eos": "a b c", "frr": "a b c", "interfaces": "auto dummy0"}.get(
        kind, {"PORT": {"Ethernet0": {"tpid": "0x8100"}}}
    )
    result = compiled(kind, said)
    assert result.site is not None
    switch_slice = next(p for _, p in slices(result.site) if p.switch.name == "fe-leaf01")
    lines = [line for line in explain_switch(switch_slice) if line.file == FILE[kind]]
    assert [line.text for line in lines] == text(kind, result.site).splitlines()
    own = [line for line in lines if any("custom_config" in each.main for each in line.reasons)]
    assert len(own) == 1


def test_lines_of_a_switch_that_is_called_otherwise_come_last() -> None:
    narrow = {"hostname": "rack7", "custom_config": {"eos": "b c"}}
    words = {"custom_config": {"eos": "a b"}, "switches": {"fe-leaf01": narrow}}
    site = laid(SITES["tenants"], {"frontend": words})
    result = compile_site(load_texts({"site.yaml": json.dumps(site)}), "eos")
    own = [
        line for line in text("eos", result.site, "rack7").splitlines() if line in {"a b", "b c"}
    ]
    assert own == ["a b", "b c"]


def at_port(port: str, kind: str, said: Any) -> Compiled:
    words = at(
        "frontend", "switches", "fe-leaf01", "ports", port, "custom_config", words={kind: said}
    )
    loaded = load_texts({"site.yaml": json.dumps(laid(SITES["tenants"], words))})
    return compile_site(loaded, PLATFORM[kind])


@pytest.mark.parametrize(
    ("kind", "line", "head"),
    [
        ("eos", "load-interval 5", "interface Ethernet1/"),
        ("interfaces", "mpls-enable yes", "iface swp1s"),
        ("frr", "ip ospf dead-interval 9", "interface swp1s"),
    ],
)
@pytest.mark.parametrize(("port", "ports"), [("1/2", 1), ("1", 4), ("1-2", 5)])
def test_lines_of_a_port_stand_below_its_interface(
    kind: str, line: str, head: str, port: str, ports: int
) -> None:
    result = at_port(port, kind, line)
    assert result.ok, result.findings
    heads, above = [], ""
    for row in text(kind, result.site).splitlines():
        above = row if row and not row.startswith((" ", "!")) else above
        heads += [above] if row.strip() == line else []
    assert len(set(heads)) == len(heads) == ports
    assert all(each.startswith((head, head.replace("1", "2").rstrip("s"))) for each in heads)


def test_fields_of_a_port_stand_in_its_entry() -> None:
    result = at_port("1/2", "config_db", {"tpid": "0x8100"})
    assert result.ok, result.findings
    ports = json.loads(text("config_db", result.site))["PORT"]
    assert [port for port, row in ports.items() if "tpid" in row] == ["Ethernet1"]


def test_what_a_port_has_already_is_refused_with_the_line_of_its_text() -> None:
    result = at_port("29", "eos", "load-interval 5\nmtu 1500")
    said = [each.message for each in result.findings]
    assert any("line 2: `mtu 1500` sets interface Ethernet29/1 mtu" in each for each in said)


@pytest.mark.parametrize(("port", "absent"), [("99", "99"), ("30-99", "35-99"), ("9/8", "9/8")])
def test_a_port_that_is_not_there_has_no_lines(port: str, absent: str) -> None:
    said = [each.message for each in at_port(port, "eos", "load-interval 5").findings]
    assert any(f"fe-leaf01 has no port {absent} in its current use" in each for each in said)


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("frr", "debug bgp updates"),
        ("frr", "log facility local7"),
        ("eos", "schedule t interval 60 max-log-files 5 command show tech-support"),
    ],
)
def test_what_is_a_line_of_configuration_is_taken(kind: str, line: str) -> None:
    assert not faults(kind, line)
