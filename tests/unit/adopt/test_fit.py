"""What differs from a tree becomes a pin, an own line at the widest place, or is named."""

from tests.unit.adopt.examples import Texts, network, rendered, tree_of

from fabricgen.importer.fit import NOT_THERE, Fit, ImportResult
from fabricgen.importer.own import IN_CLEAR
from fabricgen.importer.tree import at

TREE = tree_of("tenants")
FRONTEND = "frontend/"


def files() -> tuple[Texts, dict[str, str]]:
    return rendered(TREE)


def changed(texts: Texts, switch: str, old: str, new: str) -> None:
    for folder, own in texts.items():
        if folder.startswith(f"frontend/{switch}"):
            assert old in own["eos.cfg"]
            own["eos.cfg"] = own["eos.cfg"].replace(old, new)


def fitted(texts: Texts, platforms: dict[str, str]) -> ImportResult:
    adopted = Fit(network(texts, platforms).switches).fitted(TREE)
    assert adopted.compiles, adopted.findings
    return adopted


def test_what_is_rendered_needs_nothing() -> None:
    adopted = fitted(*files())
    assert adopted.tree == TREE
    assert (adopted.share, adopted.designed, adopted.own) == (100.0, adopted.lines, 0)
    assert (adopted.remainders, adopted.pins, adopted.absent) == ((), (), ())


def test_a_number_is_pinned_and_what_its_neighbors_say_otherwise_is_named() -> None:
    texts, platforms = files()
    changed(texts, "fe-leaf01", "router bgp 4200000000", "router bgp 4209900000")
    adopted = fitted(texts, platforms)
    assert at(adopted.tree, "frontend", "switches", "fe-leaf01") == {"asn": 4209900000}
    assert {each.switch for each in adopted.remainders} == {"fe-spine1", "fe-spine2"}
    theirs = [each for each in adopted.remainders if not each.ours]
    assert len(theirs) == adopted.lines - adopted.designed == 4
    assert all("4200000000" in each.line for each in theirs)


def test_lines_that_all_have_stand_where_all_are() -> None:
    texts, platforms = files()
    changed(texts, "fe-", "!\nend", "!\nqueue-monitor length\nend")
    changed(texts, "fe-leaf", "!\nqueue-", "!\nagent odd\nqueue-")
    for leaf in ("fe-leaf05", "fe-leaf06"):
        changed(texts, leaf, "!\nagent", "!\nagent storage\nagent")
    adopted = fitted(texts, platforms)
    assert adopted.share == 100
    assert adopted.remainders == ()
    assert at(adopted.tree, "site", "custom_config") == {"eos": "queue-monitor length\n"}
    assert at(adopted.tree, "frontend", "leaf", "custom_config") == {"eos": "agent odd\n"}
    storage = at(adopted.tree, "frontend", "leaf_groups", "storage", "custom_config")
    assert storage == {"eos": "agent storage\n"}
    assert "switches" not in adopted.tree["frontend"]


def test_what_follows_from_the_switch_is_a_variable() -> None:
    texts, platforms = files()
    for folder, own in texts.items():
        name = folder.removeprefix(FRONTEND)
        own["eos.cfg"] = own["eos.cfg"].replace("!\nend", f"!\nagent {name} on\nend")
    adopted = fitted(texts, platforms)
    assert adopted.remainders == ()
    assert at(adopted.tree, "site", "custom_config") == {"eos": "agent {{ switch.name }} on\n"}


def test_what_is_refused_is_named_with_why() -> None:
    texts, platforms = files()
    changed(texts, "fe-leaf02", "!\nend", "!\nsnmp-server host 192.0.2.9 version 2c geheim\nend")
    changed(texts, "fe-leaf03", "ntp server vrf mgmt 10.255.3.250\n", "")
    changed(texts, "fe-leaf04", "!\nend", "!\nevent-handler x\n   action bash reboot\nend")
    adopted = fitted(texts, platforms)
    assert [(each.switch, each.why) for each in adopted.remainders] == [
        ("fe-leaf02", IN_CLEAR),
        ("fe-leaf03", NOT_THERE),
        ("fe-leaf04", "`event-handler x`: it runs a program, which custom config must not do"),
        ("fe-leaf04", "`event-handler x`: it runs a program, which custom config must not do"),
    ]
    assert "geheim" not in str(adopted)


