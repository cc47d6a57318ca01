"""From small databases: what an entry says, what nobody claims, and where it stands."""

import json
from typing import Any

import pytest

from fabricgen.core.tree.database import Database
from fabricgen.core.tree.facts import NAME

TABLE = """
PORT <port>
   mtu <mtu>                            -> interface <port> mtu=<mtu>
   speed <speed>                        -> interface <port> speed=<speed.megabits>
   admin_status down                    -> interface <port> shut=true
   lanes <lanes>                        -> interface <port> lanes=<lanes>
INTERFACE <port:cell>                   -> interface <port> routed=true
   vrf_name Vrf_<vrf>                   -> interface <port> vrf=<vrf>
INTERFACE <port:cell>|<address>         -> interface <port> address+=<address>
MEMBER Vlan<vlan:int>|<port>
   mode tagged                          -> interface <port> vlans+=<vlan>
LENGTH ONLY
   <port> <length>                      -> interface <port> cable=<length>
QUEUE
   ...
"""
GRAMMAR = Database(TABLE)
TEXT: dict[str, dict[str, dict[str, Any]]] = {
    "PORT": {
        "Ethernet0": {"mtu": "9214", "speed": "100000", "admin_status": "down"},
        "Ethernet4": {"mtu": "1500", "lanes": ["1", "2"]},
    },
    "INTERFACE": {
        "Ethernet0": {"vrf_name": "Vrf_red"},
        "Ethernet0|10.0.0.1/31": {},
        "Ethernet0|10.0.0.3/31": {},
    },
    "MEMBER": {"Vlan10|Ethernet4": {"mode": "tagged"}, "Vlan20|Ethernet4": {"mode": "tagged"}},
    "LENGTH": {"ONLY": {"Ethernet0": "5m"}},
    "QUEUE": {"Ethernet0|3": {"anything": "at all"}},
}
FACTS = {
    ("interface", "Ethernet0"): {
        "mtu": "9214",
        "speed": "100G",
        "shut": "true",
        "routed": "true",
        "vrf": "red",
        "address": ("10.0.0.1/31", "10.0.0.3/31"),
        "cable": "5m",
    },
    ("interface", "Ethernet4"): {"mtu": "1500", "lanes": ("1", "2"), "vlans": ("10", "20")},
}


def printed(database: object, indent: int | None = 4) -> str:
    return json.dumps(database, indent=indent) + "\n"


@pytest.mark.parametrize("indent", [4, 2, None])
def test_every_entry_says_its_facts_however_it_is_printed(indent: int | None) -> None:
    reading = GRAMMAR.read(printed(TEXT, indent))
    assert reading.facts == FACTS
    assert reading.unclaimed == []


@pytest.mark.parametrize(
    ("table", "key", "field", "value", "strange"),
    [
        ("PORT", "Ethernet0", "fec", "rs", "PORT Ethernet0 fec"),
        ("PORT", "Ethernet0", "admin_status", "testing", "PORT Ethernet0 admin_status"),
        ("INTERFACE", "Ethernet0", "vrf_name", "red", "INTERFACE Ethernet0 vrf_name"),
        ("MEMBER", "Ethernet0", "mode", "tagged", "MEMBER Ethernet0"),
        ("NEW", "x", "y", "z", "NEW x"),
    ],
)
def test_what_no_row_claims_is_said(
    table: str, key: str, field: str, value: str, strange: str
) -> None:
    entry = {**TEXT.get(table, {}).get(key, {}), field: value}
    text = printed({**TEXT, table: {**TEXT.get(table, {}), key: entry}})
    assert [line for _, line in GRAMMAR.read(text).unclaimed] == [strange]
    ((number, traced),) = GRAMMAR.trace(text).unclaimed
    assert traced == strange
    assert strange.rsplit(maxsplit=1)[-1] in text.splitlines()[number - 1]


def test_a_trace_has_the_line_of_each_fact() -> None:
    text = printed(TEXT)
    lines = text.splitlines()
    places = GRAMMAR.trace(text).lines
    (mtu,) = places[("interface", "Ethernet0"), "mtu"]
    assert lines[mtu - 1].strip() == '"mtu": "9214",'
    first, second = places[("interface", "Ethernet0"), "address"]
    assert "10.0.0.1/31" in lines[first - 1]
    assert "10.0.0.3/31" in lines[second - 1]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"PORT": []}', '{\n    "PORT": {\n    }\n}\nx'])
def test_no_database_is_unclaimed(text: str) -> None:
    assert [line for _, line in GRAMMAR.read(text).unclaimed] == [
        "not JSON of tables, entries and fields"
    ]


def test_a_table_that_stands_twice_is_read_as_json_does() -> None:
    text = '{\n    "LENGTH": {\n    },\n    "LENGTH": {"ONLY": {"Ethernet0": "7m"}\n    }\n}\n'
    assert GRAMMAR.read(text).facts == {("interface", "Ethernet0"): {"cable": "7m"}}


OWN = Database("""
PORT <port>
   description <text:own>               -> interface <port> description=<text>
   mtu <mtu>                            -> interface <port> mtu=<mtu>
INTERFACE <port:cell>|<address:own>     -> interface <port> address+=<address>
PEER <name:own>
   type <type>                          -> peer <name> type=<type>
PLAIN <port>
   text <text>                          -> plain <port> text=<text>
""")


def test_values_are_found_where_they_are_read() -> None:
    text = printed(
        {
            "PORT": {"E0": {"description": "leaf to spine", "mtu": "leaf"}, "E1": {"mtu": "1"}},
            "INTERFACE": {"E0|10.0.0.1/31": {}, "E0|10.0.0.3/31": {}},
            "PEER": {"leaf": {"type": "Leaf"}},
            "PLAIN": {"E0": {"text": "leaf"}},
            "STRANGE": {"leaf": {"text": "leaf"}},
        }
    )
    values = frozenset(("leaf", "leaf to spine", "10.0.0.3/31"))
    spans = [(text[start:end], key, name) for start, end, key, name in OWN.spans(text, values)]
    assert spans == [
        ("leaf to spine", ("interface", "E0"), "description"),
        ("leaf", ("interface", "E0"), "mtu"),
        ("10.0.0.3/31", ("interface", "E0"), "address"),
        ("leaf", ("peer", "leaf"), NAME),
    ]
    assert list(OWN.spans(printed(json.loads(text), None), values)) == []
