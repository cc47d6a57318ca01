"""From small tables: what a line says, what is unclaimed, how groups and policies are resolved."""

import pytest

from fabricgen.core.tree.facts import NAME, Facts, disagreements
from fabricgen.core.tree.grammar import Grammar, _thinned
from fabricgen.core.tree.table import GrammarError

TABLE = """
@end !, end
@text banner login, EOF, switch banner
@inherit session group
@inline clause prefixes prefixes
@inline session in clause
service on                            -> always
hostname <name>                       -> switch hostname=<name>
interface <port>
   description <text:own>             -> interface <port> description=<text>
   address <address:own>              -> interface <port> address+=<address>
   speed <speed>                      -> interface <port> speed=<speed.rate>
   vlans <vlans:ranges>               -> interface <port> vlans+=<vlans>
   down                               -> interface <port> shut=true
router <asn>                          -> bgp default asn=<asn>
   neighbor <peer> group              -> session x <peer> template=true
   neighbor <peer> group <group>      -> session x <peer> group=<group>
   neighbor <peer> as <n> [ttl <t>]   -> session x <peer> asn=<n>; session x <peer> ttl=<t>
   neighbor <peer> bfd                -> session x <peer> bfd=true
   neighbor <peer> policy <map> in    -> session x <peer> in=<map>
policy <map> <seq> <action>           -> clause <map> <seq> action=<action>
   match <list>                       -> clause <map> <seq> prefixes=<list>
list <list> <seq> <p:prefix>          -> prefixes <list> <seq> permit=<p>,<p.length>
other
   ...
"""
GRAMMAR = Grammar(TABLE)
TEXT = """service on
hostname leaf1
!
interface Ethernet1/1
   description to spine1
   speed 100g-4
   address 10.0.0.1/31
!
interface Ethernet2/1
   vlans 10-12,7
   down
!
router 65001
   neighbor SPINES group
   neighbor SPINES bfd
   neighbor SPINES policy FROM in
   neighbor 10.0.0.0 group SPINES
   neighbor 10.0.0.0 as 65100 ttl 3
   neighbor 10.0.0.2 as 65101
!
list ALLOWED 20 10.2.0.0/16
list ALLOWED 10 10.1.0.0/16
policy FROM 10 permit
   match ALLOWED
other
   whatever stands
      here
banner login
one  two

three
EOF
end
"""


def read(text: str) -> dict[tuple[str, ...], dict[str, object]]:
    quick, slow = GRAMMAR.read(text), GRAMMAR.trace(text)
    assert quick.facts == slow.facts
    return {key: dict(attributes) for key, attributes in quick.facts.items()}


def test_a_port_has_what_its_lines_say() -> None:
    facts = read(TEXT)
    assert facts["interface", "Ethernet1/1"] == {
        "description": "to spine1",
        "speed": "100G",
        "address": ("10.0.0.1/31",),
    }
    assert facts["interface", "Ethernet2/1"] == {"vlans": ("10", "11", "12", "7"), "shut": "true"}


def test_ports_whose_lines_are_alike_keep_their_own() -> None:
    one = "interface A\n   description x\n   speed 25g\n"
    facts = read(f"{one}{one.replace('A', 'B').replace(' x', ' y')}")
    assert [facts["interface", port]["description"] for port in "AB"] == ["x", "y"]


def test_a_group_gives_its_members_what_they_do_not_say_and_is_gone() -> None:
    facts = read(TEXT)
    assert facts["session", "x", "10.0.0.0"]["bfd"] == "true"
    assert ("session", "x", "SPINES") not in facts
    assert "bfd" not in facts["session", "x", "10.0.0.2"]


def test_a_group_that_nobody_joins_is_seen() -> None:
    alone = read("router 1\n   neighbor X group\n   neighbor X bfd\n")
    assert alone["session", "x", "X"] == {"template": "true", "bfd": "true"}


def test_a_policy_is_what_it_says_in_the_order_of_its_numbers() -> None:
    listed = ((("permit", "10.1.0.0/16,16"),), (("permit", "10.2.0.0/16,16"),))
    facts = read(TEXT)
    assert facts["session", "x", "10.0.0.0"]["in"] == (
        (("action", "permit"), ("prefixes", listed)),
    )
    assert not [key for key in facts if key[0] in {"clause", "prefixes"}]


def test_a_policy_that_is_not_there_stays_a_name_and_an_unused_one_an_object() -> None:
    facts = read("router 1\n   neighbor X policy GONE in\npolicy FREE 10 permit\n")
    assert facts["session", "x", "X"]["in"] == "GONE"
    assert facts["clause", "FREE", "10"] == {"action": "permit"}


def test_what_may_be_left_out_says_nothing() -> None:
    facts = read(TEXT)
    assert facts["session", "x", "10.0.0.0"]["ttl"] == "3"
    assert "ttl" not in facts["session", "x", "10.0.0.2"]


AB = ("a", "b")