def test_a_switch_that_the_tree_has_not_is_named_line_by_line() -> None:
    texts, platforms = files()
    texts["frontend/other"] = {"eos.cfg": "hostname other\nip routing\n"}
    adopted = fitted(texts, {**platforms, "frontend/other": "eos"})
    assert [each.line for each in adopted.remainders] == ["hostname other", "ip routing"]


def test_a_second_secret_like_the_one_of_the_design_is_named() -> None:
    texts, platforms = files()
    changed(texts, "fe-leaf01", "!\nend", "!\nsnmp-server community geheim ro\nend")
    adopted = fitted(texts, platforms)
    (rest,) = adopted.remainders
    assert (rest.switch, rest.why, rest.lines) == ("fe-leaf01", IN_CLEAR, 1)
    assert rest.line == "snmp-server community <<secret>> ro"
    assert (
        texts["frontend/fe-leaf01"]["eos.cfg"].split("\n")[rest.at.line - 1].endswith("geheim ro")
    )


def test_in_a_file_of_words_all_but_the_secret_is_compared() -> None:
    tree = tree_of("lab")
    tree["site"]["management"]["snmp"] = {
        "users": [{"name": "prom", "auth": "env:A", "privacy": "env:P"}],
        "community": "env:C",
    }
    texts, platforms = rendered(tree)
    folder = next(each for each in sorted(texts) if "etc/snmp/snmpd.conf" in texts[each])
    own = texts[folder]
    own["etc/snmp/snmpd.conf"] = (
        own["etc/snmp/snmpd.conf"]
        .replace("rouser prom", "rouser boss")
        .replace("<<secret:env:C>>", "geheim")
        + "rocommunity geheim2 192.0.2.0/24\n"
    )
    adopted = Fit(network(texts, platforms).switches).fitted(tree)
    said = sorted((each.line, each.ours) for each in adopted.remainders)
    assert said == [
        ("rocommunity <<secret>>", False),
        ("rouser <<secret>>", False),
        ("rouser <<secret>>", True),
    ]
    assert "geheim" not in str(adopted.remainders)


CERTIFICATE = """   protocol https certificate
-----BEGIN CERTIFICATE-----
AAAA
-----END CERTIFICATE-----
EOF
-----BEGIN PRIVATE KEY-----
BBBB
-----END PRIVATE KEY-----
EOF
   !
   vrf mgmt"""


def test_what_stands_behind_a_text_of_several_lines_is_compared() -> None:
    texts, platforms = files()
    banner = "banner motd\nNo entry\nEOF\n!\nmac address-table static 0000.1111.2222 vlan 110 drop"
    changed(texts, "fe-leaf01", "!\nvlan internal order", f"!\n{banner}\n!\nvlan internal order")
    changed(
        texts,
        "fe-leaf02",
        "   !\n   vrf mgmt\n      no shutdown\n      ip",
        f"{CERTIFICATE}\n      no shutdown\n      ip",
    )
    adopted = fitted(texts, platforms)
    assert [(each.switch, each.line.split("\n")[0], each.lines) for each in adopted.remainders] == [
        ("fe-leaf01", "banner motd", 3),
        ("fe-leaf02", "management api http-commands > protocol https certificate", 9),
    ]
    own = at(adopted.tree, "frontend", "switches", "fe-leaf01", "custom_config")
    assert own == {"eos": "mac address-table static 0000.1111.2222 vlan 110 drop\n"}
    assert "BBBB" not in str(adopted)


def test_a_script_is_compared_line_by_line() -> None:
    tree = tree_of("lab")
    texts, platforms = rendered(tree)
    folder = next(each for each in sorted(texts) if "etc/fabricgen/tc.batch" in texts[each])
    first, _, rest = texts[folder]["etc/fabricgen/tc.batch"].partition("\n")
    texts[folder]["etc/fabricgen/tc.batch"] = f"{first} limit 9\n{rest}qdisc add dev eth9 root fq\n"
    adopted = Fit(network(texts, platforms).switches).fitted(tree)
    said = sorted((each.line, each.ours) for each in adopted.remainders)
    added = "qdisc add dev eth9 root fq"
    assert said == sorted([(f"{first} limit 9", False), (added, False), (first, True)])
