"""Ways to plant a fault into a written right switch."""

from collections.abc import Callable
from typing import Any, NamedTuple

from tests.written.sonic.commands import VTYSH
from tests.written.sonic.databases import ASIC, SAI, map_text
from tests.written.sonic.served import Written

VNIS, _, NEIGHBORS, TARGETS, BFD = VTYSH
RELEASE = "202505"
Plant = Callable[[Written], object]


class Fault(NamedTuple):
    """A fault. says: part of the sentence that the check must say."""

    check: str
    name: str
    switch: str
    plant: Plant
    says: str


def put(database: int, key: str, **fields: str) -> Plant:
    """Change fields of a hash that exists."""

    def plant(switch: Written) -> None:
        row = switch.row(database, key)
        for name, value in fields.items():
            row[name.replace("__", ".")] = value

    return plant


def lose(database: int, key: str, *fields: str) -> Plant:
    """Remove fields of a hash, or the hash."""

    def plant(switch: Written) -> None:
        row = switch.row(database, key)
        for name in fields:
            del row[name]
        if not fields:
            del switch.data.of[database][key]

    return plant


def add(database: int, key: str, **fields: str) -> Plant:
    return lambda switch: switch.data.put(database, key, fields)


def asic(kind: str, name: str, **fields: str) -> Plant:
    """Change attributes of an object of the ASIC."""
    return lambda switch: switch.asic(kind, name).update(fields)


def unset(kind: str, name: str, field: str) -> Plant:
    return lambda switch: switch.asic(kind, name).pop(field)


def count(name: str, **fields: str) -> Plant:
    return lambda switch: switch.counters(name).update(fields)


def uncount(name: str, *fields: str) -> Plant:
    return lambda switch: [switch.counters(name).pop(each) for each in fields]


def mapped(table: str, key: str, value: str, **rows: str) -> Plant:
    """Change rows of the map that all ports share."""

    def plant(switch: Written) -> None:
        (name, own), *_ = switch.switch.config[table].items()
        text = map_text({**own, **{k.lstrip("_"): v for k, v in rows.items()}}, key, value)
        attributes = switch.asic("QOS_MAP", f"{table}|{name}")
        attributes["SAI_QOS_MAP_ATTR_MAP_TO_VALUE_LIST"] = text

    return plant


def vtysh(line: str, change: Callable[[Any], object]) -> Plant:
    return lambda switch: change(switch.vtysh(line))


def printed(call: str, old: str, new: str) -> Plant:
    """Replace text that a program prints."""

    def plant(switch: Written) -> None:
        name = next(each for each in switch.texts if each.startswith(call))
        assert old in switch.texts[name], (name, old)
        switch.texts[name] = switch.texts[name].replace(old, new)

    return plant


def stopped(container: str, *names: str) -> Plant:
    """Let processes of a container stop."""

    def plant(switch: Written) -> None:
        call = f"docker exec {container} supervisorctl status"
        for name in names:
            rows = switch.texts[call].splitlines()
            rows = [
                row.replace("RUNNING", "FATAL  ") if row.split()[0] == name else row for row in rows
            ]
            switch.texts[call] = "\n".join(rows) + "\n"

    return plant


def peer(name: str, vrf: str = "default", **own: Any) -> Plant:
    return vtysh(NEIGHBORS, lambda shown: shown[vrf][name].update(own))


def down(name: str, vrf: str = "default") -> Plant:
    return peer(name, vrf, bgpState="Active", lastResetDueTo="BFD down received")


def all_of(*plants: Plant) -> Plant:
    return lambda switch: [plant(switch) for plant in plants]


WRED = "SAI_WRED_ATTR_GREEN_"
WEIGHT = "SAI_SCHEDULER_ATTR_SCHEDULING_WEIGHT"
MASK = "SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL"
UP, SERVER = "Ethernet504", "Ethernet0"


def headroom(switch: Written, port: str, **fields: str) -> None:
    """Change the buffer profile of the lossless group of a port."""
    group = switch.asic("INGRESS_PRIORITY_GROUP", f"group {port}:3")
    oid = group["SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE"]
    switch.row(ASIC, f"{SAI}BUFFER_PROFILE:{oid}").update(fields)