@pytest.mark.parametrize(
    ("text", "key", "attribute", "both"),
    [
        ("interface A\n   description b\n   description a\n", "interface A", "description", AB),
        ("router 1\n   neighbor X as 1\n   neighbor X as 2\n", "session x X", "asn", ("1", "2")),
        (
            "interface A\n   description b\n   description a\n",
            "interface A",
            "description",
            ("a", "b"),
        ),
    ],
)
def test_a_text_that_contradicts_itself_says_both(
    text: str, key: str, attribute: str, both: tuple[str, ...]
) -> None:
    assert read(text)[tuple(key.split())][attribute] == both


def test_text_between_marks_is_one_fact() -> None:
    assert read(TEXT)["switch",] == {"hostname": "leaf1", "banner": "one  two\n\nthree"}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("hostnam leaf1\n", (1, "hostnam leaf1")),
        ("hostname leaf1\n!\ninterface A\n   speed 1 2\n", (4, "   speed 1 2")),
        ("interface A\n   description x\n   odd\n", (3, "   odd")),
        ("banner login\nhostname x\nEOF\nodd\n", (4, "odd")),
        ("router 1\n   neighbor X as\n", (2, "   neighbor X as")),
    ],
)
def test_a_line_of_no_row_is_unclaimed_with_its_number(text: str, line: tuple[int, str]) -> None:
    assert [row for _, row in GRAMMAR.read(text).unclaimed] == [line[1]]
    assert GRAMMAR.trace(text).unclaimed == [line]


def test_a_traced_fact_names_its_lines() -> None:
    lines = GRAMMAR.trace(TEXT).lines
    assert lines[("interface", "Ethernet1/1"), "address"] == [7]
    assert set(lines[("session", "x", "10.0.0.0"), "bfd"]) == {15}


def test_what_always_stands_is_a_fact() -> None:
    assert GRAMMAR.always == {("always", "service on"): {"stands": "true"}}
    assert ("always", "service on") in read(TEXT)
    assert ("always", "service on") not in read("hostname x\n")


def test_a_disagreement_says_both_sides() -> None:
    one: Facts = {("vlan", "10"): {"vni": "10010", "name": "a"}, ("vlan", "11"): {"name": "b"}}
    other: Facts = {("vlan", "10"): {"vni": "10011", "name": "a"}, ("vlan", "12"): {"name": ("b",)}}
    assert [str(each) for each in disagreements(one, other)] == [
        "VLAN 10: VNI is 10011, but the design has 10010",
        "VLAN 11: name is missing; the design has b",
        "VLAN 12: name is b, but it is not in the design",
    ]


@pytest.mark.parametrize(
    "row",
    ["a <b> -> kind", "a <b> -> kind attribute", "@what", "...", "a <b:own> -> x <b.unknown> y=1"],
)
def test_a_row_that_is_wrong_is_refused(row: str) -> None:
    with pytest.raises(GrammarError):
        Grammar(row)


def test_values_are_found_where_they_are_read() -> None:
    grammar = Grammar("""
@comment !
@text banner, EOF, switch banner
hostname <name:own>                      -> switch name=<name>
interface <port>                         -> interface <port> there=true
   description <text:own>                -> interface <port> description=<text>
   mtu <mtu>                             -> interface <port> mtu=<mtu>
router <asn:own>                         -> bgp <asn> exists=true
   neighbor <peer> remote-as <asn>       -> session <peer> asn=<asn>
   neighbor <peer> bfd
""")
    text = """banner
hostname leaf
EOF
! leaf
hostname leaf
interface E1
   mtu 1500
   description leaf to spine
interface E2
   description spare
router 65001
   neighbor 10.0.0.1 remote-as 65001
   neighbor 10.0.0.1 bfd
   strange leaf
"""
    values = frozenset(("leaf", "leaf to spine", "65001", "10.0.0.1"))
    spans = list(grammar.spans(text, values))
    assert [(text[start:end], key, name) for start, end, key, name in spans] == [
        ("leaf", ("switch",), "name"),
        ("leaf to spine", ("interface", "E1"), "description"),
        ("65001", ("bgp", "65001"), NAME),
        ("10.0.0.1", ("session", "10.0.0.1"), NAME),
        ("65001", ("session", "10.0.0.1"), "asn"),
    ]
    assert spans == sorted(spans)
    assert text[: spans[0][0]].count("hostname") == 2


def test_of_a_block_only_what_has_a_value_and_the_heads_above_it_are_walked() -> None:
    block = "interface A\n   no shutdown\n   group\n      vlan 7\n   mtu 9214\nother\n   vlan 8"
    assert _thinned(block, frozenset({"7"})).split("\n") == [
        "interface A", "", "   group", "      vlan 7", "", "", "",
    ]  # fmt: skip
    assert _thinned(block, frozenset({"9"})) == ""


def test_a_range_that_would_fill_the_memory_is_what_it_says() -> None:
    """A switch, or whoever wrote its file, chooses how long it is."""
    wrong = "1-99999999999"
    facts = Grammar(TABLE).read(f"interface Ethernet1\n   vlans {wrong}\n").facts
    assert any((wrong,) in own.values() for own in facts.values())
