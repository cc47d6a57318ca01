"""From lldpd's JSON: who is at the other end of each cable."""

from typing import Any

from fabricgen.nos.shared.health import neighbors


def heard(name: str, chassis: list[Any] | None = None, port: list[Any] | None = None) -> Any:
    entry: dict[str, Any] = {"name": name}
    if chassis is not None:
        entry["chassis"] = chassis
    if port is not None:
        entry["port"] = port
    return entry


def shown(*interfaces: Any) -> Any:
    return {"lldp": [{"interface": list(interfaces)}]}


NAME = [{"name": [{"value": "spine1"}]}]
PORT = [{"id": [{"type": "ifname", "value": "Ethernet4/1"}], "descr": [{"value": "to leaf1"}]}]


def test_a_neighbor_has_a_name_and_names_its_port() -> None:
    assert neighbors(shown(heard("swp1", NAME, PORT))) == {
        ("cable", "swp1"): {"far": (("spine1", "Ethernet4/1", "to leaf1"),)}
    }


def test_all_that_are_heard_on_one_port_are_there() -> None:
    other = heard("swp1", [{"name": [{"value": "phone"}]}], [{"id": [{"value": "mac"}]}])
    assert neighbors(shown(heard("swp1", NAME, PORT), other)) == {
        ("cable", "swp1"): {"far": (("spine1", "Ethernet4/1", "to leaf1"), ("phone", "mac"))}
    }


def test_what_is_not_given_is_left_out_and_a_missing_name_is_empty() -> None:
    nameless = heard("swp2", [{"id": [{"value": "x"}]}], [{"id": [{"type": "local"}]}])
    assert neighbors(shown(nameless, heard("swp3"))) == {
        ("cable", "swp2"): {"far": (("",),)},
        ("cable", "swp3"): {"far": (("",),)},
    }


def test_where_nobody_is_heard_there_is_nothing() -> None:
    assert neighbors({}) == {}
    assert neighbors({"lldp": [{}]}) == {}
